"""A solution in the layout `rows`, one row a position or one row a class of positions."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from db.catalogue import find_solution, read_counts
from db.readers import Reader
from db.source import Entry, Known, Plies, Row, entry_from_successors
from solver.errors import BusyError
from solver.game import Game

if TYPE_CHECKING:
    from solver.census import Category, Tally

_PROBE = "select value, plies, best_move from positions where solution_id = :solution and board = :board"
_PAGE = (
    "select board, ply, value, plies, best_move from positions where solution_id = :solution {where}"
    " order by board{order} limit 8192"
)


class RowSource:
    """Reads positions by their board; see `Source`."""

    def __init__(self, reader: Reader, db: str, game: Game[Any, Any]) -> None:
        self._reader = reader
        self._db = db
        self._game = game
        self._resolve()

    def _resolve(self) -> None:
        self.facts = find_solution(self._reader, self._db, self._game.spec, "rows")
        self._id = self.facts["id"]
        self.by_class: bool = self.facts["symmetry"]

    def _was_replaced(self) -> bool:
        """Whether a rebuild has put another solution in this one's place; it is then the one that is read."""
        before = self._id
        self._resolve()
        return bool(self._id != before)

    def probe(self, state: Any) -> Entry | None:
        if not self.by_class:
            rows = self._reader.rows(_PROBE, {"solution": self._id, "board": self._game.format(state)})
            if rows:
                return Entry(*rows[0])
        # The stored best move is that of the position that stands for the class; or the solution was replaced.
        return entry_from_successors(self, self._game, state)

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        known = self._lookup(states)
        while None in known and self._was_replaced():
            known = self._lookup(states)
        return known

    def _lookup(self, states: Sequence[Any]) -> list[Known | None]:
        key = self._representative if self.by_class else self._game.format
        boards = [key(state) for state in states]
        names = {f"b{i}": board for i, board in enumerate(dict.fromkeys(boards))}
        sql = (
            "select board, ply, value, plies from positions where solution_id = :solution"
            f" and board in ({', '.join(':' + name for name in names)})"
        )
        rows = self._reader.rows(sql, {"solution": self._id, **names})
        known = {board: Known(ply, value, plies) for board, ply, value, plies in rows}
        return [known.get(board) for board in boards]

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        # Page by page, since a cursor left open would keep a finished build from being moved into the file.
        solution, order = self._id, self._reader.text_order
        wanted = {"solution": solution}
        where = ""
        if plies:
            where = "and ply between :first and :last"
            wanted |= {"first": plies[0], "last": plies[1]}
        page = self._reader.rows(_PAGE.format(where=where, order=order), wanted)
        where += f" and board{order} > :after"
        while page:
            yield from map(Row._make, page)
            page = self._reader.rows(_PAGE.format(where=where, order=order), {**wanted, "after": page[-1][0]})
        self._resolve()
        if self._id != solution:
            raise BusyError(f"{self._game.spec} in {self._db!r} was built again while it was being read: try again")

    def _representative(self, state: Any) -> str:
        """The board that stands for the class of `state` where one of each class is stored."""
        return min(self._game.format(symmetry(state)) for symmetry in self._game.symmetries)

    def counts(self) -> "dict[Category, Tally]":
        counts = read_counts(self._reader, self._id)
        while not counts and self._was_replaced():
            counts = read_counts(self._reader, self._id)
        return counts

    def close(self) -> None:
        self._reader.close()
