"""Files appear whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from db.files import whole_file
from solver.errors import DatabaseError, OperationError, OutputExistsError


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
    with pytest.raises(OutputExistsError, match="--force"), whole_file(str(path)) as stream:
        stream.write(b"ours")
        path.write_bytes(b"theirs")
    assert path.read_bytes() == b"theirs"
    with pytest.raises(OutputExistsError, match="is there already"), whole_file(str(path)):
        pass
    with whole_file(str(path), force=True) as stream:
        stream.write(b"ours")
    assert path.read_bytes() == b"ours"
    assert os.listdir(tmp_path) == ["there.csv"]


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    """A directory, a folder that is not there, and one where nothing can be made."""
    with pytest.raises(OutputExistsError, match="is a directory"), whole_file(str(tmp_path)):
        pass
    with pytest.raises(DatabaseError, match="no folder"), whole_file(str(tmp_path / "no" / "file")):
        pass
    with pytest.raises(OperationError, match="cannot be written"), whole_file("/proc/new.csv"):
        pass
