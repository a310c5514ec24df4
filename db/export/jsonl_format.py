"""JSON objects, one a line."""

import json
from collections.abc import Iterable
from typing import IO

from zermelo.db.export import COLUMNS, record
from zermelo.db.positions import Position
from zermelo.db.query import Solution

BINARY = False
WHOLE = ""


def write(stream: IO[bytes], _solution: Solution, positions: Iterable[Position], _progress: object) -> None:
    """Write a line a position."""
    for position in positions:
        row = dict(zip(COLUMNS, record(position), strict=True))
        stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
