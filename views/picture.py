"""A game's picture as parts of an SVG document: cells or points, lines between them, and what lies on them."""

from html import escape
from typing import NamedTuple

from zermelo.solver.picture import Picture
from zermelo.views.svg import number, stone


class Paint(NamedTuple):
    """The attributes that each part of a picture is drawn with."""

    cell: str
    """Of a cell or a point, and of the lines between points."""
    marks: tuple[str, str]
    """Of the first player's stones and of the second's."""
    text: str
    """Of words and numbers."""


def size(picture: Picture) -> tuple[float, float]:
    """How many cells wide and high the picture is, its labels left out.

    >>> from zermelo.solver.games import load
    >>> size(load("morris:three").picture(load("morris:three").initial))
    (3.0, 3.0)
    """
    across, down = [cell.x for cell in picture.cells], [cell.y for cell in picture.cells]
    return max(across) - min(across) + 1, max(down) - min(down) + 1


def draw(picture: Picture, left: float, top: float, cell: float, paint: Paint) -> list[str]:
    """The elements of a picture whose upper left corner is at `left` and `top`, with cells of the size `cell`."""
    west, north = min(place.x for place in picture.cells), min(place.y for place in picture.cells)

    def at(x: float, y: float) -> tuple[float, float]:
        return left + (x - west + 0.5) * cell, top + (y - north + 0.5) * cell

    places = {place.name: at(place.x, place.y) for place in picture.cells}
    parts = []
    for one, other in picture.lines:
        (x1, y1), (x2, y2) = places[one], places[other]
        parts.append(f'<path {paint.cell} d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"/>')
    for place in picture.cells:
        x, y = places[place.name]
        if place.name == picture.here:  # a second ring around where one is
            parts.append(f'<circle {paint.cell} cx="{number(x)}" cy="{number(y)}" r="{number(0.46 * cell)}"/>')
        if picture.lines:
            parts.append(f'<circle {paint.cell} cx="{number(x)}" cy="{number(y)}" r="{number(0.36 * cell)}"/>')
        else:
            corner = f'x="{number(x - cell / 2)}" y="{number(y - cell / 2)}"'
            parts.append(f'<rect {paint.cell} {corner} width="{number(cell)}" height="{number(cell)}"/>')
        if place.mark in ("X", "O") and place.player is not None:
            parts.append(stone(place.mark, x, y, 0.24 * cell, paint.marks[place.player]))
        elif place.mark == "o":
            parts.append(f'<circle {paint.cell} cx="{number(x)}" cy="{number(y)}" r="{number(0.3 * cell)}"/>')
        elif place.mark:
            height = cell * min(0.6, 1.3 / len(place.mark))
            where = f'x="{number(x)}" y="{number(y + 0.36 * height)}" font-size="{number(height)}" text-anchor="middle"'
            parts.append(f"<text {paint.text} {where}>{escape(place.mark)}</text>")
    return parts
