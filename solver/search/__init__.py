"""The textbook's search algorithms, one file each, on any game that follows the protocol.

They compare by value only, as on the slide: a strictly greater value (for MAX) or a strictly smaller one (for MIN)
changes the move. A solution also looks at plies, so its best move is one of these, and the quickest.
"""

import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from zermelo.solver.errors import OperationError, SearchError
from zermelo.solver.game import Game
from zermelo.solver.progress import Progress
from zermelo.solver.search.algorithm import ORDERINGS, Algorithm, Settings
from zermelo.solver.search.alphabeta import alphabeta
from zermelo.solver.search.cutoff import check_depth
from zermelo.solver.search.deepening import OutOfTimeError, deepening, stopped_after
from zermelo.solver.search.limited import limited
from zermelo.solver.search.minimax import minimax
from zermelo.solver.search.multiplayer import multiplayer
from zermelo.solver.search.observer import Observer, Result, SearchReport
from zermelo.solver.zero_sum import two_players

__all__ = [
    "ALGORITHMS", "ORDERINGS", "PLAIN_MINIMAX", "Observer", "Result", "Run", "SearchReport", "Settings", "algorithm", "alphabeta", "check",
    "compare", "deepening", "limited", "minimax", "multiplayer", "named", "search", "timed",
]  # fmt: skip

ALGORITHMS = {
    "minimax": "zermelo.solver.search.minimax",
    "alphabeta": "zermelo.solver.search.alphabeta",
    "limited": "zermelo.solver.search.limited",
    "deepening": "zermelo.solver.search.deepening",
    "multiplayer": "zermelo.solver.search.multiplayer",
}
"""Where each algorithm is, in the order in which a comparison runs them."""
PLAIN_MINIMAX = Settings()


def algorithm(name: str) -> Algorithm:
    """What is registered under the name."""
    if name not in ALGORITHMS:
        raise SearchError(f"there is no algorithm {name!r}: the algorithms are {', '.join(ALGORITHMS)}")
    found: Algorithm = import_module(ALGORITHMS[name]).ALGORITHM
    return found


def named() -> dict[str, str]:
    """The algorithms that have a name in the textbook, which can be traced and drawn, and that name.

    >>> named()["alphabeta"]
    'ALPHA-BETA-SEARCH'
    """
    names = ((name, algorithm(name).function) for name in ALGORITHMS)
    return {name: function for name, function in names if function is not None}


def check(game: Game[Any, Any], state: Any, settings: Settings) -> None:
    """Refuse what `search` cannot do: what does not exist, or does not go together."""
    name, chosen = settings.algorithm, algorithm(settings.algorithm)
    if settings.ordering not in ORDERINGS:
        raise SearchError(f"there is no ordering {settings.ordering!r}: the orderings are {', '.join(ORDERINGS)}")
    if settings.depth is not None:
        check_depth(settings.depth)
        if "depth" not in chosen.uses:
            raise SearchError(f"{name} search goes to the end of the game: leave out the depth")
    elif chosen.needs_depth:
        raise SearchError(f"{name} search needs a depth: say how many plies to look ahead")
    elif settings.quiescence and not chosen.always_ready:
        raise SearchError("quiescence delays a depth limit: say how many plies to look ahead")
    if (settings.table or settings.ordering != "rules") and "table" not in chosen.uses:
        raise SearchError(f"{name} has no use for an ordering or a table: they are for alphabeta")
    if chosen.two_players:
        two_players(game)
    if game.is_terminal(state):
        raise SearchError(f"position {game.format(state)!r} is over: there is no move left to search for")


def search(
    game: Game[Any, Any], state: Any, settings: Settings = PLAIN_MINIMAX, observer: Observer | None = None
) -> Result[Any, Any]:
    """Search from an unfinished `state` as `settings` say; an `observer` hears of every step.

    >>> from zermelo.solver.games import load
    >>> search(load("figure:two-ply"), "A", Settings("alphabeta")).move
    'a1'
    """
    check(game, state, settings)
    chosen, limit = algorithm(settings.algorithm), settings.time_limit
    if limit is None or chosen.always_ready:
        return chosen.run(game, state, settings, observer)
    try:
        return chosen.run(game, state, settings, stopped_after(limit, observer))
    except OutOfTimeError:
        raise OperationError(
            f"{settings.algorithm} did not finish in {limit:g} s: give it more time or a depth, or let deepening do what it can"
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


def compare(
    game: Game[Any, Any], state: Any, settings: Settings = PLAIN_MINIMAX, progress: Progress | None = None
) -> Iterator[Run]:
    """Run every algorithm that suits the game, one after the other, within the same depth and time.

    `progress` is told before each which one it is, and hears nothing while it runs: that would cost it time.

    >>> from zermelo.solver.games import load
    >>> [(run.name, run.result.report.nodes) for run in compare(load("figure:two-ply"), "A") if run.result]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('minimax', 13), ('alphabeta', 11), ('alphabeta table', 11), ('alphabeta ordering', 9),
     ('alphabeta ordering table', 9), ('limited depth 4', 13), ('deepening', 13), ('multiplayer', 13)]
    """
    base = Settings(depth=settings.depth, time_limit=settings.time_limit, quiescence=settings.quiescence)
    runs: dict[str, Settings] = {}
    for name in ALGORITHMS:
        found = algorithm(name)
        plays = len(game.players) == 2 or not found.two_players
        if plays and (base.depth is None or "depth" in found.uses):
            runs |= found.variants(base._replace(algorithm=name))
    for number, (name, variant) in enumerate(runs.items()):
        if progress:
            progress(number, len(runs), name)
        started = time.perf_counter()
        try:
            yield timed(game, state, variant)._replace(name=name)
        except OperationError:
            yield Run(name, None, time.perf_counter() - started)
