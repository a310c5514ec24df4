"""The packed engine by the edge, beside a plain loop of random gathers: ``python -m bench.packed [GAME...]``.

An edge is a legal move from a stored position. A solver that looks each child up in one large table pays a random gather
for it, so that is what an edge is held against, on as many processors and over a table as large as the largest layer.
"""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import comb
from statistics import median
from typing import Any

import numba
import numpy as np

from bench.measure import Line, alternate
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import knows
from zermelo.solver.packed.estimate import block_counts, processors
from zermelo.solver.packed.groups import Groups
from zermelo.solver.packed.solve import solved_groups

_GATHERS = 1 << 24


@numba.njit(cache=True, nogil=True)
def _gather(table: Any, places: Any) -> int:
    total = 0
    for place in places:
        total += table[place]
    return total


def lines(rounds: int) -> Iterator[Line]:
    """The comparison for a board that is solved in seconds."""
    yield compare_with_gathers(MNK(5, 4, 4), min(rounds, 5))


def compare_with_gathers(game: MNK, rounds: int) -> Line:
    """Seconds an edge, and seconds a random gather, measured in turns."""
    gathers = _gathers(largest_layer(game), processors())
    seconds = alternate({"solve": lambda: _solve(game), "gather": gathers}, rounds)
    return _line(game, median(seconds["solve"]), median(seconds["gather"]))


def _line(game: MNK, solving: float, gathering: float) -> Line:
    name = f"an edge of {game.spec} / a random gather"
    return Line(name, solving / edges_of(Groups(game)), gathering / _GATHERS, target=1.0)


def _solve(game: MNK) -> None:
    for _ in solved_groups(game, processors()):
        pass


def largest_layer(game: MNK) -> int:
    """How many places the positions with one number of stones have at the most."""
    return max(count * comb(stones, stones // 2) for stones, count in enumerate(block_counts(game)))


def edges_of(groups: Groups) -> int:
    """How many legal moves there are from stored positions.

    >>> edges_of(Groups(MNK(3, 3, 3)))
    3773
    """
    total = 0
    for stones, size, occupancies in zip(groups.stones, groups.sizes, groups.occupancies, strict=True):
        if not groups.rules.gravity:
            total += (groups.cells - stones) * size
            continue
        tops = np.uint32((1 << groups.rules.width) - 1)
        full = np.bitwise_count(occupancies & tops).astype(np.int64)
        total += int((groups.rules.width - full).sum()) * groups.orders[stones].size
    return total


def _gathers(size: int, jobs: int) -> Callable[[], object]:
    """The loop that fetches bytes from random places of a table."""
    chance = np.random.default_rng(1)
    table = chance.integers(-25, 25, size, dtype=np.int8)
    shares = np.array_split(chance.integers(0, size, _GATHERS, dtype=np.uint32), jobs)

    def gather() -> None:
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(_gather, [table] * jobs, shares))

    return gather


def main() -> None:
    """Solve the games that are named once each, without storing them."""
    _solve(MNK(3, 3, 3))  # loads what was compiled, or compiles it
    for name in sys.argv[1:] or ["mnk:4,4,4", "mnk:5,4,4"]:
        game = load(name)
        if not knows(game):
            sys.exit(f"{name} is no board")
        gathers = _gathers(largest_layer(game), processors())
        gathers()
        started = time.perf_counter()
        gathers()
        middle = time.perf_counter()
        _solve(game)
        end = time.perf_counter()
        line = _line(game, end - middle, middle - started)
        print(
            f"{game.spec}: {line.ours * 1e9:.2f} ns an edge, {line.baseline * 1e9:.2f} ns a random gather,"
            f" {processors()} processors; {edges_of(Groups(game)):,} edges in {end - middle:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
