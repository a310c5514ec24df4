"""What the kernels look things up in: the board's lines and symmetries, and the order of colourings in a layer.

A layer's colourings are the ways to give `stones` stones, numbered in the order of their cells, to the two sides:
bit i of a colouring is set where stone i is MIN's. Listed as numbers from small to large they are in colex order, and
their rank is the sum over MIN's stones, the j-th of them (from 1) being stone p, of C(p, j). Cut into a low and a high
half, a colouring's rank is the sum of one table look-up a half: how many of MIN's stones lie in the low half is known
from the high half, because a layer's colourings all have the same number of them.
"""

from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.games.mnk import MNK

Bits = NDArray[np.uint32]
Sizes = NDArray[np.int64]
_CHUNK = 8  # cells whose images are looked up at once
_SHORT = 8
"""Places for a new stone, from the lowest, where going run by run would take longer than looking up every colouring."""
_MOST_PLACES = 1 << 18
"""Colourings of which every one's new rank is kept, at the most; of more, what their low halves add to it."""


class Rules(NamedTuple):
    """A game in arrays."""

    cells: int
    width: int
    gravity: bool
    misere: bool
    permutations: NDArray[np.int64]
    """Where each symmetry takes each cell."""
    images: NDArray[np.uint32]
    """Where each symmetry takes each set of cells, by chunks of eight."""
    lines: NDArray[np.uint32]
    """The cells of each line."""


class Order(NamedTuple):
    """The colourings of one layer in order, each a high half and a low half."""

    stones: int
    size: int
    """How many colourings there are."""
    low_bits: int
    low: Bits
    """The low halves, those with fewer bits first, equals in order."""
    low_rest: Sizes
    """Where the same low half without its lowest bit is."""
    low_first: Sizes
    """The lowest bit's number."""
    low_other: Sizes
    """Where the low half with every bit flipped is."""
    low_start: Sizes
    """Where the low halves with so many bits start."""
    high_ones: Sizes
    """How many of MIN's stones a high half leaves for the low one; -1 where no low half fits."""
    high_start: Sizes
    """Where the colourings with this high half start."""
    low_rank: Bits
    """What a low half adds to the rank."""
    high_rank: Bits
    """What a high half adds to the rank."""


class Insertions(NamedTuple):
    """Where the colourings of one layer are in the next when a stone is put between the others and none of them moves.

    Colourings that differ only in the stones below the new one follow each other in both layers: they make a run.
    """

    short: int
    """How many of the lowest places for the new stone have runs too short to go by."""
    places: Bits
    """For each of those, the new rank of every colouring; nothing where there are too many."""
    low_rank: Bits
    """Where there are, what every low half adds to the new rank, without what it carries over to the high half."""
    carries: int
    """1 where the low half gets no longer, so that its highest bit becomes the lowest of the high half; else 0."""
    carried: Sizes
    """Where, among the low halves with so many bits, those start that carry a bit over."""
    first_run: Sizes
    """Where the runs of each of the higher places start."""
    start: Sizes
    """The rank of a run's first colouring, with the number of colourings after a place's last run."""
    target: Sizes
    """The rank that it has in the next layer."""


def rules_of(game: MNK) -> Rules:
    """The arrays of a game."""
    cells = game.board.cells
    permutations = np.array(game.permutations, dtype=np.int64)
    images = np.zeros((len(permutations), 4, 1 << _CHUNK), dtype=np.uint32)
    for symmetry, permutation in enumerate(game.permutations):
        for cell, target in enumerate(permutation):
            chunk, bit = divmod(cell, _CHUNK)
            with_cell = (np.arange(1 << _CHUNK) >> bit & 1).astype(bool)
            images[symmetry, chunk, with_cell] |= np.uint32(1 << target)
    lines = [sum(1 << cell for cell in range(cells) if line >> 2 * cell & 1) for line in game.lines]
    return Rules(
        cells=cells,
        width=game.board.width,
        gravity=game.gravity,
        misere=game.misere,
        permutations=permutations,
        images=images,
        lines=np.array(lines, dtype=np.uint32),
    )


