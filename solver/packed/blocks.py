"""Where one position is found among the blocks, and what its byte says; `many` says the same for arrays.

The positions of one layer (so many stones) are grouped by occupancy: which cells are taken. Of occupancies that
symmetries take to each other, the smallest number, a bit a cell, stands for all. A block holds one signed byte for each
way to colour its stones, ordered by the colex rank of MIN's subset of them.

::

    a state, two bits a cell      X.O     cell    8  7  6  5  4  3  2  1  0
                                  .O.     state  00 00 01 00 10 00 10 00 01     01 is X's, 10 is O's
                                  X..     taken   0  0  1  0  1  0  1  0  1     the occupancy, 85

    its stones, cell by cell      stone   3  2  1  0     which cells they are on no longer matters
                                  O's     0  1  1  0     stones 1 and 2: place C(1, 1) + C(2, 2) = 2

    the block of the occupancy    place   0    1    2    3    4    5            C(4, 2) = 6 bytes
                                  O's     0011 0101 0110 1001 1010 1100         of its stones

A byte is 0 for a draw. For a win of MAX's it is one more than the number of cells still empty when the game ends, for a
win of MIN's the negative of that. So the earlier win is the larger number, both sides prefer as numbers compare, and a
position's byte is simply the best of its children's: when the game ends does not depend on how far off it is. Draws
fill the board, so that 0 says when they end too.
"""

from collections.abc import Callable, Iterator, Sequence
from math import comb

from zermelo.solver.errors import GameError
from zermelo.solver.games.mnk import MNK

UNREACHABLE = -128
"""The byte of a colouring that cannot occur in a game."""


def outcome(byte: int, cells: int, stones: int) -> tuple[int, int] | None:
    """The value from MAX's side and the plies to the end that a byte stands for, None where there is no position.

    >>> outcome(5, cells=9, stones=2), outcome(-1, cells=9, stones=9), outcome(0, cells=9, stones=4)
    ((1, 3), (-1, 0), (0, 5))
    """
    if byte == UNREACHABLE:
        return None
    if not byte:
        return 0, cells - stones
    return (1 if byte > 0 else -1), cells + 1 - abs(byte) - stones


def byte_of(value: int, plies: int, cells: int, stones: int) -> int:
    """The byte that stands for a value and plies: the inverse of `outcome`.

    >>> byte_of(1, 3, cells=9, stones=2), byte_of(0, 5, cells=9, stones=4)
    (5, 0)
    """
    byte = value * (cells - stones - plies + 1)
    if value not in (-1, 0, 1) or outcome(byte, cells, stones) != (value, plies):
        raise GameError(f"no byte stands for the value {value} in {plies} plies with {stones} of {cells} cells taken")
    return byte


def size_of(occupancy: int) -> int:
    """How many bytes the block of an occupancy has.

    >>> size_of(0b10111)
    6
    """
    stones = occupancy.bit_count()
    return comb(stones, stones // 2)


def place_of(game: MNK, state: int) -> tuple[int, int]:
    """The occupancy of the block that a position is in, and its place there.

    >>> game = MNK(3, 3, 3)
    >>> place_of(game, game.parse("X.O/.O./X..")), place_of(game, game.parse("O../.X./..."))
    ((85, 2), (17, 0))
    """
    symmetry, occupancy, bits = block_of(game, (state | state >> 1) & game.board.stones)
    return occupancy, rank_of(symmetry(state), bits)


def block_of(game: MNK, taken: int) -> tuple[Callable[[int], int], int, Sequence[int]]:
    """For all positions with X's stones in `taken` or O's: the symmetry into their block, its occupancy, O's bits there."""
    images = [symmetry(taken) for symmetry in game.symmetries]
    image = min(images)
    symmetry = game.symmetries[images.index(image)]
    return symmetry, _gathered(image), [2 << shift for shift in range(0, image.bit_length(), 2) if image >> shift & 1]


def rank_of(image: int, bits: Sequence[int]) -> int:
    """The place of a position that lies in its block as it is: the colex rank of O's stones among all."""
    rank = chosen = 0
    for stone, bit in enumerate(bits):
        if image & bit:
            chosen += 1
            rank += comb(stone, chosen)
    return rank


def spread(occupancy: int) -> int:
    """The state with a stone of X in each taken cell: a cell has one bit in an occupancy and two in a state.

    >>> bin(spread(0b101))
    '0b10001'
    """
    return int(f"{occupancy:b}", 4)


def _gathered(taken: int) -> int:
    """The inverse of `spread`."""
    return int(f"{taken:b}"[::-2][::-1], 2)


def states_from(occupancy: int, place: int = 0) -> Iterator[int]:
    """The states of a block in the order of its bytes from `place` on, as `Board` has them.

    >>> list(states_from(0b101)) == [0x12, 0x21], list(states_from(0b101, 1)) == [0x21]
    (True, True)
    """
    of_max = spread(occupancy)
    taken = [shift for shift in range(0, of_max.bit_length(), 2) if of_max >> shift & 1]
    # A stone of MIN's is one more in its digit than one of MAX's: a table for each half adds what its bits do.
    half = len(taken) // 2
    low, high = ([0], [0])
    for shift in taken[:half]:
        low += [known + (1 << shift) for known in low]
    for shift in taken[half:]:
        high += [known + (1 << shift) for known in high]
    colouring, end = _colouring_at(place, len(taken)), 1 << len(taken)
    while colouring < end:
        yield of_max + low[colouring & (1 << half) - 1] + high[colouring >> half]
        if not colouring:
            return
        # The next larger number with as many bits.
        lowest = colouring & -colouring
        carried = colouring + lowest
        colouring = carried | (carried ^ colouring) // lowest >> 2


def state_at(occupancy: int, place: int) -> int:
    """The state at one place of a block, the sooner where only a few of its places are wanted.

    >>> [state_at(0b101, place) for place in (0, 1)] == list(states_from(0b101))
    True
    """
    state = of_max = spread(occupancy)
    taken = [shift for shift in range(0, of_max.bit_length(), 2) if of_max >> shift & 1]
    colouring = _colouring_at(place, len(taken))
    for stone, shift in enumerate(taken):
        state += (colouring >> stone & 1) << shift
    return state


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
