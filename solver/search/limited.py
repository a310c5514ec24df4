"""Depth-limited minimax: stop before the end and guess the value with an evaluation function."""

from collections.abc import Callable
from math import inf
from typing import Any

from zermelo.solver.game import Action, Game, State
from zermelo.solver.search.algorithm import Algorithm, Settings
from zermelo.solver.search.cutoff import Cutoff, at_depth, check_depth
from zermelo.solver.search.observer import Observer, Result, proved, recursive
from zermelo.solver.search.path import Path
from zermelo.solver.zero_sum import two_players, utility_for_max

_SOME_PLIES = 4
"""How far to look in a comparison when nobody says."""


@recursive
def limited(
    game: Game[State, Action],
    state: State,
    depth: float,
    *,
    evaluate: Callable[[State], float] | None = None,
    cutoff: Cutoff = at_depth,
    observer: Observer | None = None,
) -> Result[Action, float]:
    """The value of `state` as far as `depth` plies show it, from MAX's side, with the game's own evaluation or another.

    >>> from zermelo.solver.games import load
    >>> game = load("tictactoe")
    >>> value, move, _, report = limited(game, game.initial, depth=2)
    >>> round(value, 2), game.format_action(move), report.exact
    (0.11, 'b2', False)
    """
    check_depth(depth)
    told, guess = observer or Observer(), evaluate or game.evaluate
    (MAX, MIN), utility = two_players(game), utility_for_max(game)  # noqa: N806 - the textbook's names
    path: Path[State] = Path()

    def max_value(state: State, left: float) -> tuple[float, Action | None]:
        told.enter(state, MAX)
        if path.comes_back(state):
            told.repetition(game.endless)
            return game.endless, None
        if game.is_terminal(state):
            value: float = utility(state)
            told.leaf(value)
            return value, None
        if cutoff(state, left):
            value = guess(state)
            told.leaf(value, estimated=True)
            return value, None
        v, move = -inf, None
        actions = game.actions(state)
        told.choices(actions)
        path.enter(state)
        for a in actions:
            after = game.result(state, a)
            v2, _ = max_value(after, left - 1) if game.to_move(after) == MAX else min_value(after, left - 1)
            told.back(a, v2, v2 > v)
            if v2 > v:
                v, move = v2, a
        path.leave()
        told.leave(v, move)
        return v, move

    def min_value(state: State, left: float) -> tuple[float, Action | None]:
        told.enter(state, MIN)
        if path.comes_back(state):
            told.repetition(game.endless)
            return game.endless, None
        if game.is_terminal(state):
            value: float = utility(state)
            told.leaf(value)
            return value, None
        if cutoff(state, left):
            value = guess(state)
            told.leaf(value, estimated=True)
            return value, None
        v, move = inf, None
        actions = game.actions(state)
        told.choices(actions)
        path.enter(state)
        for a in actions:
            after = game.result(state, a)
            v2, _ = min_value(after, left - 1) if game.to_move(after) == MIN else max_value(after, left - 1)
            told.back(a, v2, v2 < v)
            if v2 < v:
                v, move = v2, a
        path.leave()
        told.leave(v, move)
        return v, move

    value, move = max_value(state, depth) if game.to_move(state) == MAX else min_value(state, depth)
    values = path.sure(game, state, value, move, told.values)
    return Result(value, move, values, told.report(exact=proved(game, value, told.estimates)))


def _run(game: Game[Any, Any], state: Any, settings: Settings, observer: Observer | None) -> Result[Any, float]:
    return limited(
        game, state, settings.plies, evaluate=settings.evaluate, cutoff=settings.cutoff(game), observer=observer
    )


def _variants(settings: Settings) -> dict[str, Settings]:
    """Where a depth is given, minimax keeps to it, and that is the same."""
    return {f"limited depth {_SOME_PLIES}": settings._replace(depth=_SOME_PLIES)} if settings.depth is None else {}


ALGORITHM = Algorithm(_run, uses=("depth",), needs_depth=True, variants=_variants)
