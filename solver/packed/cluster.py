"""Solving a board group by group on a Dask cluster: the same groups as in threads, each a task of a worker.

What a task makes stays with its worker, compressed, for the tasks that read it. When a worker goes away, so does what it had;
the tasks are then given out anew from what is stored.
"""

import contextlib
import logging
import queue
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from importlib.metadata import version
from typing import Any

from zermelo.solver.errors import ClusterError, GameError
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import require, tasks
from zermelo.solver.packed.groups import Groups, groups_of
from zermelo.solver.packed.solve import Report, in_order
from zermelo.solver.packed.tasks import SharedKeeper
from zermelo.solver.progress import Progress

_CONNECT = 30
"""Seconds to wait for a scheduler to answer, or for a first worker."""
_REPLACEMENT = 60
"""Seconds to wait for another worker when all have gone."""
_LOOK = 0.5
"""Seconds between looks at which workers there are."""
_BRINGING = 0.8
"""How long it takes to bring a place to another worker and unpack it, beside solving and packing one."""
_TRIES = 5
"""How often workers may go away without one more group having been stored."""


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
            _wait_for_workers(client, cluster, _REPLACEMENT)
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
        self._left = [number for number in in_order(groups) if number not in stored]
        self._rank = {number: rank for rank, number in enumerate(self._left)}
        self._reached: dict[int, Any] = {}
        self._packed: dict[int, Any] = {}
        """What tasks make or were given: futures by the number of the group."""
        self._readers = Counter(child for number in self._left for _, child in groups.children(number))
        """How many groups still have to read each."""
        self._waits_for = {
            number: sum(child in self._rank for _, child in groups.children(number)) for number in self._left
        }
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads = _workers(client, cluster)
        self._given = dict.fromkeys(self._threads, 0.0)
        """How much work each worker has been given that it has not done."""
        self._at: dict[int, tuple[str, float]] = {}
        """Which worker has been given a group, and how much work that is."""
        self._holders: defaultdict[int, set[str]] = defaultdict(set)
        """Which workers have each group."""
        self._ready = [
            client.submit(tasks.prepare, make_keeper, spec, workers=worker, pure=False) for worker in self._threads
        ]
        self._looked = time.monotonic()

    def results(self) -> Iterator[list[tuple[int, Any]]]:
        """Groups as they are done: each one's number, and what is to be stored, None where its worker stored it."""
        if self._groups.rules.gravity:
            for number in reversed(self._left):
                parents = {parent: self._reached[parent] for _, parent in self._groups.parents(number)}
                self._reached[number] = self._submit(tasks.reach, number, parents)
        running = {self._start(number): number for number in self._left if not self._waits_for[number]}
        while running:
            done = self._finished()
            numbers = [running.pop(future) for future in done]
            for number in numbers:
                worker, work = self._at.pop(number)
                self._given[worker] -= work
                running |= {self._start(parent): parent for parent in self._release(number)}
            # What has become free is solved while this is fetched and stored.
            packed = [None] * len(done) if self._keeper.is_shared else self._gathered(done)
            yield list(zip(numbers, packed, strict=True))

    def _start(self, number: int) -> Any:
        children = {child: self._input(child) for _, child in self._groups.children(number)}
        worker, work = self._least_busy(number)
        self._given[worker] += work
        self._at[number] = worker, work
        for group in (number, *children):
            self._holders[group].add(worker)
        future = self._submit(tasks.solve, number, children, self._reached.get(number), worker=worker)
        future.add_done_callback(self._done.put)
        self._packed[number] = future
        return future

    def _least_busy(self, number: int) -> tuple[str, float]:
        """The worker that would be done with a group first, and how much work that is, in places.

        Left to itself the scheduler leaves a worker idle for long before it sends it what another one made.
        """

        def work(worker: str) -> float:
            missing = [child for _, child in self._groups.children(number) if worker not in self._holders[child]]
            return self._groups.sizes[number] + _BRINGING * sum(self._groups.sizes[child] for child in missing)

        if not self._given:
            raise _WorkersGoneError
        worker = min(self._given, key=lambda one: (self._given[one] + work(one)) / self._threads[one])
        return worker, work(worker)

    def _release(self, number: int) -> list[int]:
        """Let go of what only this group needed; the groups that were waiting for it alone."""
        self._reached.pop(number, None)
        for _, child in self._groups.children(number):
            self._readers[child] -= 1
            if not self._readers[child]:
                self._packed.pop(child, None)
        free = []
        for _, parent in self._groups.parents(number):
            self._waits_for[parent] -= 1
            if not self._waits_for[parent]:
                free.append(parent)
        return free

    def _input(self, number: int) -> Any:
        """What a task makes of a group, or what is stored of it, sent or fetched once for all that read it."""
        if number not in self._packed:
            if self._keeper.is_shared:
                self._packed[number] = self._client.submit(tasks.fetch, self._make_keeper, number, pure=False)
            else:
                self._packed[number] = self._client.scatter(self._keeper.fetch(number), hash=False)
        return self._packed[number]

    def _submit(self, task: Callable[..., Any], number: int, *inputs: Any, worker: str | None = None) -> Any:
        return self._client.submit(
            task,
            self._make_keeper,
            self._spec,
            number,
            *inputs,
            pure=False,
            priority=-self._rank[number],
            retries=0,
            workers=worker,
            allow_other_workers=worker is not None,
        )

    def _finished(self) -> list[Any]:
        """The tasks that were done meanwhile, one at least."""
        done: list[Any] = []
        while not done:
            if time.monotonic() - self._looked > _LOOK:
                self._look()
            with contextlib.suppress(queue.Empty):
                done.append(self._done.get(timeout=_LOOK))
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
        there = _workers(self._client, self._cluster)
        if self._threads.keys() - there.keys():
            raise _WorkersGoneError
        self._threads = there
        self._given = dict.fromkeys(there, 0.0) | self._given

    def end(self) -> None:
        """Stop the tasks that are not done."""
        futures = [*self._ready, *self._packed.values(), *self._reached.values()]
        self._packed.clear()
        self._reached.clear()
        with contextlib.suppress(Exception):  # a scheduler that has gone away has nothing to stop
            self._client.cancel(futures, force=True)


