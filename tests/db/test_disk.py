"""Disks that are full or may not be written: real ones, mounted for the test where the system lets us."""

import contextlib
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Zermelo
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.solver.errors import OperationError
from zermelo.solver.games import load

Disk = Callable[[str], Path]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Makes a disk of its own with the options given, remounting it if it is there."""
    folder = tmp_path / "disk"

    def mount(options: str) -> Path:
        again = folder.exists()
        folder.mkdir(exist_ok=True)
        command = ["mount", "-o", f"remount,{options}"] if again else ["mount", "-t", "tmpfs", "-o", options, "tmpfs"]
        try:
            done = subprocess.run([*command, str(folder)], capture_output=True, text=True)
        except FileNotFoundError:
            pytest.skip("there is no mount here")
        if done.returncode:
            pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
        return folder

    yield mount
    subprocess.run(["umount", str(folder)], capture_output=True)


def test_a_read_only_disk_is_read(disk: Disk) -> None:
    """Nothing need be written to answer, and a build says why it cannot."""
    path = disk("size=4m") / "zermelo.db"
    build(str(path), load("tictactoe"))
    disk("ro")
    with open_solution(str(path)) as solution:
        assert solution.answer("XO./.X./..O").best_move == "a2"
    with pytest.raises(OperationError, match=r"zermelo.db' cannot be used: attempt to write a readonly database"):
        build(str(path), load("tictactoe"), force=True)
    assert [file.name for file in path.parent.iterdir()] == ["zermelo.db"]


def test_a_disk_that_is_too_small(disk: Disk) -> None:
    """One line, and what was there before still answers."""
    path = disk("size=400k") / "zermelo.db"
    build(str(path), load("tictactoe"))
    for spec in ("mnk:3,3,3", "mnk:5,2,3"):
        with pytest.raises(
            OperationError, match=r"there is no room left for .*zermelo.db': what it held before is unharmed"
        ):
            build(str(path), load(spec), force=True)
        with open_solution(str(path)) as solution:
            assert solution.answer("XO./.X./..O").best_move == "a2"


def test_a_journal_of_another_kind(disk: Disk) -> None:
    """A database that somebody has set to WAL: reading leaves no files behind, and where it cannot be read it says so."""
    path = disk("size=4m") / "zermelo.db"
    build(str(path), load("tictactoe"))
    build(str(path), load("nim:1,2"))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma journal_mode = wal").fetchone() == ("wal",)
    for _ in range(2):
        with open_solution(str(path)) as solution, open_solution(str(path), "nim:1,2") as other:
            assert solution.answer("XO./.X./..O").best_move == "a2"
            assert other.probe(other.game.format(other.game.initial)).value == 1
            build(str(path), load("nim:1,1"), force=True)
            assert solution.answer("XO./.X./..O").best_move == "a2"
        assert [file.name for file in path.parent.iterdir()] == ["zermelo.db"]
    disk("ro")
    with pytest.raises(
        OperationError, match=r"its journal is a WAL, so read a copy, or set `pragma journal_mode = delete`"
    ):
        open_solution(str(path))


@pytest.mark.parametrize("command", ["build", "verify"])
def test_no_room_for_temporary_files(disk: Disk, command: str, zermelo: Zermelo) -> None:
    """One line says where they were to be, and the same command goes on to the end once there is room."""
    said = zermelo("build", "-g", "connect:5,4,4", "--layout", "packed")
    assert said.returncode == 0, said.stderr
    arguments = (command, "-g", "connect:5,4,4", *(["--force"] if command == "build" else []))
    small = str(disk("size=64k"))
    full = zermelo(*arguments, env={"TMPDIR": small})
    assert full.returncode == 1
    why = f"no temporary file can be written in '{small}': No space left on device: TMPDIR may name another folder"
    assert full.stderr.splitlines()[-1] == f"zermelo: {why}"
    assert zermelo(*arguments).returncode == 0
    assert zermelo("verify", "-g", "connect:5,4,4").returncode == 0
