"""Packed builds that are stopped, killed or interrupted go on where they were."""

import contextlib
import hashlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import zstandard

from tests.conftest import heed_interrupts
from zermelo.db.packed import begun
from zermelo.db.packed.keeper import Keeper, Packed
from zermelo.db.query import open_solution
from zermelo.db.stats import statistics
from zermelo.db.store import build
from zermelo.db.verify import verify
from zermelo.solver.errors import BusyError, DamagedSolutionError, OperationError
from zermelo.solver.games import load


def build_packed(path: Path, spec: str, **options: Any) -> str:
    return build(str(path), load(spec), layout="packed", **options).digest


class StopError(Exception):
    """Stands for whatever ends a build."""


@pytest.mark.parametrize("spec", ["mnk:4,3,3", "connect:4,3,3"])
@pytest.mark.parametrize("at", [12, *(pytest.param(at, marks=pytest.mark.slow) for at in (0, 1, 40))])
def test_a_stopped_build_goes_on_where_it_was(
    spec: str, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in the middle of a transaction, the next build solves only what is not stored, and ends with the same digest."""
    whole = build_packed(tmp_path / "whole.db", spec)
    path = tmp_path / "stopped.db"
    written: list[int] = []
    write = Keeper.write

    def stopping(self: Keeper, packed: Sequence[Packed]) -> None:
        for group in packed:
            if len(written) == at:
                group.rows.append(group.rows[0])  # which the database refuses
            write(self, [group])
            written.append(group.number)

    with monkeypatch.context() as patch:
        patch.setattr(Keeper, "write", stopping)
        with pytest.raises(OperationError):
            build_packed(path, spec)
    assert len(written) == at
    with pytest.raises(BusyError, match="is being built"):
        open_solution(str(path), spec)
    stopped = begun(str(path), load(spec))
    assert (stopped.groups if stopped else 0) == at

    def noting(self: Keeper, packed: Sequence[Packed]) -> None:
        written.extend(group.number for group in packed)
        write(self, packed)

    monkeypatch.setattr(Keeper, "write", noting)
    assert build_packed(path, spec, jobs=2) == whole
    assert sorted(written) == list(range(stopped.of if stopped else len(written)))
    with open_solution(str(path), spec) as one, open_solution(str(tmp_path / "whole.db"), spec) as other:
        assert statistics(one) == statistics(other)
        assert spec.startswith("mnk") or not verify(one).faults  # which takes long
    assert os.listdir(tmp_path).count("stopped.db") == 1
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".lock")]
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("select count(*) from blocks where occupancy < 0").fetchone() == (0,)


@pytest.mark.slow
def test_the_digest_does_not_depend_on_the_order_of_solving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor on how many jobs there are, nor on what fits into memory; a sum that is written down holds it to what it was."""
    expected = "2bf545b10dfd89cd978fc55a8bccb682e06f18ae92b270766d1bb6b945d021ac"
    assert build_packed(tmp_path / "one.db", "mnk:4,4,3", jobs=1) == expected
    assert build_packed(tmp_path / "three.db", "mnk:4,4,3", jobs=3) == expected
    read: list[int] = []
    read_back = Keeper.read

    def noting(self: Keeper, number: int) -> Any:
        read.append(number)
        return read_back(self, number)

    monkeypatch.setattr(Keeper, "read", noting)
    monkeypatch.setattr("zermelo.solver.packed.solve.room_for", lambda *_: 300_000.0)
    assert build_packed(tmp_path / "small.db", "mnk:4,4,3", jobs=3) == expected
    assert len(read) > 10


def test_a_solution_of_before_is_right_and_a_build_of_before_begins_anew(tmp_path: Path) -> None:
    """Digests were once a chain over the layers; and what such a build left, which has no records of groups, goes."""
    path = tmp_path / "zermelo.db"
    digest = build_packed(path, "mnk:3,3,3")
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        link = b""
        for stones in range(9, -1, -1):
            rows = connection.execute("select data from blocks where layer = ? order by occupancy", (stones,))
            layer = b"".join(zstandard.ZstdDecompressor().decompress(data[4:]) for (data,) in rows)
            link = hashlib.sha256(link + layer).digest()
        assert link.hex() == "e530ecbc9cb5d460c960624503d02ea9a0ef8831eac92b55330e24f38790a2b1"
        connection.execute("update solutions set digest = ?, checksum = null", (link.hex(),))
    with open_solution(str(path), "mnk:3,3,3") as solution:
        assert not verify(solution).faults
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update solutions set status = 'building'")
        connection.execute("delete from blocks where layer < 5")
        connection.execute("delete from counts where ply < 5")
    assert begun(str(path), load("mnk:3,3,3")) is None
    assert build_packed(path, "mnk:3,3,3") == digest
    with open_solution(str(path), "mnk:3,3,3") as solution:
        assert not verify(solution).faults
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update solutions set digest = ?, checksum = null", ("0" * 64,))
    with open_solution(str(path), "mnk:3,3,3") as solution:
        assert verify(solution).faults == [f"the digest is {digest}, and {'0' * 64} is stored"]


def test_a_damaged_block_of_a_stopped_build_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read back is looked at: it is never taken for something else."""
    path = tmp_path / "zermelo.db"
    write = Keeper.write

    def stopping(self: Keeper, packed: Sequence[Packed]) -> None:
        write(self, packed)
        raise StopError

    with monkeypatch.context() as patch:
        patch.setattr(Keeper, "write", stopping)
        with pytest.raises(StopError):
            build_packed(path, "mnk:3,3,3")
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update blocks set data = x'00' where occupancy >= 0")
    with pytest.raises(DamagedSolutionError, match=r"block \d+ of mnk:3,3,3 in .* is damaged"):
        build_packed(path, "mnk:3,3,3")


ENDLESS = """
import sys
from zermelo.db.store import build
from zermelo.solver.games import load

def report(done, total, stage=""):
    print(stage, flush=True)
    if done == total:
        sys.stdin.read()

build(sys.argv[1], load(sys.argv[2]), layout="packed", jobs=2, progress=report)
"""
"""A build that says which layer it is at, and before it stores the last one waits for what never comes: to be killed."""


@pytest.mark.parametrize("moments", [(11, 0), pytest.param((13, 11, 9, 6, 3, 0), marks=pytest.mark.slow)])
def test_killed_at_any_moment(moments: tuple[int, ...], tmp_path: Path) -> None:
    """Whenever the process is killed, what it stored is kept, readers see nothing half done, and the next one goes on."""
    spec, path, chance = "mnk:5,3,4", tmp_path / "killed.db", Random(7)
    whole = build_packed(tmp_path / "whole.db", spec)
    kept: set[int] = set()
    for stones in moments:
        with subprocess.Popen(
            [sys.executable, "-c", ENDLESS, str(path), spec], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as builder:
            assert builder.stdout is not None
            # As far as this, or further where the last one came further than it was asked to: it never comes to the end.
            next(line for line in builder.stdout if int(line.split()[0]) <= stones)
            time.sleep(chance.uniform(0, 0.1))
            assert builder.poll() is None
            builder.kill()
        assert builder.returncode == -signal.SIGKILL
        with pytest.raises(BusyError, match="is being built"):
            open_solution(str(path), spec)
        groups = set(_groups_in(path))
        assert groups >= kept
        assert 0 not in groups
        kept = groups
    assert build_packed(path, spec) == whole


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["mnk:5,3,4", "connect:5,4,4"])
def test_killed_twelve_times(spec: str, tmp_path: Path) -> None:
    """At twelve random moments of its first second, begun anew each time or gone on with: the same digest."""
    chance = Random(spec)
    whole = build_packed(tmp_path / "whole.db", spec)
    path = tmp_path / "killed.db"
    for number in range(12):
        if number % 4 == 0:
            path.unlink(missing_ok=True)
        with subprocess.Popen(
            [sys.executable, "-c", ENDLESS, str(path), spec], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as builder:
            assert builder.stdout is not None
            builder.stdout.readline()  # it has begun
            time.sleep(chance.uniform(0, 1))
            builder.kill()
        if number % 4 == 3:
            assert build_packed(path, spec) == whole
            path.unlink()
    assert build_packed(path, spec) == whole


@pytest.mark.slow
def test_interrupted(tmp_path: Path) -> None:
    """Ctrl-C ends the build at once, with a line that says how to go on; and so it does."""
    path = tmp_path / "zermelo.db"
    command = [
        sys.executable,
        "-m",
        "zermelo",
        "build",
        "-g",
        "mnk:5,4,4",
        "--db",
        str(path),
        "--no-progress",
        "--jobs",
        "1",
    ]
    builder = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and not _groups_in(path):
        time.sleep(0.02)
    assert builder.poll() is None
    builder.send_signal(signal.SIGINT)
    _, stderr = builder.communicate(timeout=120)
    assert builder.returncode == 1
    said = "zermelo: interrupted: what is finished is kept, and the same command goes on from there"
    assert stderr.splitlines()[-1] == said
    assert _groups_in(path)
    again = subprocess.run([*command, "--memory", "1M"], capture_output=True, text=True)
    assert re.search(r"mnk:5,4,4: going on where an earlier build was stopped, with \d+ of 117 groups, \d+% of the places, stored\n",
                     again.stderr)  # fmt: skip
    assert re.search(
        r"zermelo: mnk:5,4,4 takes at least 3\d\d MB of memory, and 1 MB may be used: allow more with --memory",
        again.stderr.strip(),
    )
    assert again.returncode == 1


def _groups_in(path: Path) -> list[int]:
    try:
        # Whoever waits for the builder's lock may see nothing of it but the end.
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=0)) as connection:
            return [-1 - number for (number,) in connection.execute("select occupancy from blocks where occupancy < 0")]
    except sqlite3.Error:
        return []
