"""Search with many players, or with two who are not at odds: each takes what is best for itself."""

from solver.game import Action, Game, State
from solver.search.observer import Observer, Result, recursive


@recursive
def multiplayer(
    game: Game[State, Action], state: State, observer: Observer | None = None
) -> Result[Action, tuple[int, ...]]:
    """What each player gets, in the order of `game.players`, when each takes its own best and the first of equals.

    >>> from solver.games import load
    >>> value, move, values, _ = multiplayer(load("figure:three-player"), "start")
    >>> value, move, values
    ((1, 2, 6), 'a1', {'a1': (1, 2, 6), 'a2': (1, 5, 2)})
    """
    told = observer or Observer()

    def value_of(state: State) -> tuple[tuple[int, ...], Action | None]:
        player = game.to_move(state)
        told.enter(state, player)
        if game.is_terminal(state):
            utilities = tuple([game.utility(state, name) for name in game.players])
            told.leaf(utilities)
            return utilities, None
        own = game.players.index(player)
        v: tuple[int, ...] = ()
        move = None
        actions = game.actions(state)
        told.choices(actions)
        for a in actions:
            v2, _ = value_of(game.result(state, a))
            better = not v or v2[own] > v[own]
            told.back(a, v2, better)
            if better:
                v, move = v2, a
        told.leave(v, move)
        return v, move

    value, move = value_of(state)
    return Result(value, move, told.values, told.report(exact=True))
