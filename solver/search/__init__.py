"""The textbook's search algorithms, one file each, on any game that follows the protocol.

They compare by value only, as on the slide: a strictly greater value (for MAX) or a strictly smaller one (for MIN)
changes the move. A solution also looks at plies, so its best move is one of these, and the quickest.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from typing import Any, NamedTuple

from solver.errors import OperationError, SearchError
from solver.game import Game
from solver.search.alphabeta import alphabeta, by_evaluation
from solver.search.cutoff import at_depth, check_depth, when_quiet
from solver.search.deepening import OutOfTimeError, Timer, deepening
from solver.search.limited import limited
from solver.search.minimax import minimax
from solver.search.multiplayer import multiplayer
from solver.search.observer import Observer, Report, Result
from solver.table import TranspositionTable
from solver.zero_sum import two_players

__all__ = [
    "ALGORITHMS", "ORDERINGS", "PLAIN_MINIMAX", "Observer", "Report", "Result", "Run", "Settings", "alphabeta", "check", "compare",
    "deepening", "limited", "minimax", "multiplayer", "search", "timed",
]  # fmt: skip

ALGORITHMS = ("minimax", "alphabeta", "limited", "deepening", "multiplayer")
ORDERINGS = ("rules", "evaluation")
_SOME_PLIES = 4
"""How far limited search looks in a comparison when nobody says."""


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

    def check(self) -> None:
        """Refuse what does not exist or does not go together."""
        if self.algorithm not in ALGORITHMS:
            raise SearchError(f"there is no algorithm {self.algorithm!r}: the algorithms are {', '.join(ALGORITHMS)}")
        if self.ordering not in ORDERINGS:
            raise SearchError(f"there is no ordering {self.ordering!r}: the orderings are {', '.join(ORDERINGS)}")
        if self.depth is not None:
            check_depth(self.depth)
        elif self.algorithm == "limited":
            raise SearchError("limited search needs a depth: say how many plies to look ahead")
        if (self.table or self.ordering != "rules") and self.algorithm not in ("alphabeta", "deepening"):
            raise SearchError(f"{self.algorithm} has no use for an ordering or a table: they are for alphabeta")
        if self.depth is not None and self.algorithm == "multiplayer":
            raise SearchError("multiplayer search goes to the end of the game: leave out the depth")
        if self.quiescence and self.depth is None and self.algorithm != "deepening":
            raise SearchError("quiescence delays a depth limit: say how many plies to look ahead")


PLAIN_MINIMAX = Settings()


def check(game: Game[Any, Any], state: Any, settings: Settings) -> None:
    """Refuse what `search` cannot do."""
    settings.check()
    if settings.algorithm != "multiplayer":
        two_players(game)
    if game.is_terminal(state):
        raise SearchError(f"position {game.format(state)!r} is over: there is no move left to search for")


def search(
    game: Game[Any, Any], state: Any, settings: Settings = PLAIN_MINIMAX, observer: Observer | None = None
) -> Result[Any, Any]:
    """Search from an unfinished `state` as `settings` say.

    >>> from solver.games import load
    >>> search(load("figure:two-ply"), "A", Settings("alphabeta")).move
    'a1'
    """
    check(game, state, settings)
    algorithm, depth, limit, *_ = settings
    cutoff = when_quiet(game) if settings.quiescence else at_depth
    if algorithm == "deepening":
        return deepening(game, state, inf if limit is None else limit, inf if depth is None else depth, cutoff=cutoff)

    if limit is not None:
        observer = Timer(limit)
    run: Callable[..., Result[Any, Any]]
    if algorithm == "multiplayer":
        run = partial(multiplayer, game, state)
    elif algorithm == "alphabeta":
        run = partial(
            alphabeta,
            game,
            state,
            inf if depth is None else depth,
            ordering=by_evaluation(game) if settings.ordering == "evaluation" else None,
            table=TranspositionTable() if settings.table else None,
            cutoff=cutoff,
        )
    elif depth is not None:
        run = partial(limited, game, state, depth, cutoff=cutoff)
    else:
        run = partial(minimax, game, state)
    try:
        return run(observer=observer)
    except OutOfTimeError:
        raise OperationError(
            f"{algorithm} did not finish in {limit:g} s: give it more time or a depth, or let deepening do what it can"
        ) from None


class Run(NamedTuple):
    """A search that was timed; its result is None where it did not finish within the limit."""

    name: str
    result: Result[Any, Any] | None
    seconds: float


def timed(game: Game[Any, Any], state: Any, settings: Settings) -> Run:
    """Search as `search` does, and say how long it took."""
    started = time.perf_counter()
    result = search(game, state, settings)
    return Run(settings.algorithm, result, time.perf_counter() - started)


def compare(game: Game[Any, Any], state: Any, settings: Settings = PLAIN_MINIMAX) -> Iterator[Run]:
    """Run every algorithm that suits the game, one after the other, within the same depth and time.

    >>> from solver.games import load
    >>> [(run.name, run.result.report.nodes) for run in compare(load("figure:two-ply"), "A") if run.result]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('minimax', 13), ('alphabeta', 11), ('alphabeta table', 11), ('alphabeta ordering', 9),
     ('alphabeta ordering table', 9), ('limited depth 4', 13), ('deepening', 13), ('multiplayer', 13)]
    """
    base = Settings(depth=settings.depth, time_limit=settings.time_limit, quiescence=settings.quiescence)
    runs = {}
    if len(game.players) == 2:
        runs["minimax" if base.depth is None else "limited"] = base
        for ordering in ORDERINGS:
            for table in (False, True):
                name = "alphabeta" + " ordering" * (ordering != "rules") + " table" * table
                runs[name] = base._replace(algorithm="alphabeta", ordering=ordering, table=table)
        if base.depth is None:
            runs[f"limited depth {_SOME_PLIES}"] = base._replace(algorithm="limited", depth=_SOME_PLIES)
        runs["deepening"] = base._replace(algorithm="deepening")
    if base.depth is None:
        runs["multiplayer"] = base._replace(algorithm="multiplayer")
    for name, chosen in runs.items():
        started = time.perf_counter()
        try:
            yield timed(game, state, chosen)._replace(name=name)
        except OperationError:
            yield Run(name, None, time.perf_counter() - started)
