"""A solution in the layout `packed`: a row holds many positions, see `solver.packed.blocks`.

The bytes of a block are cut into parts of `PART`, so that no look-up has to unpack millions of bytes for one; each part
is compressed with zstd and lies in a row of its own. The row's number is the occupancy, and from bit 32 on the part.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from db.catalogue import find_solution, read_counts
from db.readers import Reader
from db.source import Entry, Known, Row, entry_from_successors
from solver.errors import BusyError, OperationError
from solver.games.mnk import MNK
from solver.packed import require
from solver.packed.blocks import outcome, place_of, states_from

if TYPE_CHECKING:
    from solver.census import Category, Tally

PART = 1 << 17
"""Positions in one row at the most."""


def row_number(occupancy: int, part: int) -> int:
    """What the row of a block's part is stored under.

    >>> row_number(0b101, 0), row_number(0b101, 2) == 0b101 + 2 * 2**32
    (5, True)
    """
    return occupancy | part << 32


_PAGE = (
    "select occupancy, data from blocks where solution_id = :solution and occupancy > :after"
    " order by occupancy limit 16"
)


class PackedSource:
    """Reads positions out of their blocks; see `Source`."""

    by_class = False

    def __init__(self, reader: Reader, db: str, game: MNK) -> None:
        require("zstandard")
        from zstandard import ZstdDecompressor

        self._reader = reader
        self._db = db
        self._game = game
        self._unpack = ZstdDecompressor().decompress
        # Positions that are read one after the other lead to the same few blocks.
        self._part = lru_cache(maxsize=256)(self._read_part)
        self._resolve()

    def _resolve(self) -> None:
        self.facts = find_solution(self._reader, self._db, self._game.spec, "packed")

    def _was_replaced(self) -> bool:
        """Whether a rebuild has put another solution in this one's place; it is then the one that is read."""
        before = self.facts["id"]
        self._resolve()
        return bool(self.facts["id"] != before)

    def probe(self, state: int) -> Entry | None:
        return entry_from_successors(self, self._game, state)

    def lookup(self, states: Sequence[int]) -> list[Known | None]:
        places = [place_of(self._game, state) for state in states]
        numbers = [row_number(occupancy, place // PART) for occupancy, place in places]
        rows = self._rows(numbers)
        while len(rows) < len(set(numbers)) and self._was_replaced():
            rows = self._rows(numbers)
        parts = {number: self._unpack(data) for number, data in rows}
        return [
            self._known(state, parts[number][place % PART]) if number in parts else None
            for state, number, (_, place) in zip(states, numbers, places, strict=True)
        ]

    def _read_part(self, solution: int, number: int) -> bytes:
        sql = "select data from blocks where solution_id = :solution and occupancy = :number"
        rows = self._reader.rows(sql, {"solution": solution, "number": number})
        if not rows:
            raise OperationError(f"the solution of {self._game.spec} in {self._db!r} lacks the block {number}")
        return self._unpack(rows[0][0])

    def _rows(self, numbers: Iterable[int]) -> Sequence[Sequence[Any]]:
        names = {f"n{i}": number for i, number in enumerate(dict.fromkeys(numbers))}
        sql = (
            "select occupancy, data from blocks where solution_id = :solution"
            f" and occupancy in ({', '.join(':' + name for name in names)})"
        )
        return self._reader.rows(sql, {"solution": self.facts["id"], **names})

    def _known(self, state: int, byte: int) -> Known | None:
        stones = state.bit_count()
        found = outcome(byte - 256 if byte > 127 else byte, self._game.board.cells, stones)
        return None if found is None else Known(stones, *found)

    def rows(self) -> Iterator[Row]:
        solution, after = self.facts["id"], -1
        while page := self._reader.rows(_PAGE, {"solution": solution, "after": after}):
            for number, data in page:
                yield from self._rows_of(number, self._unpack(data))
            after = page[-1][0]
        if self._was_replaced():
            raise BusyError(f"{self._game.spec} in {self._db!r} was built again while it was being read: try again")

    def _rows_of(self, number: int, part: bytes) -> Iterator[Row]:
        """The positions of a block's part, and all that are like them."""
        game, cells = self._game, self._game.board.cells
        occupancy, first = number & (1 << 32) - 1, (number >> 32) * PART
        turns = None
        for state, byte in zip(states_from(occupancy, first, cells), part, strict=False):
            found = self._known(state, byte)
            if found is None:
                continue
            if turns is None:
                # One symmetry for each image of the occupancy; others only change places in the same block.
                taken = game.board.stones
                turns = {(image | image >> 1) & taken: turn for turn in game.symmetries for image in [turn(state)]}
            for turn in turns.values():
                image = turn(state)
                best = None
                if found.plies:
                    # A move that keeps the byte is a best one: the byte is the best of its children's.
                    best = next(move for move in game.actions(image) if self._byte(game.result(image, move)) == byte)
                name = None if best is None else game.format_action(best)
                yield Row(game.format(image), found.ply, found.value, found.plies, name)

    def _byte(self, state: int) -> int:
        occupancy, place = place_of(self._game, state)
        return self._part(self.facts["id"], row_number(occupancy, place // PART))[place % PART]

    def counts(self) -> "dict[Category, Tally]":
        counts = read_counts(self._reader, self.facts["id"])
        while not counts and self._was_replaced():
            counts = read_counts(self._reader, self.facts["id"])
        return counts

    def close(self) -> None:
        self._reader.close()
