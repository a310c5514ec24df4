"""What every picture is made of: a document that stands alone, boxes, grids and stones."""

from collections.abc import Iterable, Sequence
from html import escape as escape_html
from typing import NamedTuple

from zermelo.solver.texts import shown


def escape(text: str) -> str:
    """A text within a picture. XML has no way to write most control characters: they are shown instead.

    >>> escape("a < b\\x1b")
    'a &lt; b\\\\x1b'
    """
    return escape_html(shown(text, keep="\n\t"))


def number(value: float) -> str:
    """A coordinate, as short as it can be.

    >>> number(2.5), number(3.0), number(1 / 3)
    ('2.5', '3', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


class Box(NamedTuple):
    """A rectangle; as text, the attributes of one."""

    x: float
    y: float
    width: float
    height: float

    def centred(self, width: float, height: float) -> "Box":
        """A rectangle of this size in the middle."""
        return Box(self.x + (self.width - width) / 2, self.y + (self.height - height) / 2, width, height)

    def scaled(self, factor: float) -> "Box":
        return Box(*(factor * side for side in self))

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def __str__(self) -> str:
        x, y, width, height = map(number, self)
        return f'x="{x}" y="{y}" width="{width}" height="{height}"'


def document(
    name: str, size: tuple[float, float], title: str, description: str, style: str, body: Iterable[str], unit: str = ""
) -> str:
    """A picture that stands alone, on white, with a title and a description for those who cannot see it.

    The first word of `name` begins its ids, and all of it is its class.
    """
    width, height = map(number, size)
    called = name.partition(" ")[0]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{escape(name)}" role="img"'
            f' aria-labelledby="{called}-title {called}-desc" width="{width}{unit}" height="{height}{unit}"'
            f' viewBox="0 0 {width} {height}">',
            f'<title id="{called}-title">{escape(title)}</title>',
            f'<desc id="{called}-desc">{escape(description)}</desc>',
            f"<style>{style}</style>",
            f'<rect width="{width}" height="{height}" fill="#fff"/>',
            *body,
            "</svg>",
        ]
    )


def grid(frame: Box, lefts: Sequence[float], tops: Sequence[float]) -> str:
    """The path of the lines between columns that begin at `lefts` and rows that begin at `tops`."""
    x, y, width, height = map(number, frame)
    lines = [f"M{number(left)} {y}v{height}" for left in lefts[1:]]
    lines += [f"M{x} {number(top)}h{width}" for top in tops[1:]]
    return "".join(lines)


def stone(mark: str, x: float, y: float, radius: float, attributes: str) -> str:
    """The cross of X or the ring of O around a point.

    >>> stone("O", 5, 5, 3, 'class="o"')
    '<circle class="o" cx="5" cy="5" r="3.21"/>'
    """
    if mark == "X":
        side = number(2 * radius)
        return f'<path {attributes} d="M{number(x - radius)} {number(y - radius)}l{side} {side}m0 -{side}l-{side} {side}"/>'
    # A ring looks smaller than a cross that is as wide.
    return f'<circle {attributes} cx="{number(x)}" cy="{number(y)}" r="{number(1.07 * radius)}"/>'
