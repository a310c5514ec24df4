"""Databases that cannot be used: each its own line that says why, and none of them harmed."""

import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zermelo.db.query import open_solution
from zermelo.db.store import build, upgrade
from zermelo.solver.errors import (
    BuildingError,
    BusyError,
    DatabaseError,
    EmptyDatabaseError,
    MissingDatabaseError,
    MissingSolutionError,
    OperationError,
    ZermeloError,
)
from zermelo.solver.games import load


def test_no_database(tmp_path: Path) -> None:
    """Reading does not make the file that is missing."""
    path = tmp_path / "none.db"
    with pytest.raises(MissingDatabaseError, match=r"there is no database .*none.db'"):
        open_solution(str(path))
    assert not path.exists()
    with pytest.raises(FileNotFoundError):
        open_solution(str(path))


def test_a_directory(tmp_path: Path) -> None:
    """For reading and for building."""
    with pytest.raises(DatabaseError, match="is a directory: name the database file in it"):
        open_solution(str(tmp_path))
    with pytest.raises(DatabaseError, match="is a directory: name the database file in it"):
        build(str(tmp_path), load("tictactoe"))


def test_an_empty_file(tmp_path: Path) -> None:
    """Nothing to read, but it can be filled."""
    path = tmp_path / "empty.db"
    path.touch()
    with pytest.raises(DatabaseError, match="is an empty file"):
        open_solution(str(path))
    assert path.read_bytes() == b""
    build(str(path), load("tictactoe"))
    with open_solution(str(path)) as solution:
        assert solution.probe(".../.../...").value == 0


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """Neither read nor written over."""
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, " * 1000)
    before = path.read_bytes()
    with pytest.raises(DatabaseError, match="is not a database"):
        open_solution(str(path))
    with pytest.raises(DatabaseError, match="is not a database"):
        build(str(path), load("tictactoe"))
    assert path.read_bytes() == before


def test_another_programs_database(tmp_path: Path) -> None:
    """A SQLite file with tables that are not ours is left alone."""
    path = tmp_path / "theirs.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table positions (name text)")
        connection.execute("insert into positions values ('prone')")
    with pytest.raises(DatabaseError, match="has no tables of Zermelo's"):
        open_solution(str(path))
    with pytest.raises(DatabaseError, match="belongs to another program"):
        build(str(path), load("tictactoe"), force=True)
    with sqlite3.connect(path) as connection:
        assert connection.execute("select * from positions").fetchall() == [("prone",)]


@pytest.mark.parametrize("revision", ["0001", "ae1027a6acf"])
def test_another_programs_database_that_uses_alembic_too(revision: str, tmp_path: Path) -> None:
    """Its revisions say nothing of ours."""
    path = tmp_path / "theirs.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table alembic_version (version_num text)")
        connection.execute("insert into alembic_version values (?)", (revision,))
    with pytest.raises(DatabaseError, match="has no tables of Zermelo's"):
        open_solution(str(path))
    with pytest.raises(DatabaseError, match="belongs to another program"):
        build(str(path), load("tictactoe"))


def test_a_database_without_this_game(tictactoe_db: Path) -> None:
    """The error is a KeyError too, and says which game is missing where."""
    with pytest.raises(MissingSolutionError, match="does not hold mnk:4,3,3") as caught:
        open_solution(str(tictactoe_db), "mnk:4,3,3")
    assert (caught.value.db, caught.value.game) == (str(tictactoe_db), "mnk:4,3,3")
    with pytest.raises(KeyError):
        open_solution(str(tictactoe_db), "mnk:4,3,3")


def test_a_database_from_a_newer_version(tmp_path: Path) -> None:
    """Neither read, nor built into, nor 'upgraded'."""
    path = tmp_path / "newer.db"
    build(str(path), load("mnk:2,2,2"))
    with sqlite3.connect(path) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    for attempt in (
        lambda: open_solution(str(path), "mnk:2,2,2"),
        lambda: build(str(path), load("tictactoe")),
        lambda: upgrade(str(path)),
    ):
        with pytest.raises(DatabaseError, match=r"has schema 9999, newer than \d+"):
            attempt()


WAITING = """
import sys
from zermelo.db.store import build
build(sys.argv[1], "tictactoe", progress=lambda *_: sys.stdin.read())
"""
"""A build that goes on once its input is closed."""


