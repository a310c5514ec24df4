"""The packed engine by the edge, beside a plain loop of random gathers: ``python -m bench.packed [GAME...]``.

An edge is a legal move from a stored position. A solver that looks each child up in one large table pays a random gather
for it, so that is what an edge is held against, on as many processors and over a table as large as the largest layer.
"""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Any

import numba
import numpy as np

from bench.measure import Line, alternate
from solver.games import load
from solver.games.mnk import MNK
from solver.packed import is_board
from solver.packed.estimate import processors
from solver.packed.layers import Layers

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
    layers = Layers(game)
    gathers = _gathers(max(layers.sizes), processors())
    seconds = alternate({"solve": lambda: _solve(layers), "gather": gathers}, rounds)
    return _line(layers, game, median(seconds["solve"]), median(seconds["gather"]))


def _line(layers: Layers, game: MNK, solving: float, gathering: float) -> Line:
    name = f"an edge of {game.spec} / a random gather"
    return Line(name, solving / edges_of(layers), gathering / _GATHERS, target=1.0)


def _solve(layers: Layers) -> None:
    for _ in layers.solve(jobs=processors()):
        pass


def edges_of(layers: Layers) -> int:
    """How many legal moves there are from stored positions.

    >>> edges_of(Layers(MNK(3, 3, 3)))
    3773
    """
    total = 0
    for stones, occupancies in enumerate(layers.occupancies):
        moves = layers.cells - stones
        if not layers.rules.gravity:
            total += moves * layers.sizes[stones]
            continue
        tops = np.uint32((1 << layers.rules.width) - 1)
        full = np.bitwise_count(occupancies & tops).astype(np.int64)
        total += int((layers.rules.width - full).sum()) * layers.orders[stones].size
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
    _solve(Layers(MNK(3, 3, 3)))  # loads what was compiled, or compiles it
    for name in sys.argv[1:] or ["mnk:4,4,4", "mnk:5,4,4"]:
        game = load(name)
        if not is_board(game):
            sys.exit(f"{name} is no board")
        layers = Layers(game)
        gathers = _gathers(max(layers.sizes), processors())
        gathers()
        started = time.perf_counter()
        gathers()
        middle = time.perf_counter()
        _solve(layers)
        end = time.perf_counter()
        line = _line(layers, game, end - middle, middle - started)
        print(
            f"{game.spec}: {line.ours * 1e9:.2f} ns an edge, {line.baseline * 1e9:.2f} ns a random gather,"
            f" {processors()} processors; {edges_of(layers):,} edges in {end - middle:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
