"""Rows as a table for people, or as JSON or CSV for programs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from zermelo.db.formats import cell
from zermelo.solver.texts import shown


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], format_: str) -> Iterator[str]:
    """The rows as JSON objects, or their columns as CSV with a header or aligned with a header if there is any row.

    >>> print(*table([{"game": "nim:1,2", "value": 1}, {"game": "nim:1,1", "value": -1}], ("game", "value"), "text"), sep="\\n")
    game     value
    nim:1,2      1
    nim:1,1     -1
    """
    if format_ == "json":
        import json

        yield from map(json.dumps, rows)
    elif format_ == "csv":
        yield _csv(columns)
        yield from (_csv(row[column] for column in columns) for row in rows)
    elif rows:
        cells = [
            [column.replace("_", " ") for column in columns],
            *([_cell(row[column]) for column in columns] for row in rows),
        ]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        numeric = [any(type(row[column]) is int for row in rows) for column in columns]
        for line in cells:
            aligned = [
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, numeric, strict=True)
            ]
            yield "  ".join(aligned).rstrip()


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else shown(str(value))


def _csv(values: Iterable[Any]) -> str:
    """A line of CSV: nothing for None, 0 and 1 for what is false or true, spaces between the members of a list."""
    import csv
    import io

    line = io.StringIO()
    plain = [
        int(value) if isinstance(value, bool) else cell(" ".join(value) if isinstance(value, list) else value)
        for value in values
    ]
    csv.writer(line, lineterminator="").writerow(plain)
    return line.getvalue()
