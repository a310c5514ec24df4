"""Which colourings of a block end the game, and which cannot occur: compiled."""

from typing import Any

import numpy as np

from zermelo.solver.kernel import kernel
from zermelo.solver.packed.blocks import UNREACHABLE
from zermelo.solver.packed.cells import ONE, Array, half_images, stones_of
from zermelo.solver.packed.tables import Order, Rules


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
    words = (len(rules.lines) + 63) // 64
    inside = np.zeros(words, np.uint64)
    touched = np.zeros((words, order.stones), np.uint64)
    for line in range(len(rules.lines)):
        cells = rules.lines[line]
        if cells & occupancy != cells:
            continue
        bit = np.uint64(1) << np.uint64(line & 63)
        inside[line >> 6] |= bit
        for stone in range(order.stones):
            if cells >> np.uint32(stones[stone]) & ONE:
                touched[line >> 6, stone] |= bit
    if not inside.any() and not rules.gravity:
        return
    low = np.zeros((words, len(order.low)), np.uint64)
    high = np.zeros((words, len(order.high_ones)), np.uint64)
    for word in range(words):
        half_images(touched[word], ~inside[word], order, low[word], high[word])

    # A side's complete lines are those that the other side's stones do not touch; bits of no line count as touched.
    x_moved = order.stones % 2 == 1
    low_other, high_other = np.empty_like(low), np.empty_like(high)
    for word in range(words):
        for i in range(len(order.low)):
            low_other[word, i] = low[word, order.low_other[i]]
        high_other[word] = high[word, ::-1]
    mine_low, mine_high, yours_low, yours_high = low, high, low_other, high_other
    if not x_moved:
        mine_low, mine_high, yours_low, yours_high = low_other, high_other, low, high
    end = np.int8(rules.cells + 1 - order.stones)
    if x_moved == rules.misere:
        end = np.int8(-end)
    several = np.empty(len(order.low), np.int64)
    for half in range(first, last):
        if order.high_ones[half] < 0:
            continue
        start, stop = order.low_start[order.high_ones[half]], order.low_start[order.high_ones[half] + 1]
        to = order.high_start[half] - order.high_start[first] - start
        if rules.gravity:
            for word in range(words):
                _mark_lines(block, to, start, stop, mine_low[word], mine_high[word, half], end)
            _mark_unreached(block, to, start, stop, reached, at + order.high_start[half])
        elif words == 1:
            mine, yours = mine_high[0, half], yours_high[0, half]
            _mark_row(block, to, start, stop, mine_low[0], mine, yours_low[0], yours, end, rules.meetings, several)
        else:
            for i in range(start, stop):
                if _is_any_done(yours_low[:, i], yours_high[:, half]):
                    block[to + i] = UNREACHABLE
                elif _is_any_done(mine_low[:, i], mine_high[:, half]):
                    shared = ~np.uint32(0)
                    for word in range(words):
                        done = ~(mine_low[word, i] | mine_high[word, half])
                        shared &= _meeting(done, rules.meetings[8 * word : 8 * word + 8])
                    block[to + i] = end if shared else UNREACHABLE


@kernel
def _mark_row(
    block: Array, to: int, start: int, stop: int,
    mine_low: Array, mine: Any, yours_low: Array, yours: Any, end: Any, meetings: Array, several: Array,
) -> None:  # fmt: skip
    """Mark colourings with one high half where the lines of the board fit in one word.

    Nothing is decided by a jump, because what comes next cannot be foreseen; colourings with several lines of the side
    that moved last, which are few, are noted in `several` and looked at once more.
    """
    every, none = ~np.uint64(0), np.uint64(0)
    count = 0
    for i in range(start, stop):
        byte = block[to + i]
        done = ~(mine_low[i] | mine)
        theirs = yours_low[i] | yours != every
        byte = end if done != none else byte
        block[to + i] = UNREACHABLE if theirs else byte
        several[count] = i
        count += (not theirs) & (done & (done - np.uint64(1)) != none)
    for j in range(count):
        i = several[j]
        if not _meeting(~(mine_low[i] | mine), meetings):
            block[to + i] = UNREACHABLE


@kernel
def _mark_lines(block: Array, to: int, start: int, stop: int, low: Array, high: Any, end: Any) -> None:
    """Mark the colourings in which there is a line that neither half touches."""
    for i in range(start, stop):
        byte = block[to + i]
        block[to + i] = end if low[i] | high != ~np.uint64(0) else byte


@kernel
def _mark_unreached(block: Array, to: int, start: int, stop: int, reached: Array, place: int) -> None:
    """Mark the colourings whose bits, from `place` on, are not set."""
    place = np.uint64(place)
    for i in range(start, stop):
        byte = block[to + i]
        bit = reached[place >> np.uint64(3)] >> np.uint8(place & np.uint64(7)) & np.uint8(1)
        block[to + i] = byte if bit else UNREACHABLE
        place += np.uint64(1)


@kernel
def _is_any_done(low: Array, high: Array) -> bool:
    """Whether there is a line that neither half touches."""
    done = False
    for word in range(len(low)):
        done |= ~(low[word] | high[word]) != 0
    return done


@kernel
def _meeting(done: Any, meetings: Array) -> Any:
    """The cells that all of these lines share, looked up eight lines at a time."""
    shared = ~np.uint32(0)
    for chunk in range(len(meetings)):
        shared &= meetings[chunk, done >> np.uint64(8 * chunk) & np.uint64(255)]
    return shared


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
