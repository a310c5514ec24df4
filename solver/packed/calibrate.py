"""What a build will take here: time, told by doing a little of it, memory, worked out, and disk, told by a sample."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from zermelo.solver.packed.groups import Groups
from zermelo.solver.packed.solve import in_order
from zermelo.solver.packed.work import NO_BITS, Bits, Values, reach_group, room, solve_group

_BASE_MEMORY = 200 << 20
"""Bytes that the program and its compiled code take."""
_LARGEST = 1 << 23
"""Places of a group that is tried, at the most."""
_SAMPLES = 3
"""Numbers of stones that are tried."""
_STORING_A_PLACE = 11e-9
_STORING_A_ROW = 18e-6
"""Seconds of one processor to compress, hash and write, as measured: what each byte takes, and what each row."""
_STARTING = 2.5
"""Seconds before the first group and after the last."""
_BYTES_STORED = {3: 0.42, 4: 0.3}
"""Bytes on the disk for a place that may occur, by how many make a line, as measured on boards of 25 cells."""
_BYTES_WITH_LINES = 0.025
"""The same where more make a line, and most positions are drawn, times the root of the number of lines."""
_BYTES_IN_ROWS = {3: 1.9, 4: 1.2}
_LARGER_BLOCKS = -0.3
"""The same where all lines lie in rows, times this power of the places of a block: the larger a block, the more of it is alike.

