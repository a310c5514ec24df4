"""What the page must know of a game: no rules, only how its positions look."""

from typing import Any

from solver.board import Board
from solver.game import Game


def describe(game: Game[Any, Any], facts: dict[str, Any]) -> dict[str, Any]:
    """The game's players, start and board, and what is stored of it. The value is MAX's.

    >>> from solver.games import load
    >>> facts = {"value": 0, "plies": 9, "positions": 5478, "classes": 765, "digest": "e3b0"}
    >>> described = describe(load("tictactoe"), facts)
    >>> described["start"], described["board"]["lines"][0]
    ('.../.../...', ['a1', 'b1', 'c1'])
    """
    stored = {name: facts[name] for name in ("value", "plies", "positions", "classes", "digest")}
    start = game.format(game.initial)
    return {"game": game.spec, "players": list(game.players), "start": start, **stored, "board": _board(game)}


def _board(game: Game[Any, Any]) -> dict[str, Any] | None:
    """The board's size and lines as names of cells; None where positions are no boards of cells."""
    board = getattr(game, "board", None)
    if not isinstance(board, Board):
        return None
    masks: tuple[int, ...] = getattr(game, "lines", ())
    lines = [[board.name_of(cell) for cell in range(board.cells) if mask >> 2 * cell & 1] for mask in masks]
    return {"width": board.width, "height": board.height, "lines": lines}
