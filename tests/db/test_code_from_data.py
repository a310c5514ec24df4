"""What a file says is data: it selects rules that are built in or installed, and never names code to run."""

import json
import shutil
import sqlite3
import zlib
from contextlib import closing
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Zermelo
from tests.games import Piles
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import open_tablebase, write_tablebase
from zermelo.db.tablebase.container import Chunk, Container, write_container
from zermelo.solver.errors import DamagedError, GameError, RulesNeededError
from zermelo.web.shelf import Shelf

EVIL = "from pathlib import Path\nPath('it-ran').touch()\ngame = None\n"
NAMES = ["sys:exit", "code:interact", "os:abort", "evil:game", "tree:figure.json", "tree:/dev/zero", "nosuch:1,2"]


def renamed(good: Path, path: Path, **changes: Any) -> Path:
    """The same tablebase with other facts in its head, its checksums right."""
    with closing(Container(str(good))) as container:
        head = {**container.head, **changes}
        chunks = [Chunk(first, container.chunk(number)) for number, first in enumerate(head.pop("chunks")[0])]
        with path.open("wb") as stream:
            write_container(stream, head, container.digest, chunks)
    return path


@pytest.fixture
def tablebase(tictactoe_db: Path, tmp_path: Path) -> Path:
    path = tmp_path / "good.ztb"
    with open_solution(str(tictactoe_db)) as solution, path.open("wb") as stream:
        write_tablebase(stream, solution)
    (tmp_path / "evil.py").write_text(EVIL)
    (tmp_path / "figure.json").write_text(json.dumps({"root": {"moves": {"a": 1}}}))
    return path


@pytest.mark.parametrize("name", NAMES)
def test_a_tablebase_names_no_code(name: str, tablebase: Path, tmp_path: Path, zermelo: Zermelo) -> None:
    """Verify proves nothing, says which rules are wanted, and runs nothing of the current folder."""
    renamed(tablebase, tmp_path / "evil.ztb", game=name)
    done = zermelo("verify", "--db", "evil.ztb", stdin="open('it-ran', 'w')\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"zermelo: tablebase 'evil.ztb' holds {name!r}, whose rules are neither built in nor installed, and a file cannot"
        f" bring them: if they are your own, name them with -g {name} or in ZERMELO_GAMES\n"
    )
    assert not (tmp_path / "it-ran").exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_database_names_no_code(
    name: str, tictactoe_db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the server lists or is asked for."""
    path = tmp_path / "zermelo.db"
    shutil.copy(tictactoe_db, path)
    (tmp_path / "evil.py").write_text(EVIL)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update solutions set game = ?, checksum = null", (name,))
    monkeypatch.chdir(tmp_path)
    with closing(Shelf(str(path))) as shelf:
        assert [game.get("error") for game in shelf.games()] == ["its rules are not installed here"]
        with pytest.raises(KeyError, match="is stored here, but what it needs is not installed"), shelf.solution(name):
            pass
    assert not (tmp_path / "it-ran").exists()


def test_own_rules_come_from_who_asks(tmp_path: Path, zermelo: Zermelo) -> None:
    """From Python, on the command line and to the server: the user says which code is trusted."""
    game, path, file = Piles(2, 2), str(tmp_path / "zermelo.db"), tmp_path / "piles.ztb"
    build(path, game)
    with open_solution(path, game) as solution, file.open("wb") as stream:
        write_tablebase(stream, solution)
    with pytest.raises(RulesNeededError, match="'piles:2,2,3'") as caught:
        open_solution(str(file))
    assert caught.value.game == "piles:2,2,3"
    with open_tablebase(file, game) as tablebase:
        assert tablebase.probe(game.initial).value == -3
    (tmp_path / "mine.py").write_text("from tests.games import Piles\ngame = Piles(2, 2)\n")
    assert zermelo("verify", "--db", "piles.ztb", "-g", "mine:game").returncode == 0
    for db in (path, str(file)):
        with closing(Shelf(db, [game])) as shelf:
            assert [each.get("error") for each in shelf.games()] == [None]
            with shelf.solution(game.spec) as solution:
                assert solution.probe(game.initial).value == -3


def test_a_registered_game_is_found_by_the_name_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is installed is trusted."""
    game, path, file = Piles(2, 2), str(tmp_path / "zermelo.db"), tmp_path / "piles.ztb"
    build(path, game)
    with open_solution(path, game) as solution, file.open("wb") as stream:
        write_tablebase(stream, solution)
    registered = EntryPoints([EntryPoint("piles", "tests.db.test_code_from_data:from_params", "zermelo.games")])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: registered)
    with open_solution(str(file)) as tablebase:
        assert tablebase.probe(game.initial).value == -3


def from_params(params: str) -> Piles:
    """As a package would register it."""
    return Piles(*map(int, params.split(",")))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"game": 5}, "its head has no str as 'game'"),
        ({"game": "x" * 300}, "it names no game"),
        ({"game": "mnk:3,3,3\n\x1b[2J"}, "it names no game"),
        ({"positions": "many"}, "its head has no int as 'positions'"),
        ({"value": True}, "its head has no int as 'value'"),
        ({"plies": None}, "its head has no int as 'plies'"),
        ({"kind": ["rows"]}, "its head has no str as 'kind'"),
    ],
)
def test_facts_of_another_kind(changes: dict[str, Any], told: str, tablebase: Path, tmp_path: Path) -> None:
    """A head under a right checksum may still say anything."""
    path = renamed(tablebase, tmp_path / "odd.ztb", **changes)
    with pytest.raises(DamagedError, match=told):
        open_solution(str(path))


def test_a_head_that_is_no_object(tmp_path: Path) -> None:
    """A list where facts belong."""
    from hashlib import sha256

    compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
    head = compressor.compress(b'["chunks"]') + compressor.flush()
    start, end = b"\x89ZTB\r\n\x1a\x01", bytes(32) + len(head).to_bytes(4, "little")
    path = tmp_path / "list.ztb"
    path.write_bytes(start + head + end + sha256(start + head + end).digest()[:16])
    with pytest.raises(DamagedError, match="its head cannot be read"):
        open_solution(str(path))


LISTED = """
from pathlib import Path
from zermelo.solver.games import load
def make(size=1):
    asked = Path("asked")
    asked.write_text(f"{asked.read_text() if asked.exists() else ''} {size!r}")
    game = load("nim:1,2")
    game.spec = f"sized:{size}"
    return game
"""


@pytest.mark.parametrize(
    ("params", "handed"),
    [("7", "7"), ("/etc/passwd", "1"), ("../x.py", "1"), ("a b", "1"), ("9" * 101, "1"), ("x\\y", "1")],
)
def test_what_a_file_hands_to_listed_rules_is_no_path(
    params: str, handed: str, tablebase: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user has listed the rules; with which parameters they are made, the file says, in words and numbers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "listed.py").write_text(LISTED)
    monkeypatch.setenv("ZERMELO_GAMES", "listed.py:make")
    renamed(tablebase, tmp_path / "evil.ztb", game=f"sized:{params}"[:200], rules_at=f"listed.py:make:{params}")
    # With the right parameters the rules are found, and are not those of the board that is in the file.
    wrong = (GameError, "cannot read") if handed == params else (RulesNeededError, "neither built in nor installed")
    with pytest.raises(wrong[0], match=wrong[1]):
        open_tablebase("evil.ztb")
    assert set((tmp_path / "asked").read_text().split()) == {handed}
