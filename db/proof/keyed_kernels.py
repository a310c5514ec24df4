"""The inner loops of the proof of a game of whole numbers, compiled. Nothing of the kernels that solve is used here."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.kernel import kernel

Array = Any
ENDLESS = -1
"""Plies where play need not end."""
NEVER = -2
"""Plies that no stored entry can have."""
OVER, FIRST = 2, 1
"""Parts of what the compiled rules call a position's kind: that the game is over, and that it is MAX's turn."""


class Table(NamedTuple):
    """What is stored, in the order of the states, and where to begin to look for one."""

    states: NDArray[np.int64]
    values: NDArray[np.int32]
    """From MAX's side."""
    plies: NDArray[np.int32]
    ply: NDArray[np.int32]
    low: int
    """The lowest state."""
    shift: int
    """How many of the lower bits of the distance from it `starts` passes over."""
    starts: NDArray[np.int64]
    """Where the states begin that are so far above the lowest."""


class Found(NamedTuple):
    """What is found of the positions: whether play reaches them, and their kinds."""

    reached: NDArray[np.uint8]
    kinds: NDArray[np.uint8]


@kernel
def find(table: Table, state: int) -> int:
    """Where a state is, -1 if it is not stored."""
    bucket = state - table.low >> table.shift
    if state < table.low or bucket >= len(table.starts) - 1:
        return -1
    first, last = table.starts[bucket], table.starts[bucket + 1]
    while first < last:
        middle = first + last >> 1
        if table.states[middle] < state:
            first = middle + 1
        else:
            last = middle
    return first if first < len(table.states) and table.states[first] == state else -1


@kernel
def judge(
    table: Table,
    found: Found,
    places: Array,
    size: int,
    kinds: Array,
    utilities: Array,
    starts: Array,
    children: Array,
    ply: int,
    can_repeat: bool,
    endless: int,
    reached: Array,
    missing: Array,
    faults: Array,
) -> tuple[int, int, int]:
    """Hold positions that play reaches after `ply` moves to what the rules and their successors say.

    The `size` positions at `places` have the kinds, utilities and children that the rules gave. Put down are which others are
    reached for the first time, which children are not stored, and the faults: place, right value and right plies. Told is
    how many there are of each.
    """
    news, lacks, wrongs = 0, 0, 0
    its: Any
    left: Any
    for k in range(size):
        at = places[k]
        found.kinds[at] = kinds[k]
        value, plies, known = utilities[k], 0, True
        if kinds[k] < OVER:
            first = True
            for i in range(starts[k], starts[k + 1]):
                child = find(table, children[i])
                if child < 0:
                    missing[lacks] = children[i]
                    lacks += 1
                    known = False
                    continue
                if not found.reached[child]:
                    found.reached[child] = 1
                    reached[news] = child
                    news += 1
                its, left = np.int64(table.values[child]), np.int64(table.plies[child])
                if first or is_better(kinds[k] == FIRST, can_repeat, endless, its, left, value, plies):
                    value, plies, first = its, left, False
            plies = ENDLESS if can_repeat and value == endless else plies + 1 if plies >= 0 else NEVER
        wrong = known and (table.values[at] != value or table.plies[at] != plies)
        if wrong or table.ply[at] != ply:
            if wrongs < len(faults):
                faults[wrongs] = at, value if known else table.values[at], plies if known else table.plies[at]
            wrongs += 1
    return news, lacks, wrongs


@kernel
def is_better(
    for_max: bool, can_repeat: bool, endless: int, value: int, plies: int, than: int, than_plies: int
) -> bool:
    """Whether the mover would rather have a value in so many plies than another."""
    if value != than:
        return value > than if for_max else value < than
    # Plies that are not known, which is told where they are stored, never count.
    if plies < 0 or than_plies < 0:
        return than_plies < 0 <= plies
    worse_than = endless if can_repeat else 0
    delays = value < worse_than if for_max else value > worse_than
    return plies > than_plies if delays else plies < than_plies


@kernel
def settle(table: Table, places: Array, size: int, starts: Array, children: Array, settled: Array) -> None:
    """Mark positions all of whose moves lead to marked ones: those from which play cannot come back."""
    for k in range(size):
        open_ = False
        for i in range(starts[k], starts[k + 1]):
            child = find(table, children[i])
            if child >= 0 and not settled[child]:
                open_ = True
                break
        if not open_:
            settled[places[k]] = 1


@kernel
def first_of_class(states: Array, images: Array, is_first: Array) -> int:
    """Put down which states are the lowest of their images; how many different images those have together.

    `images` says for each symmetry and byte of a state where its bits go.
    """
    count = 0
    seen = np.empty(len(images), np.int64)
    for i in range(len(states)):
        lowest, different = True, 0
        for symmetry in range(len(images)):
            image = np.int64(0)
            for byte in range(8):
                image |= images[symmetry, byte, states[i] >> 8 * byte & 255]
            if image < states[i]:
                lowest = False
                break
            known = False
            for other in range(different):
                known |= seen[other] == image
            if not known:
                seen[different] = image
                different += 1
        is_first[i] = lowest
        if lowest:
            count += different
    return count