def order_of(stones: int) -> Order:
    """The order of the colourings of a layer.

    >>> order = order_of(4)
    >>> order.size, order.low_bits, order.low.tolist(), order.high_start.tolist()
    (6, 2, [0, 1, 2, 3], [0, 1, 3, 5, 6])
    """
    ones = stones // 2
    low_bits = (stones + 1) // 2
    high_bits = stones - low_bits
    halves: Any = np.arange(1 << low_bits)
    counts = np.bitwise_count(halves).astype(np.int64)
    low = halves[np.lexsort((halves, counts))]
    place = np.empty_like(low)
    place[low] = halves
    left = ones - counts[: 1 << high_bits]
    fits = (left >= 0) & (left <= low_bits)
    choices = np.array([comb(low_bits, bits) for bits in range(low_bits + 1)], dtype=np.int64)
    return Order(
        stones=stones,
        size=comb(stones, ones),
        low_bits=low_bits,
        low=low.astype(np.uint32),
        low_rest=place[low & (low - 1) & (len(low) - 1)].astype(np.int64),
        low_first=np.bitwise_count((low & -low) - 1).astype(np.int64),
        low_other=place[len(low) - 1 - low].astype(np.int64),
        low_start=np.concatenate([[0], np.cumsum(choices)]),
        high_ones=np.where(fits, left, -1),
        high_start=np.concatenate([[0], np.cumsum(np.where(fits, choices[np.clip(left, 0, low_bits)], 0))]),
        low_rank=_ranks(low_bits, 0, np.zeros(1 << low_bits, dtype=np.int64)),
        high_rank=_ranks(high_bits, low_bits, np.maximum(left, 0)),
    )


def insertions_of(order: Order, below: Order) -> Insertions:
    """Where the colourings of a layer are in the one `below` it, with one stone more: MAX's if he is to move.

    >>> insertions = insertions_of(order_of(2), order_of(3))
    >>> insertions.places.tolist(), insertions_of(order_of(3), order_of(4)).places[:, :2].tolist()
    ([[1, 2], [0, 2], [0, 1]], [[0, 1], [0, 2], [1, 2], [3, 4]])
    """
    stones, ones = order.stones, order.stones // 2
    added = stones % 2
    places = low_rank = np.zeros((0, 0), dtype=np.uint32)
    if order.size <= _MOST_PLACES:
        short = min(_SHORT, stones + 1)
        halves = np.repeat(np.arange(len(order.high_ones)), np.diff(order.high_start))
        lows = [order.low[order.low_start[left] : order.low_start[left + 1]] for left in order.high_ones if left >= 0]
        colourings = halves << order.low_bits | np.concatenate(lows)
        ranks = [_ranked(below, _inserted(colourings, place, added)) for place in range(short)]
        places = np.array(ranks, dtype=np.uint32)
    else:
        short = min(_SHORT, order.low_bits)
        longer = [_inserted(order.low.astype(np.int64), place, added) for place in range(short)]
        low_rank = below.low_rank[
            np.array(longer, dtype=np.int64).reshape(short, len(order.low)) & (1 << below.low_bits) - 1
        ]
    carries = int(below.low_bits == order.low_bits)
    ends = [comb(order.low_bits - carries, bits) for bits in range(order.low_bits + 1)]
    first_run, starts, targets = [0], [], []
    for place in range(stones + 1):
        if place >= short:
            above = np.arange(1 << stones - place)
            left = ones - np.bitwise_count(above).astype(np.int64)
            above, left = above[(left >= 0) & (left <= place)], left[(left >= 0) & (left <= place)]
            lengths = np.array([comb(place, count) for count in range(ones + 1)], dtype=np.int64)[left]
            starts.append(np.concatenate([[0], np.cumsum(lengths)]))
            lowest = _inserted(above << place | (1 << left) - 1, place, added)
            targets.append(np.append(_ranked(below, lowest), 0))
        first_run.append(sum(map(len, starts)))
    return Insertions(
        short,
        places,
        low_rank,
        carries,
        order.low_start[:-1] + np.array(ends, dtype=np.int64),
        np.array(first_run, dtype=np.int64),
        np.concatenate([np.zeros(0, dtype=np.int64), *starts]),
        np.concatenate([np.zeros(0, dtype=np.int64), *targets]),
    )


def _inserted(colourings: Sizes, place: int, added: int) -> Sizes:
    """Colourings with a bit more at `place`."""
    return colourings >> place << place + 1 | added << place | colourings & (1 << place) - 1


def _ranked(order: Order, colourings: Sizes) -> Sizes:
    """The ranks of colourings."""
    low, high = colourings & (1 << order.low_bits) - 1, colourings >> order.low_bits
    ranks: Sizes = order.low_rank[low].astype(np.int64) + order.high_rank[high].astype(np.int64)
    return ranks


def _ranks(bits: int, shift: int, before: Sizes) -> Bits:
    """What each half adds to a rank, when its lowest bit is stone `shift` and it comes after `before` of MIN's."""
    halves = np.arange(1 << bits)
    ranks, count = np.zeros(1 << bits, dtype=np.int64), before.copy()
    for bit in range(bits):
        taken = halves >> bit & 1
        count += taken
        ranks += taken * np.array([comb(shift + bit, chosen) for chosen in range(64)])[count]
    # Halves that no colouring has get ranks that nothing asks for.
    return (ranks & 0xFFFFFFFF).astype(np.uint32)
