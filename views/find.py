"""Positions that were found, each with the moves that hold its value and those that lose."""

from collections.abc import Iterator, Sequence
from typing import Any

from zermelo.db.find import as_dict, holding_moves, losing_moves
from zermelo.db.positions import Position
from zermelo.solver.game import Game
from zermelo.views.table import table
from zermelo.views.words import verdict


def find_lines(game: Game[Any, Any], positions: Sequence[Position], format_: str) -> Iterator[str]:
    """The positions drawn one below the other, or as rows of JSON or CSV."""
    if format_ != "text":
        rows = [as_dict(position, game.players[0]) for position in positions]
        yield from table(rows, tuple(rows[0]), format_) if rows else []
        return
    for number, position in enumerate(positions):
        if number:
            yield ""
        yield game.draw(game.parse(position.board))
        yield ""
        yield verdict(game, position)
        if not position.terminal:
            if holding := holding_moves(position, game.players[0]):
                yield f"  hold: {' '.join(holding)}"
            if losing := losing_moves(position, game.players[0]):
                yield f"  lose: {' '.join(losing)}"
