"""Where a position is found among the blocks, and what its byte says.

The positions of one layer (so many stones) are grouped by occupancy: which cells are taken. Of occupancies that
symmetries take to each other, the smallest number, a bit a cell, stands for all. A block holds one signed byte for each
way to colour its stones, ordered by the colex rank of MIN's subset of them.

A byte is 0 for a draw. For a win of MAX's it is one more than the number of cells still empty when the game ends, for a
win of MIN's the negative of that. So the earlier win is the larger number, both sides prefer as numbers compare, and a
position's byte is simply the best of its children's: when the game ends does not depend on how far off it is. Draws
fill the board, so that 0 says when they end too.
"""

from collections.abc import Iterator
from math import comb

from solver.games.mnk import MNK

UNREACHABLE = -128
"""The byte of a colouring that cannot occur in a game."""


def outcome(byte: int, cells: int, stones: int) -> tuple[int, int] | None:
    """The value from MAX's side and the plies to the end that a byte stands for, None where it is no position.

    >>> outcome(5, cells=9, stones=2), outcome(-1, cells=9, stones=9), outcome(0, cells=9, stones=4)
    ((1, 3), (-1, 0), (0, 5))
    """
    if byte == UNREACHABLE:
        return None
    if not byte:
        return 0, cells - stones
    return (1 if byte > 0 else -1), cells + 1 - abs(byte) - stones


def place_of(game: MNK, state: int) -> tuple[int, int]:
    """The occupancy of the block that a position is in, and its place there.

    >>> game = MNK(3, 3, 3)
    >>> place_of(game, game.parse("..X/.O./...")), place_of(game, game.parse("O../.X./..."))
    ((17, 1), (17, 0))
    """
    stones = game.board.stones
    images = [symmetry(state) for symmetry in game.symmetries]
    occupied, image = min([((image | image >> 1) & stones, image) for image in images])
    occupancy = rank = stone = of_min = 0
    cell = 0
    while occupied:
        if occupied & 1:
            occupancy |= 1 << cell
            if image & 2:
                of_min += 1
                rank += comb(stone, of_min)
            stone += 1
        occupied >>= 2
        image >>= 2
        cell += 1
    return occupancy, rank


def states_from(occupancy: int, place: int, cells: int) -> Iterator[int]:
    """The states of a block in the order of its bytes from `place` on, as `Board` has them.

    >>> list(states_from(0b101, 0, 9)) == [0x12, 0x21], list(states_from(0b101, 1, 9)) == [0x21]
    (True, True)
    """
    taken = [cell for cell in range(cells) if occupancy >> cell & 1]
    of_max = sum(1 << 2 * cell for cell in taken)
    # A stone of MIN's is one more in its digit than one of MAX's: a table for each half adds what its bits do.
    half = len(taken) // 2
    low, high = ([0], [0])
    for cell in taken[:half]:
        low += [known + (1 << 2 * cell) for known in low]
    for cell in taken[half:]:
        high += [known + (1 << 2 * cell) for known in high]
    colouring, end = _colouring_at(place, len(taken)), 1 << len(taken)
    while colouring < end:
        yield of_max + low[colouring & (1 << half) - 1] + high[colouring >> half]
        if not colouring:
            return
        # The next larger number with as many bits.
        lowest = colouring & -colouring
        carried = colouring + lowest
        colouring = carried | (carried ^ colouring) // lowest >> 2


def _colouring_at(rank: int, stones: int) -> int:
    """The colouring with this colex rank.

    >>> [_colouring_at(rank, 4) for rank in range(6)]
    [3, 5, 6, 9, 10, 12]
    """
    colouring = 0
    for bit in range(stones // 2, 0, -1):
        stone = bit - 1
        while comb(stone + 1, bit) <= rank:
            stone += 1
        rank -= comb(stone, bit)
        colouring |= 1 << stone
    return colouring
