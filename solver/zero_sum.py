"""What minimax asks of a game beyond its rules: two players, and one's gain is the other's loss."""

from collections.abc import Callable

from solver.errors import GameError
from solver.game import Action, Game, State


def two_players(game: Game[State, Action]) -> tuple[str, str]:
    """The names of MAX and MIN; a game of fewer or more players is refused.

    >>> from solver.games import load
    >>> two_players(load("tictactoe"))
    ('X', 'O')
    """
    if len(game.players) != 2:
        raise GameError(
            f"game {game.spec!r} has {len(game.players)} players ({', '.join(game.players)}), not two:"
            " use `zermelo search --algorithm multiplayer`"
        )
    first, second = game.players
    return first, second


def utility_for_max(game: Game[State, Action]) -> Callable[[State], int]:
    """The utility of a finished state to MAX; one that is not MIN's loss to the same amount is refused when met."""
    first, second = two_players(game)
    utility = game.utility

    def to_max(state: State) -> int:
        value = utility(state, first)
        if utility(state, second) != -value:
            raise GameError(
                f"game {game.spec!r} is not zero-sum in {game.format(state)!r}, which gives {first} {value!r} and"
                f" {second} {utility(state, second)!r}: use `zermelo search --algorithm multiplayer`"
            )
        return value

    return to_max
