"""Positions of any game in a `.ztb` file: lines of text in the order of the boards, as a database's rows."""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zermelo.db.source import Entry, Known, Plies, Row, entry_from_successors, find_each
from zermelo.db.tablebase.container import Chunk, Container, Table
from zermelo.solver.game import Game

if TYPE_CHECKING:
    from zermelo.solver.progress import Progress

_LINES = 2048
_LONG = 1 << 20
"""A chunk is full with so many characters too: texts of positions may be long."""
_MOST = 1 << 22
"""Bytes that no chunk has more of."""


def pack(rows: Iterable[Row], total: int, progress: "Progress | None" = None) -> Iterator[Chunk]:
    """Chunks of neighbouring rows, a line each: ply, value, plies or -, best move or -, and the board, which may hold spaces."""
    lines: list[str] = []
    first, length = "", 0
    for done, (board, ply, value, plies, best_move) in enumerate(rows):
        if len(lines) == _LINES or length > _LONG:
            yield Chunk(first, "".join(lines).encode())
            lines.clear()
            length = 0
            if progress:
                progress(done, total)
        if not lines:
            first = board
        lines.append(f"{ply} {value} {'-' if plies is None else plies} {best_move or '-'} {board}\n")
        length += len(lines[-1])
    yield Chunk(first, "".join(lines).encode())
    if progress:
        progress(total, total)


class RowTable(Table):
    """Reads positions by their board from a `.ztb` file; see `Source`."""

    def __init__(self, container: Container, game: Game[Any, Any], facts: dict[str, Any]) -> None:
        super().__init__(container, game, facts)
        self.by_class: bool = facts["symmetry"]
        if not all(isinstance(first, str) for first in container.firsts):
            raise container.damaged("its chunks do not begin with positions")
        self._unpacked = lru_cache(maxsize=64)(self._unpack)

    def find(self, text: str) -> Entry | None:
        """The entry of the position written exactly so, None if there is none or it is written otherwise."""
        row = None if self.by_class else self._row(text)
        return None if row is None else Entry(row.value, row.plies, row.best_move)

    def probe(self, state: Any) -> Entry | None:
        if self.by_class:
            # The stored best move is that of the position that stands for the class.
            return entry_from_successors(self, self._game, state)
        return self.find(self._game.format(state))

    def find_many(self, texts: Sequence[str]) -> list[Entry | None]:
        if self.by_class:
            return find_each(self, self._game, texts)
        rows = self._rows_of(texts)
        return [None if (row := rows[text]) is None else Entry(row.value, row.plies, row.best_move) for text in texts]

    def _rows_of(self, boards: Sequence[str]) -> dict[str, Row | None]:
        """The rows by their boards, None for what is not stored; in the order of the chunks, so that each is unpacked once."""
        return {board: self._row(board) for board in sorted(set(boards))}

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        symmetries = self._game.symmetries if self.by_class else (lambda state: state,)
        boards = [min(self._game.format(symmetry(state)) for symmetry in symmetries) for state in states]
        rows = self._rows_of(boards)
        return [None if (row := rows[board]) is None else Known(row.ply, row.value, row.plies) for board in boards]

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        first, last = plies or (0, sys.maxsize)
        every = (row for number in range(len(self._container.firsts)) for row in self._unpack(number).values())
        most = self.facts["classes" if self.by_class else "positions"]
        yield from (row for row in self.no_more(every, most) if first <= row.ply <= last)

    def _row(self, board: str) -> Row | None:
        number = bisect_right(self._container.firsts, board) - 1
        return self._unpacked(number).get(board) if number >= 0 else None

    def _unpack(self, number: int) -> dict[str, Row]:
        rows = {}
        try:
            lines = self._container.chunk(number, _MOST).decode().split("\n", _LINES + 1)
            if len(lines) > _LINES + 1:
                raise ValueError("it has more lines than a chunk has")
            for line in lines[:-1]:
                ply, value, plies, best_move, board = line.split(" ", 4)
                left = None if plies == "-" and self.facts["can_repeat"] else int(plies)
                rows[board] = Row(board, int(ply), int(value), left, None if left == 0 else best_move)
        except ValueError as error:
            raise self._container.damaged(f"its chunk {number} has a line that is no position") from error
        return rows
