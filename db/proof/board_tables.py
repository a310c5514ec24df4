"""What the proof of a board looks things up in: which blocks there are, in which groups, and tables for the kernels."""

from collections.abc import Iterator
from itertools import pairwise
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from zermelo.db.proof.board_rules import Rules, are_lowest
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.regions import regions_of, steps_of

_AT_ONCE = 1 << 22
"""Occupancies that are looked through at once."""
_FIRST = 12
"""Cells that are looked at to tell whether a solution is of this board at all."""


class Layout:
    """Which blocks a board has, and in which groups they are: see `solver.packed.regions`."""

    def __init__(self, game: MNK) -> None:
        self.rules = rules_of(game)
        self.cells = game.board.cells
        self._regions = regions_of(game)
        self._most = [region.bit_count() for region in self._regions]
        self._steps = steps_of(self._regions)
        self.expected = np.concatenate(list(_lowest(self.rules, self.cells)))
        """The occupancies that have a block, in ascending order."""
        numbers = np.zeros(len(self.expected), np.int64)
        for region, step in zip(self._regions, self._steps, strict=True):
            numbers += np.bitwise_count(self.expected & np.uint32(region)).astype(np.int64) * step
        order = np.argsort(numbers, kind="stable")
        groups = prod(most + 1 for most in self._most)
        cuts = np.searchsorted(numbers[order], np.arange(groups + 1)).tolist()
        self.occupancies = [self.expected[order[first:last]] for first, last in pairwise(cuts)]
        """Those of each group, in ascending order."""
        self.stones = [sum(self._counts(number)) for number in range(groups)]
        self.sizes = [
            len(some) * comb(stones, stones // 2) for some, stones in zip(self.occupancies, self.stones, strict=True)
        ]
        """How many places each group has."""
        self.starts: list[int] = np.concatenate([[0], np.cumsum(self.sizes)]).tolist()
        """Where each group is when all are put one after the other, and behind them how many places there are."""
        self.places = self.starts[-1]
        self.offsets = np.empty(len(self.expected), np.int64)
        """Where the block of each occupancy is then."""
        for number, (first, last) in enumerate(pairwise(cuts)):
            size = self.sizes[number] // max(1, last - first)
            self.offsets[order[first:last]] = self.starts[number] + size * np.arange(last - first)

    def __len__(self) -> int:
        return len(self.sizes)

    def count_parts(self, size: int) -> int:
        """How many parts the blocks have when each is cut into parts of `size`."""
        blocks = zip(self.occupancies, self.stones, strict=True)
        return sum(len(some) * -(-comb(stones, stones // 2) // size) for some, stones in blocks)

    def _counts(self, number: int) -> list[int]:
        return [number // step % (most + 1) for step, most in zip(self._steps, self._most, strict=True)]

    def parents(self, number: int) -> Iterator[tuple[np.uint32, int]]:
        """The groups with one stone less, each after the cells on which it was."""
        for region, step, count in zip(self._regions, self._steps, self._counts(number), strict=True):
            if count and self.sizes[number - step]:
                yield np.uint32(region), number - step

    def children(self, number: int) -> Iterator[tuple[np.uint32, int]]:
        """The groups with one stone more, each after the cells on which it is."""
        for region, step, most, count in zip(self._regions, self._steps, self._most, self._counts(number), strict=True):
            if count < most and self.sizes[number + step]:
                yield np.uint32(region), number + step

    def in_order(self) -> list[int]:
        """The numbers of the groups that have positions, those with fewest stones first."""
        return sorted(
            (number for number, size in enumerate(self.sizes) if size), key=lambda number: self.stones[number]
        )

    def need_of(self, number: int) -> int:
        """Bytes that are taken while a group is looked at: four for each place, and another group's."""
        beside = [self.sizes[other] // 8 for _, other in self.parents(number)]
        beside += [self.sizes[other] for _, other in self.children(number)]
        return 4 * self.sizes[number] + max(beside, default=0)


def rules_of(game: MNK) -> Rules:
    """A game in arrays.

    >>> rules = rules_of(MNK(3, 3, 3))
    >>> sorted(rules.images[:, 0, 0b1].tolist()), int(rules.ranks[0, 0, 0b1010])
    ([1, 1, 4, 4, 64, 64, 256, 256], 4)
    """
    cells, half = game.board.cells, (game.board.cells + 1) // 2
    permutations = np.array(game.permutations, np.int64)
    images = np.zeros((len(permutations), 2, 1 << half), np.uint32)
    for symmetry, permutation in enumerate(game.permutations):
        for cell, target in enumerate(permutation):
            upper, bit = divmod(cell, half)
            images[symmetry, upper, np.arange(1 << half) >> bit & 1 == 1] |= np.uint32(1 << target)
    ranks = np.zeros((4, 17, 256), np.int64)
    for byte in range(4):
        for below in range(17):
            for bits in range(256):
                stones = [8 * byte + bit for bit in range(8) if bits >> bit & 1]
                ranks[byte, below, bits] = sum(comb(stone, below + i) for i, stone in enumerate(stones, 1))
    return Rules(
        cells, game.board.width, game.k, game.gravity, game.misere, permutations, half, images,
        np.bitwise_count(np.arange(256)).astype(np.uint32), (ranks & 0xFFFFFFFF).astype(np.uint32),
    )  # fmt: skip


def first_lowest(rules: Rules) -> NDArray[np.uint32]:
    """The first of the occupancies that have a block: enough to tell a board from another."""
    return next(_lowest(rules, min(rules.cells, _FIRST)))


def _lowest(rules: Rules, cells: int) -> Iterator[NDArray[np.uint32]]:
    """The occupancies of the first cells that are the lowest of their images; with gravity those in which all stones rest.

    They come in ascending order.
    """
    for some in _resting(rules) if rules.gravity else _every(cells):
        lowest = np.zeros(len(some), np.bool_)
        are_lowest(rules, some, lowest)
        yield some[lowest]


def _every(cells: int) -> Iterator[NDArray[np.uint32]]:
    for first in range(0, 1 << cells, _AT_ONCE):
        yield np.arange(first, min(first + _AT_ONCE, 1 << cells), dtype=np.uint32)


def _resting(rules: Rules) -> Iterator[NDArray[np.uint32]]:
    some = np.zeros(1, np.uint32)
    for bottom in range(rules.cells - rules.width, rules.cells):
        column = np.array([1 << cell for cell in range(bottom, -1, -rules.width)], np.uint32)
        some = np.concatenate([some | stones for stones in (np.uint32(0), *np.bitwise_or.accumulate(column))])
    yield np.sort(some)
