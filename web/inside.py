"""The table inside a page: every position of a game with its moves and how it looks, for a page that knows no rules.

What is alike is put side by side, in columns, because that is what makes it small once it is compressed; and what follows
from the rest is left out.
"""

import json
import re
from array import array
from collections.abc import Iterable
from typing import Any, NamedTuple

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
    return len(first).to_bytes(4, "little") + first + numbers + texts.written() + drawn


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
    >>> texts.pieces, texts.width, texts.written()
    (['', 'X', '.', '/', 'O'], 4, b'\\x02\\x02\\x04\\x02\\x06\\x06\\x08\\x04')
    """

    def __init__(self, texts: Iterable[str]) -> None:
        numbers = {"": 0}
        self.columns: list[array[int]] = []
        """The numbers of the pieces; where a text has fewer than others, it ends with none, which is 0."""
        for row, text in enumerate(texts):
            pieces = _PIECES.findall(text)
            while len(self.columns) < len(pieces):
                self.columns.append(array("I", bytes(4 * row)))
            pieces += [""] * (len(self.columns) - len(pieces))
            for column, piece in zip(self.columns, pieces, strict=True):
                column.append(numbers.setdefault(piece, len(numbers)))
        self.pieces = list(numbers)
        self.width = len(self.columns)

    def written(self) -> bytes:
        return _written(self.columns)


def _written(columns: Iterable[Iterable[int]]) -> bytes:
    written = bytearray()
    for column in columns:
        for number in column:
            _put(written, number)
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
    pictures = _pictures(game, order)
    if pictures is None:
        if all(game.draw(game.parse(position)) == position for position in order):
            return {"frame": None, "drawn": None}, b""
        drawn = Texts(game.draw(game.parse(position)) for position in order)
        return {"frame": None, "drawn": {"pieces": drawn.pieces, "width": drawn.width}}, drawn.written()
    marks = list(pictures.owners)
    fixed = {cell: marks[column[0]] for cell, column in enumerate(pictures.marks) if len(set(column)) == 1}
    places = _places(pictures, fixed, texts)
    told = [cell for cell in range(len(pictures.marks)) if cell not in fixed and cell not in places]
    first = pictures.first
    frame = {
        "cells": [{"name": cell.name, "x": cell.x, "y": cell.y} for cell in first.cells],
        "fixed": fixed,
        "places": places,
        "told": told,
        "marks": marks,
        "ways": pictures.ways,
        "players": {mark: player for mark, player in pictures.owners.items() if player is not None},
        "rest": {"lines": [list(line) for line in first.lines], "labels": [label._asdict() for label in first.labels]},
    }
    more = pictures.more if any(pictures.more) else None
    return {"frame": frame, "more": more}, _written(pictures.marks[cell] for cell in told)


class _Pictures(NamedTuple):
    """The pictures of all positions, as far as one differs from the next."""

    first: Picture
    owners: dict[str, int | None]
    """Whose each mark is, in the order in which they are numbered."""
    marks: list["array[int]"]
    """The numbers of the marks of each cell."""
    ways: list[dict[str, list[list[str]]]] | None
    """For each player the clicks that make each move; None where they change from one position to the next."""
    more: list[Any]
    """What else each tells, 0 where that is nothing."""


def _pictures(game: Game[Any, Any], order: list[str]) -> _Pictures | None:
    """None where a position has no picture, or they do not share their cells and whose each mark is."""
    first = game.picture(game.initial)
    if first is None:
        return None
    frame = _frame(first)
    owners: dict[str, int | None] = {}
    numbers: dict[str, int] = {}
    marks: list[array[int]] = [array("I") for _ in first.cells]
    ways: list[dict[str, list[list[str]]]] = [{} for _ in game.players]
    alike, more = True, []
    for position in order:
        state = game.parse(position)
        picture = game.picture(state)
        if picture is None or _frame(picture) != frame:
            return None
        for cell, column in zip(picture.cells, marks, strict=True):
            if owners.setdefault(cell.mark, cell.player) != cell.player:
                return None
            column.append(numbers.setdefault(cell.mark, len(numbers)))
        alike = alike and (game.is_terminal(state) or _learned(game, state, picture, ways))
        more.append(_more(picture))
    if alike:
        for one in more:
            if one:
                one.pop("clicks", None)
    return _Pictures(first, owners, marks, ways if alike else None, [one or 0 for one in more])


def _learned(game: Game[Any, Any], state: Any, picture: Picture, ways: list[dict[str, list[list[str]]]]) -> bool:
    """Put down how each move is made here; False where the same move was made otherwise elsewhere."""
    known = ways[game.players.index(game.to_move(state))]
    moves = [game.format_action(action) for action in game.actions(state)]
    here: dict[str, list[list[str]]] = {move: [] for move in moves}
    for click in clicks(picture, moves):
        if click.move in here:
            here[click.move].append(list(click.cells))
    return all(known.setdefault(move, cells) == cells for move, cells in here.items())


def _places(pictures: _Pictures, fixed: dict[int, str], texts: Texts) -> dict[int, int]:
    """The cells whose marks are a piece of the position's text, a dot where there is none, and which piece."""
    numbers = {mark: number for number, mark in enumerate(pictures.owners)}
    meant = [numbers.get("" if piece == "." else piece) for piece in texts.pieces]
    found = {}
    for cell, marks in enumerate(pictures.marks):
        if cell in fixed:
            continue
        for place, pieces in enumerate(texts.columns):
            if all(piece and meant[piece] == mark for piece, mark in zip(pieces, marks, strict=True)):
                found[cell] = place
                break
    return found


def _frame(picture: Picture) -> tuple[Any, ...]:
    """All of a picture that does not change from one position to the next."""
    cells = tuple((cell.name, cell.x, cell.y) for cell in picture.cells)
    return cells, tuple(map(tuple, picture.lines)), tuple(picture.labels)


def _more(picture: Picture) -> dict[str, Any]:
    """What else a picture tells."""
    told = {
        "ended": [list(line) for line in picture.ended],
        "here": picture.here,
        "clicks": [[click.move, *click.cells] for click in picture.clicks],
    }
    return {name: value for name, value in told.items() if value}
