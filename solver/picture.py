"""How a position looks, in plain data: cells with marks, lines between them, and where each move is made.

The terminal, the page, trees and notebooks all draw from it. No game needs to give one, and none knows how it is drawn.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class Cell(NamedTuple):
    """A place of a picture. `x` counts to the right and `y` down, both to its middle; a cell is one wide and one high."""

    name: str
    x: float
    y: float
    mark: str = ""
    """What lies there, as short as X or 12; empty where nothing does."""
    player: int | None = None
    """Whose the mark is: 0 the first player's, 1 the second's, None nobody's."""


class Label(NamedTuple):
    """A word beside the cells, such as the letter of a column."""

    text: str
    x: float
    y: float


class Click(NamedTuple):
    """A way to make a move: the cells to be clicked one after the other."""

    move: str
    cells: Sequence[str]


class Picture(NamedTuple):
    """A position to be drawn.

    >>> picture = grid("XO/.X", "XO")
    >>> picture.cells[1]
    Cell(name='b1', x=1, y=0, mark='O', player=1)
    """

    cells: Sequence[Cell]
    lines: Sequence[tuple[str, str]] = ()
    """Pairs of cells that a line joins. Where there are any, cells are points on them, and squares otherwise."""
    labels: Sequence[Label] = ()
    ended: Sequence[Sequence[str]] = ()
    """The cells of each line that ended the game."""
    here: str | None = None
    """The cell that the game has come to, where the position is a place and not what lies on the cells."""
    clicks: Sequence[Click] = ()
    """How moves are made. Where none is given, a move is made where its name says: ``b2``, ``a1-b2`` or ``a1-b2xc3``."""


def as_dict(picture: Picture, moves: Iterable[str]) -> dict[str, Any]:
    """The picture as plain values, ready for JSON, with every way to make one of the `moves`."""
    return {
        **picture._asdict(),
        "cells": [cell._asdict() for cell in picture.cells],
        "lines": [list(line) for line in picture.lines],
        "labels": [label._asdict() for label in picture.labels],
        "ended": [list(line) for line in picture.ended],
        "clicks": [{"move": way.move, "cells": list(way.cells)} for way in clicks(picture, moves)],
    }


def grid(rows: str, players: str = "XO", **more: Any) -> Picture:
    """A board drawn from its rows, joined by slashes: a character a cell, a dot an empty one, `players` the sides' marks.

    Cells are named as in a spreadsheet, ``a1`` top left; `more` are further fields of the picture.

    >>> print(text(grid("X.O/.X.")))
      a b c
    1 X . O
    2 . X .
    """
    lines = rows.split("/")
    width = max(map(len, lines))
    cells = [
        Cell(
            f"{_letter(x)}{y + 1}",
            x,
            y,
            "" if mark == "." else mark,
            None if mark not in players else players.index(mark),
        )
        for y, line in enumerate(lines)
        for x, mark in enumerate(line)
        if mark != " "
    ]
    return Picture(cells, labels=edges(width, len(lines)), **more)


def edges(width: int, height: int) -> list[Label]:
    """The letters above the columns and the numbers in front of the rows."""
    return [
        *(Label(_letter(x), x, -0.68) for x in range(width)),
        *(Label(str(y + 1), -0.68, y) for y in range(height)),
    ]


def _letter(column: int) -> str:
    return chr(ord("a") + column)


def clicks(picture: Picture, moves: Iterable[str]) -> list[Click]:
    """Every way to make one of the `moves` by clicking; a move that none is given for can only be chosen by its name.

    >>> clicks(grid("X./.."), ["b1", "a1-a2", "pass"])
    [Click(move='b1', cells=['b1']), Click(move='a1-a2', cells=['a1', 'a2'])]
    """
    if picture.clicks:
        return list(picture.clicks)
    names = {cell.name for cell in picture.cells}
    ways = [Click(move, re.split("-|x", move)) for move in moves]
    return [way for way in ways if names.issuperset(way.cells)]


def text(picture: Picture) -> str:
    """The picture in characters: a dot where a cell is empty, brackets around the place that the game has come to."""
    shown = [
        (cell.x, cell.y, f"[{cell.mark}]" if cell.name == picture.here else cell.mark or ".") for cell in picture.cells
    ]
    shown += [(label.x, label.y, label.text) for label in picture.labels]
    columns = sorted({x for x, _, _ in shown})
    widths = {column: max(len(word) for x, _, word in shown if x == column) for column in columns}
    starts, at = {}, 0
    for column in columns:
        starts[column] = at
        at += widths[column] + 1
    lines = []
    for row in sorted({y for _, y, _ in shown}):
        line = ""
        for x, _, word in sorted(one for one in shown if one[1] == row):
            line = f"{line:<{starts[x]}}{word:>{widths[x]}}"
        lines.append(line)
    return "\n".join(lines)
