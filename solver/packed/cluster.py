"""Solving a board group by group on a Dask cluster: the same groups as in threads, each a task of a worker, or several small ones.

To solve a group is a task, and to store it is another one, so that those who wait for it wait no longer than they must. What a
task makes stays with its worker, compressed, for the tasks that read it. When a worker goes away, so does what it had; the
tasks are then given out anew from what is stored.
"""

import contextlib
import queue
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from itertools import chain, groupby, islice
from typing import Any

from zermelo.solver.errors import ClusterError
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import tasks
from zermelo.solver.packed.groups import Groups, groups_of
from zermelo.solver.packed.solve import Report, in_order
from zermelo.solver.packed.tasks import SharedKeeper
from zermelo.solver.packed.workers import LOOK, wait_for_workers, workers_of
from zermelo.solver.progress import Progress

_REPLACEMENT = 60
"""Seconds to wait for another worker when all have gone."""
_BRINGING = 0.1
"""How long it takes to bring a place to another worker and unpack it, beside solving and storing one."""
_AHEAD = 4
"""How many groups for each thread are given out before they are solved: a worker need not wait to be told the next."""
_LATER = 2
"""How many groups for each thread may be solved before one that was solved is stored."""
_TRIES = 5
"""How often workers may go away without one more group having been stored."""

Run = tuple[int, ...]
"""The numbers of some groups that make one task."""
_RUN = 1 << 21
"""Places that one task has at the most, where it has several groups: small ones would keep the scheduler busier than the workers."""


class _WorkersGoneError(Exception):
    """A worker went away with what it had."""


def solve_on(
    client: Any,
    cluster: str,
    game: MNK,
    keeper: SharedKeeper,
    make_keeper: Callable[[], SharedKeeper],
    progress: Progress | None = None,
) -> Iterator[list[Any]]:
    """Solve a board on a cluster that `connected` gave the client of; see `engine.groups`.

    `make_keeper` is called where the tasks run. Where what it makes stores groups itself, nothing is left to be stored, and
    the lists are empty.
    """
    groups = groups_of(game)
    stored = set(keeper.stored())
    report = Report(groups, stored, progress)
    tries = 0
    while len(stored) < len(groups):
        before = len(stored)
        given_out = _Round(client, cluster, groups, game.spec, keeper, make_keeper, stored)
        try:
            for some in given_out.results():
                report.add([number for number, _ in some])
                yield [packed for _, packed in some if packed is not None]
                stored.update(number for number, _ in some)
        except _WorkersGoneError:
            tries = 0 if len(stored) > before else tries + 1
            if tries == _TRIES:
                raise ClusterError(
                    f"the workers of {cluster!r} keep going away: look at what they say", cluster=cluster
                ) from None
            wait_for_workers(client, cluster, _REPLACEMENT)
        finally:
            given_out.end()


