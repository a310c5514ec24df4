"""A tablebase: the whole solution as one compact file."""

from typing import IO

from zermelo.db.query import Solution
from zermelo.db.tablebase import write_tablebase
from zermelo.solver.progress import Progress

BINARY = True
WHOLE = "a tablebase"


def write(stream: IO[bytes], solution: Solution, _positions: object, progress: Progress | None) -> None:
    """Write every position."""
    write_tablebase(stream, solution, progress)
