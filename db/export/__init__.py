"""Solutions as data for other programs: one file a format, and here what they share."""

import io
import os
from collections.abc import Iterable
from contextlib import AbstractContextManager
from importlib import import_module
from itertools import islice
from typing import IO, TYPE_CHECKING, Protocol, cast, runtime_checkable

from zermelo.db.arrays import is_swept, sweep_of
from zermelo.db.formats import FORMATS, format_by_ending
from zermelo.db.positions import EVERYTHING, MOST, Position, Selection, count, positions
from zermelo.db.query import Solution
from zermelo.solver.errors import AmountError, FormatError, SelectionError, size_text
from zermelo.solver.packed import require
from zermelo.solver.progress import Progress

if TYPE_CHECKING:
    from zermelo.db.export.table import Columns

COLUMNS = ("position", "ply", "to_move", "terminal", "value", "plies", "best_move", "optimal_moves")

MANY = 100_000_000
"""Positions in blocks that a table is made of without being asked for expressly: a minute or two, and 4 GB of CSV."""
_SAMPLE = 5000
"""Rows that tell how large a row is."""


class Format(Protocol):
    """What a format's module offers."""

    BINARY: bool
    """Whether it is not for a terminal."""
    WHOLE: str
    """What to call a file that holds every position, such as `a tablebase`; empty where it holds the wanted ones."""

    def write(
        self, stream: IO[bytes], solution: Solution, positions: Iterable[Position], progress: Progress | None
    ) -> None:
        """Write the wanted positions, which report progress by themselves, or the whole solution."""


@runtime_checkable
class FastFormat(Protocol):
    """What a format's module may offer besides, for solutions that are gone through by arrays."""

    def write_columns(self, stream: IO[bytes], solution: Solution, rows: "Iterable[Columns]") -> None:
        """Write the wanted positions from columns, the same file as position by position."""


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that a file's name asks for, csv where it says nothing.

    >>> format_of("tictactoe.ztb"), format_of("-")
    ('ztb', 'csv')
    >>> format_of("tictactoe.xlsx")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    zermelo.solver.errors.FormatError: 'tictactoe.xlsx' ends with .xlsx, which is not written: end it with .csv, .jsonl, ...
    """
    return format_by_ending(path, {name: name for name in FORMATS}) or next(iter(FORMATS))


def module_of(format_: str) -> Format:
    """What writes a format.

    >>> module_of("parquet").BINARY
    True
    """
    if format_ not in FORMATS:
        raise FormatError(f"there is no format {format_!r}: the formats are {', '.join(FORMATS)}")
    return cast(Format, import_module(FORMATS[format_]))


def export(
    stream: IO[bytes],
    solution: Solution,
    format_: str,
    selection: Selection = EVERYTHING,
    progress: Progress | None = None,
    packing: str | None = None,
) -> None:
    """Write the wanted positions to `stream`; a tablebase holds all of them. Values are MAX's.

    What is text may be compressed with gzip (`gz`) or Zstandard (`zst`) as it is written: see `check_packing`.
    """
    module = module_of(format_)
    if module.WHOLE and selection != EVERYTHING:
        raise SelectionError(f"{module.WHOLE} holds every position, not a selection")
    if packing is not None:
        check_packing(format_, packing)
        with _packed(stream, packing) as inner:
            export(inner, solution, format_, selection, progress)
    elif isinstance(module, FastFormat) and (sweep := sweep_of(solution)) is not None:
        from zermelo.db.export.table import columns_of

        module.write_columns(stream, solution, columns_of(solution, sweep, selection, progress))
    else:
        module.write(stream, solution, positions(solution, selection, progress), progress)


def check_packing(format_: str, packing: str) -> None:
    """Refuse to compress what is not text: it is compressed by itself, or to be opened as it is."""
    texts = [name for name in FORMATS if not module_of(name).BINARY and not module_of(name).WHOLE]
    if format_ not in texts:
        raise FormatError(
            f".{format_}.{packing} is not written: compressed are {', '.join(f'.{name}' for name in texts)}"
        )
    if packing == "zst":
        require("zstandard")


def _packed(stream: IO[bytes], packing: str) -> AbstractContextManager[IO[bytes]]:
    """Compresses to `stream` what is written to it, and leaves that open."""
    if packing == "gz":
        import gzip

        # Without the time, so that the same rows are the same file.
        return cast("IO[bytes]", gzip.GzipFile("", "wb", 6, stream, mtime=0))
    from zstandard import ZstdCompressor

    return cast("IO[bytes]", ZstdCompressor(level=3).stream_writer(stream, closefd=False))


def check_amount(solution: Solution, format_: str, selection: Selection = EVERYTHING) -> None:
    """Refuse a table of very many rows, with how many they are and how large it would be."""
    # All of these plies are gone through, however few of them are wanted.
    through = Selection(selection.plies)
    module = module_of(format_)
    if module.WHOLE or count(solution, through) <= (MANY if is_swept(solution) else MOST):
        return
    rows = count(solution, selection)
    sample = io.BytesIO()
    module.write(sample, solution, islice(positions(solution, through), _SAMPLE), None)
    size = size_text(sample.tell() / _SAMPLE * rows)
    spec, number = solution.game.spec, count(solution, through)
    raise AmountError(
        f"{spec} has {number:,} positions to go through, and {format_} would have {rows:,} rows, about {size}",
        game=spec,
        positions=number,
        task="export",
    )


def record(position: Position) -> tuple[str, int, str | None, bool, int, int | None, str | None, str]:
    """The position's columns."""
    return (*position[:7], " ".join(position.optimal_moves))