As measured on boards of one row and of two, of 16 to 30 cells.
"""
_MISERE = {3: 1.4, 4: 1.1}
"""How many times as many a misere board takes."""
_BYTES_A_ROW = 40
_TRIED = 2000
"""Positions with each number of stones of which it is seen whether they may occur."""


def memory_of(groups: Groups, jobs: int, limit: int | None = None) -> int:
    """Bytes that a build takes at the most: what waits for its readers, and what is in hand."""
    if limit is not None:
        return min(limit, memory_of(groups, jobs))
    readers = [sum(1 for _ in groups.parents(number)) for number in range(len(groups))]
    held = most = 0
    for number in in_order(groups):
        held += groups.sizes[number]
        most = max(most, held + (jobs + 1) * groups.sizes[number])
        for _, child in groups.children(number):
            readers[child] -= 1
            if not readers[child]:
                held -= groups.sizes[child]
    return _BASE_MEMORY + most + 5 * sum(map(len, groups.occupancies))


def disk_of(groups: Groups) -> int:
    """About how many bytes a solution takes on the disk.

    Places that cannot occur take next to nothing, and the others the less the larger the blocks are.
    """
    rules, rows = groups.rules, sum(map(len, groups.occupancies))
    length = int(rules.lines[0]).bit_count() if len(rules.lines) else 0
    if rules.cells // rules.width < length and length in _BYTES_IN_ROWS:
        a_place = _BYTES_IN_ROWS[length] * (sum(groups.sizes) / rows) ** _LARGER_BLOCKS
    elif length in _BYTES_STORED:
        a_place = _BYTES_STORED[length] * 25 / groups.cells
    else:
        a_place = _BYTES_WITH_LINES * len(rules.lines) ** 0.5
    if rules.misere:
        a_place *= _MISERE.get(length, 1)
    return int(a_place * _may_occur(groups)) + _BYTES_A_ROW * rows


def _may_occur(groups: Groups) -> float:
    """About how many places have a position whose lines could have come about, though not by every way to fill the board."""
    chance = np.random.default_rng(groups.cells)
    lines = groups.rules.lines
    found = 0.0
    for stones, order in enumerate(groups.orders[:-1]):
        here = [some for some, count in zip(groups.occupancies, groups.stones, strict=True) if count == stones]
        occupancies = np.concatenate(here)
        tried = chance.choice(occupancies, _TRIED)
        # A random number for each stone, and MIN has the smallest.
        drawn = np.where(
            tried[:, None] >> np.arange(groups.cells, dtype=np.uint32) & 1, chance.random((_TRIED, groups.cells)), 2
        )
        of_min = drawn.argsort(axis=1).argsort(axis=1) < order.stones // 2
        theirs = (of_min.astype(np.uint32) << np.arange(groups.cells, dtype=np.uint32)).sum(axis=1, dtype=np.uint32)
        last, other = (tried ^ theirs, theirs) if stones % 2 else (theirs, tried ^ theirs)
        done = last[:, None] & lines == lines
        shared = np.bitwise_and.reduce(np.where(done, lines, np.uint32(0xFFFFFFFF)), axis=1)
        may = (shared != 0) & ~(other[:, None] & lines == lines).any(axis=1)
        found += float(may.mean()) * len(occupancies) * order.size
    return found


def seconds_of(groups: Groups, jobs: int) -> float:
    """About how long a build will take with so many processors, if nobody else uses them."""
    places, largest = np.zeros(groups.cells + 1), np.zeros(groups.cells + 1)
    for stones, size in zip(groups.stones, groups.sizes, strict=True):
        places[stones] += size
        largest[stones] = max(largest[stones], size)
    # Where a sixth, a half and five sixths of the places are: among those with few stones there are hardly any.
    shares = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    tried = sorted(set(np.searchsorted(np.cumsum(places), shares * places.sum()).tolist()))
    with ThreadPoolExecutor(jobs) as pool:
        rates = [_seconds_a_place(groups, stones, jobs, pool) for stones in tried]
    # A layer takes no less than its largest group: one processor solves that, and on tall boards with gravity it is all.
    waited = np.maximum(places / jobs, largest)
    a_place = np.interp(np.arange(groups.cells + 1), tried, rates) + _STORING_A_PLACE
    return _STARTING + float((a_place * waited).sum()) + _STORING_A_ROW * sum(map(len, groups.occupancies)) / jobs


def _seconds_a_place(groups: Groups, stones: int, jobs: int, pool: ThreadPoolExecutor) -> float:
    """Seconds of a processor for one place of a group, with every other processor as busy."""
    here = [number for number in range(len(groups)) if groups.stones[number] == stones]
    number = max(here, key=lambda one: (groups.sizes[one] <= _LARGEST, min(groups.sizes[one], _LARGEST)))
    chance = np.random.default_rng(stones)
    noise = chance.integers(-3, 4, 1 << 20, dtype=np.int8)

    def filled(size: int) -> Values:
        values = room(size)
        for first in range(0, size, len(noise)):
            values[first : first + len(noise)] = noise[: size - first]
        return values

    def bits(size: int) -> Bits:
        return filled(size // 8 + 1).view(np.uint8)

    def children() -> Iterator[tuple[int, int, Values]]:
        yield from ((region, child, made[child]) for region, child in groups.children(number))

    def parents() -> Iterator[tuple[int, int, Bits]]:
        yield from ((region, parent, bits_of[parent]) for region, parent in groups.parents(number))

    made = {child: filled(groups.sizes[child]) for _, child in groups.children(number)}
    bits_of = {parent: bits(groups.sizes[parent]) for _, parent in groups.parents(number)}
    reached = bits(groups.sizes[number]) if groups.rules.gravity else NO_BITS

    def work(_job: int) -> float:
        taken = _timed(lambda: solve_group(groups, number, children(), reached))
        return taken + (_timed(lambda: reach_group(groups, number, parents())) if groups.rules.gravity else 0.0)

    smallest = len(groups) - 1  # the full board, or what compiles or loads everything in no time
    solve_group(groups, smallest, (), bits(groups.sizes[smallest]) if groups.rules.gravity else NO_BITS)
    work(0)
    return max(pool.map(work, range(jobs))) / groups.sizes[number]


def _timed(work: Callable[[], object]) -> float:
    started = time.thread_time()
    work()
    return time.thread_time() - started
