"""Files to be read that are not as they should be: bytes changed at random, and values where others belong."""

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

from zermelo import build, export

OWN = """
from zermelo.solver.game import Game

class Good(Game):
    spec, initial = "own:Good", 3
    def to_move(self, state): return "MAX" if state % 2 else "MIN"
    def actions(self, state): return [1]
    def result(self, state, action): return state - action
    def is_terminal(self, state): return state == 0
    def utility(self, state, player): return 1 if player == "MAX" else -1
    def format(self, state): return str(state)
    def parse(self, text): return int(text)

class Raises(Good):
    spec = "own:Raises"
    def actions(self, state): raise OSError("the rules read a file")

class Lies(Good):
    spec = "own:Lies"
    def utility(self, state, player): return "a lot"
    def format(self, state): return None

class Sized(Good):
    def __init__(self, size=3):
        self.spec, self.initial = f"sized:{size}", size

class Stops(Good):
    spec = "own:Stops"
    def actions(self, state): return []
"""
TREE_JSON = '{"players": ["MAX", "MIN"], "root": {"name": "A", "moves": {"a": {"name": "B", "moves": {"b": 3, "c": -2}}, "d": 4}}}'
TREE_YAML = "players: [MAX, MIN]\nroot:\n  name: A\n  moves:\n    a: {name: B, moves: {b: 3, c: -2}}\n    d: 4\n"
ODD = (
    None,
    -1,
    0,
    2**62,
    -(2**63),
    1.5,
    "",
    "x",
    "9" * 30,
    "\x1b[2J",
    "a\nb",
    b"\xff\xfe",
    b"",
    "complete",
    "packed",
    "rows",
    "nim:2,1",
)
COLUMNS = {
    "solutions": ("game", "layout", "symmetry", "status", "value", "plies", "positions", "classes", "games", "tree_nodes",
                  "digest", "zermelo_version", "started_at", "finished_at"),
    "positions": ("board", "ply", "value", "plies", "best_move"),
    "blocks": ("occupancy", "layer", "data"),
    "counts": ("ply", "terminal", "value", "positions", "classes"),
    "alembic_version": ("version_num",),
}  # fmt: skip


def prepare(folder: Path) -> None:
    """A folder with everything that is right, and a few things that are no files at all."""
    for game in ("tictactoe", "nim:1,2", "figure:two-ply"):
        build(game, db=folder / "zermelo.db")
    build("mnk:3,2,2", db=folder / "packed.db", layout="packed")
    build("hexapawn:3,3", db=folder / "keyed.db", layout="packed")
    export(folder / "zermelo.db", folder / "a.ztb", "tictactoe")
    export(folder / "zermelo.db", folder / "nim.ztb", "nim:1,2")
    export(folder / "keyed.db", folder / "keyed.ztb", "hexapawn:3,3")
    (folder / "own.py").write_text(OWN)
    (folder / "good.json").write_text(TREE_JSON)
    (folder / "good.yaml").write_text(TREE_YAML)
    (folder / "text.txt").write_text("Dear reader, " * 50)
    (folder / "mine.txt").write_text("mine")
    (folder / "empty.db").touch()
    os.mkfifo(folder / "pipe")


def damaged(chance: random.Random, folder: Path, number: int) -> dict[str, list[str]]:
    """So many damaged databases and trees more; their names."""
    databases, trees = [], []
    for count in range(number):
        for name in ("zermelo.db", "packed.db", "keyed.db", "a.ztb", "nim.ztb", "keyed.ztb"):
            databases.append(f"bad{count}-{name}")
            (folder / databases[-1]).write_bytes(_changed(chance, (folder / name).read_bytes()))
        for name in ("zermelo.db", "packed.db", "keyed.db"):
            databases.append(f"odd{count}-{name}")
            (folder / databases[-1]).write_bytes((folder / name).read_bytes())
            _odd_values(chance, folder / databases[-1])
        for name, text in (("json", TREE_JSON), ("yaml", TREE_YAML)):
            trees.append(f"bad{count}.{name}")
            (folder / trees[-1]).write_bytes(_changed(chance, text.encode(), _WORDS))
    return {"db": databases, "tree": trees}


_WORDS = (b"{", b"}", b"[", b"]", b'"', b"'", b":", b",", b"- ", b"&a ", b"*a", b"!!int ", b"!!map ", b"? ", b"<<: ", b"null", b"1e999",
          b"9" * 5000, b"2024-13-45", b"\\ud800", b"\\u001b", b"\xff", b"\x00", b"\n", b"[" * 2000, b"name", b"moves", b"NaN")  # fmt: skip


def _changed(chance: random.Random, data: bytes, words: tuple[bytes, ...] = (b"\x00", b"\xff", b"\x80" * 9)) -> bytes:
    """The data with some of it lost, doubled, replaced or put in."""
    for _ in range(chance.choice((1, 1, 2, 5))):
        at, length = chance.randrange(len(data) + 1), chance.choice((1, 1, 8, 100))
        how = chance.randrange(5)
        if how == 0:
            data = data[:at]
        elif how == 1:
            data = data[:at] + data[at + length :]
        elif how == 2:
            data = data[:at] + data[at : at + length] + data[at:]
        elif how == 3:
            data = data[:at] + chance.choice(words) + data[at:]
        else:
            data = data[:at] + bytes(chance.randrange(256) for _ in range(length)) + data[at + length :]
    return data


def _odd_values(chance: random.Random, path: Path) -> None:
    """Put values into a database that its columns are not for; SQLite takes them all."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("pragma ignore_check_constraints = on")
        for _ in range(chance.choice((1, 2, 4))):
            table = chance.choice(list(COLUMNS))
            column, value = chance.choice(COLUMNS[table]), chance.choice(ODD)
            few = f"rowid in (select rowid from {table} order by random() limit 3)" if chance.random() < 0.5 else "1"
            try:
                connection.execute(f"update or ignore {table} set {column} = ? where {few}", (value,))
            except sqlite3.Error:
                continue  # what the table itself refuses
        if chance.random() < 0.1:
            # A schema that is not UTF-8.
            connection.execute("pragma writable_schema = on")
            connection.execute(
                "update sqlite_master set sql = cast(x'6372656174652078ff' as text) where name = 'counts'"
            )
