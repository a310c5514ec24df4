"""Comma-separated values with a header line; what is not there, such as a best move at the end, is empty."""

import codecs
import csv
from collections.abc import Iterable
from typing import IO

from db.export import COLUMNS, record
from db.positions import Position
from db.query import Solution


def write(stream: IO[bytes], _solution: Solution, positions: Iterable[Position]) -> None:
    """Write a line a position."""
    writer = csv.writer(codecs.getwriter("utf-8")(stream), lineterminator="\n")
    writer.writerow(COLUMNS)
    for position in positions:
        board, ply, to_move, terminal, *rest = record(position)
        writer.writerow((board, ply, to_move, int(terminal), *rest))
