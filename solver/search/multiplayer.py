"""Search with many players, or with two who are not at odds: each takes what is best for itself."""

from typing import Any

from zermelo.solver.game import Action, Game, State
from zermelo.solver.search.algorithm import Algorithm, Settings
from zermelo.solver.search.observer import Observer, Result, recursive
from zermelo.solver.search.path import Path


@recursive
def multiplayer(
    game: Game[State, Action], state: State, observer: Observer | None = None
) -> Result[Action, tuple[int, ...]]:
    """What each player gets, in the order of `game.players`, when each takes its own best and the first of equals.

    Play that comes back is worth `Game.endless` to the first of two players, and nothing to each of more; what rests on it
    is then not called exact.

    >>> from zermelo.solver.games import load
    >>> value, move, values, _ = multiplayer(load("figure:three-player"), "start")
    >>> value, move, values
    ((1, 2, 6), 'a1', {'a1': (1, 2, 6), 'a2': (1, 5, 2)})
    """
    told = observer or Observer()
    path: Path[State] = Path()
    endless = (game.endless, -game.endless) if len(game.players) == 2 else (0,) * len(game.players)

    def value_of(state: State) -> tuple[tuple[int, ...], Action | None]:
        player = game.to_move(state)
        told.enter(state, player)
        if path.comes_back(state):
            told.repetition(endless)
            return endless, None
        if game.is_terminal(state):
            utilities = tuple([game.utility(state, name) for name in game.players])
            told.leaf(utilities)
            return utilities, None
        own = game.players.index(player)
        v: tuple[int, ...] = ()
        move = None
        actions = game.actions(state)
        told.choices(actions)
        path.enter(state)
        for a in actions:
            v2, _ = value_of(game.result(state, a))
            better = not v or v2[own] > v[own]
            told.back(a, v2, better)
            if better:
                v, move = v2, a
        path.leave()
        told.leave(v, move)
        return v, move

    value, move = value_of(state)
    return Result(value, move, told.values, told.report(exact=not path.times))


def _run(game: Game[Any, Any], state: Any, _settings: Settings, observer: Observer | None) -> Result[Any, Any]:
    return multiplayer(game, state, observer)


ALGORITHM = Algorithm(_run, function="MULTIPLAYER-SEARCH", two_players=False)
