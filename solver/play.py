"""Playing a list of moves from the start, with every move checked."""

from collections.abc import Iterable

from solver.errors import ActionError, quoted
from solver.game import Action, Game, State


def play(game: Game[State, Action], moves: Iterable[str]) -> State:
    """The position after `moves`, played from the start; an illegal one is refused with its number and the reason.

    >>> from solver.games.mnk import MNK
    >>> game = MNK(3, 3, 3)
    >>> game.format(play(game, ["b2", "a1", "c3"]))
    'O../.X./..X'
    """
    state = game.initial
    for number, text in enumerate(moves, 1):
        if game.is_terminal(state):
            raise ActionError(
                f"move {number}, {quoted(text)}, comes after the end of the game: it was over in {game.format(state)}"
            )
        try:
            action = game.parse_action(text)
        except ActionError as error:
            raise ActionError(f"move {number}: {error}") from error
        legal = game.actions(state)
        if action not in legal:
            names = " ".join(game.format_action(other) for other in legal)
            raise ActionError(
                f"move {number}, {quoted(text)}, is not possible in {game.format(state)}: the moves are {names}"
            )
        state = game.result(state, action)
    return state
