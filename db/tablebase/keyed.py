"""Positions of a game of whole numbers in a `.ztb` file: the blocks of the layout `packed`, codec `keyed`, as they are."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zermelo.db.keyed import Keyed, found_in, in_runs, require_whole_numbers
from zermelo.db.source import Entry, Known
from zermelo.db.tablebase.container import Chunk, Container, Table
from zermelo.solver.compiled.blocks import LARGEST, SIZE, Columns
from zermelo.solver.game import Game

if TYPE_CHECKING:
    from zermelo.solver.progress import Progress


def pack(source: Keyed, progress: "Progress | None" = None) -> Iterator[Chunk]:
    """A chunk a block, under the block's number."""
    total = source.facts["positions"]
    for done, (number, data) in enumerate(source.packed_blocks(), 1):
        yield Chunk(number, data)
        if progress:
            progress(min(done * SIZE, total), total)


class KeyedTable(Table, Keyed):
    """Reads positions by their states from a `.ztb` file; see `Source`."""

    def __init__(self, container: Container, game: Game[Any, Any], facts: dict[str, Any]) -> None:
        require_whole_numbers(game, repr(container.path))
        super().__init__(container, game, facts)
        if not all(type(first) is int and 0 <= first < 1 << 63 for first in container.firsts):
            raise container.damaged("its chunks do not begin with states")
        self._kept = lru_cache(maxsize=256)(self._read)

    def find(self, text: str) -> Entry | None:
        """The entry of the position written exactly so, None if there is none or it is written otherwise."""
        return self.find_many([text])[0]

    def _read(self, place: int) -> Columns:
        return self._unpacked(self._container.firsts[place], self._container.chunk(place, LARGEST))

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        runs = in_runs(self._container.firsts, states)
        return found_in(((self._kept(place), members) for place, members in runs.items()), states)

    def numbers(self) -> Sequence[int]:
        numbers: list[int] = self._container.firsts
        return numbers

    def packed_block(self, number: int) -> bytes | None:
        place = bisect_left(self._container.firsts, number)
        there = place < len(self._container.firsts) and self._container.firsts[place] == number
        return self._container.chunk(place) if there else None

    def packed_blocks(self) -> Iterator[tuple[int, bytes]]:
        left = self.facts["positions"]
        for place, number in enumerate(self._container.firsts):
            data = self._container.chunk(place, LARGEST)
            left -= int.from_bytes(data[:4], "little")
            if left < 0:
                raise self.too_many(self.facts["positions"])
            yield number, data
