"""The formats that a solution can be exported in; apart from what writes them, so that a list of them costs nothing."""

import os
import re
from collections.abc import Mapping
from typing import Any

from zermelo.solver.errors import FormatError

FORMATS = {
    "csv": "zermelo.db.export.csv_format",
    "jsonl": "zermelo.db.export.jsonl_format",
    "parquet": "zermelo.db.export.parquet_format",
    "ztb": "zermelo.db.export.ztb_format",
}
"""The module of each format, under the ending of its files; a room above this one may add its own."""

PACKINGS = ("gz", "zst")
"""Endings after a table's own, `tictactoe.csv.gz`: it is compressed as it is written."""

_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d*$)")


def cell(value: Any) -> Any:
    """What a cell of a table in CSV holds: a text that a spreadsheet would run as a formula is marked as a text.

    >>> cell("=1+1"), cell("a1"), cell(-1), cell("-1")
    ("'=1+1", 'a1', -1, '-1')
    """
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def format_by_ending(path: str | os.PathLike[str], endings: Mapping[str, str]) -> str | None:
    """The format that a file's name asks for by its ending, None where it has none; another ending is refused.

    >>> format_by_ending("Tree.SVG", {"svg": "svg", "txt": "text"}), format_by_ending("-", {"svg": "svg"})
    ('svg', None)
    """
    ending = os.path.splitext(path)[1].removeprefix(".").lower()
    if ending and ending not in endings:
        *others, last = (f".{known}" for known in endings)
        known = f"{', '.join(others)} or {last}" if others else last
        raise FormatError(f"{os.fspath(path)!r} ends with .{ending}, which is not written: end it with {known}")
    return endings[ending] if ending else None


def split_packing(path: str | os.PathLike[str], format_: str | None = None) -> tuple[str, str | None]:
    """A file's name without the ending that asks for compression, and that ending; alone it says nothing of a format.

    >>> split_packing("t.csv.gz"), split_packing("t.gz"), split_packing("t.gz", "csv"), split_packing("t.csv")
    (('t.csv', 'gz'), ('t.gz', None), ('t', 'gz'), ('t.csv', None))
    """
    name, ending = os.path.splitext(path)
    packing = ending.removeprefix(".").lower()
    if packing in PACKINGS and (format_ or os.path.splitext(name)[1]):
        return os.fspath(name), packing
    return os.fspath(path), None
