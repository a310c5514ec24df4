"""Solutions as data for other programs: one file a format, and here what they share."""

import io
import os
from collections.abc import Callable
from importlib import import_module
from itertools import islice
from typing import IO

from db.positions import EVERYTHING, MOST, Position, Selection, count, positions
from db.query import Solution
from solver.errors import AmountError, GameError
from solver.exhaustive import Progress
from solver.packed.estimate import size_text

COLUMNS = ("board", "ply", "to_move", "terminal", "value", "plies", "best_move", "optimal_moves")

FORMATS = ("csv", "jsonl", "parquet", "ztb", "html")
"""What a file's ending may ask for; the page, html, is made in `web`."""
BINARY = ("parquet", "ztb")
_SAMPLE = 5000
"""Rows that tell how large a row is."""


def format_of(path: str) -> str:
    """The format that a file's name asks for, csv where it says nothing.

    >>> format_of("tictactoe.ztb"), format_of("-")
    ('ztb', 'csv')
    """
    ending = os.path.splitext(path)[1].removeprefix(".")
    return ending if ending in FORMATS else FORMATS[0]


def export(
    stream: IO[bytes],
    solution: Solution,
    format_: str,
    selection: Selection = EVERYTHING,
    progress: Progress | None = None,
) -> None:
    """Write the wanted positions to `stream`; a tablebase holds all of them. Values are MAX's."""
    if format_ == "ztb":
        check_everything("a tablebase", selection)
        from db.tablebase import write_tablebase

        write_tablebase(stream, solution, progress)
        return
    _writer(format_)(stream, solution, positions(solution, selection, progress))


def check_amount(solution: Solution, format_: str, selection: Selection = EVERYTHING) -> None:
    """Refuse a table of very many rows, with how many they are and how large it would be."""
    # All of these plies are gone through, however few of them are wanted.
    through = Selection(selection.plies)
    if format_ in ("ztb", "html") or count(solution, through) <= MOST:
        return
    rows = count(solution, selection)
    sample = io.BytesIO()
    _writer(format_)(sample, solution, islice(positions(solution, through), _SAMPLE))
    size = size_text(sample.tell() / _SAMPLE * rows)
    raise AmountError(
        f"{solution.game.spec} has {count(solution, through):,} positions to go through, and {format_} would have"
        f" {rows:,} rows, about {size}: choose some with --ply, write a tablebase with --format ztb, or add --yes to do"
        " it all the same"
    )


def _writer(format_: str) -> Callable[..., None]:
    write: Callable[..., None] = import_module(f"db.export.{format_}_format").write
    return write


def check_everything(what: str, selection: Selection) -> None:
    """Refuse to leave positions out of a file that holds all of them."""
    if selection != EVERYTHING:
        raise GameError(f"{what} holds every position: leave out --classes, --ply, --value and --to-move")


def record(position: Position) -> tuple[str, int, str | None, bool, int, int, str | None, str]:
    """The position's columns."""
    return (*position[:7], " ".join(position.optimal_moves))
