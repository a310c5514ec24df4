"""Threads that share work, the memory that they may take, and how far they are."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from threading import Thread
from typing import TypeVar

from zermelo.solver.errors import MemoryLimitError, size_text
from zermelo.solver.packed.estimate import free_memory
from zermelo.solver.progress import Progress

Result = TypeVar("Result")

_AHEAD = 4
"""Pieces of work for each thread that are handed out at a time."""
_SHARE = 0.9
"""How much of the free memory is used where nothing else is said."""
_BASE = 300 << 20
"""Bytes that the program and what it compiled take."""


class Crew:
    """So many threads, and so much memory."""

    def __init__(self, game: str, jobs: int, memory: int | None, progress: Progress | None) -> None:
        self.jobs = jobs
        self._game = game
        free = free_memory()
        self.memory = memory if memory is not None else None if free is None else int(_SHARE * free)
        self._progress = progress
        self._pool = ThreadPoolExecutor(jobs)

    def report(self, done: int, total: int | None, stage: str) -> None:
        """Tell how far the work is."""
        if self._progress:
            self._progress(done, total, stage)

    def has(self, size: int) -> bool:
        """Whether there may be so many bytes."""
        return self.memory is None or size + _BASE <= self.memory

    def afford(self, size: int, what: str) -> None:
        """Refuse what takes more bytes than there may be, before it is begun."""
        if self.memory is not None and not self.has(size):
            raise MemoryLimitError(
                f"{self._game} takes {size_text(size + _BASE)} of memory for {what}, and"
                f" {size_text(self.memory)} may be used",
                game=self._game,
                memory=size + _BASE,
            )

    def share(
        self, work: Callable[[int, int], Result], begin: int, end: int, step: int
    ) -> Iterator[tuple[int, Result]]:
        """Do the work between two numbers in steps, on all threads; how much each step was, and what it gave.

        Nothing is left behind when it is stopped: what was begun is finished, and a step takes a fraction of a second.
        """
        if self.jobs == 1 or end - begin <= step:
            for first in range(begin, end, step):
                last = min(first + step, end)
                yield last - first, work(first, last)
            return
        running: dict[Future[Result], int] = {}
        steps = iter(range(begin, end, step))
        try:
            while True:
                for first in islice(steps, _AHEAD * self.jobs - len(running)):
                    last = min(first + step, end)
                    running[self._pool.submit(work, first, last)] = last - first
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            for future in running:
                future.cancel()
            wait(running)

    def aside(self, work: Callable[[], object]) -> None:
        """Do one long thing that cannot be cut into steps, so that it can still be interrupted: it then ends by itself."""
        failed: list[BaseException] = []

        def run() -> None:
            try:
                work()
            except BaseException as error:
                failed.append(error)

        thread = Thread(target=run, daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(0.2)
        if failed:
            raise failed[0]

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown()
