"""Builds that are killed at any moment: what was there before answers as before, and what is there is whole."""

import contextlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fuzz import scaled
from zermelo.db.memory import solve_in_memory
from zermelo.db.query import Solution, open_solution
from zermelo.db.store import build
from zermelo.solver.errors import MissingSolutionError, OperationError
from zermelo.solver.games import load

pytestmark = pytest.mark.slow
OLD = solve_in_memory("tictactoe")
ROWS, PACKED = "mnk:3,3,3,misere", "mnk:4,3,3"
DIGESTS = {ROWS: solve_in_memory(ROWS).source.facts["digest"]}


def killed(path: Path, game: str, layout: str, after: float) -> tuple[bool, float]:
    """Begin a build and kill it so long after it first writes; whether it was not done by then, and how long it wrote."""
    command = [sys.executable, "-m", "zermelo", "build", "-g", game, "--db", str(path), "--layout", layout]
    before = _seen(path.parent)
    builder = subprocess.Popen([*command, "--force"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while builder.poll() is None and _seen(path.parent) == before:
        time.sleep(0.001)  # most of the time it imports and solves, and there is nothing to be found half done
    started = last = time.monotonic()
    while builder.poll() is None and time.monotonic() < started + after:
        if (seen := _seen(path.parent)) != before:
            before, last = seen, time.monotonic()
        time.sleep(0.001)
    builder.kill()
    return builder.wait() == -signal.SIGKILL, last - started


def _seen(folder: Path) -> set[tuple[str, int]]:
    """The files there, and when each was last written."""
    seen = set()
    for file in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            seen.add((file.name, file.stat().st_mtime_ns))
    return seen


def as_before(solution: Solution, chance: random.Random) -> None:
    """The solution that was there first still answers."""
    assert len(solution) == 5478
    boards = list(OLD)
    for board in chance.sample(boards, 20):
        assert solution.answer(board) == OLD.answer(board)


def check(path: Path, game: str, chance: random.Random) -> str:
    """Whatever was killed, and when: the old solution is right, and of the new one there is all or nothing."""
    with open_solution(str(path)) as solution:
        as_before(solution, chance)
    left = {file.name for file in path.parent.iterdir()}
    assert left <= {path.name, f"{path.name}-journal", f"{path.name}-{game.replace(':', '-').replace(',', '-')}.lock"}
    with sqlite3.connect(path) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
    connection.close()
    try:
        with open_solution(str(path), game) as solution:
            rows = sum(1 for _ in solution)
            assert rows == len(solution)
            return "whole"
    except (MissingSolutionError, OperationError) as error:
        assert "does not hold" in str(error) or "is being built" in str(error), str(error)
        return "nothing"


def kill_many(number: int, game: str, layout: str, folder: Path, seed: int) -> dict[str, int]:
    """Kill so many builds, each after another time, and go on in the same file now and then."""
    good, path = folder / "good" / "zermelo.db", folder / "killed" / "zermelo.db"
    good.parent.mkdir()
    path.parent.mkdir()
    build(str(good), load("tictactoe"))
    chance = random.Random(seed)
    shutil.copy(good, path)
    died, whole = killed(path, game, layout, 300)  # and how long a build writes on this machine, now
    assert not died
    found = {"killed": 0, "done": 0, "whole": 0, "nothing": 0, "half-written": 0}
    for turn in range(10 * number + 20):
        if found["killed"] == number:
            break
        if not turn % 4:  # and otherwise on with what the last one left
            shutil.rmtree(path.parent)
            path.parent.mkdir()
            shutil.copy(good, path)
        died, wrote = killed(path, game, layout, chance.random() * whole)
        found["killed" if died else "done"] += 1
        if not died:
            whole = min(whole, wrote)  # the first one may have had to compile
        found["half-written"] += path.with_name(f"{path.name}-journal").exists()
        found[check(path, game, chance)] += 1
    assert not killed(path, game, layout, 300)[0], "the last one ends as if nothing had been"
    assert check(path, game, chance) == "whole"
    return found


def test_row_builds_that_are_killed(tmp_path: Path) -> None:
    """200 of them at full scale; docs/reliability.md has the figures."""
    found = kill_many(scaled(200), ROWS, "rows", tmp_path, seed=3)
    print("rows", found)
    assert found["killed"]
    with open_solution(str(tmp_path / "killed" / "zermelo.db"), ROWS) as solution:
        assert solution.source.facts["digest"] == DIGESTS[ROWS]


def test_packed_builds_that_are_killed(tmp_path: Path) -> None:
    """60 of them at full scale, each of which goes on where one before it was killed, or begins anew."""
    found = kill_many(scaled(60), PACKED, "packed", tmp_path, seed=4)
    print("packed", found)
    assert found["killed"]
    with open_solution(str(tmp_path / "killed" / "zermelo.db"), PACKED) as solution:
        digest = solution.source.facts["digest"]
    assert digest == build(str(tmp_path / "again.db"), load(PACKED), layout="packed").digest
