"""The inner loops of the proof of a board, compiled. Nothing of the kernels that solve is used here."""

from typing import Any, NamedTuple

import numpy as np

from zermelo.db.proof.board_rules import (
    BYTE,
    EIGHT,
    ONE,
    SIXTEEN,
    TWENTY_FOUR,
    UNKNOWN,
    UNREACHABLE,
    Array,
    Rules,
    better,
    bit_in,
    byte_of_end,
    colourings_of,
    fill,
    has_line,
    image_of,
    is_all,
    is_free,
    lowest_image,
    place_of,
    rank_of,
    ways,
)
from zermelo.solver.kernel import kernel


class Item(NamedTuple):
    """What one call does: the blocks from `begin` to before `end`, and of each the places from `first` to before `last`."""

    begin: int
    end: int
    first: int
    last: int


@kernel
def take_successors(
    rules: Rules,
    item: Item,
    stones: int,
    region: Any,
    occupancies: Array,
    reached: Array,
    best: Array,
    child_occupancies: Array,
    child_values: Array,
) -> None:
    """Let each position that play reaches have the best byte of what a stone on a cell of `region` leads to, or keep its own.

    All that such moves lead to lies in `child_values`, in blocks of the `child_occupancies`.
    """
    size, child_size = len(best) // len(occupancies), len(child_values) // len(child_occupancies)
    colourings = colourings_of(rules, stones, item.first, item.last)
    targets, tables = np.zeros(32, np.uint32), np.zeros((4, 256), np.uint32)
    for_max = stones % 2 == 0
    for index in range(item.begin, item.end):
        occupancy = occupancies[index]
        here = slice(index * size + item.first, index * size + item.last)
        row, row_reached = best[here], reached[here]
        if is_all(row_reached, 0):
            continue
        for cell in range(rules.cells):
            if not region >> np.uint32(cell) & ONE or not is_free(rules, occupancy, cell):
                continue
            child, symmetry = lowest_image(rules, occupancy | ONE << np.uint32(cell))
            to = rules.permutations[symmetry]
            stone = 0
            for other in range(rules.cells):
                if occupancy >> np.uint32(other) & ONE:
                    targets[stone] = bit_in(child, to[other])
                    stone += 1
            fill(tables, targets, stones)
            added = np.uint32(0) if for_max else bit_in(child, to[cell])
            at = place_of(child_occupancies, child) * child_size
            block = child_values[at : at + child_size]
            for i in range(len(row)):
                if not row_reached[i]:
                    continue
                colouring = colourings[i]
                after = (
                    tables[0, colouring & BYTE]
                    | tables[1, colouring >> EIGHT & BYTE]
                    | tables[2, colouring >> SIXTEEN & BYTE]
                    | tables[3, colouring >> TWENTY_FOUR]
                    | added
                )
                row[i] = better(row[i], block[rank_of(rules, after)], for_max)


