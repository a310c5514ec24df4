"""How many games there are on a board, and how large the whole tree is: counted by layers, never by games."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from zermelo.solver.census import Category, Tally
    from zermelo.solver.games.mnk import MNK
    from zermelo.solver.progress import Progress

    Numbers = NDArray[np.uint64]

MOST_POSITIONS = 100_000_000
"""With gravity every position is looked at: with more than these it would take too long and too much memory."""


class Ways(NamedTuple):
    """What is counted of a game."""

    games: int
    """The different ways to play from the start to an end."""
    tree_nodes: int
    """The nodes of the whole game tree, where a position counts once for each way to reach it."""


def count_ways(
    game: "MNK", counts: "dict[Category, Tally]", *, patient: bool = True, progress: "Progress | None" = None
) -> Ways | None:
    """The games and nodes of a board whose positions have been counted; None where that takes too long.

    With gravity it takes about a second for a million positions, which only the `patient` wait for, and NumPy.

    >>> from zermelo.solver.census import take_census
    >>> from zermelo.solver.exhaustive import solve
    >>> from zermelo.solver.games.mnk import MNK
    >>> game = MNK(3, 3, 3)
    >>> count_ways(game, take_census(game, solve(game)).counts)
    Ways(games=255168, tree_nodes=549946)
    """
    if not game.gravity:
        return _by_counts(game.board.cells, counts)
    if not patient or find_spec("numpy") is None or sum(tally.positions for tally in counts.values()) > MOST_POSITIONS:
        return None
    return _by_layers(game.board.width, game.board.height, game.k, counts, progress)


def _by_counts(cells: int, counts: "dict[Category, Tally]") -> Ways:
    """Without gravity the counts by ply are enough.

    The stones of a position without a line may have come in any order, because fewer stones have no line either: with
    x and o of them, in x! * o! orders. Each of the last mover's m stones may have been the last. So of the moves
    from unfinished positions, m lead to each position without a line in the next layer, and all others end the game.
    """
    games, nodes = 0, 1
    unfinished, orders = 1, 1
    for ply in range(1, cells + 1):
        moves = unfinished * (cells - ply + 1)
        later = {key: tally.positions for key, tally in counts.items() if key.ply == ply}
        unfinished = sum(number for key, number in later.items() if not key.terminal)
        full = sum(number for key, number in later.items() if key.terminal and key.value == 0)
        last = (ply + 1) // 2
        won = (moves - (unfinished + full) * last) * orders
        orders *= last
        games += won + full * orders
        nodes += won + (unfinished + full) * orders
    return Ways(games, nodes)


def _by_layers(
    width: int, height: int, k: int, counts: "dict[Category, Tally]", progress: "Progress | None"
) -> Ways | None:
    """With gravity, each position of a layer with the number of ways to reach it, from the empty board up.

    A column has one bit more than cells, so that adding its lowest bit to what is taken gives the cell that a stone
    falls to, and that no line runs from one column into the next. None where there are more than were counted: what
    a file says of its size is no ground to go through a larger game.
    """
    import numpy as np

    column = height + 1
    bottoms = [np.uint64(1 << column * each) for each in range(width)]
    insides = [np.uint64(((1 << height) - 1) << column * each) for each in range(width)]
    full = sum(int(inside) for inside in insides)
    mover, taken, ways = np.zeros(1, np.uint64), np.zeros(1, np.uint64), np.ones(1, np.uint64)
    games, nodes = 0, 1
    for ply in range(width * height):
        if progress:
            progress(ply, width * height, "counting games")
        parts: list[tuple[Numbers, Numbers, Numbers]] = []
        for bottom, inside in zip(bottoms, insides, strict=True):
            open_ = (taken + bottom) & inside != 0
            before, own, times = taken[open_], mover[open_], ways[open_]
            after = before | (before + bottom) & inside
            over = _has_line(own | after ^ before, column, k) | (after == np.uint64(full))
            games += _total(times[over])
            nodes += _total(times)
            parts.append((own[~over] ^ before[~over], after[~over], times[~over]))
        mover, taken, ways = _merged(*(np.concatenate(each) for each in zip(*parts, strict=True)))
        if not len(ways):
            break
        if len(ways) > sum(tally.positions for key, tally in counts.items() if key.ply == ply + 1 and not key.terminal):
            return None
    return Ways(games, nodes)


def _merged(mover: "Numbers", taken: "Numbers", ways: "Numbers") -> "tuple[Numbers, Numbers, Numbers]":
    """Each position once, with the ways of all its copies."""
    import numpy as np

    order = np.lexsort((mover, taken))
    mover, taken, ways = mover[order], taken[order], ways[order]
    first = np.flatnonzero(np.r_[True, (mover[1:] != mover[:-1]) | (taken[1:] != taken[:-1])][: len(ways)])
    return mover[first], taken[first], np.add.reduceat(ways, first) if len(first) else ways


def _has_line(stones: "Numbers", column: int, k: int) -> "NDArray[np.bool_]":
    import numpy as np

    found = np.zeros(len(stones), np.bool_)
    for step in (1, column - 1, column, column + 1):
        run = stones
        for _ in range(k - 1):
            run = stones & run >> np.uint64(step)
        found |= run != 0
    return found


def _total(ways: "Numbers") -> int:
    """The sum, which may be larger than the numbers of an array."""
    return (int((ways >> 32).sum()) << 32) + int((ways & 0xFFFFFFFF).sum())
