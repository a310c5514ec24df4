"""Minimax search: the whole game tree, down to the leaves."""

from math import inf
from typing import Any

from zermelo.solver.game import Action, Game, State
from zermelo.solver.search.algorithm import Algorithm, Settings
from zermelo.solver.search.limited import limited
from zermelo.solver.search.observer import Observer, Result, recursive
from zermelo.solver.search.path import Path
from zermelo.solver.zero_sum import two_players, utility_for_max


@recursive
def minimax(game: Game[State, Action], state: State, observer: Observer | None = None) -> Result[Action, float]:
    """The minimax value of `state`, from MAX's side, the first action that leads to it, and the value of every action.

    >>> from zermelo.solver.games import load
    >>> value, move, values, report = minimax(load("figure:two-ply"), "A")
    >>> value, move, values, report.nodes
    (3, 'a1', {'a1': 3, 'a2': 2, 'a3': 2}, 13)
    """
    told = observer or Observer()
    (MAX, MIN), utility = two_players(game), utility_for_max(game)  # noqa: N806 - the textbook's names
    path: Path[State] = Path()

    def max_value(state: State) -> tuple[float, Action | None]:
        told.enter(state, MAX)
        if path.comes_back(state):
            told.repetition(game.endless)
            return game.endless, None
        if game.is_terminal(state):
            value = utility(state)
            told.leaf(value)
            return value, None
        v, move = -inf, None
        actions = game.actions(state)
        told.choices(actions)
        path.enter(state)
        for a in actions:
            after = game.result(state, a)
            v2, _ = max_value(after) if game.to_move(after) == MAX else min_value(after)
            told.back(a, v2, v2 > v)
            if v2 > v:
                v, move = v2, a
        path.leave()
        told.leave(v, move)
        return v, move

    def min_value(state: State) -> tuple[float, Action | None]:
        told.enter(state, MIN)
        if path.comes_back(state):
            told.repetition(game.endless)
            return game.endless, None
        if game.is_terminal(state):
            value = utility(state)
            told.leaf(value)
            return value, None
        v, move = inf, None
        actions = game.actions(state)
        told.choices(actions)
        path.enter(state)
        for a in actions:
            after = game.result(state, a)
            v2, _ = min_value(after) if game.to_move(after) == MIN else max_value(after)
            told.back(a, v2, v2 < v)
            if v2 < v:
                v, move = v2, a
        path.leave()
        told.leave(v, move)
        return v, move

    value, move = max_value(state) if game.to_move(state) == MAX else min_value(state)
    values = path.sure(game, state, value, move, told.values)
    return Result(value, move, values, told.report(exact=True))


def _run(game: Game[Any, Any], state: Any, settings: Settings, observer: Observer | None) -> Result[Any, float]:
    if settings.depth is None:
        return minimax(game, state, observer)
    return limited(
        game, state, settings.depth, evaluate=settings.evaluate, cutoff=settings.cutoff(game), observer=observer
    )


ALGORITHM = Algorithm(
    _run,
    function="MINIMAX-SEARCH",
    uses=("depth",),
    variants=lambda settings: {"minimax" if settings.depth is None else "limited": settings},
)