@kernel
def take_predecessors(
    rules: Rules,
    item: Item,
    stones: int,
    region: Any,
    occupancies: Array,
    reached: Array,
    parent_occupancies: Array,
    parent_open: Array,
) -> None:
    """Mark what a stone on a cell of `region` leads to from a position that play reaches and where it goes on.

    `parent_open` has a bit for each place in blocks of the `parent_occupancies`, set where that is so.
    """
    size = len(reached) // len(occupancies)
    parent_size = ways(rules, stones - 1, (stones - 1) // 2) if stones > 2 else 1
    colourings = colourings_of(rules, stones, item.first, item.last)
    targets, tables = np.zeros(32, np.uint32), np.zeros((4, 256), np.uint32)
    of_min = stones % 2 == 0
    for index in range(item.begin, item.end):
        occupancy = occupancies[index]
        row = reached[index * size + item.first : index * size + item.last]
        place_of_last = 0
        for cell in range(rules.cells):
            if not occupancy >> np.uint32(cell) & ONE:
                continue
            last = ONE << np.uint32(place_of_last)
            place_of_last += 1
            lifted = occupancy ^ ONE << np.uint32(cell)
            if not region >> np.uint32(cell) & ONE or not is_free(rules, lifted, cell):
                continue
            # With gravity a stone under another one cannot have been the last.
            if rules.gravity and cell >= rules.width and occupancy >> np.uint32(cell - rules.width) & ONE:
                continue
            parent, symmetry = lowest_image(rules, lifted)
            at = place_of(parent_occupancies, parent) * parent_size
            if is_all(parent_open[at >> 3 : at + parent_size + 7 >> 3], 0):
                continue
            to = rules.permutations[symmetry]
            stone = 0
            for other in range(rules.cells):
                if occupancy >> np.uint32(other) & ONE:
                    targets[stone] = np.uint32(0) if other == cell else bit_in(parent, to[other])
                    stone += 1
            fill(tables, targets, stones)
            for i in range(len(row)):
                colouring = colourings[i]
                if row[i] or (colouring & last != 0) != of_min:
                    continue
                earlier = (
                    tables[0, colouring & BYTE]
                    | tables[1, colouring >> EIGHT & BYTE]
                    | tables[2, colouring >> SIXTEEN & BYTE]
                    | tables[3, colouring >> TWENTY_FOUR]
                )
                place = at + np.int64(rank_of(rules, earlier))
                row[i] = parent_open[place >> 3] >> np.uint8(place & 7) & 1


@kernel
def judge(
    rules: Rules,
    item: Item,
    stones: int,
    occupancies: Array,
    values: Array,
    best: Array,
    reached: Array,
    goes_on: Array,
    positions: Array,
    fixed: Array,
    faults: Array,
) -> int:
    """Hold what is stored to what follows from the rules, what is reached and what the successors say.

    What is right goes into `best`, where play goes on into `goes_on`, and the places of the first faults into `faults`; how
    many there are is told. What is stored is counted by its byte, from -128 up: positions, and in `fixed` how many symmetries
    leave each as it is, under the number of those that leave its occupancy as it is.
    """
    size = len(values) // len(occupancies)
    colourings = colourings_of(rules, stones, item.first, item.last)
    stride = rules.width + 1
    spread, plain = np.zeros((4, 256), np.int64), np.zeros((4, 256), np.uint32)
    wide, narrow = np.zeros(32, np.int64), np.zeros(32, np.uint32)
    kept = np.zeros(len(rules.permutations), np.int64)
    end = byte_of_end(rules, stones)
    count = 0
    for index in range(item.begin, item.end):
        occupancy = occupancies[index]
        here = slice(index * size + item.first, index * size + item.last)
        if is_all(reached[here], 0) and is_all(values[here], UNREACHABLE):
            best[here] = UNREACHABLE
            continue
        stone, full = 0, np.int64(0)
        for cell in range(rules.cells):
            if occupancy >> np.uint32(cell) & ONE:
                wide[stone] = np.int64(1) << (cell // rules.width * stride + cell % rules.width)
                narrow[stone] = ONE << np.uint32(cell)
                full |= wide[stone]
                stone += 1
        fill(spread, wide, stones)
        fill(plain, narrow, stones)
        keeping = 0
        for symmetry in range(len(rules.permutations)):
            if image_of(rules, symmetry, occupancy) == occupancy:
                kept[keeping] = symmetry
                keeping += 1
        for i in range(len(colourings)):
            colouring, place = colourings[i], index * size + item.first + i
            byte = values[place]
            right = UNREACHABLE
            if reached[place]:
                of_min = (
                    spread[0, colouring & BYTE]
                    | spread[1, colouring >> EIGHT & BYTE]
                    | spread[2, colouring >> SIXTEEN & BYTE]
                    | spread[3, colouring >> TWENTY_FOUR]
                )
                if has_line(full ^ of_min if stones % 2 else of_min, stride, rules.k):
                    right = end
                elif stones == rules.cells:
                    right = 0
                else:
                    right = best[place]
                    goes_on[place] = 1
            best[place] = right
            # What does not follow because a successor is not stored is told where the successor is.
            if byte != right and (right != UNKNOWN or byte == UNREACHABLE):
                if count < len(faults):
                    faults[count] = place
                count += 1
            slot = np.int64(byte) + 128
            positions[slot] += len(rules.permutations) // keeping
            if keeping == 1:
                fixed[1, slot] += 1
            else:
                cells = (
                    plain[0, colouring & BYTE]
                    | plain[1, colouring >> EIGHT & BYTE]
                    | plain[2, colouring >> SIXTEEN & BYTE]
                    | plain[3, colouring >> TWENTY_FOUR]
                )
                for which in range(keeping):
                    fixed[keeping, slot] += image_of(rules, kept[which], cells) == cells
    return count


@kernel
def pick(rules: Rules, stones: int, occupancies: Array, values: Array, part: int) -> Any:
    """One position of every `part` places of a block that has any: the cells that are taken, MIN's, and the byte."""
    size = len(values) // len(occupancies)
    most = len(occupancies) * ((size + part - 1) // part)
    taken, of_min, bytes_ = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int8)
    count = 0
    for index in range(len(occupancies)):
        for first in range(0, size, part):
            for rank in range(first, min(first + part, size)):
                byte = values[index * size + rank]
                if byte == UNREACHABLE:
                    continue
                colouring, left, cells = (
                    colourings_of(rules, stones, rank, rank + 1)[0],
                    occupancies[index],
                    np.int64(0),
                )
                while colouring:
                    if colouring & ONE:
                        cells |= left & (~left + ONE)
                    left &= left - ONE
                    colouring >>= ONE
                taken[count], of_min[count], bytes_[count] = occupancies[index], cells, byte
                count += 1
                break
    return taken[:count], of_min[:count], bytes_[:count]
