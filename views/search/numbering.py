"""Moves on a board called by the numbers of their cells, as lecture slides do, and tried in ascending order."""

from collections.abc import Sequence
from copy import copy
from typing import Any

from zermelo.solver.board import board_of
from zermelo.solver.errors import ActionError, SearchError, quoted
from zermelo.solver.game import Game

NUMBERINGS = ("names", "rows", "columns")


def numbered(game: Game[Any, Any], numbering: str) -> Game[Any, Any]:
    """The same game with cells counted from 0 along `rows` or `columns`; with `names` it is the game itself.

    >>> from zermelo.solver.games import load
    >>> game = numbered(load("tictactoe"), "columns")
    >>> state = game.parse("XO./.X./..O")
    >>> [game.format_action(action) for action in game.actions(state)]
    ['1', '2', '5', '6', '7']
    >>> print(game.draw(state))
    X O 6
    1 X 7
    2 5 O
    """
    if numbering == "names":
        return game
    board = board_of(game)
    if board is None or any(game.format_action(cell) != board.name_of(cell) for cell in game.actions(game.initial)):
        raise SearchError(f"game {game.spec!r} has no cells to number: leave out the numbering")
    width, height = board.width, board.height
    by_columns = numbering == "columns"
    numbers = [cell % width * height + cell // width if by_columns else cell for cell in range(board.cells)]
    cells = {number: cell for cell, number in enumerate(numbers)}

    def actions(state: Any) -> Sequence[Any]:
        return sorted(game.actions(state), key=numbers.__getitem__)

    def parse_action(text: str) -> Any:
        word = text.strip()
        if word.isascii() and word.isdigit() and len(word) < 4 and int(word) in cells:
            return cells[int(word)]
        raise ActionError(f"{quoted(text)} is not the number of a cell: give one from 0 to {board.cells - 1}")

    def draw(state: Any) -> str:
        marks = game.format(state).replace("/", "")
        digits = len(str(board.cells - 1))
        texts = [(str(numbers[cell]) if mark == "." else mark).rjust(digits) for cell, mark in enumerate(marks)]
        return "\n".join(" ".join(texts[first : first + width]) for first in range(0, board.cells, width))

    twin = copy(game)
    vars(twin).update(
        actions=actions, format_action=lambda cell: str(numbers[cell]), parse_action=parse_action, draw=draw
    )
    return twin
