"""Which moves lead where: as the search for positions came by them, or, where they take too much room, by the rules once more."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.compiled.crew import Crew
from zermelo.solver.compiled.expansion import Batch, Expander
from zermelo.solver.compiled.kernels import OVER, find_all, renumber

MOST_KEPT = 2 << 30
"""Bytes that kept moves may take: in games with more of them, room is dearer than time."""
_SLAB = 1 << 24
"""Numbers that room is taken for at a time: as much as that the system takes back at once when it is not needed any more."""
_PAGE = 1000
"""Bytes that a batch of moves takes beside what it holds, which is most of them where there are few at a time."""
_NOWHERE = np.empty(0, np.uint32)
_STEP = 1 << 15
"""Positions whose moves are found again at a time."""


class Shelves(NamedTuple):
    """The states in ascending order, and where to look for one."""

    states: NDArray[np.int64]
    shift: int
    starts: NDArray[np.uint32]
    """Where the states start whose bits above `shift` are the lowest state's, one more, and so on."""

    def places(self, states: NDArray[np.int64], begin: int, end: int) -> NDArray[np.uint32]:
        """Where the states from `begin` to before `end` are."""
        found = np.empty(end - begin, np.uint32)
        find_all(*self, states, begin, end, found)
        return found


class Moves(NamedTuple):
    """The moves of some positions."""

    places: NDArray[np.uint32]
    """Where the positions are among all, in ascending order of their states."""
    kinds: NDArray[np.int8]
    """Whose turn it is in each, and whether the game is over: see `kernels`."""
    utilities: NDArray[np.int64]
    """What those are worth in which it is over."""
    starts: NDArray[Any]
    """The i-th position's moves lead to targets[starts[i]] to before targets[starts[i + 1]]."""
    targets: NDArray[np.uint32]
    """Places again."""


class Book(Protocol):
    """All moves, in pieces that threads can share."""

    @property
    def pieces(self) -> int:
        """How many pieces there are."""

    @property
    def step(self) -> int:
        """How many of them are a good deal of work."""

    def read(self, begin: int, end: int) -> Iterator[Moves]:
        """The moves of the pieces from `begin` to before `end`."""

    def close(self) -> None:
        """Give the room back."""


class Kept:
    """The moves as they were found."""

    step = 8

    def __init__(self) -> None:
        self._pages: list[tuple[int, Moves]] = []
        """The number of the first position, and what there is to say of it and of those that were found after it."""
        self._slab = _NOWHERE
        """What is left of the room."""
        self.size = 0
        """Bytes that it takes."""

    @property
    def pieces(self) -> int:
        return len(self._pages)

    def add(self, first: int, batch: Batch, found: NDArray[np.uint32]) -> None:
        """Keep the moves of the positions that were found from the `first` on; `found` has the numbers of what they lead to."""
        kinds = batch.kinds[: batch.size].copy()
        starts = self._put(batch.starts[: batch.size + 1])
        moves = Moves(_NOWHERE, kinds, batch.utilities[: batch.size][kinds >= OVER], starts, self._put(found))
        self._pages.append((first, moves))
        self.size += _PAGE + sum(part.nbytes for part in moves)

    def _put(self, numbers: NDArray[Any]) -> NDArray[np.uint32]:
        """A copy of the numbers, with others in one slab."""
        if len(self._slab) < len(numbers):
            self._slab = np.empty(max(_SLAB, len(numbers)), np.uint32)
        copy, self._slab = self._slab[: len(numbers)], self._slab[len(numbers) :]
        copy[:] = numbers
        return copy

    def put_in_order(self, places: NDArray[np.uint32], crew: Crew) -> None:
        """Replace the numbers under which positions were found by their places."""

        def work(begin: int, end: int) -> None:
            for piece in range(begin, end):
                first, moves = self._pages[piece]
                renumber(moves.targets, places)
                self._pages[piece] = first, moves._replace(places=places[first : first + len(moves.kinds)])

        for _ in crew.share(work, 0, self.pieces, self.step):
            pass
        self.size += places.nbytes

    def read(self, begin: int, end: int) -> Iterator[Moves]:
        for _, moves in self._pages[begin:end]:
            yield moves

    def close(self) -> None:
        self._pages.clear()
        self._slab = _NOWHERE


class Again:
    """The moves by the rules, of which nothing is kept."""

    step = _STEP

    def __init__(self, expander: Expander, shelves: Shelves) -> None:
        self._expander = expander
        self._shelves = shelves
        self.pieces = len(shelves.states)

    def read(self, begin: int, end: int) -> Iterator[Moves]:
        while begin < end:
            batch = self._expander(self._shelves.states, begin, end)
            kinds, starts = batch.kinds[: batch.size], batch.starts[: batch.size + 1]
            places = np.arange(begin, begin + batch.size, dtype=np.uint32)
            targets = self._shelves.places(batch.children, 0, int(starts[-1]))
            yield Moves(places, kinds, batch.utilities[: batch.size][kinds >= OVER], starts, targets)
            begin += batch.size

    def close(self) -> None:
        """There is nothing to give back."""
