"""The inner loops, compiled: a group's blocks from those of the groups with one stone more.

A block is one representative occupancy and one byte for each colouring of its stones (see `tables`). For a block and one
empty cell, the representative of the occupancy with that cell taken, the symmetry that leads there and so where each
stone's bit goes are the same for the whole block. Each half of a colouring is carried over by a table made once for the
block and cell; the two images together, ranked by two more look-ups, say which byte of the child's block to fetch.

Bytes are compared as they are (see `packed.blocks`): the best of the children's is the parent's.
"""

from typing import Any

import numpy as np

from zermelo.solver.kernel import kernel
from zermelo.solver.packed.cells import ONE, Array, bit_in, half_images, image, place_in, representative, stones_of
from zermelo.solver.packed.live import live_runs, mark_live
from zermelo.solver.packed.tables import Insertions, Order, Rules


@kernel
def take_blocks(
    begin: int,
    end: int,
    first: int,
    last: int,
    rules: Rules,
    order: Order,
    below: Order,
    insertions: Insertions,
    region: Any,
    occupancies: Array,
    values: Array,
    child_occupancies: Array,
    child_values: Array,
) -> None:
    """Let the blocks from `begin` to `end` have the best of what a stone on a cell of `region` leads to.

    Of each block the colourings with high halves from `first` to `last` are looked at. All such children are in one
    group, whose blocks are `child_values`.
    """
    cells = rules.cells
    stones = np.empty(cells, np.int64)
    bits = np.empty(cells, np.uint32)
    low = np.empty(len(order.low), np.uint32)
    high = np.empty(len(order.high_ones), np.uint32)
    live = np.empty(len(order.high_ones), np.bool_)
    runs = np.empty((len(live) // 2 + 1, 2), np.int64)
    most = order.stones % 2 == 0
    for index in range(begin, end):
        occupancy = occupancies[index]
        block = values[index * order.size : (index + 1) * order.size]
        stones_of(occupancy, cells, stones)
        mark_live(occupancy, stones, rules, order, live, True, True)
        count = live_runs(live, order, first, last, runs)
        for cell in range(cells):
            if not region >> np.uint32(cell) & ONE or not is_open(occupancy, cell, rules):
                continue
            child, symmetry = representative(occupancy | ONE << np.uint32(cell), rules.images)
            at = place_in(child_occupancies, child) * below.size
            child_block = child_values[at : at + below.size]
            place = place_in(stones[: order.stones], cell)
            if symmetry == 0 and place < len(insertions.low_rank):
                _take_best_low(block, child_block, insertions, place, live, order, below, first, last, most)
                continue
            if symmetry == 0:
                for run in range(count):
                    _take_best_in_order(block, child_block, insertions, place, runs[run, 0], runs[run, 1], most)
                continue
            permutation = rules.permutations[symmetry]
            for stone in range(order.stones):
                bits[stone] = bit_in(child, permutation[stones[stone]])
            extra = np.uint32(0) if most else bit_in(child, permutation[cell])
            half_images(bits, extra, order, low, high)
            _take_best(block, child_block, low, high, live, order, below, first, last, most)


@kernel
def is_open(occupancy: Any, cell: int, rules: Rules) -> bool:
    """Whether a stone can be put on `cell`."""
    if occupancy >> np.uint32(cell) & ONE:
        return False
    under = cell + rules.width
    return not rules.gravity or under >= rules.cells or bool(occupancy >> np.uint32(under) & ONE)


@kernel
def _take_best(
    block: Array,
    child: Array,
    low: Array,
    high: Array,
    live: Array,
    order: Order,
    below: Order,
    first: int,
    last: int,
    most: bool,
) -> None:
    """Let each colouring have its child's byte where that is better."""
    low_rank, high_rank = below.low_rank, below.high_rank
    shift = np.uint32(below.low_bits)
    mask = (ONE << shift) - ONE
    for half in range(first, last):
        ones = order.high_ones[half]
        if ones < 0 or not live[half]:
            continue
        start, end = order.low_start[ones], order.low_start[ones + 1]
        row = block[order.high_start[half] :]
        run = low[start:end]
        image = high[half]
        if most:
            for i in range(len(run)):
                colouring = run[i] | image
                byte = child[low_rank[colouring & mask] + high_rank[colouring >> shift]]
                row[i] = max(row[i], byte)
        else:
            for i in range(len(run)):
                colouring = run[i] | image
                byte = child[low_rank[colouring & mask] + high_rank[colouring >> shift]]
                row[i] = min(row[i], byte)


@kernel
def _take_best_low(
    block: Array,
    child: Array,
    insertions: Insertions,
    place: int,
    live: Array,
    order: Order,
    below: Order,
    first: int,
    last: int,
    most: bool,
) -> None:
    """The same where no stone changes places but for the new one among those of the low half."""
    ranks = insertions.low_rank[place]
    for half in range(first, last):
        ones = order.high_ones[half]
        if ones < 0 or not live[half]:
            continue
        start, end = order.low_start[ones], order.low_start[ones + 1]
        to = order.high_start[half] - start
        carried = insertions.carried[ones]
        longer = half << insertions.carries
        _take_best_of(block, to, child, below.high_rank[longer], ranks, start, carried, most)
        if carried < end:
            _take_best_of(block, to, child, below.high_rank[longer + 1], ranks, carried, end, most)


@kernel
def _take_best_of(
    block: Array, to: int, child: Array, rank: Any, ranks: Array, begin: int, end: int, most: bool
) -> None:
    """Let colourings with one high half have the child's bytes where those are better; `rank` is added to all `ranks`."""
    if most:
        for i in range(begin, end):
            block[to + i] = max(block[to + i], child[rank + ranks[i]])
    else:
        for i in range(begin, end):
            block[to + i] = min(block[to + i], child[rank + ranks[i]])


@kernel
def _take_best_in_order(
    block: Array, child: Array, insertions: Insertions, place: int, begin: int, end: int, most: bool
) -> None:
    """The same for colourings from `begin` to `end`, where their places are known or go run by run."""
    if place < insertions.short:
        targets = insertions.places[place, begin:end]
        row = block[begin:end]
        if most:
            for i in range(len(targets)):
                row[i] = max(row[i], child[targets[i]])
        else:
            for i in range(len(targets)):
                row[i] = min(row[i], child[targets[i]])
        return
    first, last = insertions.first_run[place], insertions.first_run[place + 1] - 1
    run = first + place_in(insertions.start[first : last + 1], begin + 1) - 1
    while run < last and insertions.start[run] < end:
        start = max(insertions.start[run], begin)
        count = min(insertions.start[run + 1], end) - start
        row = block[start : start + count]
        target = insertions.target[run] + start - insertions.start[run]
        other = child[target : target + count]
        if most:
            for i in range(count):
                row[i] = max(row[i], other[i])
        else:
            for i in range(count):
                row[i] = min(row[i], other[i])
        run += 1


@kernel
def count_blocks(
    begin: int,
    end: int,
    first: int,
    last: int,
    rules: Rules,
    order: Order,
    occupancies: Array,
    values: Array,
    positions: Array,
    classes: Array,
) -> None:
    """Add to `positions` and `classes` how many have each byte, which is counted at its distance from -128.

    A colouring stands for as many positions as its occupancy has images. Those images of it that lie in the same block
    are one class, which is counted at the first of them.
    """
    cells = rules.cells
    stones = np.empty(cells, np.int64)
    bits = np.empty(cells, np.uint32)
    symmetries = len(rules.images)
    low = np.empty((symmetries, len(order.low)), np.uint32)
    high = np.empty((symmetries, len(order.high_ones)), np.uint32)
    # Four tables in turn, since the same byte often follows and would have to wait for the count before it.
    plain = np.zeros((4, 256), np.int64)
    for index in range(begin, end):
        occupancy = occupancies[index]
        offset = index * order.size
        keeping = 0
        for symmetry in range(symmetries):
            keeping += image(occupancy, rules.images[symmetry]) == occupancy
        if keeping == 1:
            block = values[offset + order.high_start[first] : offset + order.high_start[last]]
            for rank in range(len(block)):
                plain[rank & 3, np.int64(block[rank]) + 128] += 1
            continue
        stones_of(occupancy, cells, stones)
        keeping = 0
        for symmetry in range(symmetries):
            if image(occupancy, rules.images[symmetry]) == occupancy:
                permutation = rules.permutations[symmetry]
                for stone in range(order.stones):
                    bits[stone] = bit_in(occupancy, permutation[stones[stone]])
                half_images(bits, np.uint32(0), order, low[keeping], high[keeping])
                keeping += 1
        for half in range(first, last):
            ones = order.high_ones[half]
            if ones < 0:
                continue
            rank = offset + order.high_start[half]
            for i in range(order.low_start[ones], order.low_start[ones + 1]):
                byte = np.int64(values[rank]) + 128
                rank += 1
                positions[byte] += symmetries // keeping
                # The first symmetry is the identity.
                colouring = low[0, i] | high[0, half]
                is_first = True
                for symmetry in range(1, keeping):
                    is_first &= low[symmetry, i] | high[symmetry, half] >= colouring
                classes[byte] += is_first
    for byte in range(256):
        count = plain[0, byte] + plain[1, byte] + plain[2, byte] + plain[3, byte]
        positions[byte] += symmetries * count
        classes[byte] += count
