"""A search that is watched: what it found, with positions and moves as text, and the tree that it looked at."""

import time
from dataclasses import dataclass, field
from typing import Any

from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.search import Observer, Result, Run, SearchReport, Settings, check
from zermelo.solver.search import search as run_search
from zermelo.solver.search.observer import Relay
from zermelo.views.search.diagram import Keeper, Node, folded, trimmed, walk
from zermelo.views.search.results import as_text
from zermelo.views.search.svg import to_svg

_PLIES = 3
"""How many plies of the tree are kept."""
_MOST_NODES = 30
"""How many nodes a picture shows, if a picture of fewer plies will do."""

Value = float | tuple[int, ...]
"""What a position is worth to MAX, or with many players to each of them."""


@dataclass(frozen=True)
class SearchResult:
    """What a search found. Values are MAX's, or with many players tuples of what each gets."""

    game: str
    position: str
    algorithm: str
    value: Value
    move: str
    """The first move that leads to the value."""
    values: dict[str, Value]
    """What each move leads to, where the algorithm works that out for all of them."""
    report: SearchReport
    seconds: float
    tree: Node | None = field(repr=False, compare=False)
    """The first plies of the tree that the search looked at; None where it finished no iteration in its time."""
    _rules: Game[Any, Any] = field(repr=False, compare=False)
    _result: Result[Any, Any] = field(repr=False, compare=False)

    def __str__(self) -> str:
        """The result in words: the position, its value and move, and what the search did."""
        state = self._rules.parse(self.position)
        return as_text(self._rules, state, Run(self.algorithm, self._result, self.seconds))

    def _repr_svg_(self) -> str | None:
        """The tree, one of each set of symmetric moves, with as many plies as are easily looked over."""
        if self.tree is None:
            return None
        for plies in range(_PLIES, 0, -1):
            drawn = folded(self._rules, trimmed(self.tree, plies))
            if sum(1 for _ in walk(drawn)) <= _MOST_NODES:
                break
        return to_svg(self._rules, drawn)


def search(
    game: str | Game[Any, Any] = "tictactoe",
    position: str | None = None,
    algorithm: str = "minimax",
    *,
    depth: int | None = None,
    time_limit: float | None = None,
    ordering: str = "rules",
    table: bool = False,
    quiescence: bool = False,
    observer: Observer | None = None,
) -> SearchResult:
    """Search for the best move in a position, the start of the game if none is given, with an algorithm of the textbook.

    The algorithms are minimax, alphabeta, limited, deepening and multiplayer; the options are those of `Settings`. An
    `observer` hears of every step. In a notebook the result shows the tree that was looked at.

    >>> result = search("tictactoe", "XOX/OO./.X.", "alphabeta")
    >>> result.value, result.move, result.report.nodes
    (0, 'c2', 10)
    """
    rules = load(game)
    state = rules.initial if position is None else rules.parse(position)
    settings = Settings(algorithm, depth, time_limit, ordering, table, quiescence)
    check(rules, state, settings)
    keeper = Keeper(rules, _PLIES, estimates=True)
    started = time.perf_counter()
    result = run_search(rules, state, settings, keeper if observer is None else Relay(keeper, observer))
    return SearchResult(
        rules.spec,
        rules.format(state),
        algorithm,
        result.value,
        rules.format_action(result.move),
        {rules.format_action(action): value for action, value in result.values.items()},
        result.report,
        time.perf_counter() - started,
        keeper.root,
        rules,
        result,
    )
