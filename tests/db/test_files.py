"""Files appear whole or not at all."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.games import Piles
from zermelo.db.files import whole_file
from zermelo.solver import blame
from zermelo.solver.check import check_game
from zermelo.solver.errors import OperationError, OutputError, OutputExistsError


def test_the_file_is_there_only_at_the_end(tmp_path: Path) -> None:
    """Nobody sees half of it, and it is readable for whom the umask says."""
    path = tmp_path / "new.csv"
    with whole_file(str(path)) as stream:
        stream.write(b"some")
        assert not path.exists()
    assert path.read_bytes() == b"some"
    assert os.listdir(tmp_path) == ["new.csv"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    """The old file with --force, nothing without one, and no rubbish either way."""
    path = tmp_path / "old.csv"
    path.write_bytes(b"old")
    for target in (path, tmp_path / "new.csv"):
        with pytest.raises(RuntimeError), whole_file(str(target), force=True) as stream:
            stream.write(b"half")
            raise RuntimeError
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["old.csv"]


def test_an_existing_file_needs_force(tmp_path: Path) -> None:
    """Also one that comes into being while ours is written."""
    path = tmp_path / "there.csv"
    with pytest.raises(OutputExistsError, match="already exists"), whole_file(str(path)) as stream:
        stream.write(b"ours")
        path.write_bytes(b"theirs")
    assert path.read_bytes() == b"theirs"
    with pytest.raises(OutputExistsError, match="already exists"), whole_file(str(path)):
        pass
    with whole_file(str(path), force=True) as stream:
        stream.write(b"ours")
    assert path.read_bytes() == b"ours"
    assert os.listdir(tmp_path) == ["there.csv"]


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    """A directory, a folder that is not there, and one where nothing can be made."""
    with pytest.raises(OutputError, match="is a directory"), whole_file(str(tmp_path)):
        pass
    with (
        pytest.raises(OutputError, match=r"the folder of .* does not exist"),
        whole_file(str(tmp_path / "no" / "file")),
    ):
        pass
    with pytest.raises(OperationError, match="cannot be written"), whole_file("/proc/new.csv"):
        pass


def test_rules_that_are_wrong_are_not_blamed_for_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that fails its check is no reason why a file cannot be written."""

    class Nameless(Piles):
        def format(self, state: str) -> str:
            return "the same for all"

    game = Nameless(2, 1)
    assert check_game(game, 10).failures
    monkeypatch.setattr(blame, "_used", {"own:game": game})
    with pytest.raises(OperationError, match="cannot be written"), whole_file("/proc/new.csv"):
        pass


def test_a_link_stays_one(tmp_path: Path) -> None:
    """What it leads to is replaced, as with every other program."""
    (tmp_path / "real.csv").write_bytes(b"old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    with whole_file(tmp_path / "link.csv", force=True) as stream:
        stream.write(b"new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_bytes() == b"new"


@pytest.mark.parametrize("path", ["", "new.csv/", "a\0b"])
def test_paths_that_name_no_file(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing appears, here or in the folder above."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(OutputError, match="names no file"), whole_file(path, force=True):
        pass
    assert [os.listdir(tmp_path), os.listdir()] == [["here"], []]


def test_a_name_as_long_as_names_can_be(tmp_path: Path) -> None:
    """The part that is written first has no longer one."""
    path = tmp_path / ("n" * 255)
    with whole_file(path) as stream:
        stream.write(b"all")
    assert path.read_bytes() == b"all"


def test_a_database_keeps_its_locks(tmp_path: Path) -> None:
    """Looking whether a file is a database must not open it past SQLite: closing it would drop this process's locks."""
    path = tmp_path / "some.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("create table some (thing)")
        connection.execute("begin immediate")
        with pytest.raises(OutputError, match="is a database"), whole_file(path, force=True):
            pass
        other = f"import sqlite3; sqlite3.connect({str(path)!r}, timeout=0).execute('begin immediate')"
        done = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True)
        assert "database is locked" in done.stderr
    assert os.listdir(tmp_path) == ["some.db"]


def test_signals_in_a_child_are_its_own(tmp_path: Path) -> None:
    """A forked process that is ended takes nothing away from who writes; nor are handlers left behind."""
    before = signal.getsignal(signal.SIGTERM)
    ready, child_is = os.pipe()
    with whole_file(tmp_path / "new.csv") as stream:
        stream.write(b"some")
        child = os.fork()
        while not child:
            os.write(child_is, b"!")  # what comes while it begins, Python forgets
            time.sleep(0.01)
        os.read(ready, 1)
        os.kill(child, signal.SIGTERM)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM
    os.close(ready)
    os.close(child_is)
    assert (tmp_path / "new.csv").read_bytes() == b"some"
    assert signal.getsignal(signal.SIGTERM) == before
