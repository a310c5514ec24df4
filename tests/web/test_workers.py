"""Requests side by side: a slow one delays nobody, and more processes answer on request, which end together."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.conftest import Zermelo
from tests.web.conftest import running
from zermelo.db.readers import SqliteReader
from zermelo.web.shelf import Shelf

pytestmark = pytest.mark.slow


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, for as long as a busy machine may take."""
    for _ in range(6000):
        if holds():
            return
        time.sleep(0.05)
    raise TimeoutError("it never did")


def children(pid: int) -> set[int]:
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def lives(pid: int) -> bool:
    """Whether it is at work: what has ended is there until somebody asks how, and not everywhere does anybody ask."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    return False


def test_a_slow_answer_delays_nobody(tictactoe_db: Path) -> None:
    """While one thread is within an answer, others get theirs, from the same solution; what it reads stays open for it."""
    with closing(Shelf(str(tictactoe_db))) as shelf, ThreadPoolExecutor(1) as pool:

        def ask() -> str | None:
            with shelf.solution("mnk:3,3,3") as solution:
                return solution.answer("XO./.X./..O").best_move

        with shelf.solution("mnk:3,3,3") as slow:
            assert pool.submit(ask).result(timeout=60) == "a2"
            shelf.close()  # as when the file is replaced
            assert slow.answer("XO./.X./..O").best_move == "a2"
        assert "closed" in repr(slow)


def test_a_slow_statement_delays_nobody(tictactoe_db: Path) -> None:
    """Each thread that reads has a connection of its own, up to a number; whoever comes then waits for the first."""
    with closing(SqliteReader(str(tictactoe_db))) as reader, ThreadPoolExecutor(1) as pool:
        held = [reader.take()]
        assert pool.submit(reader.rows, "select 1").result(timeout=60) == [(1,)]
        held += [reader.take() for _ in range(7)]
        waiting = pool.submit(reader.rows, "select 2")
        threading.Event().wait(0.1)
        assert not waiting.done()
        reader.give(held.pop())
        assert waiting.result(timeout=60) == [(2,)]
        for connection in held:
            reader.give(connection)


@pytest.mark.parametrize(
    "ending", [signal.SIGINT, *(pytest.param(one, marks=pytest.mark.slow) for one in (signal.SIGTERM, signal.SIGKILL))]
)
def test_workers_end_together(ending: signal.Signals, tictactoe_db: Path, tmp_path: Path) -> None:
    """Whatever ends the first process ends all of them, and frees the port."""
    with contextlib.suppress(AssertionError), running(tictactoe_db, tmp_path / "log", "--workers", "2") as server:
        until(lambda: len(children(server.pid)) == 2)
        workers = children(server.pid)
        asked = httpx.get(f"{server.address}api/games/mnk:3,3,3/position", timeout=60, trust_env=False)
        os.kill(server.pid, ending)
        until(lambda: not any(map(lives, workers)))
    assert asked.json()["best_move"] == "a1"
    with running(tictactoe_db, tmp_path / "log2", "--port", str(server.port)):
        pass
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_worker_that_dies_is_replaced(tictactoe_db: Path, tmp_path: Path) -> None:
    """The others go on meanwhile, and the log says so in a line."""
    with running(tictactoe_db, tmp_path / "log", "--workers", "2") as server:
        until(lambda: len(children(server.pid)) == 2)
        before = children(server.pid)
        os.kill(min(before), signal.SIGKILL)
        until(lambda: len(children(server.pid) - before) == 1)
        for _ in range(8):
            assert httpx.get(f"{server.address}healthz", timeout=60, trust_env=False).json()["status"] == "ok"
        log = server.log.read_text().splitlines()
    assert [line for line in log if f"worker {min(before)} has ended unasked: another is begun" in line] == log[1:]


def test_what_workers_refuse(zermelo: Zermelo, tictactoe_db: Path, tmp_path: Path) -> None:
    """One line: a number that is none, and an address that is taken."""
    refused = zermelo("serve", "--db", str(tictactoe_db), "--workers", "0")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    with running(tictactoe_db, tmp_path / "log", "--workers", "2") as server:
        taken = zermelo("serve", "--db", str(tictactoe_db), "--workers", "2", "--port", str(server.port))
    assert (taken.returncode, taken.stderr.count("\n")) == (1, 1)
    assert "Address already in use" in taken.stderr
