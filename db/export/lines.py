"""Lines of text from columns, joined by compiled code: what comes again and again is written once, and then copied."""

from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any

import numpy as np

from zermelo.db.export.table import Array, Coded, Columns
from zermelo.solver.kernel import kernel

_RANGE = 4096
"""Numbers from the lowest to the highest that are all written, whether they occur or not."""


def write_lines(
    stream: IO[bytes], rows: Iterable[Columns], written: Callable[[Any], str], between: Sequence[str]
) -> None:
    """Write a line a row: what `written` makes of each cell, with the texts `between` before, between and after them."""
    for columns in rows:
        stream.write(_lines(columns, written, between).data)


def _lines(columns: Columns, written: Callable[[Any], str], between: Sequence[str]) -> Array:
    cells = (columns.position, *map(_coded, columns[1:5]), _coded(columns.plies, missing=-1), *columns[6:])
    data, lengths, index, used = [], [], [], 0
    for number, column in enumerate(cells):
        before, after = between[number], between[-1] if number == len(cells) - 1 else ""
        if isinstance(column, np.ndarray):
            made, sizes = _boards(column, before, written)
        else:
            texts = column.texts if isinstance(column, Coded) else column
            pieces = [f"{before}{written(text)}{after}".encode() for text in texts]
            made, sizes = np.frombuffer(b"".join(pieces), np.uint8), np.array(list(map(len, pieces)), np.int64)
        data.append(made)
        lengths.append(sizes)
        which = column.which if isinstance(column, Coded) else np.arange(len(sizes))
        index.append(which.astype(np.int32) + np.int32(used))
        used += len(sizes)
    places, sizes = np.stack(index), np.concatenate(lengths)
    lines = np.empty(int(sizes[places].sum()), np.uint8)
    _join(places, np.cumsum(sizes) - sizes, sizes, np.concatenate(data), lines)
    return lines


def _boards(texts: Array, before: str, written: Callable[[Any], str]) -> tuple[Array, Array]:
    """Boards are written as they are, but for what is around every text."""
    start, _, end = written("X").partition("X")
    around = [np.frombuffer(part.encode(), np.uint8) for part in (before + start, end)]
    around = [np.broadcast_to(part, (len(texts), len(part))) for part in around]
    whole = np.concatenate([around[0], texts, around[1]], axis=1)
    return whole.reshape(-1), np.full(len(texts), whole.shape[1], np.int64)


def _coded(column: Any, missing: int | None = None) -> Coded:
    """A column of numbers or truth values as one of a few things to be written."""
    if isinstance(column, Coded):
        return column
    numbers = column.astype(np.int64) if column.dtype != np.bool_ else column.astype(np.int8)
    lowest, highest = int(numbers.min()), int(numbers.max())
    if highest - lowest < _RANGE:
        index, values = numbers - lowest, list(range(lowest, highest + 1))
    else:
        different, index = np.unique(numbers, return_inverse=True)
        values = different.tolist()
    if column.dtype == np.bool_:
        values = list(map(bool, values))
    texts: list[Any] = [None if value == missing else value for value in values]
    return Coded(index, texts)


@kernel
def _join(places: Any, starts: Any, sizes: Any, data: Any, lines: Any) -> None:
    """The pieces at these places, a row of the table after the other."""
    at = 0
    for row in range(places.shape[1]):
        for column in range(places.shape[0]):
            start = starts[places[column, row]]
            for byte in range(start, start + sizes[places[column, row]]):
                lines[at] = data[byte]
                at += 1
