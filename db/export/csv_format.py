"""Comma-separated values with a header line; what is not there, such as a best move at the end, is empty."""

import codecs
import csv
import io
import re
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any

from zermelo.db.export import COLUMNS, record
from zermelo.db.formats import cell
from zermelo.db.positions import Position
from zermelo.db.query import Solution

if TYPE_CHECKING:
    from zermelo.db.export.table import Columns

BINARY = False
WHOLE = ""
_PLAIN = re.compile(r"[A-Za-z0-9.][A-Za-z0-9 ./:;_-]*")
"""Texts that need no quotes and are no formula: most are, and to see it is quicker than to ask."""


def write(stream: IO[bytes], _solution: Solution, positions: Iterable[Position], _progress: object) -> None:
    """Write a line a position."""
    writer = csv.writer(codecs.getwriter("utf-8")(stream), lineterminator="\n")
    writer.writerow(COLUMNS)
    for position in positions:
        board, ply, to_move, terminal, *rest = record(position)
        writer.writerow(map(cell, (board, ply, to_move, int(terminal), *rest)))


def write_columns(stream: IO[bytes], _solution: Solution, rows: "Iterable[Columns]") -> None:
    """Write the same lines from columns."""
    from zermelo.db.export.lines import write_lines

    stream.write(f"{','.join(COLUMNS)}\n".encode())
    write_lines(stream, rows, _written, ["", *[","] * (len(COLUMNS) - 1), "\n"])


def _written(value: Any) -> str:
    """What the line has in the place of a cell.

    >>> [_written(value) for value in (None, True, -1, "a1", "1,2", "=1")]
    ['', '1', '-1', 'a1', '"1,2"', "'=1"]
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(int(value))
    if _PLAIN.fullmatch(value):
        return value
    text = io.StringIO(newline="")
    # A cell alone in its line is written otherwise where it is empty.
    csv.writer(text, lineterminator="").writerow([cell(value), 0])
    return text.getvalue()[:-2]
