"""The table inside a page: every position of a game with its moves and how it looks, for a page that knows no rules.

What is alike is put side by side, in columns, because that is what makes it small once it is compressed; and what follows
from the rest is left out.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from zermelo.db.query import Solution
from zermelo.db.source import endless_of
from zermelo.solver.game import Game
from zermelo.solver.picture import Picture, clicks
from zermelo.solver.progress import Progress

Rows = dict[str, tuple[int, int, int | None]]
"""The ply, value and plies of every position."""
_PIECES = re.compile(r"[0-9]+|.", re.DOTALL)
"""What texts are cut into: numbers and single characters."""


def table_of(solution: Solution, progress: Progress | None) -> bytes:
    """A head in JSON, after its length in four bytes, and then columns of whole numbers.

    The numbers are of variable length, as in a tablebase, with the sign in the lowest bit. The columns are those of
    `_moves`, those of the positions' texts, and those that the head counts as `drawn`: marks or texts of pictures.
    """
    game = solution.game
    rows = _rows(solution)
    order = sorted(rows)
    texts = Texts(order)
    names, numbers = _moves(game, rows, order, progress)
    looks, drawn = _looks(game, order, texts)
    head = {
        "rows": len(order), "names": names, "endless": endless_of(solution.source, game), "pieces": texts.pieces, "width": texts.width, **looks,
    }  # fmt: skip
    first = json.dumps(head, separators=(",", ":")).encode()
    return len(first).to_bytes(4, "little") + first + numbers + texts.columns() + drawn


def _rows(solution: Solution) -> Rows:
    """Every position, all of every class."""
    game, source = solution.game, solution.source
    found: Rows = {}
    for row in source.rows():
        boards = [row.board]
        if source.by_class:
            state = game.parse(row.board)
            boards = [game.format(symmetry(state)) for symmetry in game.symmetries]
        for board in boards:
            found[board] = row.ply, row.value, row.plies
    return found


class Texts:
    """Texts cut into pieces: a column has the first piece of each text, the next the second, and so on.

    >>> texts = Texts(["X./O", "XX/."])
    >>> texts.pieces, texts.width, texts.columns()
    (['', 'X', '.', '/', 'O'], 4, b'\\x02\\x02\\x04\\x02\\x06\\x06\\x08\\x04')
    """

    def __init__(self, texts: Sequence[str]) -> None:
        numbers = {"": 0}
        self.cut = [[numbers.setdefault(piece, len(numbers)) for piece in _PIECES.findall(text)] for text in texts]
        """The numbers of each text's pieces; where a text has fewer than others, it ends with none, which is 0."""
        self.pieces = list(numbers)
        self.width = max(map(len, self.cut), default=0)

    def column(self, place: int) -> list[int]:
        return [text[place] if place < len(text) else 0 for text in self.cut]

    def columns(self) -> bytes:
        written = bytearray()
        for place in range(self.width):
            for piece in self.column(place):
                _put(written, piece)
        return bytes(written)


def _moves(game: Game[Any, Any], rows: Rows, order: list[str], progress: Progress | None) -> tuple[list[str], bytes]:
    """The names of all moves, and the columns: ply, whose turn, value, plies, how many moves, which, and to which row.

    Moves are in the game's own order, each told by its number less the one before. The rows that they lead to come for each
    player's each move apart, told by how much further each is than the last: neighbours are much alike.
    """
    place = {board: row for row, board in enumerate(order)}
    columns = [bytearray() for _ in range(6)]
    names: dict[str, int] = {}
    led: dict[tuple[int, int], tuple[int, bytearray]] = {}
    for row, board in enumerate(order):
        state = game.parse(board)
        ply, value, plies = rows[board]
        over = game.is_terminal(state)
        actions = [] if over else game.actions(state)
        turn = 2 if over else game.players.index(game.to_move(state))
        for column, number in zip(
            columns, (ply, turn, value, -1 if plies is None else plies, len(actions)), strict=False
        ):
            _put(column, number)
        before = -1
        for action in actions:
            move = names.setdefault(game.format_action(action), len(names))
            after = place[game.format(game.result(state, action))]
            _put(columns[5], move - before - 1)
            last, column = led.get((turn, move), (0, bytearray()))
            _put(column, after - last)
            before, led[turn, move] = move, (after, column)
        if progress and row % 1000 == 0:
            progress(row, len(order))
    if progress:
        progress(len(order), len(order))
    return list(names), b"".join([*columns, *(led[key][1] for key in sorted(led))])


