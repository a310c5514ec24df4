"""A solution in the layout `packed`, codec `keyed`: a row holds a run of neighbouring states and is found by the lowest."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from zermelo.db.checksum import opened
from zermelo.db.keyed import Keyed, require_whole_numbers
from zermelo.db.readers import Reader
from zermelo.db.stored import Stored
from zermelo.solver.compiled.blocks import LARGEST, Columns
from zermelo.solver.game import Game
from zermelo.solver.packed import require

_BEFORE = "select occupancy, data from blocks where solution_id = :solution and occupancy <= :state order by occupancy desc limit 1"
_ONE = "select occupancy, data from blocks where solution_id = :solution and occupancy = :number"
_NUMBERS = "select occupancy from blocks where solution_id = :solution order by occupancy"
_PAGE = "select occupancy, data from blocks where solution_id = :solution and occupancy > :after order by occupancy limit 64"
_FEW = 64
"""States up to which each is asked for by itself; for more, the numbers of all blocks are read first."""


class KeyedSource(Stored[Game[Any, Any]], Keyed):
    """Reads positions out of their blocks; see `Source`."""

    layout = "packed"

    def __init__(self, reader: Reader, db: str, game: Game[Any, Any]) -> None:
        require("zstandard")
        require_whole_numbers(game, repr(db))
        super().__init__(reader, db, game)
        self._kept = lru_cache(maxsize=256)(self._read)
        self._numbers = lru_cache(maxsize=1)(self._read_numbers)

    def _blocks_of(self, states: Sequence[int]) -> list[Columns | None]:
        def read(facts: dict[str, Any]) -> list[Columns | None]:
            solution = facts["id"]
            if len(states) > _FEW:
                numbers = self._numbers(solution)
                places = [bisect_right(numbers, state) - 1 for state in states]
                return [self._kept(solution, numbers[place]) if place >= 0 else None for place in places]
            return self._few(solution, states)

        return self._whole(read, lambda blocks: None not in blocks)

    def _few(self, solution: int, states: Sequence[int]) -> list[Columns | None]:
        """The blocks of a few states, each read once: the next state is often in the same."""
        read: list[Columns] = []
        blocks: list[Columns | None] = []
        for state in states:
            block = next((block for block in read if block.states[0] <= state <= block.states[-1]), None)
            if block is None and -(2**63) <= state < 2**63:
                rows = self._reader.rows(_BEFORE, {"solution": solution, "state": state})
                if rows:
                    block = self._block(solution, *rows[0])
                    read.append(block)
            blocks.append(block)
        return blocks

    def _read(self, solution: int, number: int) -> Columns | None:
        rows = self._reader.rows(_ONE, {"solution": solution, "number": number})
        return self._block(solution, *rows[0]) if rows else None

    def _block(self, solution: int, number: int, stored: bytes) -> Columns:
        return self._unpacked(number, self._decompressed(solution, number, stored))

    def _read_numbers(self, solution: int) -> list[int]:
        return [number for (number,) in self._reader.rows(_NUMBERS, {"solution": solution})]

    def _decompressed(self, solution: int, number: int, stored: bytes) -> bytes:
        from zstandard import ZstdDecompressor, ZstdError, get_frame_parameters

        data = opened(solution, number, stored)
        try:
            # The size that a block says it has is room to be taken, so it is looked at first.
            if data is not None and get_frame_parameters(data).content_size <= LARGEST:
                return ZstdDecompressor().decompress(data)
        except ZstdError:
            pass
        raise self.damaged(f"block {number} is not as it was written")

    def numbers(self) -> Sequence[int]:
        return self._numbers(self.facts["id"])

    def packed_block(self, number: int) -> bytes | None:
        solution = self.facts["id"]
        rows = self._reader.rows(_ONE, {"solution": solution, "number": number})
        return self._decompressed(solution, *rows[0]) if rows else None

    def packed_blocks(self) -> Iterator[tuple[int, bytes]]:
        solution, after = self.facts["id"], -1
        while page := self._reader.rows(_PAGE, {"solution": solution, "after": after}):
            for number, data in page:
                yield number, self._decompressed(solution, number, data)
            after = page[-1][0]
        self.end_reading(solution)
