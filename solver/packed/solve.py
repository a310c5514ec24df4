"""Solving a board group by group in threads, within the memory that there is.

Groups are solved from the full board down, each once those that its moves lead to are; with gravity a pass from the empty
board up tells first which positions can occur. Its findings wait in a temporary file for the way back.
"""

import threading
import time
from collections.abc import Collection, Iterable, Iterator
from math import ceil
from typing import TYPE_CHECKING, Any

from zermelo.solver.errors import MemoryLimitError, size_text
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.estimate import free_memory, resident_memory
from zermelo.solver.packed.groups import Groups, groups_of
from zermelo.solver.packed.memory import Memory
from zermelo.solver.packed.scratch import Scratch
from zermelo.solver.packed.threads import Threads
from zermelo.solver.packed.work import NO_BITS, Solved, Values, reach_group, solve_group
from zermelo.solver.progress import Progress
from zermelo.solver.scratch import ScratchFile

if TYPE_CHECKING:
    from zermelo.solver.packed.engine import Keeper

_SHARE = 0.8
"""Of the memory that is free, what is used where no limit is given."""
_PAUSE = 4
"""How many times as long as it took to store some groups others are gathered, to be stored together.

The blocks of a group lie all over a database, so that storing each by itself would write most of the index every time.
"""
_UNSTORED, _MOST_UNSTORED = 1 / 8, 1 << 29
"""Of the room for groups, what those that wait to be stored may take, and at the most: a slow disk would have ever more wait."""
_OVERHEAD, _UNUSED = 96 << 20, 1 / 12
"""What goes beyond the bytes that are counted: tables and rows on their way, and the share that the system leaves unused."""


def solve(
    game: MNK,
    *,
    keeper: "Keeper | None" = None,
    jobs: int = 1,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Iterator[list[Any]]:
    """Solve a board; see `engine.groups`. Without a keeper nothing is stored, and all that is needed stays in memory.

    >>> sum(len(some) for some in solve(MNK(3, 3, 3)))
    50
    """
    groups = groups_of(game)
    known = set(keeper.stored()) if keeper else set()
    left = [number for number in in_order(groups) if number not in known]
    report = Report(groups, known, progress)
    condition = threading.Condition()
    room = room_for(game, groups, memory) if keeper else float("inf")
    held = Memory(groups, known, room, keeper.read if keeper else _unkept, condition)
    with ScratchFile() as file:
        scratch = Scratch(file)
        if groups.rules.gravity:
            for numbers in _reaching(groups, left, scratch, room, jobs, condition):
                report.add(numbers, "reaching ")

        def work(number: int) -> tuple[int, Any]:
            def children() -> Iterator[tuple[int, int, Values]]:
                for region, child in groups.children(number):
                    yield region, child, held.take(child)
                    held.give_back(child)

            reached = scratch.reached(number) if groups.rules.gravity else NO_BITS
            solved = solve_group(groups, number, children(), reached, threads.check)
            packed = keeper.pack(solved) if keeper else solved
            held.add(number, solved.values)
            return number, packed

        threads = Threads(
            left, lambda number: _numbers(groups.children(number)), work,
            jobs=jobs, condition=condition, admits=held.admits,
        )  # fmt: skip
        gathered: list[tuple[int, Any]] = []
        most, due = min(room * _UNSTORED, _MOST_UNSTORED), 0.0
        for some in threads.results():
            report.add([number for number, _ in some])
            gathered += some
            if gathered and (threads.waiting or held.unstored > most or time.monotonic() >= due):
                began = time.monotonic()
                yield from _storing(gathered, held)
                due = time.monotonic() + _PAUSE * (time.monotonic() - began)
        if gathered:
            yield from _storing(gathered, held)


def _storing(gathered: list[tuple[int, Any]], held: Memory) -> Iterator[list[Any]]:
    """Have these groups stored, and forget them."""
    yield [packed for _, packed in gathered]
    for number, _ in gathered:
        held.stored(number)
    gathered.clear()


def in_order(groups: Groups) -> list[int]:
    """The numbers of the groups in the order of solving: those with most stones first.

    Then a group's readers follow soon, and the fewest bytes wait for theirs.
    """
    return sorted(range(len(groups)), key=lambda number: (-groups.stones[number], number))


def room_for(game: MNK, groups: Groups, memory: int | None) -> float:
    """Bytes for groups where the process may take `memory` of them, or most of what is free."""
    least = max(Memory(groups, (), 0, _unkept, threading.Condition()).need_of(number) for number in range(len(groups)))
    taken = (resident_memory() or 0) + _OVERHEAD
    if memory is None:
        free = free_memory()
        room = float("inf") if free is None else _SHARE * free
    else:
        room = memory * (1 - _UNUSED) - taken
    if room < least:
        given = "is free" if memory is None else "may be used"
        have = size_text(memory if memory is not None else int(room / _SHARE))
        needed = ceil((least + taken) / (1 - _UNUSED))
        raise MemoryLimitError(
            f"{game.spec} takes at least {size_text(needed)} of memory, and {have} {given}",
            game=game.spec,
            memory=needed,
        )
    return room


def _unkept(number: int) -> Values:
    raise AssertionError(f"group {number} is kept nowhere, and was not to be let go of")


def _numbers(pairs: Iterable[tuple[int, int]]) -> list[int]:
    return [number for _, number in pairs]


def _reaching(
    groups: Groups, numbers: list[int], scratch: Scratch, room: float, jobs: int, condition: threading.Condition
) -> Iterator[list[int]]:
    """Find what can occur in these groups, from the empty board up, and put it down in `scratch`."""
    taken = 0

    def admits(number: int) -> bool:
        nonlocal taken
        if taken and taken + 3 * groups.sizes[number] > room:
            return False
        taken += 3 * groups.sizes[number]
        return True

    def work(number: int) -> int:
        nonlocal taken
        parents = ((region, parent, scratch.open(parent)) for region, parent in groups.parents(number))
        scratch.write(number, reach_group(groups, number, parents, threads.check))
        with condition:
            taken -= 3 * groups.sizes[number]
        return number

    threads = Threads(
        numbers[::-1], lambda number: _numbers(groups.parents(number)), work,
        jobs=jobs, condition=condition, admits=admits,
    )  # fmt: skip
    yield from threads.results()


class Report:
    """Adds up what is done, in places; with gravity each pass is half of it."""

    def __init__(self, groups: Groups, known: Collection[int], progress: Progress | None) -> None:
        self._groups = groups
        self._progress = progress
        self._passes = 2 if groups.rules.gravity else 1
        self._done = self._passes * sum(groups.sizes[number] for number in known)
        self._total = sum(groups.sizes)

    def add(self, numbers: Collection[int], stage: str = "") -> None:
        self._done += sum(self._groups.sizes[number] for number in numbers)
        if self._progress and numbers:
            stones = min(self._groups.stones[number] for number in numbers)
            self._progress(self._done // self._passes, self._total, f"{stage}{stones} stones")


def solved_groups(game: MNK, jobs: int = 1) -> Iterator[Solved]:
    """The solved groups of a board, all kept in memory as long as others need them."""
    for some in solve(game, jobs=jobs):
        yield from some
