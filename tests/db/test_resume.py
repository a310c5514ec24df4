"""Builds that are killed while groups are being stored: what goes on from there ends with the digest of an undisturbed one."""

import contextlib
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.solver.errors import SolutionExistsError
from zermelo.solver.games import load

pytestmark = pytest.mark.slow
KILLS = 20

KILLED = """
import os, signal, sys, threading
from zermelo.db.store import build

path, spec, report, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
reports = 0

def kill():
    os.kill(os.getpid(), signal.SIGKILL)

def progress(done, total, stage):
    global reports
    reports += 1
    if reports == report:
        if seconds:
            threading.Timer(seconds, kill).start()
        else:
            kill()

build(path, spec, progress=progress)
"""


def stored_in(path: Path) -> int:
    """How many groups are stored of a build that is not complete."""
    if not path.exists():
        return 0
    with contextlib.closing(sqlite3.connect(path)) as connection:
        try:
            return int(connection.execute("select count(*) from blocks where occupancy < 0").fetchone()[0])
        except sqlite3.OperationalError:  # killed before there was a table
            return 0


@pytest.mark.parametrize("spec", ["mnk:4,4,4", "connect:5,5,4"])
def test_killed_at_random_moments(spec: str, tmp_path: Path) -> None:
    """Every other one at a random time of storing, the rest as soon as a random part of the groups is told to be done."""
    begun: list[float] = []
    whole = build(tmp_path / "whole.db", load(spec), progress=lambda *_: begun.append(time.monotonic()))
    longest, reports = time.monotonic() - begun[0], len(begun)
    chance = random.Random(spec)
    kills = parts = 0
    path = tmp_path / "killed.db"
    for turn in range(10 * KILLS):
        report, seconds = chance.randint(1, reports), 0.0
        if turn % 2:
            report, seconds = 1, chance.uniform(0.001, longest)
        child = subprocess.run([sys.executable, "-c", KILLED, str(path), spec, str(report), str(seconds)], timeout=300)
        if child.returncode == 0:  # it was done before that
            longest, reports = 0.7 * longest, max(2, reports // 2)
        else:
            assert child.returncode == -signal.SIGKILL
            kills += 1
            parts += stored_in(path) > 0
            if not turn % 4:
                continue  # and the next one is killed on its way on
            with contextlib.suppress(SolutionExistsError):  # where all was stored, and only leaving was left to do
                build(path, load(spec))
        with open_solution(str(path), spec) as solution:
            assert solution.source.facts["digest"] == whole.digest
            assert solution.source.facts["positions"] == whole.positions
        path.unlink()
        if kills >= KILLS:
            break
    assert kills >= KILLS
    assert parts, "some had stored groups to go on from"
