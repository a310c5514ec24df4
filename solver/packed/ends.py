"""Which colourings of a block end the game, and which cannot occur: compiled."""

from typing import Any

import numpy as np

from zermelo.solver.kernel import kernel
from zermelo.solver.packed.blocks import UNREACHABLE
from zermelo.solver.packed.cells import ONE, Array, half_images, stones_of
from zermelo.solver.packed.tables import Order, Rules

_EVERY, _NONE = ~np.uint64(0), np.uint64(0)
_CHUNK = 8
"""Lines whose meetings are looked up at once."""


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

    Of each block the colourings with high halves from `first` to `last` are looked at. With gravity `reached` has a byte
    for each of them, 0 where it cannot occur. Without, a colouring cannot occur when the side that did not just move has
    a line, or when the lines of the side that did share no cell: whatever stone came last, the game was over before it.
    """
    stones = np.empty(rules.cells, np.int64)
    lines = np.empty(len(rules.lines), np.uint32)
    x_moved = order.stones % 2 == 1
    byte = np.int8(rules.cells + 1 - order.stones)
    if x_moved == rules.misere:
        byte = np.int8(-byte)
    length = order.high_start[last] - order.high_start[first]
    for index in range(begin, end):
        at = index * order.size + order.high_start[first]
        block = values[at : at + length]
        occupancy = occupancies[index]
        count = 0
        for line in rules.lines:
            if line & occupancy == line:
                lines[count] = line
                count += 1
        if count:
            stones_of(occupancy, rules.cells, stones)
            _mark_lines(block, lines[:count], stones, order, first, last, x_moved, byte, rules.gravity)
        if rules.gravity:
            can_occur = reached[(index - begin) * length : (index - begin + 1) * length]
            for i in range(length):
                byte_here = block[i]
                block[i] = byte_here if can_occur[i] else np.int8(UNREACHABLE)


@kernel
def _mark_lines(
    block: Array,
    lines: Array,
    stones: Array,
    order: Order,
    first: int,
    last: int,
    x_moved: bool,
    byte: Any,
    gravity: bool,
) -> None:
    """Mark what the lines of a block, those whose cells are all taken, say of its colourings."""
    words = (len(lines) + 63) // 64
    # A side's complete lines are those that the other side's stones do not touch; bits of no line count as touched.
    low, high = np.empty((words, len(order.low)), np.uint64), np.empty((words, len(order.high_ones)), np.uint64)
    touched = np.empty(order.stones, np.uint64)
    in_high = np.empty(words, np.uint64)
    for word in range(words):
        some = lines[64 * word : 64 * word + 64]
        touched[:] = 0
        for line in range(len(some)):
            for stone in range(order.stones):
                touched[stone] |= np.uint64(some[line] >> np.uint32(stones[stone]) & ONE) << np.uint64(line)
        unused = ~(_EVERY >> np.uint64(64 - len(some)))
        half_images(touched, unused, order, low[word], high[word])
        in_high[word] = ~(low[word, -1] | unused)
    low_other, high_other = np.empty_like(low), high[:, ::-1]
    for word in range(words):
        for i in range(len(order.low)):
            low_other[word, i] = low[word, order.low_other[i]]
    mine_low, mine_high, yours_low, yours_high = low, high, low_other, high_other
    if not x_moved:
        mine_low, mine_high, yours_low, yours_high = low_other, high_other, low, high
    meetings = _meetings_of(lines)
    doubtful = np.empty(len(order.low), np.int64)
    for half in range(first, last):
        if order.high_ones[half] < 0:
            continue
        start, stop = order.low_start[order.high_ones[half]], order.low_start[order.high_ones[half] + 1]
        at = order.high_start[half] - order.high_start[first]
        row = block[at : at + stop - start]
        never, several = False, words > 1
        for word in range(words):
            never |= not gravity and in_high[word] & ~yours_high[word, half] != _NONE
        if never:
            row[:] = UNREACHABLE
            continue
        for word in range(words):
            several |= _mark_done(row, mine_low[word, start:stop], mine_high[word, half], byte) != _NONE
        if gravity:
            continue
        for word in range(words):
            _mark_done(row, yours_low[word, start:stop], yours_high[word, half], np.int8(UNREACHABLE))
        if several:
            _mark_apart(row, mine_low[:, start:stop], mine_high[:, half], byte, meetings, doubtful)


@kernel
def _meetings_of(lines: Array) -> Array:
    """The cells that each set of lines has in common, by chunks of eight lines; every cell for none of them."""
    meetings = np.empty(((len(lines) + _CHUNK - 1) // _CHUNK, 1 << _CHUNK), np.uint32)
    for chunk in range(len(meetings)):
        meetings[chunk, 0] = ~np.uint32(0)
        for bit in range(_CHUNK):
            line = _CHUNK * chunk + bit
            cells = lines[line] if line < len(lines) else ~np.uint32(0)
            for others in range(1 << bit):
                meetings[chunk, others | 1 << bit] = meetings[chunk, others] & cells
    return meetings


@kernel
def _mark_done(row: Array, low: Array, high: Any, byte: Any) -> Any:
    """Mark the colourings with a line that neither half touches; the lines that some have with others, a bit each."""
    several = np.uint64(0)
    for i in range(len(row)):
        done = ~(low[i] | high)
        here = row[i]
        row[i] = byte if done != _NONE else here
        several |= done & (done - np.uint64(1))
    return several


@kernel
def _mark_apart(row: Array, low: Array, high: Array, byte: Any, meetings: Array, doubtful: Array) -> None:
    """Mark the colourings that would end the game, but by lines that share no cell.

    Nothing is decided by a jump, because what comes next cannot be foreseen: those with several lines, which are few, are
    noted in `doubtful` and looked at once more.
    """
    words = len(low)
    count = 0
    for i in range(len(row)):
        done = ~(low[0, i] | high[0])
        doubtful[count] = i
        count += (row[i] == byte) & ((words > 1) | (done & (done - np.uint64(1)) != _NONE))
    for j in range(count):
        i = doubtful[j]
        shared = ~np.uint32(0)
        for chunk in range(len(meetings)):
            word = chunk // _CHUNK
            done = ~(low[word, i] | high[word])
            shared &= meetings[chunk, done >> np.uint64(_CHUNK * (chunk % _CHUNK)) & np.uint64(255)]
        if not shared:
            row[i] = UNREACHABLE
