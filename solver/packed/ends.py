"""Which colourings of a block end the game, and which cannot occur: compiled."""

from typing import Any

import numpy as np

from zermelo.solver.kernel import kernel
from zermelo.solver.packed.blocks import UNREACHABLE
from zermelo.solver.packed.cells import ONE, Array, half_images, stones_of
from zermelo.solver.packed.tables import Order, Rules

_SEQUENCE = np.uint64(0x03F79D71B4CB0A89)
_DE_BRUIJN = np.zeros(64, np.int64)
for _bit in range(64):
    _DE_BRUIJN[(int(_SEQUENCE) << _bit) % (1 << 64) >> 58] = _bit


@kernel
def mark_ends(
    block: Array,
    occupancy: Any,
    stones: Array,
    rules: Rules,
    order: Order,
    first: int,
    last: int,
    at: int,
    reached: Array,
) -> None:
    """Put down which colourings end the game and which cannot occur.

    Without gravity a colouring cannot occur when the side that did not just move has a line, or when the lines of the
    side that did share no cell: whatever stone came last, the game was over before it. With gravity `reached` says it.
    """
    inside = rules.lines[rules.lines & occupancy == rules.lines]
    if not len(inside) and not rules.gravity:
        return
    words = (len(inside) + 63) // 64
    every = np.zeros(words, np.uint64)
    touched = np.zeros((words, order.stones), np.uint64)
    for line in range(len(inside)):
        bit = np.uint64(1) << np.uint64(line & 63)
        every[line >> 6] |= bit
        for stone in range(order.stones):
            if inside[line] >> np.uint32(stones[stone]) & ONE:
                touched[line >> 6, stone] |= bit
    low = np.zeros((len(order.low), words), np.uint64)
    high = np.zeros((len(order.high_ones), words), np.uint64)
    for word in range(words):
        half_images(touched[word], ~every[word], order, low[:, word], high[:, word])

    # A side's complete lines are those that the other side's stones do not touch; bits of no line count as touched.
    x_moved = order.stones % 2 == 1
    low_other, high_other = low[order.low_other], high[::-1].copy()
    mine_low, mine_high, yours_low, yours_high = low, high, low_other, high_other
    if not x_moved:
        mine_low, mine_high, yours_low, yours_high = low_other, high_other, low, high
    end = np.int8(rules.cells + 1 - order.stones)
    if x_moved == rules.misere:
        end = -end
    for half in range(first, last):
        if order.high_ones[half] < 0:
            continue
        start, stop = order.low_start[order.high_ones[half]], order.low_start[order.high_ones[half] + 1]
        row = block[order.high_start[half] - order.high_start[first] :]
        if rules.gravity:
            place = at + order.high_start[half]
            for i in range(start, stop):
                if not reached[place >> 3] >> np.uint8(place & 7) & 1:
                    row[i - start] = UNREACHABLE
                elif _is_any_done(mine_low[i], mine_high[half]):
                    row[i - start] = end
                place += 1
            continue
        for word in range(words):
            mine, yours = mine_high[half, word], yours_high[half, word]
            for i in range(start, stop):
                if ~((mine_low[i, word] | mine) & (yours_low[i, word] | yours)):
                    over = (
                        ~(yours_low[i, word] | yours) == 0
                        and (words == 1 or not _is_any_done(yours_low[i], yours_high[half]))
                        and _share_a_cell(inside, mine_low[i], mine_high[half])
                    )
                    row[i - start] = end if over else UNREACHABLE


@kernel
def _is_any_done(low: Array, high: Array) -> bool:
    """Whether there is a line that neither half touches."""
    done = False
    for word in range(len(low)):
        done |= ~(low[word] | high[word]) != 0
    return done


@kernel
def _share_a_cell(lines: Array, low: Array, high: Array) -> bool:
    """Whether the lines that neither half touches have a cell in common."""
    shared = ~np.uint32(0)
    for word in range(len(low)):
        done = ~(low[word] | high[word])
        while done:
            shared &= lines[64 * word + _lowest(done)]
            done &= done - np.uint64(1)
    return bool(shared != 0)


@kernel
def _lowest(bits: Any) -> Any:
    """The number of the lowest bit that is set, told by the product of that bit with a de Bruijn sequence."""
    return _DE_BRUIJN[(bits & (~bits + np.uint64(1))) * _SEQUENCE >> np.uint64(58)]


@kernel
def mark_blocks(
    begin: int,
    end: int,
    first: int,
    last: int,
    rules: Rules,
    order: Order,
    occupancies: Array,
    values: Array,
    reached: Array,
) -> None:
    """Put down in the blocks from `begin` to `end` which colourings end the game and which cannot occur.

    `reached` has a bit for each colouring of the group with gravity, and is empty without it.
    """
    stones = np.empty(rules.cells, np.int64)
    for index in range(begin, end):
        offset = index * order.size
        block = values[offset + order.high_start[first] : offset + order.high_start[last]]
        stones_of(occupancies[index], rules.cells, stones)
        mark_ends(block, occupancies[index], stones, rules, order, first, last, offset, reached)
