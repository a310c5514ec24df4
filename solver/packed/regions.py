"""Which group a position is in: those that are solved together.

The cells fall into regions that every symmetry keeps, and a group has all positions with so many stones in each region:
the same for all images of an occupancy. A stone more is one more in one region, so a group's moves lead to at most as
many others as there are regions. A group's number counts through the stones in each region, as digits do.

::

    tic-tac-toe     a b a     regions: corners a, edges b and the centre c, of 4, 4 and 1 cells
                    b c b     two corners and an edge taken: group 2 * 10 + 1 * 2 + 0 = 22
                    a b a     its moves lead to three corners and an edge, 32; or 2, 1 and 1: 23; or 2, 2 and 0: 24
"""

from collections.abc import Sequence
from math import prod

from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.estimate import places_of

_MOST = 128
_MEAN = 1 << 19
"""A board has at most `_MOST` groups, or so many that they have `_MEAN` places in the mean."""


def regions_of(game: MNK) -> list[int]:
    """The cells of each region, a bit a cell.

    Cells that a symmetry takes to each other are together, and with gravity those of a column. Smaller boards have
    fewer regions than that, so that solving a group takes longer than going from one to the next.

    >>> [f"{region:09b}" for region in regions_of(MNK(3, 3, 3))]
    ['101000101', '010101010', '000010000']
    """
    cells, width = game.board.cells, game.board.width
    together: dict[int, int] = {}
    for cell in range(cells):
        first = min(permutation[cell] % (width if game.gravity else cells) for permutation in game.permutations)
        together[first] = together.get(first, 0) | 1 << cell
    regions = [together[first] for first in sorted(together)]
    while prod(region.bit_count() + 1 for region in regions) > max(_MOST, places_of(game) // _MEAN):
        # The two smallest, which leaves the most groups.
        one, other = sorted(regions, key=lambda region: (region.bit_count(), region))[:2]
        regions = [one | other if region == one else region for region in regions if region != other]
    return regions


def steps_of(regions: Sequence[int]) -> list[int]:
    """How much a stone more in each region adds to the number of a group.

    >>> steps_of(regions_of(MNK(3, 3, 3)))
    [10, 2, 1]
    """
    sizes = [region.bit_count() + 1 for region in regions]
    return [prod(sizes[place + 1 :]) for place in range(len(regions))]


def group_of(regions: Sequence[int], occupancy: int) -> int:
    """The number of the group that positions with these cells taken are in.

    >>> group_of(regions_of(MNK(3, 3, 3)), 0b100000011)
    22
    """
    return sum((occupancy & region).bit_count() * step for region, step in zip(regions, steps_of(regions), strict=True))
