"""How values and moves are written wherever a search is shown."""

from collections.abc import Callable
from math import inf
from typing import Any

from solver.board import Board
from solver.errors import SearchError
from solver.game import Game

NUMBERINGS = ("names", "rows", "columns")


def write_value(value: Any) -> str:
    """A value, or a tuple of them, as short as it can be read.

    >>> write_value(-1), write_value(0.4444), write_value(float("inf")), write_value((1, 2, 6))
    ('-1', '0.44', '+∞', '(1, 2, 6)')
    """
    if isinstance(value, tuple):
        return f"({', '.join(map(write_value, value))})"
    if value in (inf, -inf):
        return "+∞" if value > 0 else "-∞"
    return f"{round(value, 2):g}"


def board_of(game: Game[Any, Any]) -> Board | None:
    """The board that the game is played on, if it is played on one."""
    board = getattr(game, "board", None)
    return board if isinstance(board, Board) else None


def action_names(game: Game[Any, Any], numbering: str = "names") -> Callable[[Any], str]:
    """How to write an action: by its name, or on a board by the number of its cell, counted by rows or by columns.

    >>> from solver.games import load
    >>> [action_names(load("tictactoe"), numbering)(1) for numbering in NUMBERINGS]
    ['b1', '1', '3']
    """
    if numbering == "names":
        return game.format_action
    board = board_of(game)
    if board is None:
        raise SearchError(f"game {game.spec!r} has no cells to number: leave out the numbering")
    if numbering == "rows":
        return str
    width, height = board.width, board.height
    return lambda cell: str(cell % width * height + cell // width)