class _Round:
    """The tasks of a build from what is stored to the end, or until a worker goes away."""

    def __init__(
        self,
        client: Any,
        cluster: str,
        groups: Groups,
        spec: str,
        keeper: SharedKeeper,
        make_keeper: Callable[[], SharedKeeper],
        stored: set[int],
    ) -> None:
        self._client = client
        self._cluster = cluster
        self._groups = groups
        self._spec = spec
        self._keeper = keeper
        self._make_keeper = make_keeper
        self._runs = list(_runs(groups, [number for number in in_order(groups) if number not in stored]))
        self._rank = {numbers: rank for rank, numbers in enumerate(self._runs)}
        self._reached: dict[int, Any] = {}
        self._solved: dict[int, Any] = {}
        """What tasks make or were given: futures by the number of the group."""
        self._solving: dict[Any, Run] = {}
        self._storing: dict[Any, Run] = {}
        """The tasks that are not done, and the groups of each."""
        self._unsaved: dict[Run, Any] = {}
        """What was solved and is not yet given out to be stored."""
        self._run_of = {number: numbers for numbers in self._runs for number in numbers}
        self._lacks = {numbers: _around(groups.children, numbers) - stored for numbers in self._runs}
        """Which groups have to be stored before others are."""
        left = (number for numbers in self._runs for number in numbers)
        self._readers = Counter(child for number in left for _, child in groups.children(number))
        """How many groups still have to read each."""
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads = workers_of(client, cluster)
        self._given = dict.fromkeys(self._threads, 0.0)
        """How much work each worker has been given that it has not done."""
        self._at: dict[Run, tuple[str, float]] = {}
        """Which worker has been given groups, and how much work that is."""
        self._holders: defaultdict[int, set[str]] = defaultdict(set)
        """Which workers have each group."""
        self._ready = [
            client.submit(tasks.prepare, make_keeper, spec, workers=worker, pure=False) for worker in self._threads
        ]
        self._looked = time.monotonic()

    def results(self) -> Iterator[list[tuple[int, Any]]]:
        """Groups as they are done: each one's number, and what is to be stored, None where its worker stored it."""
        if self._groups.rules.gravity:
            for numbers in reversed(self._runs):
                parents = dict.fromkeys(self._reached[parent] for parent in _around(self._groups.parents, numbers))
                future = self._submit(tasks.reach, numbers, list(parents))
                self._reached |= dict.fromkeys(numbers, future)
        # In this order, what groups need has been given out before them.
        order = iter(self._runs)
        left = len(self._runs)
        while left:
            for numbers in islice(order, max(0, _AHEAD * sum(self._threads.values()) - len(self._solving))):
                self._give_out(numbers)
            stored = []
            for future in self._finished():
                if future in self._solving:
                    numbers = self._solving.pop(future)
                    self._unsaved[numbers] = future
                    self._release(numbers)
                    self._store(numbers)
                else:
                    stored.append(future)
            if stored:
                runs = [self._storing.pop(future) for future in stored]
                left -= len(runs)
                for worker, work in map(self._at.pop, runs):
                    self._given[worker] -= work
                numbers = tuple(chain.from_iterable(runs))
                yield list(zip(numbers, chain.from_iterable(self._gathered(stored)), strict=True))
                for above in {self._run_of[parent] for parent in _around(self._groups.parents, numbers)}:
                    self._lacks[above].difference_update(numbers)
                    self._store(above)

    def _give_out(self, numbers: Run) -> None:
        children = _around(self._groups.children, numbers)
        worker, work = self._least_busy(numbers, children)
        self._given[worker] += work
        self._at[numbers] = worker, work
        for group in (*numbers, *children):
            self._holders[group].add(worker)
        inputs = list(dict.fromkeys(map(self._input, children)))
        reached = list(dict.fromkeys(self._reached[number] for number in numbers if self._reached))
        solved = self._submit(tasks.solve, numbers, inputs, reached, worker=worker)
        self._solved |= dict.fromkeys(numbers, solved)
        self._solving[solved] = numbers
        solved.add_done_callback(self._done.put)

    def _store(self, numbers: Run) -> None:
        """Have groups stored that are solved, if all that they need is: who goes on from what is stored relies on that."""
        if numbers in self._unsaved and not self._lacks[numbers]:
            later = _LATER * sum(self._threads.values())
            worker, _ = self._at[numbers]
            future = self._submit(tasks.store, numbers, self._unsaved.pop(numbers), worker=worker, later=later)
            self._storing[future] = numbers
            future.add_done_callback(self._done.put)

    def _least_busy(self, numbers: Run, children: set[int]) -> tuple[str, float]:
        """The worker that would be done with groups first, and how much work that is, in places.

        Left to itself the scheduler leaves a worker idle for long before it sends it what another one made.
        """
        sizes = self._groups.sizes
        own = sum(sizes[number] for number in numbers)

        def work(worker: str) -> float:
            return own + _BRINGING * sum(sizes[child] for child in children if worker not in self._holders[child])

        if not self._given:
            raise _WorkersGoneError
        worker = min(self._given, key=lambda one: (self._given[one] + work(one)) / self._threads[one])
        return worker, work(worker)

    def _release(self, numbers: Run) -> None:
        """Let go of what only these groups needed."""
        for number in numbers:
            self._reached.pop(number, None)
            for _, child in self._groups.children(number):
                self._readers[child] -= 1
                if not self._readers[child]:
                    self._solved.pop(child, None)

    def _input(self, number: int) -> Any:
        """What a task makes of a group, or what is stored of it, sent or fetched once for all that read it."""
        if number not in self._solved:
            if self._keeper.is_shared:
                self._solved[number] = self._submit(tasks.read_there, (number,))
            else:
                self._solved[number] = self._client.scatter([tasks.read(self._keeper, number)], hash=False)[0]
        return self._solved[number]

    def _submit(
        self, task: Callable[..., Any], numbers: Run, *inputs: Any, worker: str | None = None, later: int = 0
    ) -> Any:
        return self._client.submit(
            task,
            self._make_keeper,
            self._spec,
            numbers,
            *inputs,
            pure=False,
            priority=-self._rank.get(numbers, 0) - later,
            retries=0,
            workers=worker,
            allow_other_workers=worker is not None,
        )

    def _finished(self) -> list[Any]:
        """The tasks that were done meanwhile, one at least."""
        done: list[Any] = []
        while not done:
            if time.monotonic() - self._looked > LOOK:
                self._look()
            with contextlib.suppress(queue.Empty):
                done.append(self._done.get(timeout=LOOK))
                while True:
                    done.append(self._done.get_nowait())
        for future in done:
            if future.status == "error":
                error = future.exception()
                if type(error).__name__ in ("KilledWorker", "FutureCancelledError", "CommClosedError"):
                    raise _WorkersGoneError
                raise error
            if future.status != "finished":
                self._look()
                raise _WorkersGoneError
        return done

    def _gathered(self, futures: list[Any]) -> list[Any]:
        try:
            return list(self._client.gather(futures))
        except (OSError, CancelledError) as error:
            self._look()
            raise _WorkersGoneError from error

    def _look(self) -> None:
        """See whether the scheduler and all workers are still there."""
        self._looked = time.monotonic()
        there = workers_of(self._client, self._cluster)
        if self._threads.keys() - there.keys():
            raise _WorkersGoneError
        self._threads = there
        self._given = dict.fromkeys(there, 0.0) | self._given

    def end(self) -> None:
        """Let go of all tasks: those that nobody has begun are then forgotten."""
        by_group = (self._solved, self._reached, self._unsaved)
        futures = chain(self._ready, self._solving, self._storing, *(each.values() for each in by_group))
        with contextlib.suppress(Exception):  # a scheduler that has gone away has nothing to forget
            for future in set(futures):
                future.release()


def _around(near: Callable[[int], Iterator[tuple[int, int]]], numbers: Run) -> set[int]:
    """The children or the parents of groups."""
    return {other for number in numbers for _, other in near(number)}


def _runs(groups: Groups, numbers: list[int]) -> Iterator[Run]:
    """Groups of one number of stones, of which none needs another: some hundredths of a second of work each, or a large one."""
    for _, layer in groupby(numbers, key=lambda number: groups.stones[number]):
        some: list[int] = []
        for number in layer:
            if some and sum(groups.sizes[one] for one in (*some, number)) > _RUN:
                yield tuple(some)
                some = []
            some.append(number)
        yield tuple(some)
