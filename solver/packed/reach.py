"""What play can reach on boards with gravity, compiled: a group's colourings from those of the groups with one stone less."""

from typing import Any

import numpy as np

from zermelo.solver.kernel import kernel
from zermelo.solver.packed.cells import ONE, Array, bit_in, half_images, place_in, representative, stones_of
from zermelo.solver.packed.live import live_runs, mark_live
from zermelo.solver.packed.tables import Insertions, Order, Rules


@kernel
def reach_blocks(
    begin: int,
    end: int,
    first: int,
    last: int,
    rules: Rules,
    order: Order,
    above: Order,
    insertions: Insertions,
    region: Any,
    occupancies: Array,
    reached: Array,
    parent_occupancies: Array,
    parent_open: Array,
) -> None:
    """Mark in `reached` the colourings that a stone on a cell of `region` leads to from an open one.

    `parent_open` has a byte for each colouring of the group that they come from.
    """
    cells = rules.cells
    stones = np.empty(cells, np.int64)
    bits = np.empty(cells, np.uint32)
    low = np.empty(len(order.low), np.uint32)
    high = np.empty(len(order.high_ones), np.uint32)
    live = np.empty(len(order.high_ones), np.bool_)
    runs = np.empty((len(live) // 2 + 1, 2), np.int64)
    can = np.empty(len(order.low), np.uint8)
    last_is_o = order.stones % 2 == 0
    for index in range(begin, end):
        occupancy = occupancies[index]
        block = reached[index * order.size : (index + 1) * order.size]
        stones_of(occupancy, cells, stones)
        # Who moved last may have made a line by that.
        mark_live(occupancy, stones, rules, order, live, last_is_o, not last_is_o)
        count = live_runs(live, order, first, last, runs)
        for top in range(order.stones):
            cell = stones[top]
            if not region >> np.uint32(cell) & ONE:
                continue
            if cell >= rules.width and occupancy >> np.uint32(cell - rules.width) & ONE:
                continue
            parent, symmetry = representative(occupancy ^ ONE << np.uint32(cell), rules.images)
            at = place_in(parent_occupancies, parent) * above.size
            parent_block = parent_open[at : at + above.size]
            if symmetry == 0 and top < len(insertions.low_rank):
                _reach_low(block, parent_block, insertions, top, live, order, above, first, last)
                continue
            if symmetry == 0:
                for run in range(count):
                    _reach_in_order(block, parent_block, insertions, top, runs[run, 0], runs[run, 1])
                continue
            permutation = rules.permutations[symmetry]
            for stone in range(order.stones):
                bits[stone] = 0 if stone == top else bit_in(parent, permutation[stones[stone]])
            half_images(bits, np.uint32(0), order, low, high)
            for i in range(len(can)):
                can[i] = top >= order.low_bits or (order.low[i] >> np.uint32(top) & ONE == ONE) == last_is_o
            for half in range(first, last):
                ones = order.high_ones[half]
                if ones < 0 or not live[half]:
                    continue
                if top < order.low_bits or (half >> top - order.low_bits & 1 == 1) == last_is_o:
                    start, stop = order.low_start[ones], order.low_start[ones + 1]
                    row = block[order.high_start[half] :]
                    _reach(row, parent_block, low[start:stop], can[start:stop], high[half], above)


@kernel
def _reach(row: Array, parent: Array, low: Array, can: Array, high: Any, above: Order) -> None:
    """Mark the colourings with one high half that come from an open one, those whose last stone `can` have come last.

    Nothing is decided by a jump: the others ask for the first byte, and take nothing from it.
    """
    low_rank, high_rank = above.low_rank, above.high_rank
    shift = np.uint32(above.low_bits)
    mask = (ONE << shift) - ONE
    for i in range(len(low)):
        before = low[i] | high
        place = low_rank[before & mask] + high_rank[before >> shift]
        row[i] |= parent[place * can[i]] & can[i]


@kernel
def _reach_low(
    block: Array,
    parent: Array,
    insertions: Insertions,
    place: int,
    live: Array,
    order: Order,
    above: Order,
    first: int,
    last: int,
) -> None:
    """The same where no stone changes places but for the last one among those of the low half."""
    ranks = insertions.low_rank[place]
    for half in range(first, last):
        before = half >> insertions.carries
        ones = above.high_ones[before]
        if ones < 0 or not live[half]:
            continue
        start, end = above.low_start[ones], insertions.carried[ones]
        if insertions.carries and half & 1:
            start, end = end, above.low_start[ones + 1]
        at = above.high_start[before] - above.low_start[ones]
        rank = order.high_rank[half]
        for i in range(start, end):
            block[rank + ranks[i]] |= parent[at + i]


@kernel
def _reach_in_order(block: Array, parent: Array, insertions: Insertions, place: int, begin: int, end: int) -> None:
    """The same for colourings from `begin` to `end`, where their places are known or go run by run."""
    if place < insertions.short:
        targets = insertions.places[place]
        for i in range(place_in(targets, begin), place_in(targets, end)):
            block[targets[i]] |= parent[i]
        return
    first, last = insertions.first_run[place], insertions.first_run[place + 1] - 1
    run = first + max(place_in(insertions.target[first:last], begin + 1) - 1, 0)
    while run < last and insertions.target[run] < end:
        target, start = insertions.target[run], insertions.start[run]
        before = max(begin - target, 0)
        count = min(insertions.start[run + 1] - start, end - target) - before
        row, other = block[target + before :], parent[start + before :]
        for i in range(count):
            row[i] |= other[i]
        run += 1
