"""Apache Parquet through pyarrow, typed, with the game, the digest and the version among the file's metadata.

The file has groups of rows, so that a part of them can be read alone. What comes again and again, such as moves, is a
dictionary, and what can be missing is null.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from zermelo.db.export import COLUMNS, record
from zermelo.db.positions import Position
from zermelo.db.query import Solution
from zermelo.solver.errors import MissingPackageError

if TYPE_CHECKING:
    from zermelo.db.export.table import Array, Coded, Columns

BINARY = True
WHOLE = ""
_GROUP = 1 << 17
_OPTIONAL = ("to_move", "plies", "best_move")
_CODED = ("to_move", "best_move", "optimal_moves")


def write(stream: IO[bytes], solution: Solution, positions: Iterable[Position], _progress: object) -> None:
    """Write the positions in groups of rows."""
    pa = _pyarrow()
    schema = _schema(pa, solution)
    records = map(record, positions)

    def groups() -> Iterator[list[Any]]:
        while group := list(islice(records, _GROUP)):
            yield [pa.array(column, field.type) for column, field in zip(zip(*group, strict=True), schema, strict=True)]

    _write(pa, stream, schema, groups())


def write_columns(stream: IO[bytes], solution: Solution, rows: "Iterable[Columns]") -> None:
    """Write the same rows from columns."""
    pa = _pyarrow()
    schema = _schema(pa, solution)

    def groups() -> Iterator[list[Any]]:
        for columns in rows:
            yield [
                _texts(pa, columns.position),
                pa.array(columns.ply),
                _dictionary(pa, columns.to_move, schema.field("to_move").type),
                pa.array(columns.terminal),
                pa.array(columns.value),
                pa.array(columns.plies, mask=columns.plies < 0),
                _dictionary(pa, columns.best_move, schema.field("best_move").type),
                _dictionary(pa, columns.optimal_moves, schema.field("optimal_moves").type),
            ]

    _write(pa, stream, schema, groups())


def _pyarrow() -> Any:
    try:
        import pyarrow.parquet
    except ModuleNotFoundError as missing:
        raise MissingPackageError(
            "Parquet needs the Python package pyarrow, of the extra 'parquet'", package="pyarrow", extra="parquet"
        ) from missing
    return pyarrow


def _schema(pa: Any, solution: Solution) -> Any:
    facts = solution.source.facts
    types = dict.fromkeys(COLUMNS, pa.int32())
    types |= {
        "position": pa.string(),
        "terminal": pa.bool_(),
        **dict.fromkeys(_CODED, pa.dictionary(pa.int32(), pa.string())),
    }
    return pa.schema(
        [pa.field(name, type_, name in _OPTIONAL) for name, type_ in types.items()],
        {"game": facts["game"], "digest": facts["digest"], "zermelo_version": facts["zermelo_version"]},
    )


def _write(pa: Any, stream: IO[bytes], schema: Any, groups: Iterator[list[Any]]) -> None:
    # No position comes twice: to look for those that do would take longer than to write them all.
    with pa.parquet.ParquetWriter(stream, schema, use_dictionary=list(_CODED), compression="zstd") as writer:
        for arrays in groups:
            table = pa.Table.from_arrays(arrays, schema=schema)
            writer.write_table(table, row_group_size=_GROUP)


def _texts(pa: Any, texts: "Array | list[str]") -> Any:
    """The positions: those that are rows of bytes are taken as they lie."""
    if isinstance(texts, list):
        return pa.array(texts, pa.string())
    import numpy as np

    count, width = texts.shape
    ends = np.arange(0, count * width + 1, width, dtype=np.int32)
    return pa.StringArray.from_buffers(count, pa.py_buffer(ends), pa.py_buffer(texts))


def _dictionary(pa: Any, column: "Coded", type_: Any) -> Any:
    index = column.which.astype("int32")
    texts = [text for text in column.texts if text is not None]
    missing = None
    if len(texts) < len(column.texts):
        gone = column.texts.index(None)
        missing = index == gone
        index = index - (index > gone)
    return pa.DictionaryArray.from_arrays(pa.array(index, mask=missing), pa.array(texts, pa.string())).cast(type_)
