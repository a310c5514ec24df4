"""Playing moves given as text, with every move checked."""

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
        state = step(game, state, text, number)
    return state


def step(game: Game[State, Action], state: State, text: str, number: int | None = None) -> State:
    """The position after the move `text`; an error names its `number` too where there is one.

    >>> from solver.games.mnk import MNK
    >>> step(MNK(2, 1, 2), 1, "a1")
    Traceback (most recent call last):
    ...
    solver.errors.ActionError: move 'a1' is not possible in X.: the moves are b1
    """
    described = f"move {quoted(text)}" if number is None else f"move {number}, {quoted(text)},"
    if game.is_terminal(state):
        raise ActionError(f"{described} comes after the end of the game: it was over in {game.format(state)}")
    try:
        action = game.parse_action(text)
    except ActionError as error:
        raise ActionError(str(error) if number is None else f"move {number}: {error}") from error
    legal = game.actions(state)
    if action not in legal:
        names = " ".join(game.format_action(other) for other in legal)
        raise ActionError(f"{described} is not possible in {game.format(state)}: the moves are {names}")
    return game.result(state, action)
