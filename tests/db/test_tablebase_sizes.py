"""A small file never takes much: what it says of sizes is checked before anything is unpacked or worked out."""

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.db.tablebase import open_tablebase
from zermelo.db.tablebase.boards import _positions_in
from zermelo.db.tablebase.container import Chunk, Container, write_container
from zermelo.solver.errors import DamagedError
from zermelo.solver.packed.blocks import states_from

Change = Callable[[dict[str, Any], list[Chunk]], None]


def crafted(source: Path, target: Path, change: Change) -> Path:
    """A tablebase with right checksums whose head or chunks were changed."""
    container = Container(str(source))
    head = dict(container.head)
    chunks = [Chunk(first, container.chunk(number)) for number, first in enumerate(head.pop("chunks")[0])]
    digest = container.digest
    container.close()
    change(head, chunks)
    stream = io.BytesIO()
    write_container(stream, head, digest, chunks)
    target.write_bytes(stream.getvalue())
    return target


def chunk(data: bytes) -> Change:
    return lambda _, chunks: chunks.__setitem__(0, chunks[0]._replace(data=data))


def head(**facts: object) -> Change:
    return lambda head, _: head.update(facts)


@pytest.mark.parametrize(
    ("game", "change", "told"),
    [
        ("tictactoe", chunk(bytes(1 << 25)), "cannot be unpacked"),
        ("nim:1,2", chunk(bytes(1 << 25)), "cannot be unpacked"),
        ("tictactoe", chunk(b"\x01" + b"\xff" * 300_000 + b"\x01"), "does not say which blocks"),
        ("tictactoe", chunk(b"\xff\xff\xff\xff\x7f"), "does not say which blocks"),
        ("tictactoe", chunk(b"\x01" + b"\xff\x7f" + b"\0"), "does not say which blocks"),
        ("tictactoe", chunk(b"\x02\x01\x00\0\0"), "does not say which blocks"),
        ("tictactoe", chunk(b"\x01\x00"), "bytes instead of"),
        ("tictactoe", chunk(b""), "does not say which blocks"),
        ("nim:1,2", chunk(b"0 1\n"), "has a line that is no position"),
        ("nim:1,2", chunk(b"\xff\xfe\n"), "has a line that is no position"),
        ("nim:1,2", chunk(b"0 1 x a 1,2\n"), "has a line that is no position"),
        ("tictactoe", lambda _, chunks: chunks.__setitem__(0, chunks[0]._replace(first="x")), "do not begin with"),
        ("nim:1,2", lambda _, chunks: chunks.__setitem__(0, chunks[0]._replace(first=3)), "do not begin with"),
        ("tictactoe", head(more="x" * (1 << 23)), "its head cannot be read"),
        ("tictactoe", head(counts=[[1], [2]]), "its head has no lists of its chunks and counts"),
        ("tictactoe", head(counts=[["x"]] * 5), "its head has no lists of its chunks and counts"),
        ("tictactoe", head(counts=7), "its head has no lists of its chunks and counts"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(game: str, change: Change, told: str, tictactoe_db: Path, tmp_path: Path) -> None:
    """In one line, whatever is asked of it."""
    if game != "tictactoe":
        zermelo.build(game, db=tmp_path / "z.db")
    whole = tmp_path / "whole.ztb"
    zermelo.export(tictactoe_db if game == "tictactoe" else tmp_path / "z.db", whole, game)
    path = crafted(whole, tmp_path / "bad.ztb", change)
    with pytest.raises(DamagedError, match=told) as caught, open_tablebase(path) as solution:
        solution.source.counts()
        solution.probe(solution.game.format(solution.game.initial))
    assert "\n" not in str(caught.value)
    assert path.stat().st_size < 2_000_000


@pytest.mark.parametrize(
    ("game", "options"),
    [("tictactoe", {}), ("nim:1,2", {}), ("nim:2,2", {"symmetry": True}), ("hexapawn:3,3", {"layout": "packed"})],
)
def test_no_more_positions_are_gone_through_than_the_file_says(
    game: str, options: dict[str, Any], tmp_path: Path
) -> None:
    """Whether there are too many is asked of the head: a file that says 5 and has millions would take for ever."""
    zermelo.build(game, db=tmp_path / "z.db", **options)
    zermelo.export(tmp_path / "z.db", tmp_path / "whole.ztb", game)
    with open_tablebase(tmp_path / "whole.ztb") as solution:
        assert len(list(solution)) == len(solution)
    path = crafted(tmp_path / "whole.ztb", tmp_path / "bad.ztb", head(positions=5, classes=5))
    with open_tablebase(path) as solution, pytest.raises(DamagedError, match="more than the 5 positions"):
        list(solution)
    for task in (lambda: zermelo.verify(path), lambda: zermelo.export(path, tmp_path / "out.csv")):
        with pytest.raises(DamagedError, match="more than the 5 positions"):
            task()
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("share", [0, 0.001, 0.5, 1])
def test_the_positions_of_a_block_are_found_wherever_they_are(share: float) -> None:
    """Few of them by their places, and many one after the other: both as the plain way has it."""
    chance, occupancy = random.Random(3), 0b1011_1111_1111_1011_0110
    states = list(states_from(occupancy))
    codes = bytes(chance.choice((0, 5, 250)) if chance.random() < share else 128 for _ in states)
    plain = [
        (state, code - 256 if code > 128 else code) for state, code in zip(states, codes, strict=True) if code != 128
    ]
    assert list(_positions_in(occupancy, codes)) == plain
    assert bool(plain) == bool(share)
