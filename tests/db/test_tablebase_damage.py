"""A damaged tablebase: never a wrong answer, never a traceback."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.db import second_reader
from zermelo.db.query import open_solution
from zermelo.db.tablebase import open_tablebase
from zermelo.solver.errors import DamagedError


def check(path: Path) -> None:
    with pytest.raises(DamagedError) as caught, open_solution(str(path)) as solution:
        solution.probe("XO./.X./..O")
    assert "is damaged" in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises((second_reader.RefusedError, IndexError)):
        second_reader.read(path)


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_every_byte_flipped(every: int, tictactoe: Path, tmp_path: Path) -> None:
    """Each byte of the file in turn, one bit here and all of them there."""
    good = tictactoe.read_bytes()
    path = tmp_path / "damaged.ztb"
    for i in range(0, len(good), every):
        flip = 255 if i % 3 == 0 else 1 << i % 8
        path.write_bytes(good[:i] + bytes([good[i] ^ flip]) + good[i + 1 :])
        check(path)


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_cut_short_at_every_length(every: int, tictactoe: Path, tmp_path: Path) -> None:
    """From nothing to all but the last byte."""
    good = tictactoe.read_bytes()
    path = tmp_path / "cut.ztb"
    for length in range(0, len(good), every):
        path.write_bytes(good[:length])
        check(path)


def test_bytes_after_the_end_or_in_between(tictactoe: Path, tmp_path: Path) -> None:
    """The file is exactly as long as it says."""
    good = tictactoe.read_bytes()
    path = tmp_path / "longer.ztb"
    for data in (good + b"\0", good + good, good[:8] + b"\0" + good[8:], good[:100] + b"\0" + good[100:]):
        path.write_bytes(data)
        check(path)


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_at_all(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """What was never a tablebase."""
    path = tmp_path_factory.getbasetemp() / "any.ztb"
    path.write_bytes(b"\x89ZTB\r\n\x1a\x01" + data)
    with pytest.raises(DamagedError):
        open_tablebase(str(path))


def test_another_version_is_named(tictactoe: Path, tmp_path: Path) -> None:
    """A file of a later format is told from a damaged one as well as can be."""
    data = bytearray(tictactoe.read_bytes())
    data[7] = 3
    path = tmp_path / "newer.ztb"
    path.write_bytes(data)
    with pytest.raises(DamagedError, match="version 3, not 1 or 2"):
        open_tablebase(str(path))
