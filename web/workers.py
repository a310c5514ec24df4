"""Several processes that do the same work side by side, begun and ended together."""

import contextlib
import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import NoReturn

from zermelo.solver.errors import OperationError

_LOG = logging.getLogger("zermelo.web")
_SHORT_LIFE = 5
"""Seconds that a worker must have lived to be replaced at once: one that cannot even begin would be begun for ever."""
_LAST_CHANCE = 10
"""Seconds that workers have to end by themselves."""


def run_workers(number: int, work: Callable[[], object]) -> None:
    """Do `work` in so many processes until an interrupt or a request to terminate; whoever dies meanwhile is replaced.

    They end with this process whatever ends it: each waits at one end of a pipe whose other end is here.
    """
    if not hasattr(os, "fork"):
        raise OperationError("several workers need a system that can fork: serve with one")
    waiting, held = os.pipe()
    begun: dict[int, float] = {}
    watched = (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)
    before = {one: signal.signal(one, lambda *_: None) for one in watched}
    # Signals wait until they are asked for, so that none comes between a process and its number.
    signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    told = signal.SIGCHLD
    try:
        while told == signal.SIGCHLD:
            for child in _ended(begun):
                lived = time.monotonic() - begun.pop(child)
                _LOG.error("worker %d has ended unasked: another is begun", child)
                time.sleep(1 if lived < _SHORT_LIFE else 0)
            while len(begun) < number:
                child = os.fork()
                if not child:
                    os.close(held)
                    _be_a_worker(work, waiting)
                begun[child] = time.monotonic()
            told = signal.Signals(signal.sigwait(watched))
    finally:
        _end(begun)
        os.close(waiting)
        os.close(held)
        for one, handler in before.items():
            signal.signal(one, handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, watched)
    if told == signal.SIGTERM:
        signal.raise_signal(told)  # as a single process ends that was told to


def _be_a_worker(work: Callable[[], object], waiting: int) -> NoReturn:
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for one in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(one, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD))
        threading.Thread(target=_end_with_parent, args=(waiting,), daemon=True).start()
        work()
        code = 0
    except KeyboardInterrupt:
        code = 0
    except BaseException:
        _LOG.exception("a worker has failed")
    finally:
        os._exit(code)


def _end_with_parent(waiting: int) -> None:
    os.read(waiting, 1)  # nothing comes, until nobody holds the other end
    os.kill(os.getpid(), signal.SIGTERM)


def _ended(begun: dict[int, float]) -> list[int]:
    return [child for child in begun if os.waitpid(child, os.WNOHANG)[0]]


def _end(begun: dict[int, float]) -> None:
    """Let the workers end what they are at, and end who takes too long."""
    for last in (signal.SIGTERM, signal.SIGKILL):
        for child in begun:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, last)
        deadline = time.monotonic() + _LAST_CHANCE
        while begun and time.monotonic() < deadline:
            for child in _ended(begun):
                del begun[child]
            time.sleep(0.02)
