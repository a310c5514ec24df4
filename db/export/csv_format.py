"""Comma-separated values with a header line; what is not there, such as a best move at the end, is empty."""

import codecs
import csv
from collections.abc import Iterable
from typing import IO

from zermelo.db.export import COLUMNS, record
from zermelo.db.formats import cell
from zermelo.db.positions import Position
from zermelo.db.query import Solution

BINARY = False
WHOLE = ""


def write(stream: IO[bytes], _solution: Solution, positions: Iterable[Position], _progress: object) -> None:
    """Write a line a position."""
    writer = csv.writer(codecs.getwriter("utf-8")(stream), lineterminator="\n")
    writer.writerow(COLUMNS)
    for position in positions:
        board, ply, to_move, terminal, *rest = record(position)
        writer.writerow(map(cell, (board, ply, to_move, int(terminal), *rest)))
