"""Which colourings of a block have no line in their high half, compiled: no move is looked at from the others."""

from typing import Any

import numpy as np

from zermelo.solver.kernel import kernel
from zermelo.solver.packed.cells import ONE, Array
from zermelo.solver.packed.tables import Order, Rules


@kernel
def mark_live(
    occupancy: Any, stones: Array, rules: Rules, order: Order, live: Array, of_max: bool, of_min: bool
) -> None:
    """Mark the high halves without a line of MAX's, or of MIN's, or of either's.

    Whatever the low half is, with a line the game is over, or was before it came to that: no move is looked at.
    """
    live[:] = True
    if order.low_bits == order.stones:
        return
    lowest = np.uint32(stones[order.low_bits])
    high = occupancy >> lowest << lowest
    for line in rules.lines:
        if line & high != line:
            continue
        inside = np.int64(0)
        for stone in range(order.low_bits, order.stones):
            inside |= np.int64(line >> np.uint32(stones[stone]) & ONE) << stone - order.low_bits
        for half in range(len(live)):
            theirs = half & inside
            live[half] &= not ((of_max and theirs == 0) or (of_min and theirs == inside))


@kernel
def live_runs(live: Array, order: Order, first: int, last: int, runs: Array) -> int:
    """Where the colourings of live high halves that follow each other begin and end, and how many such runs there are."""
    count = 0
    half = first
    while half < last:
        start = order.high_start[half]
        while half < last and live[half]:
            half += 1
        if start < order.high_start[half]:
            runs[count, 0], runs[count, 1] = start, order.high_start[half]
            count += 1
        half += 1
    return count
