"""Where many positions are found among the blocks, and what their bytes say, all at once with NumPy; see `blocks`.

Positions come as two arrays of sets of cells, a bit a cell: the taken ones, and MIN's among them.
"""

from collections.abc import Callable
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.games.mnk import MNK

Numbers = NDArray[np.int64]
Bytes = NDArray[np.int8]


def cells_of(states: Numbers) -> tuple[Numbers, Numbers]:
    """The taken cells of each state, and MIN's, from the two bits that a state has for a cell.

    >>> [cells.tolist() for cells in cells_of(np.array([0x12, 0x21]))]
    [[5, 5], [1, 4]]
    """
    return _every_second_bit(states | states >> 1), _every_second_bit(states >> 1)


def _every_second_bit(bits: Numbers) -> Numbers:
    bits = bits & 0x5555555555555555
    for shift, mask in ((1, 0x3333333333333333), (2, 0x0F0F0F0F0F0F0F0F), (4, 0x00FF00FF00FF00FF),
                        (8, 0x0000FFFF0000FFFF), (16, 0x00000000FFFFFFFF)):  # fmt: skip
        bits = (bits | bits >> shift) & mask
    return bits


def places_of(game: MNK, taken: Numbers, of_min: Numbers) -> tuple[Numbers, Numbers]:
    """The occupancy of each position's block and its place there, as `blocks.place_of` says of one.

    >>> game = MNK(3, 3, 3)
    >>> states = np.array([game.parse("..X/.O./..."), game.parse("O../.X./...")])
    >>> occupancies, places = places_of(game, *cells_of(states))
    >>> occupancies.tolist(), places.tolist()
    ([17, 17], [1, 0])
    """
    occupancies, chosen = taken, of_min
    for images in _images(game):
        image = _moved(images, taken)
        smaller = image < occupancies
        occupancies = np.where(smaller, image, occupancies)
        chosen = np.where(smaller, _moved(images, of_min), chosen)

    ways = _ways(game.board.cells)
    places, stone, count = (np.zeros(len(taken), dtype=np.int64) for _ in range(3))
    for cell in range(game.board.cells):
        is_chosen = chosen >> cell & 1
        count += is_chosen
        places += is_chosen * ways[stone, count]
        stone += occupancies >> cell & 1
    return occupancies, places


def outcomes(codes: Bytes, cells: int, stones: Any) -> tuple[Numbers, Numbers]:
    """Values from MAX's side and plies, as `blocks.outcome` says of one byte; of what cannot occur they mean nothing.

    >>> [column.tolist() for column in outcomes(np.array([5, -1, 0], dtype=np.int8), 9, np.array([2, 9, 4]))]
    [[1, -1, 0], [3, 0, 5]]
    """
    wide = codes.astype(np.int64)
    left = cells - stones
    return np.sign(wide), np.where(wide == 0, left, left + 1 - np.abs(wide))


def best_cells(
    game: MNK, taken: Numbers, of_min: Numbers, codes: Bytes, codes_of: Callable[[Numbers, Numbers], Bytes]
) -> Numbers:
    """The best move from each unfinished position, -1 where `codes_of` knows of none.

    It is the first in the game's order after which the byte is the same: a byte is the best of its children's.
    """
    board = game.board
    best = np.full(len(taken), -1, dtype=np.int64)
    turn_of_min = np.bitwise_count(taken) % 2 == 1
    for cell in moves_in_order(game):
        legal = (taken >> cell & 1 == 0) & (best < 0)
        if game.gravity and cell + board.width < board.cells:
            legal &= taken >> cell + board.width & 1 == 1
        tried = np.flatnonzero(legal)
        if len(tried):
            added = np.where(turn_of_min[tried], 1 << cell, 0)
            same = codes_of(taken[tried] | 1 << cell, of_min[tried] | added) == codes[tried]
            best[tried[same]] = cell
    return best


def moves_in_order(game: MNK) -> list[int]:
    """All cells as the game orders its actions: by columns where stones fall.

    >>> from zermelo.solver.games.connect import Connect
    >>> moves_in_order(MNK(2, 2, 2)), moves_in_order(Connect(2, 2, 2))
    ([0, 1, 2, 3], [0, 2, 1, 3])
    """
    cells = range(game.board.cells)
    return sorted(cells, key=lambda cell: cell % game.board.width) if game.gravity else list(cells)


@lru_cache(maxsize=4)
def _images(game: MNK) -> list[Numbers]:
    """For each symmetry but the identity, where eight cells at a time go to: tables of the images of their fillings."""
    tables = []
    for cells_to in game.permutations[1:]:
        table = np.zeros((-(-len(cells_to) // 8), 256), np.int64)
        for cell, to in enumerate(cells_to):
            table[cell // 8] |= (np.arange(256) >> cell % 8 & 1) << to
        tables.append(table)
    return tables


def _moved(images: Numbers, cells: Numbers) -> Numbers:
    """The sets of cells after a symmetry."""
    moved: Numbers = images[0].take(cells & 255)
    for eight in range(1, len(images)):
        moved |= images[eight].take(cells >> 8 * eight & 255)
    return moved


@lru_cache(maxsize=4)
def _ways(cells: int) -> Numbers:
    return np.array([[comb(n, k) for k in range(cells + 2)] for n in range(cells + 1)])
