"""Colour for a terminal: stones, outcomes and best moves, painted onto lines that read the same without it."""

import re
from collections.abc import Iterable, Iterator, Sequence

_FIRST, _SECOND, _BEST, _OFF = "\x1b[94m", "\x1b[93m", "\x1b[1;92m", "\x1b[0m"
"""Bright blue for MAX, bright yellow for MIN, bold green for what nothing is better than: legible on black and on white."""
_BOARD = re.compile(r" *\d*( +[A-Z.\d])+$|[A-Z.\d]+( +[A-Z.\d]+)+$")
"""A row of a board: its number, if it has one, and what stands in each cell."""
_STARRED = re.compile(r"^([│ ]*(?:[├└]─ )?)(\S+?)(:? .* )(\*)(?=$| )(.*)$")
_BEST_MOVE = re.compile(r"((?:Best move|Move): )(.+)(\.)$")


def painted(lines: Iterable[str], players: Sequence[str]) -> Iterator[str]:
    """The lines with colour in them.

    >>> [line.replace("\\x1b", "^") for line in painted(["  a2  X wins in 2 plies  *", "1 X O ."], ("X", "O"))]
    ['  ^[1;92ma2^[0m  ^[94mX wins^[0m in 2 plies  ^[1;92m*^[0m', '1 ^[94mX^[0m ^[93mO^[0m .']
    """
    colours = dict(zip(players[:2], (_FIRST, _SECOND), strict=False))
    names = "|".join(map(re.escape, colours))
    wins = re.compile(rf"\b({names}) wins\b")
    stones = re.compile(rf"(?<!\S)({names})(?!\S)")
    for text in lines:
        for line in text.split("\n"):
            if _BOARD.match(line):
                yield stones.sub(lambda found: f"{colours[found[1]]}{found[1]}{_OFF}", line)
                continue
            told = wins.sub(lambda found: f"{colours[found[1]]}{found[0]}{_OFF}", line)
            told = _STARRED.sub(rf"\1{_BEST}\2{_OFF}\3{_BEST}\4{_OFF}\5", told)
            yield _BEST_MOVE.sub(rf"\1{_BEST}\2{_OFF}\3", told)
