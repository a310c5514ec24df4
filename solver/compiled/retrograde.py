"""Solving from the ends back, over reversed moves.

Value by value, the best for one side first: a position that is settled hands its value to every position from which the
side that wants the value can move to it, and to one where the other side has nothing but settled moves left. Step by step,
so that the number of the step is the plies. First the values above what endless play is worth, the highest first, which
MAX forces; then those below it, the lowest first, which MIN forces. What is then left is worth what endless play is.
In games that cannot come back that is 0, and there both sides hurry; which kind a game is, is found first, by taking
away positions all of whose moves lead to positions that are taken away.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.compiled.crew import Crew
from zermelo.solver.compiled.discover import Positions
from zermelo.solver.compiled.expansion import Expander
from zermelo.solver.compiled.kernels import EMPTY, FIRST, OVER, SECOND, choose, count_arrivals, link, peel, settle
from zermelo.solver.compiled.moves import Again, Book, Moves, Shelves

PLIES = np.uint16
"""What plies are counted in, until there are more."""
_LEVEL_STEP = 1 << 14


class Solved(NamedTuple):
    """The solution of a game of whole numbers: what is known of its states, which are in ascending order."""

    shelves: Shelves
    ply: NDArray[Any]
    """The fewest moves from the start."""
    values: NDArray[np.int64]
    """The values that there are, in ascending order, from MAX's side."""
    ranks: NDArray[np.int16]
    """Which of them each position has."""
    plies: NDArray[Any]
    """Moves to the end, `no_plies` where play need never end."""
    kinds: NDArray[np.int8]
    """Whose turn it is, and whether the game is over: see `kernels`."""
    can_repeat: bool
    """Whether play can come back to a position."""
    order: NDArray[np.uint32]
    """Where to find the positions so that each comes after all that its moves lead to; all of them, if it cannot."""

    @property
    def states(self) -> NDArray[np.int64]:
        """The states, in ascending order."""
        return self.shelves.states

    @property
    def no_plies(self) -> int:
        """What stands in `plies` where play need never end."""
        return int(np.iinfo(self.plies.dtype).max)


def memory_of(positions: int, moves: int, widest: int) -> int:
    """Bytes that solving takes, the states and where to find them among them."""
    link_size = 4 if moves < 2**32 else 8
    each = 8 + 2 + 1 + 2 + 2 + 1 + 8 + link_size + 2 * _open_type(widest).itemsize
    return positions * each + 4 * moves


def _open_type(widest: int) -> "np.dtype[Any]":
    return np.dtype(np.int16 if widest < 2**15 else np.int32)


def solve(expander: Expander, positions: Positions, endless: int, crew: Crew) -> Solved:
    """The value and plies of every position; `endless` is what endless play is worth to MAX."""
    states = positions.shelves.states
    needed, kept = memory_of(len(states), positions.moves, positions.widest), positions.kept
    if kept is not None and not crew.has(needed + kept.size):
        kept.close()
        kept = None
    crew.afford(needed, f"solving {len(states):,} positions")
    graph = _Graph(kept or Again(expander, positions.shelves), positions, crew)
    order = graph.peel()
    can_repeat = len(order) < len(states)
    pivot = endless if can_repeat else 0
    values = np.union1d(positions.utilities, [pivot])
    # What was written for finished positions is their place among the utilities.
    graph.ranks[graph.ranks >= np.searchsorted(positions.utilities, pivot)] += len(values) - len(positions.utilities)
    middle = int(np.searchsorted(values, pivot))
    stages: list[tuple[int, tuple[int, ...]]] = [(rank, (FIRST,)) for rank in range(len(values) - 1, middle, -1)]
    stages += [(rank, (SECOND,)) for rank in range(middle)]
    if not can_repeat:
        stages.append((middle, (FIRST, SECOND)))
    graph.settle(stages)
    rest = graph.ranks == EMPTY
    graph.ranks[rest] = middle
    graph.plies[rest] = np.iinfo(graph.plies.dtype).max
    return Solved(positions.shelves, positions.ply, values, graph.ranks, graph.plies, graph.kinds, can_repeat, order)


