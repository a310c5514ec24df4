"""One group's work: which of its positions can occur, and what they are worth given the groups that its moves lead to.

The best of several children is a maximum, so the groups with one stone more are taken one after another, and only one of
them need be in memory. With gravity, which positions can occur is told by a pass from the empty board up, a bit each.
"""

import contextlib
import mmap
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.packed import kernels
from zermelo.solver.packed.ends import mark_blocks
from zermelo.solver.packed.groups import Groups
from zermelo.solver.packed.reach import reach_blocks
from zermelo.solver.packed.tables import Insertions, Order, insertions_of

Values = NDArray[np.int8]
Bits = NDArray[np.uint8]
Item = tuple[int, int, int, int]
"""What one call of a kernel does: blocks from one to before another, high halves from one to before another."""

_WORK = 1 << 22
"""Places that one call of a kernel goes through: some hundredths of a second, so that it can be stopped."""
_LARGE = 1 << 20
"""Bytes from which room comes straight from the system, to which it goes back at once."""
NO_BITS: Bits = np.zeros(0, dtype=np.uint8)


class Solved(NamedTuple):
    """The solved positions of a group."""

    number: int
    stones: int
    occupancies: NDArray[np.uint32]
    """The representative occupancies, in order."""
    size: int
    """How many bytes of `values` belong to each occupancy."""
    values: Values
    """A byte a colouring, see `blocks`."""
    positions: NDArray[np.int64]
    """How many positions that can occur have each byte, from -128 up."""
    classes: NDArray[np.int64]
    """And how many classes they fall into."""


class Reached(NamedTuple):
    """Which positions of a group can occur, a bit each, and in which of them the game goes on."""

    reached: Bits
    open: Bits


def solve_group(
    groups: Groups,
    number: int,
    children: Iterable[tuple[int, int, Values]],
    reached: Bits = NO_BITS,
    check: Callable[[], None] = lambda: None,
) -> Solved:
    """Solve a group from its children, each a region, a group's number and its bytes; `check` may raise to stop it."""
    stones, occupancies = groups.stones[number], groups.occupancies[number]
    order, below = groups.orders[stones], groups.orders[stones + 1]
    values = room(groups.sizes[number])
    values.fill(0 if stones == groups.cells else (-127 if stones % 2 == 0 else 127))
    for region, child, child_values in children:
        cells = np.uint32(groups.regions[region])
        for item in _items(groups, number):
            check()
            kernels.take_blocks(
                *item,
                groups.rules,
                order,
                below,
                _insertions(groups, stones),
                cells,
                occupancies,
                values,
                groups.occupancies[child],
                child_values,
            )
        del child_values  # or it would be held while the next one is fetched
    positions, classes = np.zeros(256, dtype=np.int64), np.zeros(256, dtype=np.int64)
    for item in _items(groups, number):
        check()
        mark_blocks(*item, groups.rules, order, occupancies, values, _unpacked(reached, _places(order, item)))
        kernels.count_blocks(*item, groups.rules, order, occupancies, values, positions, classes)
    positions[0] = classes[0] = 0  # what cannot occur
    return Solved(number, stones, occupancies, order.size, values, positions, classes)


def reach_group(
    groups: Groups,
    number: int,
    parents: Iterable[tuple[int, int, Bits]],
    check: Callable[[], None] = lambda: None,
) -> Reached:
    """Find what can occur in a group from where the game goes on in those with one stone less."""
    stones, occupancies = groups.stones[number], groups.occupancies[number]
    order = groups.orders[stones]
    reached = room(groups.sizes[number]).view(np.uint8)
    reached.fill(not stones)
    for region, parent, parent_open in parents:
        cells = np.uint32(groups.regions[region])
        above = groups.orders[stones - 1]
        opened = np.unpackbits(parent_open, bitorder="little")
        for item in _items(groups, number):
            check()
            reach_blocks(
                *item,
                groups.rules,
                order,
                above,
                _insertions(groups, stones - 1),
                cells,
                occupancies,
                reached,
                groups.occupancies[parent],
                opened,
            )
        del opened  # or it would be held while the next one is unpacked
    bits = np.packbits(reached, bitorder="little")
    # What ends the game or cannot occur gets a byte that is not 0.
    marks = room(groups.sizes[number])
    marks.fill(0)
    for item in _items(groups, number):
        check()
        mark_blocks(*item, groups.rules, order, occupancies, marks, reached[_places(order, item)])
    return Reached(bits, np.packbits(marks == 0, bitorder="little"))


def room(size: int) -> Values:
    """Room for so many bytes, which goes back to the system when it is let go of."""
    if size < _LARGE:
        return np.empty(size, dtype=np.int8)
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.frombuffer(mmap.mmap(-1, size), dtype=np.int8)
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    # In small pages the first write to each takes as long as solving a tenth of what it holds.
    with contextlib.suppress(OSError):  # not every Linux has large ones
        pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, dtype=np.int8)


def _items(groups: Groups, number: int) -> Iterator[Item]:
    """A group cut into pieces of work: some blocks, or where one is too large a part of it."""
    order, blocks = groups.orders[groups.stones[number]], len(groups.occupancies[number])
    halves = len(order.high_ones)
    if order.size <= _WORK:
        step = _WORK // order.size
        for begin in range(0, blocks, step):
            yield begin, min(begin + step, blocks), 0, halves
        return
    cuts = {0, halves, *np.searchsorted(order.high_start, range(_WORK, order.size, _WORK)).tolist()}
    for begin in range(blocks):
        yield from ((begin, begin + 1, first, last) for first, last in pairwise(sorted(cuts)))


def _places(order: Order, item: Item) -> slice:
    """Which places of its group a piece of work goes through."""
    begin, end, first, last = item
    start, stop = order.high_start[first], order.high_start[last]
    return slice(int(begin * order.size + start), int((end - 1) * order.size + stop))


def _unpacked(bits: Bits, places: slice) -> Bits:
    """A byte for each of these places; none where there are no bits."""
    around = bits[places.start >> 3 : places.stop + 7 >> 3]
    return np.unpackbits(around, bitorder="little")[places.start & 7 :]


@lru_cache(maxsize=4)
def _insertions(groups: Groups, stones: int) -> Insertions:
    return insertions_of(groups.orders[stones], groups.orders[stones + 1])
