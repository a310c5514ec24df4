"""What a game is: the verbs of the textbook, and a notation so that positions can be stored."""

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar, cast

from solver.errors import ActionError, PositionError, quoted

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)


class Game(Protocol[State, Action]):
    """The rules of a game of perfect information in which nothing is left to chance.

    States are plain hashable values. ``players[0]`` is MAX and ``players[1]`` is MIN. The verbs may
    assume what the rules guarantee: `result` is asked only about unfinished states and with a legal
    action, `utility` only about finished states.

    A class that inherits from this one writes `initial` and the five verbs from `to_move` to
    `utility`; the rest has defaults that serve every game whose states and actions are numbers,
    texts, truth values, None and tuples of these.
    """

    spec: str
    """The canonical name of the game, such as ``mnk:3,3,3``."""

    players: Sequence[str] = ("MAX", "MIN")
    """The players' names, MAX first."""

    initial: State
    """The state that play starts from."""

    bounds: tuple[int, int] | None = None
    """The lowest and the highest utility that MAX can end with, where known: a search that reaches one can stop."""

    def to_move(self, state: State) -> str:
        """The player whose turn it is. In a finished state the answer means nothing, but there must be one."""

    def actions(self, state: State) -> Sequence[Action]:
        """The legal actions, none of them None, in the game's own order: the first of equals is the one played.

        A finished state has no actions.
        """

    def result(self, state: State, action: Action) -> State:
        """The state that `action` leads to."""

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""

    def utility(self, state: State, player: str) -> int:
        """What the finished game is worth to `player`: with two players, one's gain is the other's loss."""

    def format(self, state: State) -> str:
        """The state as one line of text."""
        return repr(state)

    def parse(self, text: str) -> State:
        """The state that `text` stands for; raises `PositionError` with the reason when there is none."""
        example = self.format(self.initial)
        state = _literal(text)
        if type(state) is not type(self.initial):
            raise PositionError(f"position {quoted(text)} cannot be read: write it as the start is written, {example}")
        return state

    def format_action(self, action: Action) -> str:
        """The action as a word without spaces."""
        return repr(action).replace(", ", ",")

    def parse_action(self, text: str) -> Action:
        """The action that `text` stands for; raises `ActionError` when there is none."""
        action = _literal(text)
        if action is None:
            example = self.format_action(self.actions(self.initial)[0])
            raise ActionError(
                f"move {quoted(text)} cannot be read: write it as the first move at the start is written, {example}"
            )
        return cast(Action, action)

    def draw(self, state: State) -> str:
        """The state as a person wants to see it, on as many lines as it takes."""
        return self.format(state)

    def evaluate(self, state: State) -> float:
        """A guess of an unfinished state's value from MAX's side, for searches that stop before the end.

        A guess lies strictly between the lowest and the highest utility, so that no guess passes for a proof. It is
        the middle, unless the game knows better.
        """
        return sum(self.bounds) / 2 if self.bounds else 0

    @property
    def rules(self) -> str:
        """The rules in a sentence or two, for whoever finds a stored solution and not this program."""
        return " ".join((self.__doc__ or "").partition("\n\n")[0].split())

    @property
    def symmetries(self) -> Sequence[Callable[[State], State]]:
        """A group of maps that leave the rules and the start as they are, the identity among them."""
        return (lambda state: state,)


def _literal(text: str) -> Hashable:
    """The Python value that `text` writes out, None where it writes out nothing that could be a state."""
    from ast import literal_eval  # slow to import, and boards have a notation of their own

    try:
        value: Hashable = literal_eval(text.strip())
        hash(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value
