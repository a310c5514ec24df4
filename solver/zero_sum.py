"""What minimax asks of a game beyond its rules: two players, and one's gain is the other's loss."""

from collections.abc import Callable

from zermelo.solver.errors import NotZeroSumError
from zermelo.solver.game import Action, Game, State


def two_players(game: Game[State, Action]) -> tuple[str, str]:
    """The names of MAX and MIN; a game of fewer or more players is refused.

    >>> from zermelo.solver.games import load
    >>> two_players(load("tictactoe"))
    ('X', 'O')
    """
    if len(game.players) != 2:
        raise NotZeroSumError(
            f"game {game.spec!r} has {len(game.players)} players ({', '.join(game.players)}), not two",
            game=game.spec,
        )
    first, second = game.players
    return first, second


def has_payoffs(game: Game[State, Action]) -> bool:
    """Whether the game says that more than a win, a loss or a draw can come of it, so that 1 is an amount and not a win.

    >>> from zermelo.solver.games import load
    >>> has_payoffs(load("tictactoe")), has_payoffs(load("figure:two-ply"))
    (False, True)
    """
    return game.bounds is not None and not -1 <= game.bounds[0] <= game.bounds[1] <= 1


def utility_for_max(game: Game[State, Action]) -> Callable[[State], int]:
    """The utility of a finished state to MAX; one that is not MIN's loss to the same amount is refused when met."""
    first, second = two_players(game)
    utility = game.utility

    def to_max(state: State) -> int:
        value = utility(state, first)
        if utility(state, second) != -value:
            raise NotZeroSumError(
                f"game {game.spec!r} is not zero-sum in {game.format(state)!r}, which gives {first} {value!r} and"
                f" {second} {utility(state, second)!r}",
                game=game.spec,
            )
        return value

    return to_max
