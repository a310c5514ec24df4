"""JSON objects, one a line."""

import json
from collections.abc import Iterable
from typing import IO

from db.export import COLUMNS, record
from db.positions import Position
from db.query import Solution


def write(stream: IO[bytes], _solution: Solution, positions: Iterable[Position]) -> None:
    """Write a line a position."""
    for position in positions:
        row = dict(zip(COLUMNS, record(position), strict=True))
        stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
