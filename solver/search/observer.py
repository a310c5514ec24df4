"""What a search tells of itself while it works, and what is counted of it.

The algorithms report each step to an `Observer` and know nothing more: this one counts, the trace prints, the
diagram remembers, the clock stops the search, and a relay lets several of them listen to the same one.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from math import inf
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

from zermelo.solver.errors import RulesError, TooDeepError
from zermelo.solver.game import Action, Game, State

Value = TypeVar("Value")
Parameters = ParamSpec("Parameters")
Found = TypeVar("Found")


class SearchReport(NamedTuple):
    """What a search did."""

    nodes: int
    """States visited, the first one and the leaves among them; a state counts each time it is visited."""
    leaves: int
    """Finished states, unfinished ones whose value was guessed, and those that came back on the way to them."""
    cutoffs: int
    """How often the rest of a state's actions was passed over."""
    table_hits: int
    """How often the transposition table knew enough."""
    depth: int
    """The longest line looked at, in plies."""
    exact: bool
    """Whether the value is the minimax value, and not built on guesses."""


class Result(NamedTuple, Generic[Action, Value]):
    """What a search found. The value is MAX's, or with many players a tuple of what each gets."""

    value: Value
    move: Action | None
    """The first action that leads to the value; None in a finished state."""
    values: dict[Action, Value]
    """What each action leads to, where the algorithm works that out for all of them."""
    report: SearchReport


class Observer:
    """Hears of every step of a search, and counts."""

    def __init__(self) -> None:
        self.nodes = self.leaves = self.estimates = self.cutoffs = self.table_hits = self.repetitions = 0
        self.level = -1
        """How many plies below the first state the search is."""
        self.deepest = 0
        self.values: dict[Any, Any] = {}
        """What came back from each action in the first state."""

    def enter(self, state: Any, player: str, alpha: float = -inf, beta: float = inf) -> None:
        """The value of `state` is wanted, where `player` moves and values outside alpha and beta do not matter."""
        self.nodes += 1
        self.level += 1
        if self.level > self.deepest:
            self.deepest = self.level

    def choices(self, actions: Sequence[Any]) -> None:
        """The state is not finished: these are its actions, in the order in which they are tried."""
        if not actions:
            raise RulesError("the game has an unfinished position without actions")

    def back(self, action: Any, value: Any, better: bool) -> None:
        """`value` came back from `action`; when it is better than any before, it is the new v and move."""
        if not self.level:
            self.values[action] = value

    def cutoff(self, value: Any, bound: float, rest: Sequence[Any]) -> None:
        """The player above will not let it come to this, so the `rest` of the actions need not be tried."""
        self.cutoffs += 1

    def leaf(self, value: Any, estimated: bool = False) -> None:
        """The way back out of a state without looking further: it is finished, or its value is `estimated`."""
        self.leaves += 1
        self.estimates += estimated
        self.level -= 1

    def repetition(self, value: Any) -> None:
        """The way back out of a state that is on the way to it already: play need not end, which is worth `value`."""
        self.leaves += 1
        self.repetitions += 1
        self.level -= 1

    def table_hit(self, value: Any, action: Any) -> None:
        """The way back out of a state that the table knew."""
        self.table_hits += 1
        self.level -= 1

    def leave(self, value: Any, action: Any) -> None:
        """The way back out of a state whose actions were tried."""
        self.level -= 1

    def report(self, *, exact: bool) -> SearchReport:
        """The counts so far."""
        return SearchReport(self.nodes, self.leaves, self.cutoffs, self.table_hits, self.deepest, exact)


class Relay(Observer):
    """Counts, and passes every step on to other observers, which hear of it before it is counted."""

    def __init__(self, *others: Observer) -> None:
        super().__init__()
        self._others = others

    def enter(self, state: Any, player: str, alpha: float = -inf, beta: float = inf) -> None:
        for other in self._others:
            other.enter(state, player, alpha, beta)
        super().enter(state, player, alpha, beta)

    def choices(self, actions: Sequence[Any]) -> None:
        for other in self._others:
            other.choices(actions)
        super().choices(actions)

    def back(self, action: Any, value: Any, better: bool) -> None:
        for other in self._others:
            other.back(action, value, better)
        super().back(action, value, better)

    def cutoff(self, value: Any, bound: float, rest: Sequence[Any]) -> None:
        for other in self._others:
            other.cutoff(value, bound, rest)
        super().cutoff(value, bound, rest)

    def leaf(self, value: Any, estimated: bool = False) -> None:
        for other in self._others:
            other.leaf(value, estimated)
        super().leaf(value, estimated)

    def repetition(self, value: Any) -> None:
        for other in self._others:
            other.repetition(value)
        super().repetition(value)

    def table_hit(self, value: Any, action: Any) -> None:
        for other in self._others:
            other.table_hit(value, action)
        super().table_hit(value, action)

    def leave(self, value: Any, action: Any) -> None:
        for other in self._others:
            other.leave(value, action)
        super().leave(value, action)


def proved(game: Game[State, Action], value: float, guesses: int) -> bool:
    """Whether a value is the minimax value: it rests on no guess, or it is one that no guess reaches."""
    return not guesses or value in (game.bounds or ())


def recursive(search: Callable[Parameters, Found]) -> Callable[Parameters, Found]:
    """Let a search that recurses as the textbook does say so in one line when the game is too long for that."""

    @wraps(search)
    def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Found:
        try:
            return search(*args, **kwargs)
        except RecursionError:
            spec = getattr(args[0], "spec", "")
            raise TooDeepError(f"game {spec!r} is too long to search by recursion", game=spec) from None

    return guarded
