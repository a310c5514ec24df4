"""A solution in the layout `packed`: a row holds many positions, see `solver.packed.blocks`.

The bytes of a block are cut into parts of `PART`, so that no look-up has to unpack millions of bytes for one; each part
is compressed with zstd and lies in a row of its own. The row's number is the occupancy, and from bit 32 on the part.
"""

import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zermelo.db.checksum import opened
from zermelo.db.readers import Reader
from zermelo.db.source import Block, Entry, Known, Plies, Row, entry_from_successors, find_each
from zermelo.db.stored import Stored
from zermelo.solver.errors import GameError
from zermelo.solver.game import Game
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import knows, require
from zermelo.solver.packed.blocks import UNREACHABLE, outcome, place_of, size_of, spread, states_from

if TYPE_CHECKING:
    from zermelo.solver.packed.many import Bytes, Numbers

PART = 1 << 17
"""Positions in one row at the most."""
_AT_ONCE = 1 << 14
"""Positions that are worked out together."""
_MANY, _VERY_MANY = 100, 2000
"""Positions that NumPy finds sooner, its import aside, and with its import."""
_ROWS_A_STATEMENT = 250
"""Rows read together: unpacked, they take 33 MB at the most."""


def row_number(occupancy: int, part: int) -> int:
    """What the row of a block's part is stored under.

    >>> row_number(0b101, 0), row_number(0b101, 2) == 0b101 + 2 * 2**32
    (5, True)
    """
    return occupancy | part << 32


def parts_of(size: int) -> list[tuple[int, int]]:
    """Where each part of a block of so many bytes starts and ends.

    >>> parts_of(PART + 1) == [(0, PART), (PART, PART + 1)]
    True
    """
    return [(first, min(first + PART, size)) for first in range(0, size, PART)]


_PAGE = (
    "select occupancy, layer, data from blocks where solution_id = :solution and layer between :fewest and :most"
    f" and occupancy > :after and occupancy < {1 << 32} order by occupancy limit 64"
)


