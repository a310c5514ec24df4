"""Work that depends on other work, done in threads: each piece as soon as what it needs is done."""

import heapq
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

Result = TypeVar("Result")

_LOOKED_AT = 16
"""Pieces of work, from the most urgent on, among which one is sought that there is room for."""
_PATIENCE = 0.5
"""Seconds after which a waiting thread looks whether it was interrupted, where that does not wake it."""


class StoppedError(Exception):
    """What ends the work in a thread when it is no longer wanted."""


class Threads(Generic[Result]):
    """Does `work` for every number of `order`, each after those of `needs`, the first in the order first.

    `admits` is asked, with `condition` held, whether there is room for a piece of work; it is asked again whenever one is
    done and whenever somebody notifies `condition`.
    """

    def __init__(
        self,
        order: Sequence[int],
        needs: Callable[[int], Iterable[int]],
        work: Callable[[int], Result],
        *,
        jobs: int,
        condition: threading.Condition,
        admits: Callable[[int], bool] = lambda _: True,
    ) -> None:
        self._work = work
        self._condition = condition
        self._admits = admits
        self._jobs = jobs
        self._rank = {number: rank for rank, number in enumerate(order)}
        self._order = order
        self._waits_for = dict.fromkeys(order, 0)
        self._followers: dict[int, list[int]] = {number: [] for number in order}
        for number in order:
            for needed in needs(number):
                if needed in self._rank:
                    self._waits_for[number] += 1
                    self._followers[needed].append(number)
        self._ready = [rank for rank, number in enumerate(order) if not self._waits_for[number]]
        self._left = len(order)
        self._done: list[Result] = []
        self._failure: BaseException | None = None
        self._stopped = False
        self._began_to_wait = False
        self.waiting = 0
        """How many threads wait for room."""

    def check(self) -> None:
        """Raise `StoppedError` where the work in hand is no longer wanted."""
        if self._stopped:
            raise StoppedError

    def results(self) -> Iterator[list[Result]]:
        """What is done, in lists: all that was finished since the last was asked for. Nothing is at work afterwards.

        A list may be empty: then a thread has begun to wait for room.
        """
        left = self._left
        threads = [threading.Thread(target=self._run, daemon=True) for _ in range(min(self._jobs, left))]
        for thread in threads:
            thread.start()
        try:
            while left:
                with self._condition:
                    while not self._done and not self._failure and not self._began_to_wait:
                        self._condition.wait(_PATIENCE)
                    if self._failure:
                        raise self._failure
                    self._began_to_wait = False
                    some, self._done = self._done, []
                left -= len(some)
                yield some
        finally:
            with self._condition:
                self._stopped = True
                self._condition.notify_all()
            for thread in threads:
                thread.join()

    def _run(self) -> None:
        try:
            while (number := self._next()) is not None:
                result = self._work(number)
                with self._condition:
                    self._done.append(result)
                    self._left -= 1
                    for follower in self._followers[number]:
                        self._waits_for[follower] -= 1
                        if not self._waits_for[follower]:
                            heapq.heappush(self._ready, self._rank[follower])
                    self._condition.notify_all()
                del result  # or it would be held while the next one is worked out
        except StoppedError:
            pass
        except BaseException as error:
            with self._condition:
                self._failure = self._failure or error
                self._condition.notify_all()

    def _next(self) -> int | None:
        """What to do next, None when all is done or nothing more is wanted."""
        waits = False
        with self._condition:
            try:
                while self._left and not self._stopped and not self._failure:
                    for rank in heapq.nsmallest(_LOOKED_AT, self._ready):
                        if self._admits(self._order[rank]):
                            self._ready.remove(rank)
                            heapq.heapify(self._ready)
                            return self._order[rank]
                    if self._ready and not waits:
                        waits = self._began_to_wait = True
                        self.waiting += 1
                        self._condition.notify_all()
                    self._condition.wait()
                return None
            finally:
                self.waiting -= waits
