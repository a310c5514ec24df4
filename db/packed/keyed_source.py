"""A solution in the layout `packed`, codec `keyed`: a row holds a run of neighbouring states and is found by the lowest."""

import contextlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from zermelo.db.checksum import opened
from zermelo.db.keyed import Keyed, found_in, in_runs, require_whole_numbers
from zermelo.db.readers import Reader
from zermelo.db.source import Known
from zermelo.db.stored import Stored
from zermelo.solver.compiled.blocks import LARGEST, Columns
from zermelo.solver.errors import BusyError
from zermelo.solver.game import Game
from zermelo.solver.packed import require

_BEFORE = "select occupancy, data from blocks where solution_id = :solution and occupancy <= :state order by occupancy desc limit 1"
_SOME = "select occupancy, data from blocks where solution_id = :solution and occupancy in ({})"
_NUMBERS = "select occupancy from blocks where solution_id = :solution order by occupancy"
_PAGE = "select occupancy, data from blocks where solution_id = :solution and occupancy > :after order by occupancy limit 64"
_FEW = 512
"""States up to which blocks are asked for one by one; for more, the numbers of all blocks are read first."""
_BLOCKS_A_STATEMENT = 32
_KEPT = 1024
"""Blocks that are kept for who asks next."""


class KeyedSource(Stored[Game[Any, Any]], Keyed):
    """Reads positions out of their blocks; see `Source`."""

    layout = "packed"
    _sure_of: int | None = None

    def __init__(self, reader: Reader, db: str, game: Game[Any, Any]) -> None:
        require("zstandard")
        require_whole_numbers(game, repr(db))
        super().__init__(reader, db, game)
        self._kept: dict[tuple[int, int], Columns] = {}
        self._numbers = lru_cache(maxsize=1)(self._read_numbers)

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        def read(facts: dict[str, Any]) -> list[Known | None]:
            blocks = self._blocks_of if len(states) > _FEW else self._blocks_of_few
            return found_in(blocks(facts["id"], states), states)

        while True:
            found = self._whole(read, lambda found: None not in found)
            solution = self.facts["id"]
            lacking = [state for state, known in zip(states, found, strict=True) if known is None]
            if not lacking or solution == self._sure_of or self._within_blocks(solution, lacking):
                return found
            with contextlib.suppress(BusyError):  # built again meanwhile: read again
                self._make_sure(self.facts)
                if self.facts["id"] == solution:
                    return found

    def _within_blocks(self, solution: int, states: Sequence[int]) -> bool:
        """Whether each of a few states would lie within a block: then no other block can have it."""
        if len(states) > _FEW:
            return False
        within = [
            states[i] <= block.states[-1]
            for block, members in self._blocks_of_few(solution, states)
            if block is not None
            for i in members
        ]
        return len(within) == len(states) and all(within)

    def _make_sure(self, facts: dict[str, Any]) -> None:
        """Before a state between two blocks is said to be missing: look whether any block is lost or damaged."""
        number = sum(int.from_bytes(data[:4], "little") for _, data in self.packed_blocks())
        if number != facts["positions"]:
            raise self.damaged(f"its blocks have {number:,} positions instead of {facts['positions']:,}")
        self._sure_of = facts["id"]

    def _blocks_of(self, solution: int, states: Sequence[int]) -> Iterator[tuple[Columns | None, Sequence[int]]]:
        """The blocks of many states, several from one statement, and which of the states must be in each."""
        numbers = self._numbers(solution)
        runs = [(numbers[place], members) for place, members in in_runs(numbers, states).items()]
        for first in range(0, len(runs), _BLOCKS_A_STATEMENT):
            some = dict(runs[first : first + _BLOCKS_A_STATEMENT])
            blocks = {number: self._kept.get((solution, number)) for number in some}
            lacking = [number for number, block in blocks.items() if block is None]
            if lacking:
                names = {f"n{i}": number for i, number in enumerate(lacking)}
                sql = _SOME.format(", ".join(f":{name}" for name in names))
                for number, data in self._reader.rows(sql, {"solution": solution, **names}):
                    blocks[number] = self._keep(solution, number, data)
            yield from ((blocks[number], members) for number, members in some.items())

    def _blocks_of_few(self, solution: int, states: Sequence[int]) -> Iterator[tuple[Columns | None, Sequence[int]]]:
        """The blocks of a few states, each read once: the next state is often in the same."""
        block: Columns | None = None
        for state, i in sorted(zip(states, range(len(states)), strict=True)):
            if (block is None or state > block.states[-1]) and -(2**63) <= state < 2**63:
                rows = self._reader.rows(_BEFORE, {"solution": solution, "state": state})
                block = self._block(solution, *rows[0]) if rows else None
            yield block, [i]

    def _keep(self, solution: int, number: int, data: bytes) -> Columns:
        """A block, which is kept for who asks next; the one kept longest makes room."""
        block = self._block(solution, number, data).compact()
        while len(self._kept) >= _KEPT:
            with contextlib.suppress(KeyError, StopIteration, RuntimeError):  # another thread was there first
                del self._kept[next(iter(self._kept))]
        self._kept[solution, number] = block
        return block

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

    def numbers(self) -> Sequence[int]:
        return self._numbers(self.facts["id"])

    def packed_block(self, number: int) -> bytes | None:
        solution = self.facts["id"]
        rows = self._reader.rows(_SOME.format(":number"), {"solution": solution, "number": number})
        return self._decompressed(solution, *rows[0]) if rows else None

    def packed_blocks(self) -> Iterator[tuple[int, bytes]]:
        solution, after = self.facts["id"], -1
        while page := self._reader.rows(_PAGE, {"solution": solution, "after": after}):
            for number, data in page:
                yield number, self._decompressed(solution, number, data)
            after = page[-1][0]
        self.end_reading(solution)