class PackedSource(Stored[MNK]):
    """Reads positions out of their blocks; see `Source`."""

    layout = "packed"
    by_class = False

    def __init__(self, reader: Reader, db: str, game: Game[Any, Any]) -> None:
        if not knows(game):
            raise GameError(f"{game.spec} is stored packed in {db!r}, and these rules are not those it was packed by")
        require("zstandard")
        super().__init__(reader, db, game)
        self.asked = 0
        self._mine = threading.local()  # a decompressor that threads share crashes
        # Blocks that are read one after the other lead to the same few.
        self._block = lru_cache(maxsize=64)(self._read_block)

    def probe(self, state: int) -> Entry | None:
        return entry_from_successors(self, self._game, state)

    def find_many(self, texts: Sequence[str]) -> list[Entry | None]:
        return find_each(self, self._game, texts)

    def lookup(self, states: Sequence[int]) -> list[Known | None]:
        members: dict[int, list[tuple[int, int]]] = {}
        for i, (occupancy, place) in enumerate(self._places(states)):
            members.setdefault(row_number(occupancy, place // PART), []).append((i, place % PART))
        numbers = sorted(members)
        found: list[Known | None] = [None] * len(states)
        for first in range(0, len(numbers), _ROWS_A_STATEMENT):
            some = numbers[first : first + _ROWS_A_STATEMENT]
            parts = self._parts(some)
            for number in some:
                if number not in parts:  # though every occupancy has its block
                    raise self.damaged(f"block {number} is missing")
                for i, place in members[number]:
                    found[i] = self._known(states[i], parts[number][place])
        return found

    def codes(self, taken: "Numbers", of_min: "Numbers") -> "Bytes":
        """The bytes of many positions, given as `many` has them."""
        import numpy as np

        from zermelo.solver.packed.many import places_of

        occupancies, places = places_of(self._game, taken, of_min)
        numbers, inverse = np.unique(occupancies | places // PART << 32, return_inverse=True)
        codes = np.full(len(taken), UNREACHABLE, dtype=np.int8)
        order = np.argsort(inverse, kind="stable")
        starts = np.searchsorted(inverse[order], np.arange(len(numbers) + 1)).tolist()
        for first in range(0, len(numbers), _ROWS_A_STATEMENT):
            some = numbers[first : first + _ROWS_A_STATEMENT].tolist()
            parts = self._parts(some)
            for i, number in enumerate(some, first):
                if number in parts:
                    members = order[starts[i] : starts[i + 1]]
                    codes[members] = np.frombuffer(parts[number], dtype=np.int8)[places[members] % PART]
        return codes

    def _parts(self, numbers: Iterable[int]) -> dict[int, bytes]:
        """The bytes of those rows that there are."""
        wanted = set(numbers)
        solution, rows = self._whole(
            lambda facts: (facts["id"], self._rows(facts["id"], wanted)), lambda found: len(found[1]) == len(wanted)
        )
        return {number: self._unpack(solution, number, *row) for number, *row in rows}

    def _places(self, states: Sequence[int]) -> list[tuple[int, int]]:
        if len(states) < (_MANY if "numpy" in sys.modules else _VERY_MANY):
            return [place_of(self._game, state) for state in states]
        require("numpy")
        import numpy as np

        from zermelo.solver.packed.many import cells_of, places_of

        found = places_of(self._game, *cells_of(np.array(states, dtype=np.int64)))
        return list(zip(*(column.tolist() for column in found), strict=True))

    def _unpack(self, solution: int, number: int, layer: int, stored: bytes) -> bytes:
        """The bytes of a row, which are as many as its number says, if they are as they were written."""
        from zstandard import ZstdDecompressor, ZstdError, frame_content_size

        occupancy = number & (1 << 32) - 1
        size = min(PART, size_of(occupancy) - (number >> 32) * PART)
        data = opened(solution, number, stored)
        try:
            decompressor: ZstdDecompressor = self._mine.decompressor
        except AttributeError:
            decompressor = self._mine.decompressor = ZstdDecompressor()
        try:
            fits = data is not None and layer == occupancy.bit_count() and frame_content_size(data) == size
            part = decompressor.decompress(data) if data is not None and fits else b""
        except ZstdError:
            part = b""
        if len(part) != size:
            raise self.damaged(f"block {number} is not as it was written")
        return part

    def _read_block(self, solution: int, occupancy: int) -> bytes | None:
        """The whole block of an occupancy, None where there is none."""
        numbers = [row_number(occupancy, part) for part in range(len(parts_of(size_of(occupancy))))]
        parts = {number: self._unpack(solution, number, *row) for number, *row in self._rows(solution, numbers)}
        if not parts:
            return None
        for number in numbers:
            if number not in parts:
                raise self.damaged(f"block {number} is not as it was written")
        return b"".join([parts[number] for number in numbers])

    def _rows(self, solution: int, numbers: Iterable[int]) -> Sequence[Sequence[Any]]:
        names = {f"n{i}": number for i, number in enumerate(dict.fromkeys(numbers))}
        if not names:
            return []  # which not every database can be asked
        sql = (
            "select occupancy, layer, data from blocks where solution_id = :solution"
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

    def block(self, occupancy: int) -> bytes | None:
        """One block as it is stored; see `HasBlocks`."""
        return self._read_block(self.facts["id"], occupancy)

    def _between(self, fewest: int, most: int) -> Iterator[Block]:
        """The blocks with so many stones."""
        solution, after = self.facts["id"], -1
        wanted = {"solution": solution, "fewest": fewest, "most": most}
        while page := self._reader.rows(_PAGE, {**wanted, "after": after}):
            for occupancy, *row in page:
                whole = size_of(occupancy) <= PART
                block = self._unpack(solution, occupancy, *row) if whole else self._read_block(solution, occupancy)
                if block is not None:
                    yield occupancy, block
            after = page[-1][0]
        self.end_reading(solution)

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        require("numpy")
        for occupancy, block in self._between(*(plies or (0, self._game.board.cells))):
            for first in range(0, len(block), _AT_ONCE):
                yield from self._rows_of(occupancy, first, block[first : first + _AT_ONCE])

    def _rows_of(self, occupancy: int, first: int, part: bytes) -> Iterator[Row]:
        """The positions of a block from the place `first` on, and all that are like them."""
        import numpy as np

        from zermelo.solver.packed.many import outcomes

        game, cells, stones = self._game, self._game.board.cells, occupancy.bit_count()
        codes = np.frombuffer(part, dtype=np.int8)
        reachable = codes != UNREACHABLE
        if not reachable.any():
            return
        states = np.fromiter(states_from(occupancy, first), np.int64, len(codes))[reachable]
        codes = codes[reachable]
        values, plies = (column.tolist() for column in outcomes(codes, cells, stones))
        plain = states.tolist()
        # Which moves there are depends on the cells that are taken alone, once the game goes on.
        unfinished = next((state for state in plain if game.actions(state)), None)
        moves = [] if unfinished is None else game.actions(unfinished)
        # A move that keeps the byte is a best one: the byte is the best of its children's.
        keeps = [after == codes for after in self._children(states, stones, moves)]
        # One symmetry for each image of the occupancy; others only change places in the same block.
        images = {symmetry(spread(occupancy)): i for i, symmetry in enumerate(game.symmetries)}
        for i in images.values():
            turn, cells_to = game.symmetries[i], game.permutations[i]
            in_order = [] if unfinished is None else game.actions(turn(unfinished))
            turned = [cells_to[move] for move in moves]
            ranks = np.full(len(codes), len(moves))
            for rank in range(len(moves) - 1, -1, -1):
                ranks[keeps[turned.index(in_order[rank])]] = rank
            names = [*map(game.format_action, in_order), None]
            for state, value, left, rank in zip(plain, values, plies, ranks.tolist(), strict=True):
                yield Row(game.format(turn(state)), stones, value, left, names[rank] if left else None)

    def _children(self, states: "Numbers", stones: int, moves: Sequence[int]) -> "Iterator[Bytes]":
        """For each move the bytes of the positions that it leads to, from positions with the same cells taken."""
        import numpy as np

        from zermelo.solver.packed.many import cells_of, places_of

        for move in moves:
            occupancies, places = places_of(self._game, *cells_of(states | 1 << 2 * move + stones % 2))
            block = self._block(self.facts["id"], int(occupancies[0]))
            if block is None:
                yield np.full(len(states), UNREACHABLE, dtype=np.int8)
            else:
                yield np.frombuffer(block, dtype=np.int8)[places]
