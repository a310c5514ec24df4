"""A small file never takes much: what it says of sizes is checked before anything is unpacked or worked out."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zermelo.db.tablebase import open_tablebase
from zermelo.db.tablebase.container import Chunk, Container, write_container
from zermelo.solver.errors import DamagedError

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
    import zermelo

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
