"""Looks a stored solution's positions up by their keys, as whoever asks does, for the proof that it is right."""

from collections.abc import Callable
from typing import Any

from zermelo.db.query import Solution
from zermelo.db.source import Known, Row
from zermelo.solver.errors import ZermeloError

_AT_ONCE = 500
"""Positions looked up together."""


def check_look_ups(
    fault: Callable[[str], None], solution: Solution, rows: dict[Any, Row | None], told: set[str]
) -> None:
    """Look every position up by its key, as whoever asks does: one that is out of order is only found by going through all."""
    states = [state for state, row in rows.items() if row is not None and row.board not in told]
    for first in range(0, len(states), _AT_ONCE):
        some = states[first : first + _AT_ONCE]
        try:
            found = solution.source.lookup(some)
        except ZermeloError:
            found = [_looked_up(solution, state) for state in some]
        for state, known in zip(some, found, strict=True):
            row = rows[state]
            if row is not None and known != (row.ply, row.value, row.plies):
                fault(f"{row.board}: it is stored, but looking it up finds {'another entry' if known else 'nothing'}")


def _looked_up(solution: Solution, state: Any) -> Known | None:
    try:
        return solution.source.lookup([state])[0]
    except ZermeloError:
        return None
