"""Finding every position that play can reach, breadth first, without knowing how many there are."""

from functools import partial
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.compiled.crew import Crew
from zermelo.solver.compiled.expansion import Expander
from zermelo.solver.compiled.kernels import EMPTY, OVER, UNKNOWN, fill_shelves, insert, reinsert
from zermelo.solver.compiled.moves import MOST_KEPT, Kept, Shelves
from zermelo.solver.errors import RulesError

_STEP = 1 << 15
"""Positions that a thread takes at a time."""
_SLOTS = 1 << 16
"""Slots of the table at first; it doubles."""
_LOAD = 0.7
"""How full the table gets."""
_GROWTH = 1.25
_MOST_VALUES = 2**15
_SLACK = 1 << 10
"""More states than threads that may each add one past the limit."""


class Positions(NamedTuple):
    """Everything that play can reach."""

    shelves: Shelves
    ply: NDArray[Any]
    """The fewest moves from the start to each."""
    moves: int
    """How many moves there are in all positions together."""
    widest: int
    """The most moves in one position."""
    utilities: NDArray[np.int64]
    """What finished games are worth to MAX, each once, in ascending order."""
    kept: Kept | None
    """Where the moves lead, unless that took too much room."""


class Discovery:
    """The search under way."""

    def __init__(self, expander: Expander, crew: Crew, most: int | None = None) -> None:
        self._expander = expander
        self._crew = crew
        self._most = most
        self._lock = Lock()
        self.count = np.zeros(1, np.int64)
        self.states = np.empty(2 * _SLACK, np.int64)
        self.table = np.full(_SLOTS, EMPTY, np.int64)
        self.kept = Kept() if most is None else None
        self.numbers = self._unknown(_SLOTS)
        self.levels = [0, 1]
        """Where each ply's positions start, and where the last one's end."""
        self.moves = self.widest = 0
        self.utilities: set[int] = set()
        start = expander.game.initial
        if not (type(start) is int and 0 <= start < 2**63):
            raise RulesError(
                f"game {expander.game.spec!r} starts from {start!r}: states of a compiled game are whole numbers from 0 to"
                " 2**63 - 1"
            )
        self._insert(np.array([start], np.int64), 1, 1)

    def run(self) -> bool:
        """Find them all, or a few more than `most`; whether these are all."""
        while self.levels[-2] < self.levels[-1]:
            pending = [(self.levels[-2], self.levels[-1])]
            while pending:
                left = []
                for begin, end in pending:
                    for _, rest in self._crew.share(self._step, begin, end, _STEP):
                        self._crew.report(int(self.count[0]), None, "finding positions")
                        if rest is not None:
                            left.append(rest)
                if self._most is not None and self.count[0] > self._most:
                    return False
                if left:
                    self._grow()
                pending = sorted(left)
            self.levels.append(int(self.count[0]))
        return True

    @property
    def _limit(self) -> int:
        """How many states there is room for."""
        room = min(int(_LOAD * len(self.table)), len(self.states) - _SLACK)
        return room if self._most is None else min(room, self._most + 1)

    def _insert(self, keys: NDArray[np.int64], size: int, limit: int) -> tuple[int, NDArray[np.uint32]]:
        """Put keys among the states until there are `limit`: how many, and if moves are kept, which number each has."""
        found = np.empty(size if self.kept else 0, np.uint32)
        return insert(self.table, self.numbers, self.states, self.count, limit, keys, 0, size, found), found

    def _unknown(self, slots: int) -> NDArray[np.uint32]:
        """Room for the number of the state in each slot."""
        return np.full(slots if self.kept else 0, UNKNOWN, np.uint32)

    def _step(self, begin: int, end: int) -> tuple[int, int] | None:
        """Add what these positions lead to; what is left of them where there is no more room."""
        limit = self._limit
        moves = widest = 0
        utilities: set[int] = set()
        while begin < end and self.count[0] < limit and not self._keeps_too_much:
            batch = self._expander(self.states, begin, end)
            starts = batch.starts[: batch.size + 1]
            added, found = self._insert(batch.children, int(starts[-1]), limit)
            if added < starts[-1]:
                if batch.children[added] < 0:
                    raise self._negative(begin, starts, added)
                break
            if self.kept:
                with self._lock:
                    self.kept.add(begin, batch, found)
            moves += int(starts[-1])
            widest = max(widest, int(np.diff(starts).max()))
            over = batch.kinds[: batch.size] >= OVER
            if over.any():
                utilities.update(np.unique(batch.utilities[: batch.size][over]).tolist())
            begin += batch.size
        with self._lock:
            self.moves += moves
            self.widest = max(self.widest, widest)
            self.utilities |= utilities
        return (begin, end) if begin < end else None

    def _negative(self, begin: int, starts: NDArray[np.int64], child: int) -> RulesError:
        game = self._expander.game
        state = int(self.states[begin + int(np.searchsorted(starts, child, side="right")) - 1])
        return RulesError(
            f"game {game.spec!r} leads from {game.format(state)!r} to a negative number, or to one of more than 63 bits:"
            " states of a compiled game are whole numbers from 0 to 2**63 - 1"
        )

    def _grow(self) -> None:
        """Make room for more, or keep less."""
        count = int(self.count[0])
        slots, room = len(self.table), len(self.states)
        if count >= int(_LOAD * slots):
            slots *= 2
        if count >= room - _SLACK:
            room = int(_GROWTH * room) + _SLACK
        if self._keeps_too_much or not self._crew.has(self._size(slots, room)):
            self.kept, self.numbers = None, np.empty(0, np.uint32)
        self._crew.afford(self._size(slots, room), f"finding more than {count:,} position{'s' * (count > 1)}")
        if slots > len(self.table):
            self.table = np.empty(0, np.int64)  # so that the old one and the new one are not there together
            self.numbers = self._unknown(slots)
            self.table = np.full(slots, EMPTY, np.int64)
            work = partial(reinsert, self.table, self.numbers, self.states)
            for _ in self._crew.share(work, 0, count, 1 << 20):
                pass
        if room > len(self.states):
            self.states.resize(room, refcheck=False)  # in its place where the system can

    @property
    def _keeps_too_much(self) -> bool:
        """Whether the moves take more than there is for them."""
        return self.kept is not None and (
            self.kept.size > MOST_KEPT or not self._crew.has(self._size(len(self.table), len(self.states)))
        )

    def _size(self, slots: int, room: int) -> int:
        """Bytes that a table of so many slots, room for so many states, and what is kept take."""
        return 8 * slots + 8 * room + (4 * slots + self.kept.size if self.kept else 0)

    def finish(self) -> Positions:
        """What was found, in order. The search is over then, and its memory is given back on the way."""
        count = int(self.count[0])
        levels, crew = self.levels, self._crew
        if len(self.utilities) >= _MOST_VALUES:
            raise RulesError(
                f"game {self._expander.game.spec!r} ends with {len(self.utilities):,} different values, and at most"
                f" {_MOST_VALUES - 1:,} can be told apart"
            )
        self.table = np.empty(0, np.int64)
        crew.report(0, count, "sorting")
        found, self.states = self.states, np.empty(0, np.int64)
        ordered = found[:count].copy()
        crew.aside(ordered.sort)
        shelves = _shelves(ordered, crew)
        ply = np.zeros(count, np.min_scalar_type(len(levels)))
        places = np.empty(count if self.kept else 0, np.uint32)

        def work(begin: int, end: int) -> None:
            here = shelves.places(found, begin, end)
            ply[here] = np.searchsorted(levels, np.arange(begin, end), side="right") - 1
            if self.kept:
                places[begin:end] = here

        done = 0
        for size, _ in crew.share(work, 0, count, 1 << 17):
            done += size
            crew.report(done, count, "sorting")
        if self.kept:
            self.kept.put_in_order(places, crew)
        utilities = np.array(sorted(self.utilities), np.int64)
        return Positions(shelves, ply, self.moves, self.widest, utilities, self.kept)


def _shelves(states: NDArray[np.int64], crew: Crew) -> Shelves:
    """Shelves for the sorted states, on average two on each."""
    low, high = int(states[0]), int(states[-1])
    shift = 0
    while (high >> shift) - (low >> shift) > max(len(states) // 2, 16):
        shift += 1
    starts = np.empty((high >> shift) - (low >> shift) + 2, np.uint32)
    for _ in crew.share(lambda b, e: fill_shelves(states, shift, starts, b, e), 0, len(states), 1 << 20):
        pass
    return Shelves(states, shift, starts)
