"""A solution in the layout `rows`, one row a position or one row a class of positions."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, TypeVar

from zermelo.db.checksum import of_position
from zermelo.db.source import Entry, Known, Plies, Row, entry_from_successors, find_each
from zermelo.db.stored import Stored
from zermelo.solver.errors import BusyError
from zermelo.solver.game import Game

Found = TypeVar("Found")

_COLUMNS = "board, ply, value, plies, best_move, checksum"
_PROBE = "select ply, value, plies, best_move, checksum from positions where solution_id = :solution and board = :board"
_PAGE = f"select {_COLUMNS} from positions where solution_id = :solution {{where}} order by board{{order}} limit 8192"
_SMALL = 1 << 18
"""Up to so many rows are all looked at, once, before one is said to be missing."""
_AT_ONCE = 500
"""Positions asked for in one statement."""


class RowSource(Stored[Game[Any, Any]]):
    """Reads positions by their board; see `Source`."""

    layout = "rows"
    _sure_of: int | None = None

    @property
    def by_class(self) -> bool:
        """Whether one position of each class is stored."""
        return bool(self.facts["symmetry"])

    def probe(self, state: Any) -> Entry | None:
        facts = self.facts
        if not facts["symmetry"]:
            board = self._game.format(state)
            rows = self._reader.rows(_PROBE, {"solution": facts["id"], "board": board})
            if rows:
                ply, value, plies, best_move, checksum = rows[0]
                if checksum != of_position(facts["id"], board, ply, value, plies, best_move):
                    self._intact(facts["id"], (board, *rows[0]))
                return Entry(value, plies, best_move)
        # The stored best move is that of the position that stands for the class; or the solution was replaced.
        return entry_from_successors(self, self._game, state)

    def find_many(self, texts: Sequence[str]) -> list[Entry | None]:
        return self._sure(partial(self._find_some, texts))

    def _find_some(self, boards: Sequence[str], facts: dict[str, Any]) -> list[Entry | None]:
        if facts["symmetry"]:
            return find_each(self, self._game, boards)
        rows = self._rows_of(facts["id"], boards)
        return [Entry(*rows[board][2:]) if board in rows else None for board in boards]

    def _rows_of(self, solution: int, boards: Sequence[str]) -> dict[str, Row]:
        """The rows of those boards that are stored, by board."""
        wanted = list(dict.fromkeys(boards))
        found: dict[str, Row] = {}
        for first in range(0, len(wanted), _AT_ONCE):
            some = wanted[first : first + _AT_ONCE]
            sql, names = _statement(len(some))
            for columns in self._reader.rows(sql, {"solution": solution, **dict(zip(names, some, strict=True))}):
                row = Row(*columns[:5])
                if columns[5] != of_position(solution, *row):
                    self._intact(solution, columns)
                found[row.board] = row
        return found

    def _intact(self, solution: int, columns: Sequence[Any]) -> Row:
        """The row that was read, if it is as it was written."""
        row, intact = _judged(solution, columns)
        if not intact:
            raise self.damaged(f"the row of {row.board!r} is not as it was written")
        return row

    def _sure(self, read: Callable[[dict[str, Any]], list[Found | None]]) -> list[Found | None]:
        """What `read` finds; where something is missing, only once no row is lost and no rebuild took it away."""
        while True:
            before = self.facts["id"]
            found = self._whole(read, lambda entries: None not in entries)
            if None not in found:
                return found
            with contextlib.suppress(BusyError):  # built again meanwhile: read again
                self._make_sure(self.facts)
                if self.facts["id"] == before:
                    return found

    def _make_sure(self, facts: dict[str, Any]) -> None:
        """Before a position is said to be missing: look whether any row of a small solution is lost or damaged."""
        number = facts["classes"] if facts["symmetry"] else facts["positions"]
        if facts["id"] == self._sure_of or number > _SMALL:
            return
        boards = [row.board for row in self.rows()]
        if facts["id"] != self.facts["id"]:
            return
        if len(boards) != number or any(one >= other for one, other in pairwise(boards)):
            raise self.damaged(f"it has {len(boards):,} rows in order instead of {number:,}")
        self._sure_of = facts["id"]

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        return self._sure(partial(self._lookup, states))

    def _lookup(self, states: Sequence[Any], facts: dict[str, Any]) -> list[Known | None]:
        key = self._representative if facts["symmetry"] else self._game.format
        boards = [key(state) for state in states]
        rows = self._rows_of(facts["id"], boards)
        return [Known(*rows[board][1:4]) if board in rows else None for board in boards]

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        for row, intact in self.stored_rows(plies):
            if not intact:
                raise self.damaged(f"the row of {row.board!r} is not as it was written")
            yield row

    def stored_rows(self, plies: Plies = None) -> Iterator[tuple[Row, bool]]:
        """Every row as it is stored, and whether that is as it was written."""
        # Page by page, since a cursor left open would keep a finished build from being moved into the file.
        solution, order = self.facts["id"], self._reader.text_order
        wanted = {"solution": solution}
        where = ""
        if plies:
            where = "and ply between :first and :last"
            wanted |= {"first": plies[0], "last": plies[1]}
        page = self._reader.rows(_PAGE.format(where=where, order=order), wanted)
        where += f" and board{order} > :after"
        while page:
            yield from (_judged(solution, columns) for columns in page)
            page = self._reader.rows(_PAGE.format(where=where, order=order), {**wanted, "after": page[-1][0]})
        self.end_reading(solution)

    def _representative(self, state: Any) -> str:
        """The board that stands for the class of `state` where one of each class is stored."""
        return min(self._game.format(symmetry(state)) for symmetry in self._game.symmetries)


@lru_cache(maxsize=_AT_ONCE)
def _statement(number: int) -> tuple[str, list[str]]:
    """What asks for so many boards, and the names of its parameters."""
    names = [f"b{i}" for i in range(number)]
    wanted = ", ".join(f":{name}" for name in names)
    return f"select {_COLUMNS} from positions where solution_id = :solution and board in ({wanted})", names


def _judged(solution: int, columns: Sequence[Any]) -> tuple[Row, bool]:
    """A row, and whether it is as it was written; what an earlier version wrote without a checksum has at least its types."""
    board, ply, value, plies, best_move, checksum = columns
    row = Row(board, ply, value, plies, best_move)
    if checksum is not None:
        return row, bool(checksum == of_position(solution, *row))
    numbers = type(ply) is type(value) is int and (plies is None or type(plies) is int)
    return row, numbers and isinstance(board, str) and isinstance(best_move, str | None)