def _put(column: bytearray, number: int) -> None:
    """Add a whole number: seven bits a byte, the lowest first, the sign lowest of all."""
    left = 2 * number if number >= 0 else -2 * number - 1
    while left > 127:
        column.append(left & 127 | 128)
        left >>= 7
    column.append(left)


def _looks(game: Game[Any, Any], order: list[str], texts: Texts) -> tuple[dict[str, Any], bytes]:
    """What the head says of how positions look, and the columns of what it cannot say.

    Pictures that share their cells have them in a `frame`; a cell's mark is always the same, or a piece of the position's
    text, or is in a column. Where there are no such pictures, `draw`'s texts are in columns, if they are not the positions' own.
    """
    states = [game.parse(position) for position in order]
    pictures = [game.picture(state) for state in states]
    drawn = [picture for picture in pictures if picture is not None]
    frames = {_frame(picture) for picture in drawn}
    owners = {cell.mark: cell.player for picture in drawn for cell in picture.cells}
    alike = all(owners[cell.mark] == cell.player for picture in drawn for cell in picture.cells)
    if len(drawn) < len(states) or len(frames) > 1 or not alike:
        shown = [game.draw(state) for state in states]
        if shown == order:
            return {"frame": None, "drawn": None}, b""
        pieces = Texts(shown)
        return {"frame": None, "drawn": {"pieces": pieces.pieces, "width": pieces.width}}, pieces.columns()
    marks = [list(column) for column in zip(*([cell.mark for cell in picture.cells] for picture in drawn), strict=True)]
    fixed = {cell: column[0] for cell, column in enumerate(marks) if len(set(column)) == 1}
    places = _places(marks, fixed, texts)
    told = [cell for cell in range(len(marks)) if cell not in fixed and cell not in places]
    numbers = {mark: place for place, mark in enumerate(owners)}
    columns = bytearray()
    for cell in told:
        for mark in marks[cell]:
            _put(columns, numbers[mark])
    ways = _ways(game, states, drawn)
    more = [_more(picture, clicked=ways is None) for picture in drawn]
    first = drawn[0]
    frame = {
        "cells": [{"name": cell.name, "x": cell.x, "y": cell.y} for cell in first.cells],
        "fixed": fixed,
        "places": places,
        "told": told,
        "marks": list(numbers),
        "ways": ways,
        "players": {mark: player for mark, player in owners.items() if player is not None},
        "rest": {"lines": [list(line) for line in first.lines], "labels": [label._asdict() for label in first.labels]},
    }
    return {"frame": frame, "more": more if any(more) else None}, bytes(columns)


def _places(marks: list[list[str]], fixed: dict[int, str], texts: Texts) -> dict[int, int]:
    """The cells whose marks are a piece of the position's text, a dot where there is none, and which piece."""
    shown = ["" if piece == "." else piece for piece in texts.pieces]

    def is_piece(column: list[str], place: int) -> bool:
        return all(
            place < len(text) and shown[text[place]] == mark for text, mark in zip(texts.cut, column, strict=True)
        )

    found = {}
    for cell, column in enumerate(marks):
        place = None if cell in fixed else next((at for at in range(texts.width) if is_piece(column, at)), None)
        if place is not None:
            found[cell] = place
    return found


def _ways(game: Game[Any, Any], states: Sequence[Any], drawn: Sequence[Picture]) -> list[dict[str, Any]] | None:
    """For each player the clicks that make each move; None where that changes from one position to the next."""
    ways: list[dict[str, Any]] = [{} for _ in game.players]
    for state, picture in zip(states, drawn, strict=True):
        if game.is_terminal(state):
            continue
        mine = ways[game.players.index(game.to_move(state))]
        moves = [game.format_action(action) for action in game.actions(state)]
        here: dict[str, list[list[str]]] = {move: [] for move in moves}
        for click in clicks(picture, moves):
            if click.move in here:
                here[click.move].append(list(click.cells))
        for move, cells in here.items():
            if mine.setdefault(move, cells) != cells:
                return None
    return ways


def _frame(picture: Picture) -> tuple[Any, ...]:
    """All of a picture that does not change from one position to the next."""
    cells = tuple((cell.name, cell.x, cell.y) for cell in picture.cells)
    return cells, tuple(map(tuple, picture.lines)), tuple(picture.labels)


def _more(picture: Picture, *, clicked: bool) -> dict[str, Any] | int:
    """What else a picture tells, 0 where that is nothing."""
    told = {
        "ended": [list(line) for line in picture.ended],
        "here": picture.here,
        "clicks": [[click.move, *click.cells] for click in picture.clicks] if clicked else [],
    }
    return {name: value for name, value in told.items() if value} or 0
