"""What solving a board in blocks will take, said before it is begun.

Layers are counted, not enumerated: how many occupancies of so many stones there are up to symmetry is the mean over the
symmetries of how many each leaves as they are (Burnside), read off a product of polynomials.
"""

import os
import shutil
from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from solver.game import Action, Game, State
from solver.games.mnk import MNK
from solver.packed import is_board, require

_BASE_MEMORY = 256 << 20
"""Bytes that the program and its compiled code take."""
_BYTES_STORED = 0.3
"""Bytes on disk a position: between 0.1 where most are drawn or cannot occur, and 0.35 where wins are mixed."""
_BYTES_A_ROW = 40
_STORING = 12e-9
"""Seconds a position to compress it, hash it and write it, of one processor."""


class Needs(NamedTuple):
    """What a build will take."""

    positions: int
    """Positions that are stored: one of each class of occupancies, those that cannot occur among them."""
    edges: int
    """Moves that lead from one to another."""
    memory: int
    """Bytes of memory at the most."""
    disk: int
    """Bytes on the disk, about."""


def needs_of(game: MNK) -> Needs:
    """What building a board in blocks will take, but for the time.

    >>> needs_of(MNK(5, 5, 4)).positions
    20479891915
    """
    cells = game.board.cells
    colourings = [comb(stones, stones // 2) for stones in range(cells + 1)]
    blocks = block_counts(game)
    sizes = [count * size for count, size in zip(blocks, colourings, strict=True)]
    moves = game.board.width if game.gravity else cells
    # With gravity a move a column is an upper bound, and a layer's marks are kept beside its bytes. A tenth more than the
    # layers is what their rows take on their way to the disk.
    edges = sum(size * min(moves, cells - stones) for stones, size in enumerate(sizes))
    pairs = [one + other for one, other in zip(sizes, [*sizes[1:], 0], strict=True)]
    memory = _BASE_MEMORY + max(pairs) * (16 if game.gravity else 11) // 10 + 5 * sum(blocks)
    return Needs(sum(sizes), edges, memory, int(_BYTES_STORED * sum(sizes)) + _BYTES_A_ROW * sum(blocks))


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


def seconds_of(game: MNK, jobs: int) -> float:
    """About how long a build will take here, told by solving some blocks of the layer with most to do."""
    from solver.packed.calibrate import seconds_an_edge

    needs = needs_of(game)
    passes = 2 if game.gravity else 1
    return (needs.edges * passes * seconds_an_edge(game) + needs.positions * _STORING) / jobs


def refusal(game: MNK, folder: str | None) -> str | None:
    """Why a build cannot be done here, None if it can; `folder` is where it would be stored, None if elsewhere."""
    needs = needs_of(game)
    memory = free_memory()
    if memory is not None and needs.memory > memory:
        return f"{game.spec} takes {size_text(needs.memory)} of memory, and {size_text(memory)} is free"
    if folder is not None:
        free = shutil.disk_usage(folder).free
        if needs.disk > free:
            return f"{game.spec} takes {size_text(needs.disk)} on the disk, and {size_text(free)} is free in {folder!r}"
    return None


def describe(game: Game[State, Action], packed: bool, jobs: int | None = None) -> str:
    """A line that says what a build will take.

    >>> describe(MNK(4, 3, 3), packed=False)
    'mnk:4,3,3: a row a position; how many that are is known once it is solved'
    """
    if not packed or not is_board(game):
        return f"{game.spec}: a row a position; how many that are is known once it is solved"
    require("numpy", "numba", "zstandard")
    jobs = jobs or processors()
    needs = needs_of(game)
    return (
        f"{game.spec}: {needs.positions:,} positions to solve, about {size_text(needs.memory)} of memory,"
        f" {size_text(needs.disk)} on the disk, {time_text(seconds_of(game, jobs))} with {jobs} job{'s' * (jobs > 1)}"
    )


def size_text(size: float) -> str:
    """A number of bytes for people.

    >>> size_text(7_540_000_000), size_text(999)
    ('7.5 GB', '1 kB')
    """
    if size < 1e6:
        return f"{size / 1e3:.0f} kB"
    return f"{size / 1e6:.0f} MB" if size < 1e9 else f"{size / 1e9:.1f} GB"


def time_text(seconds: float) -> str:
    """A time for people.

    >>> time_text(0.2), time_text(75), time_text(1000), time_text(9000)
    ('1 second', '75 seconds', '17 minutes', '2.5 hours')
    """
    if seconds < 1.5:
        return "1 second"
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.1f} hours"


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