@pytest.mark.slow
def test_a_game_that_is_being_built(tmp_path: Path) -> None:
    """While the first build runs, a reader is told to wait; when it ends, the reader is answered."""
    path = tmp_path / "zermelo.db"
    builder = subprocess.Popen([sys.executable, "-c", WAITING, str(path)], stdin=subprocess.PIPE)
    assert builder.stdin
    said = set()
    while builder.poll() is None:
        try:
            open_solution(str(path)).close()
        except ZermeloError as error:
            said.add((type(error), str(error).replace(str(path), "PATH")))
            if isinstance(error, BuildingError):
                builder.stdin.close()
        time.sleep(0.01)
    assert builder.returncode == 0
    assert (BuildingError, "mnk:3,3,3 is being built in 'PATH'") in said
    assert {kind for kind, _ in said} <= {BuildingError, BusyError, MissingDatabaseError, EmptyDatabaseError}
    with open_solution(str(path)) as solution:
        assert solution.probe(".../.../...").value == 0


def test_a_build_that_was_killed_before_is_taken_over(tmp_path: Path) -> None:
    """A row that says 'building' with nobody behind it does not stop the next build."""
    path = tmp_path / "zermelo.db"
    build(str(path), load("mnk:2,2,2"))
    with sqlite3.connect(path) as connection:
        connection.execute(
            "insert into solutions (game, layout, symmetry, status, zermelo_version, started_at)"
            " values ('mnk:3,3,3', 'rows', 0, 'building', '0', '2020-01-01 00:00:00')"
        )
    build(str(path), load("tictactoe"))
    with sqlite3.connect(path) as connection:
        assert connection.execute("select game, status from solutions order by game").fetchall() == [
            ("mnk:2,2,2", "complete"),
            ("mnk:3,3,3", "complete"),
        ]


def test_a_locked_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that meets another writer gives up after a while, in one line, and changes nothing."""
    path = tmp_path / "zermelo.db"
    build(str(path), load("mnk:2,2,2"))
    monkeypatch.setattr("zermelo.db.engine.WRITE_TIMEOUT", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(BusyError, match="is in use by another program: wait for it to finish"):
        build(str(path), load("tictactoe"))
    other.execute("rollback")
    other.close()
    build(str(path), load("tictactoe"))


def test_a_half_written_file_is_mended_by_the_first_reader(tmp_path: Path) -> None:
    """A build killed while its pages move into the file leaves a journal; reading rolls it back."""
    path, copy = tmp_path / "zermelo.db", tmp_path / "killed.db"
    build(str(path), load("tictactoe"))
    before = path.read_bytes()
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("pragma cache_size = 1")
    writer.execute("begin immediate")
    writer.execute("update positions set value = 7")
    # With no cache to speak of, half of the transaction is in the file now: a kill at this moment leaves just this.
    copy.write_bytes(path.read_bytes())
    Path(f"{copy}-journal").write_bytes(Path(f"{path}-journal").read_bytes())
    writer.execute("rollback")
    writer.close()
    assert copy.read_bytes() != before
    with open_solution(str(copy)) as solution:
        assert solution.answer(".../.../...").value == 0
    assert copy.read_bytes() == before


def test_a_folder_that_cannot_be_written() -> None:
    """Nobody, not even root, makes files in /proc: one line, no traceback."""
    with pytest.raises(OperationError, match=r"'/proc/zermelo.db' cannot be used: unable to open database file"):
        build("/proc/zermelo.db", load("tictactoe"))


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """The folder is named, not made."""
    with pytest.raises(DatabaseError, match=r"the folder of .* does not exist: make .*missing' first"):
        build(str(tmp_path / "missing" / "zermelo.db"), load("tictactoe"))


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite://zermelo.db", ":memory:", ""])
def test_a_url_without_a_file(url: str) -> None:
    """A database in memory would be gone before anyone could ask it."""
    with pytest.raises(DatabaseError, match="names no file"):
        open_solution(url)


def test_a_url_of_no_known_database() -> None:
    """The URL is named."""
    with pytest.raises(DatabaseError, match="'nosuch://host/name' is not a URL that can be used"):
        open_solution("nosuch://host/name")


def test_a_damaged_database(tmp_path: Path) -> None:
    """Pages overwritten with rubbish are an error, not an answer."""
    path = tmp_path / "zermelo.db"
    build(str(path), load("tictactoe"))
    damaged = bytearray(path.read_bytes())
    damaged[8192:] = b"\xff" * (len(damaged) - 8192)
    path.write_bytes(damaged)
    with pytest.raises((OperationError, DatabaseError), match=r"damaged|not a database|cannot be used"):
        open_solution(str(path)).probe(".../.../...")
