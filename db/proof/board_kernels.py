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
    colourings_with,
    fill,
    has_line,
    image_of,
    is_all,
    is_free,
    lowest_image,
    place_of,
    rank_of,
)
from zermelo.solver.kernel import kernel


class Item(NamedTuple):
    """What one call does: the blocks from `begin` to before `end`, and of each the places from `first` to before `last`."""

    begin: int
    end: int
    first: int
    last: int


@kernel
def mark_moves(
    rules: Rules,
    item: Item,
    stones: int,
    region: Any,
    occupancies: Array,
    going_on: Array,
    child_occupancies: Array,
    reached: Array,
) -> None:
    """Mark in `reached` what a stone on a cell of `region` leads to from the positions in which play goes on.

    `going_on` has a bit for each place in blocks of the `occupancies`, and all that such moves lead to lies in `reached`,
    in blocks of the `child_occupancies`. Where symmetries keep a block, the images of what is reached lie in it too.
    """
    size, child_size = colourings_with(rules, stones), len(reached) // len(child_occupancies)
    colourings = colourings_of(rules, stones, item.first, item.last)
    played = np.empty(len(colourings), np.uint32)
    targets, tables = np.zeros(32, np.uint32), np.zeros((4, 256), np.uint32)
    for index in range(item.begin, item.end):
        occupancy = occupancies[index]
        count = 0
        for i in range(len(colourings)):
            place = index * size + item.first + i
            played[count] = colourings[i]
            count += going_on[place >> 3] >> np.uint8(place & 7) & 1
        if not count:
            continue
        for cell in range(rules.cells):
            if not region >> np.uint32(cell) & ONE or not is_free(rules, occupancy, cell):
                continue
            grown = occupancy | ONE << np.uint32(cell)
            child = lowest_image(rules, grown)[0]
            at = place_of(child_occupancies, child) * child_size
            block = reached[at : at + child_size]
            for symmetry in range(len(rules.permutations)):
                if image_of(rules, symmetry, grown) != child:
                    continue
                added = carry(rules, occupancy, stones, cell, symmetry, child, targets, tables)
                for i in range(count):
                    block[rank_of(rules, carried(tables, played[i]) | added)] = 1


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
    places = np.empty(len(colourings), np.int64)
    targets, tables = np.zeros(32, np.uint32), np.zeros((4, 256), np.uint32)
    for_max = stones % 2 == 0
    for index in range(item.begin, item.end):
        occupancy = occupancies[index]
        here = slice(index * size + item.first, index * size + item.last)
        row, row_reached = best[here], reached[here]
        count = 0
        for i in range(len(row)):
            places[count] = i
            count += row_reached[i]
        if not count:
            continue
        for cell in range(rules.cells):
            if not region >> np.uint32(cell) & ONE or not is_free(rules, occupancy, cell):
                continue
            child, symmetry = lowest_image(rules, occupancy | ONE << np.uint32(cell))
            added = carry(rules, occupancy, stones, cell, symmetry, child, targets, tables)
            at = place_of(child_occupancies, child) * child_size
            block = child_values[at : at + child_size]
            for i in places[:count]:
                row[i] = better(row[i], block[rank_of(rules, carried(tables, colourings[i]) | added)], for_max)


@kernel
def carry(
    rules: Rules, occupancy: Any, stones: int, cell: int, symmetry: int, child: Any, targets: Array, tables: Array
) -> Any:
    """Let `tables` say what a colouring of `occupancy` becomes once a symmetry takes it to `child`; the bit of a stone on `cell`.

    That bit is there if the stone is MIN's.
    """
    to = rules.permutations[symmetry]
    stone = 0
    for other in range(rules.cells):
        if occupancy >> np.uint32(other) & ONE:
            targets[stone] = bit_in(child, to[other])
            stone += 1
    fill(tables, targets, stones)
    return bit_in(child, to[cell]) if stones % 2 else np.uint32(0)


@kernel
def carried(tables: Array, colouring: Any) -> Any:
    """What a colouring becomes."""
    return (
        tables[0, colouring & BYTE]
        | tables[1, colouring >> EIGHT & BYTE]
        | tables[2, colouring >> SIXTEEN & BYTE]
        | tables[3, colouring >> TWENTY_FOUR]
    )


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
                of_min = carried(spread, colouring)
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
                cells = carried(plain, colouring)
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
