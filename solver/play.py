"""Playing moves given as text, with every move checked."""

from collections.abc import Iterable

from zermelo.solver.errors import ActionError, quoted
from zermelo.solver.game import Action, Game, State


def play(game: Game[State, Action], moves: Iterable[str]) -> State:
    """The position after `moves`, played from the start; an illegal one is refused with its number and the reason.

    >>> from zermelo.solver.games.mnk import MNK
    >>> game = MNK(3, 3, 3)
    >>> game.format(play(game, ["b2", "a1", "c3"]))
    'O../.X./..X'
    """
    state = game.initial
    for number, text in enumerate(moves, 1):
        state = step(game, state, text, number)
    return state


def split_moves(text: str) -> list[str]:
    """The moves in a line of them, with spaces or commas between; what stands in brackets stays together.

    >>> split_moves("b2, a1 c3"), split_moves("(6, 3) (2,1)")
    (['b2', 'a1', 'c3'], ['(6, 3)', '(2,1)'])
    """
    moves, depth = [""], 0
    for sign in text:
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        if depth or not (sign == "," or sign.isspace()):
            moves[-1] += sign
        elif moves[-1]:
            moves.append("")
    return [move for move in moves if move]


def step(game: Game[State, Action], state: State, text: str, number: int | None = None) -> State:
    """The position after the move `text`; an error names its `number` too where there is one.

    >>> from zermelo.solver.games.mnk import MNK
    >>> step(MNK(2, 1, 2), 1, "a1")
    Traceback (most recent call last):
    ...
    zermelo.solver.errors.ActionError: move 'a1' is not possible in X.: the moves are b1
    """
    described = f"move {quoted(text)}" if number is None else f"move {number}, {quoted(text)},"
    if game.is_terminal(state):
        raise ActionError(f"{described} comes after the end of the game: it was over in {game.format(state)}")
    try:
        action = game.action_in(state, text)
    except ActionError as error:
        raise ActionError(str(error) if number is None else f"move {number}: {error}") from error
    legal = game.actions(state)
    if action not in legal:
        names = " ".join(game.format_action(other) for other in legal)
        raise ActionError(f"{described} is not possible in {game.format(state)}: the moves are {names}")
    return game.result(state, action)
