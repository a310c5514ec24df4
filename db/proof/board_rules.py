"""Where positions of a board lie and what the rules say of them, compiled for the proof. Nothing of what solves is used here.

A block's positions are gone through as numbers with a bit a stone, set where it is MIN's: see `solver.packed.blocks`. Where a
position lies after a move is worked out eight stones at a time: one table says where a symmetry takes them, another what
they add to the rank. Lines are found by shifting a side's stones over themselves on a board with an empty column beside it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.kernel import kernel

Array = Any
UNREACHABLE = -128
"""The byte of what is no position."""
UNKNOWN = -127
"""Put down for a position with a successor that is not stored: then nothing follows from its successors."""
NOTHING_YET = 126
BYTE = np.uint32(255)
EIGHT, SIXTEEN, TWENTY_FOUR = np.uint32(8), np.uint32(16), np.uint32(24)
ONE = np.uint32(1)


class Rules(NamedTuple):
    """A game in arrays."""

    cells: int
    width: int
    k: int
    gravity: bool
    misere: bool
    permutations: NDArray[np.int64]
    """Where each symmetry takes each cell."""
    half: int
    """How many cells are looked up at once."""
    images: NDArray[np.uint32]
    """Where each symmetry takes each set of cells: of the lower half, and of the upper."""
    ones: NDArray[np.uint32]
    """How many bits a byte has."""
    ranks: NDArray[np.uint32]
    """What a byte of a colouring adds to its rank, by the number of the byte and of MIN's stones below it."""


@kernel
def image_of(rules: Rules, symmetry: int, cells: Any) -> Any:
    """Where a symmetry takes a set of cells."""
    half = np.uint32(rules.half)
    return rules.images[symmetry, 0, cells & ((ONE << half) - ONE)] | rules.images[symmetry, 1, cells >> half]


@kernel
def lowest_image(rules: Rules, cells: Any) -> Any:
    """The lowest image of a set of cells, and the symmetry that leads there."""
    lowest, which = cells, 0
    for symmetry in range(len(rules.permutations)):
        image = image_of(rules, symmetry, cells)
        if image < lowest:
            lowest, which = image, symmetry
    return lowest, which


@kernel
def are_lowest(rules: Rules, occupancies: Array, lowest: Array) -> None:
    """Put down which sets of cells are the lowest of their images."""
    for i in range(len(occupancies)):
        lowest[i] = lowest_image(rules, occupancies[i])[0] == occupancies[i]


@kernel
def rank_of(rules: Rules, colouring: Any) -> Any:
    """The place of a colouring among all with as many bits."""
    ranks, ones = rules.ranks, rules.ones
    one, two, three = colouring & BYTE, colouring >> EIGHT & BYTE, colouring >> SIXTEEN & BYTE
    below = ones[one]
    rank = ranks[0, 0, one] + ranks[1, below, two]
    below += ones[two]
    rank += ranks[2, below, three]
    below += ones[three]
    return rank + ranks[3, below, colouring >> TWENTY_FOUR]


@kernel
def colourings_of(rules: Rules, stones: int, first: int, last: int) -> Any:
    """The colourings of so many stones at the places from `first` to before `last`."""
    found = np.empty(last - first, np.uint32)
    # The highest stone of MIN's is the highest one with no more colourings before it than the place says, and so on down.
    colouring, left = np.int64(0), first
    stone = stones
    for count in range(stones // 2, 0, -1):
        stone -= 1
        while ways(rules, stone, count) > left:
            stone -= 1
        left -= ways(rules, stone, count)
        colouring |= np.int64(1) << stone
    for i in range(last - first):
        found[i] = colouring
        if colouring:
            # The lowest run of bits loses its highest to the next place up, and the others drop to the bottom.
            run = colouring & -colouring
            carried = colouring + run
            rest = colouring & ~carried
            colouring = carried | (rest // run >> 1)
    return found


@kernel
def colourings_with(rules: Rules, stones: int) -> Any:
    """How many colourings of so many stones there are."""
    return ways(rules, stones, stones // 2) if stones > 1 else np.int64(1)


@kernel
def ways(rules: Rules, stones: int, chosen: int) -> Any:
    """In how many ways so many of the stones can be chosen, as the ranks have it."""
    return np.int64(rules.ranks[stones >> 3, chosen - 1, 1 << (stones & 7)])


@kernel
def place_of(ordered: Array, number: Any) -> int:
    """Where a number is among others, in ascending order."""
    place, after = 0, len(ordered)
    while after - place > 1:
        middle = (place + after) >> 1
        if ordered[middle] <= number:
            place = middle
        else:
            after = middle
    return place


@kernel
def is_all(bytes_: Array, byte: int) -> bool:
    """Whether there is nothing but this byte."""
    place = 0
    while place < len(bytes_) and bytes_[place] == byte:
        place += 1
    return place == len(bytes_)


@kernel
def bit_in(cells: Any, cell: int) -> Any:
    """The bit of the stone on `cell` among those on `cells`."""
    below = cells & ((ONE << np.uint32(cell)) - ONE)
    count = np.uint32(0)
    while below:
        below &= below - ONE
        count += ONE
    return ONE << count


@kernel
def fill(tables: Array, targets: Array, stones: int) -> None:
    """Let `tables` say what the bits of each byte of a colouring become: bit i becomes targets[i]."""
    for byte in range(4):
        tables[byte, 0] = 0
        for bit in range(min(8, stones - 8 * byte)):
            for low in range(1 << bit):
                tables[byte, low | 1 << bit] = tables[byte, low] | targets[8 * byte + bit]


@kernel
def is_free(rules: Rules, occupancy: Any, cell: int) -> bool:
    """Whether a stone can be put on the cell."""
    if occupancy >> np.uint32(cell) & ONE:
        return False
    under = cell + rules.width
    return not rules.gravity or under >= rules.cells or bool(occupancy >> np.uint32(under) & ONE)


@kernel
def byte_of_end(rules: Rules, stones: int) -> int:
    """The byte of a position in which the last stone has completed a line: it wins, or with misere loses."""
    byte = rules.cells + 1 - stones
    return -byte if (stones % 2 == 1) == rules.misere else byte


@kernel
def has_line(stones: Any, stride: int, k: int) -> bool:
    """Whether there are k in a row, a column or a diagonal, one bit a cell and `stride` to the next row."""
    for step in (1, stride - 1, stride, stride + 1):
        left = stones
        for i in range(1, k):
            left &= stones >> step * i
        if left:
            return True
    return False


@kernel
def better(known: Any, byte: Any, for_max: bool) -> Any:
    """What the mover has once there is a successor with this byte."""
    if known == UNKNOWN or byte == UNREACHABLE:
        return np.int8(UNKNOWN)
    if known == NOTHING_YET or (byte > known if for_max else byte < known):
        return byte
    return known
