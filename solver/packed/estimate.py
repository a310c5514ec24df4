"""What solving a board in blocks will take, worked out before it is begun.

Layers are counted, not enumerated: how many occupancies of so many stones there are up to symmetry is the mean over the
symmetries of how many each leaves as they are (Burnside), read off a product of polynomials.
"""

import os
import shutil
from collections.abc import Sequence
from math import comb

from zermelo.solver.errors import size_text
from zermelo.solver.games.mnk import MNK


def places_of(game: MNK) -> int:
    """How many places a board's blocks have, a byte each: a position of each class, and what cannot occur beside them.

    >>> places_of(MNK(5, 5, 4))
    20479891915
    """
    return sum(count * comb(stones, stones // 2) for stones, count in enumerate(block_counts(game)))


def block_counts(game: MNK) -> list[int]:
    """How many occupancies there are up to symmetry, by the number of stones.

    >>> block_counts(MNK(3, 3, 3))
    [1, 3, 8, 16, 23, 23, 16, 8, 3, 1]
    """
    fixed = [_fixed_occupancies(game, permutation) for permutation in game.permutations]
    return [sum(counts) // len(fixed) for counts in zip(*fixed, strict=True)]


def _fixed_occupancies(game: MNK, permutation: Sequence[int]) -> list[int]:
    """How many occupancies of each number of stones a symmetry leaves as they are."""
    width, height, cells = game.board.width, game.board.height, game.board.cells
    counts = [1] + [0] * cells
    # What moves as one: a cycle of cells, and with gravity a cycle of columns, which fill up from the bottom.
    units = range(width) if game.gravity else range(cells)
    seen: set[int] = set()
    for unit in units:
        length = 0
        while unit not in seen:
            seen.add(unit)
            unit = permutation[unit] % width if game.gravity else permutation[unit]
            length += 1
        if length:
            levels = range(0, length * (height if game.gravity else 1) + 1, length)
            counts = [sum(counts[stones - taken] for taken in levels if taken <= stones) for stones in range(cells + 1)]
    return counts


def refusal(spec: str, needed: int, folder: str | None) -> str | None:
    """Why a build cannot be stored in `folder`, None if it can or where it goes elsewhere; it takes `needed` bytes."""
    if folder is not None and needed > (free := shutil.disk_usage(folder).free):
        return f"{spec} takes {size_text(needed)} on the disk, and {size_text(free)} is free in {folder!r}"
    return None


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_memory() -> int | None:
    """How many bytes of memory can be had now, None where it is not told."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return None


def resident_memory() -> int | None:
    """How many bytes of memory this process takes now, None where it is not told."""
    try:
        with open("/proc/self/statm", encoding="ascii") as line:
            return int(line.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return None
