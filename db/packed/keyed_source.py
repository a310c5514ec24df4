"""A solution in the layout `packed`, codec `keyed`: a row holds a run of neighbouring states and is found by the lowest."""

import contextlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from zermelo.db.checksum import opened
from zermelo.db.keyed import Keyed, require_whole_numbers
from zermelo.db.readers import Reader
from zermelo.db.source import Known
from zermelo.db.stored import Stored
from zermelo.solver.compiled.blocks import LARGEST, Columns
from zermelo.solver.errors import BusyError
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
    _sure_of: int | None = None

    def __init__(self, reader: Reader, db: str, game: Game[Any, Any]) -> None:
        require("zstandard")
        require_whole_numbers(game, repr(db))
        super().__init__(reader, db, game)
        self._kept = lru_cache(maxsize=256)(self._read)
        self._numbers = lru_cache(maxsize=1)(self._read_numbers)

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        while True:
            before = self.facts["id"]
            blocks = self._blocks_of(states)
            found = self._found(states, blocks)
            within = (_spans(block, state) for block, state in zip(blocks, states, strict=True))
            if before == self._sure_of or all(within):
                return found
            with contextlib.suppress(BusyError):  # built again meanwhile: read again
                self._make_sure(self.facts)
                if self.facts["id"] == before:
                    return found

    def _make_sure(self, facts: dict[str, Any]) -> None:
        """Before a state between two blocks is said to be missing: look whether any block is lost or damaged."""
        number = sum(int.from_bytes(data[:4], "little") for _, data in self.packed_blocks())
        if number != facts["positions"]:
            raise self.damaged(f"its blocks have {number:,} positions instead of {facts['positions']:,}")
        self._sure_of = facts["id"]

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
        numbers = [number for (number,) in self._reader.rows(_NUMBERS, {"solution": solution})]
        if not all(type(number) is int for number in numbers):
            raise self.damaged("a block has no number")
        return numbers

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

    def packed_blocks(self) -> Iterator[tuple[int, bytes]]:
        solution, after = self.facts["id"], -1
        while page := self._reader.rows(_PAGE, {"solution": solution, "after": after}):
            for number, data in page:
                yield number, self._decompressed(solution, number, data)
            after = page[-1][0]
        self._end_reading(solution)


def _spans(block: Columns | None, state: int) -> bool:
    """Whether the state is among those of the block, or between two of them: no other block can have it."""
    return block is not None and state <= block.states[-1]
