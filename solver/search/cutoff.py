"""Cutoff tests: whether to stop at a state and guess its value, or to look further."""

from collections.abc import Callable
from typing import Any

from zermelo.solver.errors import SearchError
from zermelo.solver.game import Action, Game, State

Cutoff = Callable[[Any, float], bool]
"""Asked about an unfinished state and how many plies are left before the depth limit, below 0 beyond it."""


def at_depth(_state: Any, left: float) -> bool:
    """Stop at the depth limit.

    >>> at_depth("any state", 1), at_depth("any state", 0)
    (False, True)
    """
    return left <= 0


def when_quiet(game: Game[State, Action]) -> Cutoff:
    """Stop at the depth limit, but at no state with a win in one on the board, whoever threatens it.

    Here O threatens c2, whoever's turn it is:

    >>> from zermelo.solver.games import load
    >>> game = load("tictactoe")
    >>> cutoff = when_quiet(game)
    >>> cutoff(game.parse("X../OO./.X."), 0), cutoff(game.parse("X../.O./.X."), 0)
    (False, True)
    """

    def wins(state: State, player: str) -> bool:
        return game.is_terminal(state) and game.utility(state, player) > 0

    def can_win(state: State, player: str) -> bool:
        return any(wins(game.result(state, action), player) for action in game.actions(state))

    def is_quiet(state: State) -> bool:
        # The other side's threat shows in what it could do after some move or other of the side to move.
        player = game.to_move(state)
        if can_win(state, player):
            return False
        for action in game.actions(state):
            after = game.result(state, action)
            if not game.is_terminal(after) and can_win(after, game.to_move(after)):
                return False
        return True

    return lambda state, left: left <= 0 and is_quiet(state)


def check_depth(depth: float) -> None:
    """Refuse a depth that leaves nothing to search."""
    if depth < 1:
        raise SearchError(f"depth {depth} leaves nothing to search: give 1 or more plies")