class _Graph:
    """Which positions lead to which, backward, and what is settled."""

    def __init__(self, book: Book, positions: Positions, crew: Crew) -> None:
        self._crew = crew
        self._utilities = positions.utilities
        count = len(positions.shelves.states)
        self.kinds = np.empty(count, np.int8)
        self.ranks = np.full(count, EMPTY, np.int16)
        self.plies = np.zeros(count, PLIES)
        self.open_moves = np.zeros(count, _open_type(positions.widest))
        # Where the moves to each position end: see `kernels.arrivals`.
        self._ends = np.zeros(count + 1, np.uint32 if positions.moves < 2**32 else np.int64)
        self._each(book, self._look, "looking at moves")
        np.cumsum(self._ends, out=self._ends)
        self._origins = np.empty(positions.moves, np.uint32)
        self._each(book, self._link, "linking moves")
        book.close()
        self._finished = np.flatnonzero(self.kinds >= OVER).astype(np.uint32)
        self._finished = self._finished[np.argsort(self.ranks[self._finished], kind="stable")]
        self._queue = np.empty(0, np.uint32)
        self._settled = np.zeros(1, np.int64)

    def _each(self, book: Book, work: Callable[[Moves], None], stage: str) -> None:
        def some(begin: int, end: int) -> int:
            positions = 0
            for moves in book.read(begin, end):
                work(moves)
                positions += len(moves.places)
            return positions

        done = 0
        for _, positions in self._crew.share(some, 0, book.pieces, book.step):
            done += positions
            self._crew.report(done, len(self.kinds), stage)

    def _look(self, moves: Moves) -> None:
        """What kind of position each is, how many moves it has, and how many lead to those after it."""
        places, over = moves.places, moves.kinds >= OVER
        self.kinds[places] = moves.kinds
        self.open_moves[places] = np.diff(moves.starts)
        self.ranks[places[over]] = np.searchsorted(self._utilities, moves.utilities)
        count_arrivals(moves.targets, self._ends)

    def _link(self, moves: Moves) -> None:
        link(moves.places, moves.starts, moves.targets, self._ends, self._origins)

    def peel(self) -> NDArray[np.uint32]:
        """The positions from which play cannot come back to any, each after all that its moves lead to."""
        open_moves, count = self.open_moves.copy(), np.array([len(self._finished)])
        queue = np.empty(len(self.kinds), np.uint32)
        queue[: count[0]] = self._finished

        def step(begin: int, end: int) -> None:
            peel(self._ends, self._origins, open_moves, queue, count, begin, end)

        begin = 0
        while begin < count[0]:
            end = int(count[0])
            for _ in self._crew.share(step, begin, end, _LEVEL_STEP):
                self._crew.report(int(count[0]), len(self.kinds), "finding what comes back")
            begin = end
        queue.resize(begin, refcheck=False)
        return queue

    def settle(self, values: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        """Settle the positions of these values one after the other: each value's rank, and the sides that hurry."""
        self._queue = np.empty(len(self.kinds), np.uint32)
        for rank, hurrying in values:
            self._settle_one(rank, hurrying)

    def _settle_one(self, rank: int, hurrying: tuple[int, ...]) -> None:
        """Settle the positions of one value; those that hurry are the sides that want the end, and soon."""
        first, last = np.searchsorted(self.ranks[self._finished], [rank, rank + 1])
        begin = int(self._settled[0])
        end = begin + int(last - first)
        self._queue[begin:end] = self._finished[first:last]
        self._settled[0] = end
        sides = np.array([side in hurrying for side in (SECOND, FIRST)])
        level = 0
        while begin < end:
            level += 1
            if level == np.iinfo(self.plies.dtype).max:
                self.plies = self.plies.astype(np.uint32)

            def step(begin: int, end: int, level: int = level) -> None:
                arrays = (self.kinds, self.open_moves, self.ranks, self.plies, self._queue, self._settled)
                settle(self._ends, self._origins, *arrays, begin, end, sides, level)

            for _ in self._crew.share(step, begin, end, _LEVEL_STEP):
                self._crew.report(int(self._settled[0]), len(self.kinds), "solving")
            begin, end = end, int(self._settled[0])
        self._crew.report(end, len(self.kinds), "solving")


def best_actions(expander: Expander, solved: Solved) -> NDArray[np.int64]:
    """The best action of each position, the first among equals; what stands for a finished position means nothing."""
    states = solved.states
    best = np.zeros(len(states), np.int64)
    begin = 0
    while begin < len(states):
        batch = expander(states, begin, len(states), actions=True)
        here = best[begin : begin + batch.size]
        moves = (batch.starts, batch.children, batch.actions)
        choose(*solved.shelves, solved.ranks, solved.plies, begin, batch.size, *moves, here)
        begin += batch.size
    return best
