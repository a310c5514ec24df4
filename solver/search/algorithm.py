"""What a search can be told, and what each algorithm says of itself: this is all that the others know of it."""

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from zermelo.solver.game import Game
from zermelo.solver.search.cutoff import Cutoff, at_depth, when_quiet
from zermelo.solver.search.observer import Observer, Result

ORDERINGS = ("rules", "evaluation")


class Settings(NamedTuple):
    """Which algorithm, and how it is to go about it."""

    algorithm: str = "minimax"
    depth: int | None = None
    """How many plies to look ahead; None is to the end. With it, minimax is depth-limited minimax."""
    time_limit: float | None = None
    """In seconds."""
    ordering: str = "rules"
    table: bool = False
    quiescence: bool = False
    """Whether the depth limit waits until no win in one is on the board."""
    evaluate: Callable[[Any], float] | None = None
    """How to guess what lies beyond the depth; None is the game's own way."""

    @property
    def plies(self) -> float:
        """The depth as a number, infinity where there is no limit."""
        return inf if self.depth is None else self.depth

    def cutoff(self, game: Game[Any, Any]) -> Cutoff:
        """Where to stop and guess."""
        return when_quiet(game) if self.quiescence else at_depth


class Algorithm(NamedTuple):
    """An algorithm, as its module offers it under the name `ALGORITHM`."""

    run: Callable[[Game[Any, Any], Any, Settings, Observer | None], Result[Any, Any]]
    """Searches from an unfinished state, and tells the observer of each step."""
    function: str | None = None
    """What the textbook calls it, such as MINIMAX-SEARCH; only what has such a name is traced and drawn as a tree."""
    uses: tuple[str, ...] = ()
    """Which settings it heeds, of `depth` and `table`; whoever has a table heeds the ordering too."""
    needs_depth: bool = False
    two_players: bool = True
    """Whether it is for two players whose utilities add up to 0."""
    always_ready: bool = False
    """Whether it minds the time limit itself, and has a move whenever the time is up."""
    variants: Callable[[Settings], dict[str, Settings]] = lambda settings: {settings.algorithm: settings}
    """What a comparison runs, by name."""
