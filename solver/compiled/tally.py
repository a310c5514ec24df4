"""Counting a solution of whole numbers: by ply and outcome, in how many classes, and from the mover's side."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.census import Category, Tally
from zermelo.solver.compiled.kernels import FIRST, OVER, count_classes
from zermelo.solver.compiled.retrograde import Solved
from zermelo.solver.images import are_lowest

_AT_ONCE = 1 << 20


class Counts(NamedTuple):
    """What a census says of a solution."""

    counts: dict[Category, Tally]
    longest: int | None
    """The most plies of any win or loss."""
    mover_wins: int
    mover_losses: int


def count(solved: Solved, symmetries: Sequence[Callable[[int], int]]) -> Counts:
    """Count the positions and their classes."""
    groups = len(solved.values) * 2
    size = (int(solved.ply.max()) + 1) * groups
    positions, classes = np.zeros(size, np.int64), np.zeros(size, np.int64)
    first = _first_of_class(solved.states, symmetries)
    movers = np.zeros(2, np.int64)
    longest: int | None = None
    for begin in range(0, len(solved.states), _AT_ONCE):
        here = slice(begin, begin + _AT_ONCE)
        kinds, ranks = solved.kinds[here], solved.ranks[here]
        group = solved.ply[here].astype(np.int64) * groups + ranks * 2 + (kinds >= OVER)
        positions += np.bincount(group, minlength=size)
        classes += np.bincount(group[first[here]], minlength=size)
        values, plies = solved.values[ranks], solved.plies[here]
        decided = values != 0
        wins = (values > 0) == (kinds % OVER == FIRST)
        movers += int((wins & decided).sum()), int((~wins & decided).sum())
        ending = plies[decided & (plies != solved.no_plies)]
        if len(ending):
            longest = max(longest or 0, int(ending.max()))
    counts = {}
    for group in positions.nonzero()[0].tolist():
        ply, rest = divmod(group, groups)
        category = Category(ply, bool(rest % 2), int(solved.values[rest // 2]))
        counts[category] = Tally(int(positions[group]), int(classes[group]))
    return Counts(dict(sorted(counts.items())), longest, int(movers[0]), int(movers[1]))


def _first_of_class(states: NDArray[np.int64], symmetries: Sequence[Callable[[int], int]]) -> NDArray[np.bool_]:
    """Which states have the lowest number of all that are like them."""
    first = np.ones(len(states), np.bool_)
    if len(symmetries) == 1:
        return first
    tables = _tables(symmetries)
    sample = states[:: max(1, len(states) // 10_000)]
    # Most symmetries move bits, each to a place of its own: looked up by the byte, they take nanoseconds. That each
    # class is then counted once for each of its members shows that these do.
    agree = all(_agrees(symmetry, table, sample) for symmetry, table in zip(symmetries, tables, strict=True))
    if agree and count_classes(states, tables, first) == len(states):
        return first
    return are_lowest(symmetries, states)


def _tables(symmetries: Sequence[Callable[[int], int]]) -> NDArray[np.int64]:
    """For each symmetry, byte of a state and what the byte may be, where its bits go."""
    tables = np.zeros((len(symmetries), 8, 256), np.int64)
    for of_symmetry, symmetry in zip(tables, symmetries, strict=True):
        for place in range(8):
            for byte in range(256 if place < 7 else 128):
                try:
                    of_symmetry[place, byte] = symmetry(byte << 8 * place)
                except Exception:
                    of_symmetry[place, byte] = -1  # a number that is no state: then states do not agree either
    return tables


def _agrees(symmetry: Callable[[int], int], table: NDArray[np.int64], states: NDArray[np.int64]) -> bool:
    images = np.zeros_like(states)
    for place in range(8):
        images |= table[place][states >> 8 * place & 255]
    return images.tolist() == [symmetry(state) for state in states.tolist()]
