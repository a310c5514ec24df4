"""Solved groups in memory, within a limit: what does not fit is read back from where it is stored."""

import threading
from collections import Counter
from collections.abc import Callable, Collection

from zermelo.solver.packed.groups import Groups
from zermelo.solver.packed.work import Values


class Memory:
    """The groups that are held for those that will read them, and the room that work in hand takes.

    A group can be let go of once it is stored. The one that is needed last goes first: groups are solved those with
    most stones first, then in the order of their numbers, so it is known which that is.
    """

    def __init__(
        self,
        groups: Groups,
        solved: Collection[int],
        limit: float,
        read: Callable[[int], Values],
        condition: threading.Condition,
    ) -> None:
        self._groups = groups
        self._limit = limit
        self._read = read
        self._condition = condition
        self._held: dict[int, Values] = {}
        self._in_use: Counter[int] = Counter()
        self._being_read: set[int] = set()
        self._solved = set(solved)
        self._stored = set(solved)
        self.unstored = 0
        """Bytes of what is not stored yet."""
        self._taken = 0
        """Bytes of what is held, of what is not stored yet, and of the room that work in hand may need."""

    def need_of(self, number: int) -> int:
        """Bytes that solving a group takes: its own, as much again on their way to the disk, and one child."""
        sizes = self._groups.sizes
        return 2 * sizes[number] + max((sizes[child] for _, child in self._groups.children(number)), default=0)

    def admits(self, number: int) -> bool:
        """Whether there is room to solve a group; it is then taken."""
        need = self.need_of(number)
        if self._taken + need > self._limit:
            self._let_go(self._taken + need - self._limit)
        if self._taken + need > self._limit:
            return False
        self._taken += need
        return True

    def take(self, number: int) -> Values:
        """The bytes of a group, which stay until they are given back."""
        with self._condition:
            while number in self._being_read:
                self._condition.wait()
            self._in_use[number] += 1
            if number in self._held:
                return self._held[number]
            self._being_read.add(number)
        try:
            values = self._read(number)
            with self._condition:
                self._hold(number, values)
                return values
        finally:
            with self._condition:
                self._being_read.discard(number)
                self._condition.notify_all()

    def give_back(self, number: int) -> None:
        """Say that a group that was taken is no longer in use."""
        with self._condition:
            self._in_use[number] -= 1
            if self._taken > self._limit:
                self._let_go(self._taken - self._limit)

    def add(self, number: int, values: Values) -> None:
        """Hold what was solved as long as it is needed."""
        with self._condition:
            self._taken += self._groups.sizes[number] - self.need_of(number)
            self.unstored += self._groups.sizes[number]
            self._solved.add(number)
            if self._readers(number):
                self._hold(number, values)
            for _, child in self._groups.children(number):
                if child in self._held and not self._readers(child):
                    self._drop(child)

    def stored(self, number: int) -> None:
        """Say that a group can be read back from now on."""
        with self._condition:
            self._stored.add(number)
            self.unstored -= self._groups.sizes[number]
            self._taken -= self._groups.sizes[number]
            self._condition.notify_all()

    def _readers(self, number: int) -> list[int]:
        """The groups that still have to read one."""
        return [parent for _, parent in self._groups.parents(number) if parent not in self._solved]

    def _hold(self, number: int, values: Values) -> None:
        self._held[number] = values
        self._taken += self._groups.sizes[number]

    def _drop(self, number: int) -> None:
        del self._held[number]
        self._taken -= self._groups.sizes[number]

    def _let_go(self, bytes_wanted: float) -> None:
        """Make room, and some more, so that it need not be made for every group."""
        target = self._taken - bytes_wanted - self._limit / 16
        idle = [number for number in self._held if number in self._stored and not self._in_use[number]]
        for number in sorted(idle, key=lambda one: (self._groups.stones[one], -min(self._readers(one), default=0))):
            if self._taken <= target:
                break
            self._drop(number)
