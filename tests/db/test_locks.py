"""Reading takes no lock away from who builds in the same process, whatever the file is called."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from zermelo.db.catalogue import solutions_in
from zermelo.db.engine import is_database, sql_engine, tablebase_path
from zermelo.db.lock import only_builder
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import open_tablebase
from zermelo.db.verify import verify
from zermelo.solver.errors import BusyError, DamagedError, ZermeloError
from zermelo.solver.games import load

WRITER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("begin immediate")
except sqlite3.OperationalError as error:
    print(error)
"""


def another_writer(path: Path) -> str:
    """What another process is told that would write now; nothing if it may."""
    return subprocess.run([sys.executable, "-c", WRITER, str(path)], capture_output=True, text=True).stdout.strip()


def try_as_a_tablebase(path: str) -> None:
    with pytest.raises(DamagedError, match="it is a database"):
        open_tablebase(path)


READ: dict[str, Callable[[str], object]] = {
    "open": lambda path: open_solution(path).close(),
    "list": solutions_in,
    "tell apart": tablebase_path,
    "is it one": is_database,
    "open as a tablebase": try_as_a_tablebase,
}


@pytest.mark.slow
@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("name", ["zermelo.db", "link.ztb"])
def test_reading_keeps_the_locks_of_a_writer(read: str, name: str, tmp_path: Path) -> None:
    """Whoever opens and closes a file past SQLite drops all POSIX locks that the process has on it."""
    path = tmp_path / "zermelo.db"
    build(str(path), load("tictactoe"))
    (tmp_path / "link.ztb").symlink_to(path)
    sql = sql_engine(str(path))
    with sql.begin():
        assert another_writer(path) == "database is locked"
        READ[read](str(tmp_path / name))
        assert another_writer(path) == "database is locked"
    sql.dispose()
    assert another_writer(path) == ""


@pytest.mark.slow
def test_a_build_and_a_reader_in_one_process_and_a_build_in_another(tmp_path: Path) -> None:
    """While a build is at work its process reads the same file, and another process builds in it: both end right."""
    path = tmp_path / "zermelo.db"
    build(str(path), load("tictactoe"))
    others: list[subprocess.Popen[bytes]] = []
    command = [sys.executable, "-m", "zermelo", "build", "-g", "mnk:3,3,2", "--db", str(path)]

    def interfere(_done: int, _total: int | None, _stage: str = "") -> None:
        if not others:
            for _ in range(3):
                with open_solution(str(path)) as solution:
                    assert solution.probe(".../.../...").value == 0
                solutions_in(str(path))
            assert another_writer(path) == "database is locked"
            others.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))

    build(str(path), load("mnk:4,2,3"), progress=interfere)
    (other,) = others
    _, said = other.communicate()
    if other.returncode:  # the other one gave up waiting, on a slow machine
        assert b"is in use by another program" in said
        build(str(path), load("mnk:3,3,2"))
    for game in ("mnk:3,3,3", "mnk:4,2,3", "mnk:3,3,2"):
        with open_solution(str(path), game) as solution:
            assert not verify(solution).faults


def test_an_empty_file_is_not_opened_either(tmp_path: Path) -> None:
    """A database that is being made is empty until its first transaction ends."""
    path = tmp_path / "new.ztb"
    path.touch()
    sql = sql_engine(str(path))
    with sql.begin():
        for read in (open_solution, open_tablebase):
            with pytest.raises(ZermeloError, match="it is empty"):
                read(str(path))
        assert another_writer(path) == "database is locked"
    sql.dispose()


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    """A pipe would never end, and a device neither."""
    os.mkfifo(tmp_path / "pipe.ztb")
    for path in (tmp_path / "pipe.ztb", Path("/dev/zero")):
        with pytest.raises(ZermeloError, match=r"is not a (file|database)"):
            open_tablebase(path)


def test_a_link_is_the_same_database_to_a_builder(tmp_path: Path) -> None:
    """Who builds through the one keeps out who builds through the other."""
    path, link = tmp_path / "zermelo.db", tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(path)
    for one, other in ((path, link), (link, path)):
        with only_builder(str(one), "mnk:3,3,3"):
            with (
                pytest.raises(BusyError, match="another build of mnk:3,3,3 is at work"),
                only_builder(str(other), "mnk:3,3,3"),
            ):
                pass
            with only_builder(str(other), "mnk:4,3,3"):
                pass
    assert [file.name for file in link.parent.iterdir()] == ["link.db"]
