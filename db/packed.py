"""A solution in the layout `packed`: a row holds many positions, see `solver.packed.blocks`.

The bytes of a block are cut into parts of `PART`, so that no look-up has to unpack millions of bytes for one; each part
is compressed with zstd and lies in a row of its own. The row's number is the occupancy, and from bit 32 on the part.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any

from db.catalogue import find_solution, read_counts
from db.readers import Reader
from db.source import Block, Entry, Known, Plies, Row, entry_from_successors
from solver.errors import BusyError, DamagedError
from solver.games.mnk import MNK
from solver.packed import require
from solver.packed.blocks import UNREACHABLE, outcome, place_of, states_from

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.census import Category, Tally

PART = 1 << 17
"""Positions in one row at the most."""
_AT_ONCE = 1 << 14
"""Positions that are worked out together."""
_MANY = 100
"""Positions that NumPy finds sooner, its import aside."""


def row_number(occupancy: int, part: int) -> int:
    """What the row of a block's part is stored under.

    >>> row_number(0b101, 0), row_number(0b101, 2) == 0b101 + 2 * 2**32
    (5, True)
    """
    return occupancy | part << 32


def _size(occupancy: int) -> int:
    """How many bytes a block has."""
    stones = occupancy.bit_count()
    return comb(stones, stones // 2)


def _moved(occupancy: int, cells_to: Sequence[int]) -> int:
    """The occupancy after a symmetry."""
    return sum([1 << to for cell, to in enumerate(cells_to) if occupancy >> cell & 1])


_PAGE = (
    "select occupancy, data from blocks where solution_id = :solution and layer between :fewest and :most"
    f" and occupancy > :after and occupancy < {1 << 32} order by occupancy limit 64"
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
        self._decompress = ZstdDecompressor().decompress
        # Blocks that are read one after the other lead to the same few.
        self._block = lru_cache(maxsize=64)(self._read_block)
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
        places = self._places(states)
        numbers = [row_number(occupancy, place // PART) for occupancy, place in places]
        rows = self._rows(self.facts["id"], numbers)
        while len(rows) < len(set(numbers)) and self._was_replaced():
            rows = self._rows(self.facts["id"], numbers)
        parts = {number: self._unpack(number, data) for number, data in rows}
        return [
            self._known(state, parts[number][place % PART]) if number in parts else None
            for state, number, (_, place) in zip(states, numbers, places, strict=True)
        ]

    def _places(self, states: Sequence[int]) -> list[tuple[int, int]]:
        if len(states) < _MANY:
            return [place_of(self._game, state) for state in states]
        require("numpy")
        import numpy as np

        from solver.packed.many import places_of

        found = places_of(self._game, np.array(states, dtype=np.int64))
        return list(zip(*(column.tolist() for column in found), strict=True))

    def _unpack(self, number: int, data: bytes) -> bytes:
        """The bytes of a row, which are as many as its number says."""
        from zstandard import ZstdError

        try:
            part = self._decompress(data)
        except ZstdError:
            part = b""
        if len(part) != min(PART, _size(number & (1 << 32) - 1) - (number >> 32) * PART):
            raise self._damaged(number)
        return part

    def _read_block(self, solution: int, occupancy: int) -> bytes | None:
        """The whole block of an occupancy, None where there is none."""
        numbers = [row_number(occupancy, part) for part in range(-(-_size(occupancy) // PART))]
        parts = {number: self._unpack(number, data) for number, data in self._rows(solution, numbers)}
        if not parts:
            return None
        for number in numbers:
            if number not in parts:
                raise self._damaged(number)
        return b"".join([parts[number] for number in numbers])

    def _damaged(self, number: int) -> DamagedError:
        return DamagedError(
            f"block {number} of {self._game.spec} in {self._db!r} is damaged: build the solution again with --force"
        )

    def _rows(self, solution: int, numbers: Iterable[int]) -> Sequence[Sequence[Any]]:
        names = {f"n{i}": number for i, number in enumerate(dict.fromkeys(numbers))}
        sql = (
            "select occupancy, data from blocks where solution_id = :solution"
            f" and occupancy in ({', '.join(':' + name for name in names)})"
        )
        return self._reader.rows(sql, {"solution": solution, **names})

    def _known(self, state: int, byte: int) -> Known | None:
        stones = state.bit_count()
        found = outcome(byte - 256 if byte > 127 else byte, self._game.board.cells, stones)
        return None if found is None else Known(stones, *found)

    def blocks(self, stones: int | None = None) -> Iterator[Block]:
        """The blocks as they are stored; see `HasBlocks`."""
        return self._between(0, self._game.board.cells) if stones is None else self._between(stones, stones)

    def _between(self, fewest: int, most: int) -> Iterator[Block]:
        """The blocks with so many stones."""
        solution, after = self.facts["id"], -1
        wanted = {"solution": solution, "fewest": fewest, "most": most}
        while page := self._reader.rows(_PAGE, {**wanted, "after": after}):
            for occupancy, data in page:
                whole = _size(occupancy) <= PART
                block = self._unpack(occupancy, data) if whole else self._read_block(solution, occupancy)
                if block is not None:
                    yield occupancy, block
            after = page[-1][0]
        if self._was_replaced():
            raise BusyError(f"{self._game.spec} in {self._db!r} was built again while it was being read: try again")

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        require("numpy")
        for occupancy, block in self._between(*(plies or (0, self._game.board.cells))):
            for first in range(0, len(block), _AT_ONCE):
                yield from self._rows_of(occupancy, first, block[first : first + _AT_ONCE])

    def _rows_of(self, occupancy: int, first: int, part: bytes) -> Iterator[Row]:
        """The positions of a block from the place `first` on, and all that are like them."""
        import numpy as np

        game, cells, stones = self._game, self._game.board.cells, occupancy.bit_count()
        codes = np.frombuffer(part, dtype=np.int8)
        reachable = codes != UNREACHABLE
        if not reachable.any():
            return
        states = np.fromiter(states_from(occupancy, first, cells), np.int64, len(codes))[reachable]
        codes = codes[reachable]
        values = np.unique(codes).tolist()
        known = {code: found for code in values if (found := outcome(code, cells, stones)) is not None}
        plain = states.tolist()
        # Which moves there are depends on the cells that are taken alone, once the game goes on.
        unfinished = next((state for state in plain if game.actions(state)), None)
        moves = [] if unfinished is None else game.actions(unfinished)
        # A move that keeps the byte is a best one: the byte is the best of its children's.
        keeps = [after == codes for after in self._children(states, stones, moves)]
        # One symmetry for each image of the occupancy; others only change places in the same block.
        images = {_moved(occupancy, cells_to): i for i, cells_to in enumerate(game.permutations)}
        for i in images.values():
            turn, cells_to = game.symmetries[i], game.permutations[i]
            in_order = [] if unfinished is None else game.actions(turn(unfinished))
            turned = [cells_to[move] for move in moves]
            ranks = np.full(len(codes), len(moves))
            for rank in range(len(moves) - 1, -1, -1):
                ranks[keeps[turned.index(in_order[rank])]] = rank
            names = [*map(game.format_action, in_order), None]
            for state, code, rank in zip(plain, codes.tolist(), ranks.tolist(), strict=True):
                value, plies = known[code]
                yield Row(game.format(turn(state)), stones, value, plies, names[rank] if plies else None)

    def _children(self, states: "NDArray[np.int64]", stones: int, moves: Sequence[int]) -> "Iterator[NDArray[np.int8]]":
        """For each move the bytes of the positions that it leads to, from positions with the same cells taken."""
        import numpy as np

        from solver.packed.many import places_of

        if not moves:
            return
        after = [states | 1 << 2 * move + stones % 2 for move in moves]
        occupancies, places = places_of(self._game, np.concatenate(after))
        for first in range(0, len(places), len(states)):
            block = self._block(self.facts["id"], int(occupancies[first]))
            if block is None:
                yield np.full(len(states), UNREACHABLE, dtype=np.int8)
            else:
                yield np.frombuffer(block, dtype=np.int8)[places[first : first + len(states)]]

    def counts(self) -> "dict[Category, Tally]":
        counts = read_counts(self._reader, self.facts["id"])
        while not counts and self._was_replaced():
            counts = read_counts(self._reader, self.facts["id"])
        return counts

    def close(self) -> None:
        self._reader.close()
