"""Apache Parquet through pyarrow, typed, with the game, the digest and the version among the file's metadata."""

from collections.abc import Iterable
from itertools import islice
from typing import IO

from zermelo.db.export import COLUMNS, record
from zermelo.db.positions import Position
from zermelo.db.query import Solution
from zermelo.solver.errors import MissingPackageError

BINARY = True
WHOLE = ""
_GROUP = 1 << 16


def write(stream: IO[bytes], solution: Solution, positions: Iterable[Position], _progress: object) -> None:
    """Write the positions in groups of rows."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError as missing:
        raise MissingPackageError(
            "Parquet needs the Python package pyarrow, of the extra 'parquet'", package="pyarrow", extra="parquet"
        ) from missing
    facts = solution.source.facts
    types = (pa.string(), pa.int32(), pa.string(), pa.bool_(), pa.int32(), pa.int32(), pa.string(), pa.string())
    optional = ("to_move", "best_move", *(["plies"] if facts["can_repeat"] else []))
    schema = pa.schema(
        [pa.field(name, type_, name in optional) for name, type_ in zip(COLUMNS, types, strict=True)],
        {"game": facts["game"], "digest": facts["digest"], "zermelo_version": facts["zermelo_version"]},
    )
    records = map(record, positions)
    with pq.ParquetWriter(stream, schema) as writer:
        while group := list(islice(records, _GROUP)):
            columns = [pa.array(column, type_) for column, type_ in zip(zip(*group, strict=True), types, strict=True)]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
