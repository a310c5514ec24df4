"""Sets of cells and colourings in compiled code: symmetric images, and where the bits of a colouring go."""

from typing import Any

import numpy as np

from zermelo.solver.kernel import kernel
from zermelo.solver.packed.tables import Order

Array = Any
ONE = np.uint32(1)


@kernel
def image(occupancy: Any, chunks: Array) -> Any:
    """Where a symmetry takes a set of cells, looked up eight cells at a time."""
    byte = np.uint32(255)
    return (
        chunks[0, occupancy & byte]
        | chunks[1, occupancy >> np.uint32(8) & byte]
        | chunks[2, occupancy >> np.uint32(16) & byte]
        | chunks[3, occupancy >> np.uint32(24)]
    )


@kernel
def representative(occupancy: Any, images: Array) -> tuple[Any, int]:
    """The smallest image of a set of cells, and the first symmetry that makes it."""
    best, by = occupancy, 0
    for symmetry in range(1, len(images)):
        other = image(occupancy, images[symmetry])
        if other < best:
            best, by = other, symmetry
    return best, by


@kernel
def keep_representatives(occupancies: Array, images: Array, keep: Array) -> None:
    """Mark the sets of cells that stand for their class."""
    for i in range(len(occupancies)):
        keep[i] = representative(occupancies[i], images)[1] == 0


@kernel
def ones_in(bits: Any) -> Any:
    """How many bits are set, by adding up neighbours."""
    bits = bits - (bits >> np.uint32(1) & np.uint32(0x55555555))
    bits = (bits & np.uint32(0x33333333)) + (bits >> np.uint32(2) & np.uint32(0x33333333))
    bits = bits + (bits >> np.uint32(4)) & np.uint32(0x0F0F0F0F)
    return np.uint32(bits * np.uint32(0x01010101)) >> np.uint32(24)


@kernel
def stones_of(occupancy: Any, cells: int, stones: Array) -> None:
    """The cells of a set, in order."""
    count = 0
    for cell in range(cells):
        if occupancy >> np.uint32(cell) & ONE:
            stones[count] = cell
            count += 1


@kernel
def place_in(ordered: Array, value: Any) -> int:
    """The first place in ascending order with no less than `value`: NumPy's own takes seconds to compile.

    >>> place_in(np.array([2, 3, 5, 5]), 5), place_in(np.array([2, 3, 5, 5]), 6)
    (2, 4)
    """
    begin, end = 0, len(ordered)
    while begin < end:
        middle = (begin + end) // 2
        if ordered[middle] < value:
            begin = middle + 1
        else:
            end = middle
    return begin


@kernel
def bit_in(occupancy: Any, cell: int) -> Any:
    """The bit of the stone on `cell` in a colouring of `occupancy`."""
    return ONE << np.uint32(ones_in(occupancy & ((ONE << np.uint32(cell)) - ONE)))


@kernel
def half_images(bits: Array, extra: Any, order: Order, low: Array, high: Array) -> None:
    """Where each half of a colouring goes when stone i's bit goes to `bits[i]`; the high halves take `extra` along."""
    low[0] = 0
    for i in range(1, len(order.low)):
        low[i] = low[order.low_rest[i]] | bits[order.low_first[i]]
    high[0] = extra
    for half in range(1, len(order.high_ones)):
        first = 0
        while not half >> first & 1:
            first += 1
        high[half] = high[half & (half - 1)] | bits[order.low_bits + first]
