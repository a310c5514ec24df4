"""How long a build will take here and how much memory, told by doing a little of it."""

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
_STORING = 22e-9
"""Seconds of one processor to compress a place, hash it and write it."""
_STARTING = 1.5
"""Seconds before the first group and after the last."""


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


def seconds_of(groups: Groups, jobs: int) -> float:
    """About how long a build will take with so many processors, if nobody else uses them."""
    places = np.zeros(groups.cells + 1)
    for stones, size in zip(groups.stones, groups.sizes, strict=True):
        places[stones] += size
    # Where a sixth, a half and five sixths of the places are: among those with few stones there are hardly any.
    shares = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    tried = sorted(set(np.searchsorted(np.cumsum(places), shares * places.sum()).tolist()))
    with ThreadPoolExecutor(jobs) as pool:
        rates = [_seconds_a_place(groups, stones, jobs, pool) for stones in tried]
    solving = float((np.interp(np.arange(groups.cells + 1), tried, rates) * places).sum())
    return _STARTING + (solving + _STORING * float(places.sum())) / jobs


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
