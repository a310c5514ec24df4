"""JSON objects, one a line."""

import json
from collections.abc import Iterable
from functools import partial
from typing import IO, TYPE_CHECKING

from zermelo.db.export import COLUMNS, record
from zermelo.db.positions import Position
from zermelo.db.query import Solution

if TYPE_CHECKING:
    from zermelo.db.export.table import Columns

BINARY = False
WHOLE = ""
_written = partial(json.dumps, ensure_ascii=False)


def write(stream: IO[bytes], _solution: Solution, positions: Iterable[Position], _progress: object) -> None:
    """Write a line a position."""
    for position in positions:
        row = dict(zip(COLUMNS, record(position), strict=True))
        stream.write(_written(row).encode() + b"\n")


def write_columns(stream: IO[bytes], _solution: Solution, rows: "Iterable[Columns]") -> None:
    """Write the same lines from columns."""
    from zermelo.db.export.lines import write_lines

    first, *others = (f"{_written(name)}: " for name in COLUMNS)
    write_lines(stream, rows, _written, [f"{{{first}", *(f", {other}" for other in others), "}\n"])
