"""What is in each group of a board, and which groups lead to which; see `regions`."""

from collections.abc import Iterator
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.cells import keep_representatives
from zermelo.solver.packed.regions import regions_of, steps_of
from zermelo.solver.packed.tables import Rules, order_of, rules_of

_AT_ONCE = 1 << 22
"""Occupancies that are looked through at once."""


class Groups:
    """What is in each group of a board, and what it needs."""

    def __init__(self, game: MNK) -> None:
        self.rules = rules_of(game)
        self.cells = self.rules.cells
        self.orders = [order_of(stones) for stones in range(self.cells + 2)]
        occupancies = _representatives(game, self.rules)
        self.regions = regions_of(game)
        """The cells of each region, a bit a cell."""
        self._sizes = [region.bit_count() + 1 for region in self.regions]
        self._steps = steps_of(self.regions)
        numbers = np.zeros(len(occupancies), dtype=np.int64)
        for region, step in zip(self.regions, self._steps, strict=True):
            numbers += np.bitwise_count(occupancies & np.uint32(region)).astype(np.int64) * step
        cuts = np.searchsorted(np.sort(numbers), np.arange(1, prod(self._sizes)))
        self.occupancies: list[NDArray[np.uint32]] = np.split(occupancies[np.argsort(numbers, kind="stable")], cuts)
        """The representative occupancies of each group, in order."""
        self.stones = [sum(self._counts(number)) for number in range(len(self.occupancies))]
        """How many stones the positions of each group have."""
        self.sizes = [
            len(some) * self.orders[stones].size for some, stones in zip(self.occupancies, self.stones, strict=True)
        ]
        """How many places each group has, a byte each."""

    def __len__(self) -> int:
        return len(self.occupancies)

    def _counts(self, number: int) -> list[int]:
        return [number // step % size for step, size in zip(self._steps, self._sizes, strict=True)]

    def children(self, number: int) -> Iterator[tuple[int, int]]:
        """The groups with one stone more, each after the region that it is in."""
        counts = self._counts(number)
        for region, (count, size) in enumerate(zip(counts, self._sizes, strict=True)):
            if count + 1 < size:
                yield region, number + self._steps[region]

    def parents(self, number: int) -> Iterator[tuple[int, int]]:
        """The groups with one stone less, each after the region that it was in."""
        for region, count in enumerate(self._counts(number)):
            if count:
                yield region, number - self._steps[region]


@lru_cache(maxsize=2)
def groups_of(game: MNK) -> Groups:
    """The groups of a board, listed once for all that ask: on 5x5 that takes two seconds."""
    return Groups(game)


def _representatives(game: MNK, rules: Rules) -> NDArray[np.uint32]:
    """The occupancies that stand for their class, in order."""
    if game.gravity:
        width, height = game.board.width, game.board.height
        every = np.zeros(1, dtype=np.uint32)
        for column in range(width):
            stacks = np.cumsum([0, *(1 << row * width + column for row in range(height - 1, -1, -1))])
            every = (every[:, None] + stacks.astype(np.uint32)).ravel()
        every.sort()
        chunks: Iterator[NDArray[np.uint32]] = iter([every])
    else:
        last = 1 << rules.cells
        chunks = (np.arange(first, min(first + _AT_ONCE, last), dtype=np.uint32) for first in range(0, last, _AT_ONCE))
    found = []
    for chunk in chunks:
        keep = np.zeros(len(chunk), dtype=np.bool_)
        keep_representatives(chunk, rules.images, keep)
        found.append(chunk[keep])
    return np.concatenate(found)
