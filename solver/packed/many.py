"""Where many positions are found among the blocks, all at once with NumPy; see `blocks`."""

from math import comb

import numpy as np
from numpy.typing import NDArray

from solver.games.mnk import MNK

Numbers = NDArray[np.int64]


def places_of(game: MNK, states: Numbers) -> tuple[Numbers, Numbers]:
    """The occupancy of each position's block and its place there, as `blocks.place_of` says of one.

    >>> game = MNK(3, 3, 3)
    >>> occupancies, places = places_of(game, np.array([game.parse("..X/.O./..."), game.parse("O../.X./...")]))
    >>> occupancies.tolist(), places.tolist()
    ([17, 17], [1, 0])
    """
    cells = game.board.cells
    # A stone is a bit for the occupancy, and one of MIN's another among the lower ones: the least number then is the
    # least occupancy.
    stones = []
    for cell in range(cells):
        of_min = states >> 2 * cell + 1 & 1
        stones.append((states >> 2 * cell & 1 | of_min) << cells | of_min)
    least = np.full(len(states), np.iinfo(np.int64).max)
    for cells_to in game.permutations:
        image = np.zeros(len(states), dtype=np.int64)
        for stone, to in zip(stones, cells_to, strict=True):
            image |= stone << to
        np.minimum(least, image, out=least)
    occupancies = least >> cells
    ways = np.array([[comb(n, k) for k in range(cells + 1)] for n in range(cells + 1)])
    places, before, chosen = (np.zeros(len(states), dtype=np.int64) for _ in range(3))
    for cell in range(cells):
        of_min = least >> cell & 1
        chosen += of_min
        places += of_min * ways[before, chosen]
        before += occupancies >> cell & 1
    return occupancies, places