def _version() -> str:
    return version("zermelo")


@contextlib.contextmanager
def connected(cluster: str) -> Iterator[Any]:
    """A client of the cluster at an address, or of workers that are started here; they are of this version."""
    require("distributed", extra="cluster")
    import dask
    from distributed import Client, LocalCluster

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as open_here:
        settings = {"distributed.scheduler.allowed-failures": 0, "distributed.worker.profile.enabled": False}
        open_here.enter_context(dask.config.set(settings))
        address: Any = cluster
        kind, _, count = cluster.partition(":")
        if kind == "local":
            if not (count.isascii() and count.isdigit() and int(count)):
                raise GameError(f"a cluster here is local:N with N workers, such as local:2, not {cluster!r}")
            address = open_here.enter_context(
                LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=int(count),
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                    memory_limit=None,
                )
            )
        elif "://" not in cluster:
            raise GameError(f"a cluster is named by its address, such as tcp://HOST:8786, or local:2, not {cluster!r}")
        try:
            client = Client(address, timeout=_CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise ClusterError(f"no scheduler answers at {cluster!r}: start one there", cluster=cluster) from error
        open_here.enter_context(client)
        _check_workers(client, cluster)
        yield client


def _check_workers(client: Any, cluster: str) -> None:
    """Refuse a cluster without workers, or with workers of another version."""
    _wait_for_workers(client, cluster, _CONNECT)
    ours = _version()
    for worker, theirs in client.run(_version, on_error="return").items():
        if theirs != ours:
            has = f"has Zermelo {theirs}" if isinstance(theirs, str) else f"cannot run Zermelo ({theirs})"
            raise ClusterError(
                f"worker {worker} of {cluster!r} {has}, and here it is {ours}: install the same there", cluster=cluster
            )


def _wait_for_workers(client: Any, cluster: str, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not _workers(client, cluster):
        if time.monotonic() > deadline:
            raise ClusterError(f"the cluster {cluster!r} has no workers: start some there", cluster=cluster)
        time.sleep(_LOOK)


def _workers(client: Any, cluster: str) -> dict[str, int]:
    """The addresses of the workers that there are now, and how many threads each has."""
    if client.status != "running":
        raise ClusterError(f"the scheduler of {cluster!r} has gone away: what is stored is kept", cluster=cluster)
    there = client.scheduler_info(n_workers=-1)["workers"]
    return {address: worker["nthreads"] for address, worker in there.items()}
