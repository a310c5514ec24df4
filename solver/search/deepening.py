"""Iterative deepening: search one ply deeper again and again, until the time is up or the value is proved."""

import time
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from zermelo.solver.errors import SearchError
from zermelo.solver.game import Action, Game, State
from zermelo.solver.search.algorithm import Algorithm, Settings
from zermelo.solver.search.alphabeta import Bounds, Ordering, alphabeta, by_evaluation
from zermelo.solver.search.cutoff import Cutoff, at_depth, check_depth
from zermelo.solver.search.observer import Observer, Relay, Result, proved
from zermelo.solver.table import TranspositionTable

Clock = Callable[[], float]


class OutOfTimeError(Exception):
    """The search was stopped. Raised by `Timer` and caught by whoever set it."""


class Timer(Observer):
    """An observer that stops the search it listens to when the time is up."""

    def __init__(self, limit: float, clock: Clock = time.monotonic) -> None:
        super().__init__()
        if not limit > 0:
            raise SearchError(f"time limit {limit:g} leaves no time to search: give more than 0 seconds")
        self._clock = clock
        self._end = clock() + limit

    def enter(self, state: object, player: str, alpha: float = -inf, beta: float = inf) -> None:
        if self._clock() >= self._end:
            raise OutOfTimeError
        super().enter(state, player, alpha, beta)


def stopped_after(limit: float, observer: Observer | None, clock: Clock = time.monotonic) -> Observer:
    """What to listen to a search with that is to stop when the time is up, and that `observer` is to hear of."""
    timer = Timer(limit, clock)
    return timer if observer is None else Relay(timer, observer)


def deepening(
    game: Game[State, Action],
    state: State,
    time_limit: float = inf,
    depth: float = inf,
    *,
    cutoff: Cutoff = at_depth,
    clock: Clock = time.monotonic,
    observer: Observer | None = None,
) -> Result[Action, float]:
    """The value and move of the deepest alpha-beta search that could be finished in `time_limit` seconds.

    Each iteration tries first the move that the one before found best, in every state; the rest come in the order of
    the game's evaluation. It ends early when the value, which is MAX's, is proved. The report's depth is that of the last
    iteration that was finished; the other counts are those of all iterations together. An `observer` hears of all of
    them, one after the other, and of the last one until the time is up.

    >>> from zermelo.solver.games import load
    >>> game = load("tictactoe")
    >>> value, move, _, report = deepening(game, game.initial)
    >>> value, game.format_action(move), report.depth, report.exact
    (0, 'b2', 9, True)
    """
    check_depth(depth)
    told = stopped_after(time_limit, observer, clock)
    order = by_evaluation(game)
    if game.is_terminal(state):
        return alphabeta(game, state, observer=told)
    best: Result[Action, float] = Result(
        game.evaluate(state), order(state, game.actions(state))[0], {}, told.report(exact=False)
    )
    finished, exact = 0, False
    try:
        while not exact and finished < depth:
            guesses = told.estimates
            table: TranspositionTable[State, Bounds] = TranspositionTable()
            best = alphabeta(game, state, finished + 1, ordering=order, table=table, cutoff=cutoff, observer=told)
            finished += 1
            exact = proved(game, best.value, told.estimates - guesses)
            order = _best_first(table, by_evaluation(game))
    except OutOfTimeError:
        pass
    return best._replace(report=told.report(exact=exact)._replace(depth=finished))


def _best_first(last: TranspositionTable[State, Bounds], otherwise: Ordering) -> Ordering:
    """Try first the move that the last iteration found best, and the rest in another order."""

    def order(state: State, actions: Sequence[Action]) -> Sequence[Action]:
        ordered = otherwise(state, actions)
        known = last.entries.get(state)
        if known is None or known.move is None:
            return ordered
        return [known.move, *(action for action in ordered if action != known.move)]

    return order


def _run(game: Game[Any, Any], state: Any, settings: Settings, observer: Observer | None) -> Result[Any, float]:
    limit = inf if settings.time_limit is None else settings.time_limit
    return deepening(game, state, limit, settings.plies, cutoff=settings.cutoff(game), observer=observer)


ALGORITHM = Algorithm(_run, uses=("depth", "table"), always_ready=True)
