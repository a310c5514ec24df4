"""The command line adds to an error of the library which option or command helps."""

import contextlib
import io
import shutil
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.games import Piles
from zermelo.cli import main
from zermelo.commands.hints import HINTS, with_hint
from zermelo.db.export import export
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.solver import errors
from zermelo.solver.errors import (
    AddressError,
    BuildingError,
    ClosedOutputError,
    CompileError,
    DamagedSolutionError,
    EmptyDatabaseError,
    ForeignDatabaseError,
    IncompleteSolutionError,
    MemoryLimitError,
    MissingDatabaseError,
    MissingPackageError,
    MissingSolutionError,
    MissingTablebaseError,
    NewerSchemaError,
    NotZeroSumError,
    OlderSchemaError,
    OtherGameError,
    OutputExistsError,
    RulesError,
    RulesNeededError,
    SelectionError,
    TooDeepError,
    ZermeloError,
)
from zermelo.solver.games import load

Prepare = Callable[[pytest.MonkeyPatch], object]


def change(statement: str, db: str = "zermelo.db") -> Prepare:
    """What changes a database behind the program's back."""

    def prepare(_patch: pytest.MonkeyPatch) -> None:
        with contextlib.closing(sqlite3.connect(db)) as connection, connection:
            connection.execute(statement)

    return prepare


def limit(module: str, most: int = 1000) -> Prepare:
    """What makes tic-tac-toe too large."""
    return lambda patch: patch.setattr(module, most)


def an_older_schema(_patch: pytest.MonkeyPatch) -> None:
    shutil.copy(Path(__file__).parent / "data" / "schema_0001.db", "zermelo.db")


def a_tablebase(_patch: pytest.MonkeyPatch) -> None:
    with open("t.ztb", "wb") as stream, open_solution("zermelo.db") as solution:
        export(stream, solution, "ztb")


def a_tablebase_of_own_rules(_patch: pytest.MonkeyPatch) -> None:
    build("own.db", Piles(1, 1))
    with open("own.ztb", "wb") as stream, open_solution("own.db", Piles(1, 1)) as solution:
        export(stream, solution, "ztb")


def a_row_less(patch: pytest.MonkeyPatch) -> None:
    change("delete from positions where board = 'X../.../...'")(patch)
    change("update solutions set positions = 5477, checksum = null")(patch)


def a_damaged_block(patch: pytest.MonkeyPatch) -> None:
    build("blocks.db", load("mnk:2,2,2"), layout="packed")
    change("update blocks set data = x'00'", "blocks.db")(patch)


def a_game_that_stops(patch: pytest.MonkeyPatch) -> None:
    Path("stops.py").write_text(
        "from zermelo.solver.game import Game\n"
        "class Stops(Game):\n"
        "    players, initial, spec = ('A', 'B'), 0, 'stops:Stops'\n"
        "    def to_move(self, state): return 'A'\n"
        "    def actions(self, state): return ()\n"
        "    def result(self, state, action): return 0\n"
        "    def is_terminal(self, state): return False\n"
        "    def utility(self, state, player): return 0\n"
    )
    patch.delitem(sys.modules, "stops", raising=False)
    patch.setattr(sys, "path", list(sys.path))


def a_long_way_down(patch: pytest.MonkeyPatch, moves: str = "[1]") -> None:
    """A game of so many positions that it is worth compiling."""
    Path("down.py").write_text(
        "from zermelo.solver.game import Game\n"
        "class Down(Game):\n"
        "    compiled, initial, steps = True, 20000, {0: 1}\n"
        "    def to_move(self, state): return 'MIN' if state % 2 else 'MAX'\n"
        f"    def actions(self, state): return {moves}\n"
        "    def result(self, state, action): return state - action\n"
        "    def is_terminal(self, state): return state == 0\n"
        "    def utility(self, state, player): return -1 if player == 'MAX' else 1\n"
    )
    patch.delitem(sys.modules, "down", raising=False)
    patch.setattr(sys, "path", list(sys.path))


LINES: dict[type[ZermeloError] | str, tuple[Prepare | None, str, int, str]] = {
    MissingDatabaseError: (
        None, "query --db none.db", 2,
        "there is no database 'none.db': make it with `zermelo build`, or name another with --db",
    ),
    MissingTablebaseError: (
        None, "query --db none.ztb", 2,
        "there is no tablebase 'none.ztb': make it with `zermelo export -o none.ztb`, or name another with --db",
    ),
    EmptyDatabaseError: (
        lambda _: Path("empty.db").touch(), "query --db empty.db", 2,
        "'empty.db' is an empty file: build a solution in it with `zermelo build`, or name another with --db",
    ),
    ForeignDatabaseError: (
        lambda _: Path("letter.txt").write_text("Dear reader, " * 1000), "query --db letter.txt", 2,
        "'letter.txt' is not a database: name another with --db",
    ),
    OlderSchemaError: (
        an_older_schema, "query", 2,
        "database 'zermelo.db' has schema 0001, older than 0004: upgrade it with `zermelo db upgrade`",
    ),
    NewerSchemaError: (
        change("update alembic_version set version_num = '9999'"), "query", 2,
        "database 'zermelo.db' has schema 9999, newer than 0004: read it with a newer Zermelo, `pip install --upgrade zermelo`",
    ),
    MissingSolutionError: (
        None, "query -g mnk:4,3,3", 2,
        "database 'zermelo.db' does not hold mnk:4,3,3: add it with `zermelo build -g mnk:4,3,3`, or see `zermelo list`",
    ),
    OtherGameError: (
        a_tablebase, "query --db t.ztb -g mnk:4,3,3", 2,
        "tablebase 't.ztb' holds mnk:3,3,3, not mnk:4,3,3: leave out -g, or name another file with --db",
    ),
    BuildingError: (
        change("update solutions set status = 'building', checksum = null"), "query", 1,
        "mnk:3,3,3 is being built in 'zermelo.db': wait for it to finish, or if it was stopped,"
        " run `zermelo build -g mnk:3,3,3` again",
    ),
    DamagedSolutionError: (
        a_damaged_block, "query --db blocks.db -g mnk:2,2,2", 1,
        "mnk:2,2,2 in 'blocks.db' is damaged (block 0 is not as it was written): build it again with `zermelo build -g mnk:2,2,2 --force`",
    ),
    IncompleteSolutionError: (
        a_row_less, "export -o t.csv", 1,
        "the solution of mnk:3,3,3 lacks 'X../.../...', to which '.../.../...' leads:"
        " see what else is wrong with `zermelo verify -g mnk:3,3,3`",
    ),
    RulesNeededError: (
        a_tablebase_of_own_rules, "query --db own.ztb", 2,
        "tablebase 'own.ztb' holds 'piles:1,1,3', whose rules are neither built in nor installed, and a file cannot bring"
        " them: if they are your own, name them with -g piles:1,1,3 or in ZERMELO_GAMES",
    ),
    RulesError: (
        a_game_that_stops, "build -g stops:Stops", 2,
        "game 'stops:Stops' has no action in the unfinished position '0' (the rules are at {folder}/stops.py:2): test the rules with `zermelo check`",
    ),
    CompileError: (
        lambda patch: a_long_way_down(patch, "[self.steps[0]]"), "build -g down:Down", 2,
        "game 'down:Down' cannot be compiled: actions, line 5 of down.py: self.steps is a dict: compiled verbs use whole numbers, texts,"
        " tuples of these, and NumPy arrays: or solve it as plain Python, without `compiled = True`",
    ),
    MemoryLimitError: (
        a_long_way_down, "build -g down:Down --memory 100M", 1,
        "down:Down takes 315 MB of memory for finding more than 1 position, and 100 MB may be used:"
        " allow more with --memory if the machine has it, or take a smaller game",
    ),
    NotZeroSumError: (
        None, "build -g figure:three-player", 2,
        "game 'figure:three-player' has 3 players (A, B, C), not two:"
        " search it with `zermelo search -g figure:three-player --algorithm multiplayer`",
    ),
    TooDeepError: (
        None, "search -g nim:1000", 2,
        "game 'nim:1000' is too long to search by recursion: limit the search with --depth,"
        " test the rules with `zermelo check -g nim:1000`, or solve the game with `zermelo build -g nim:1000`",
    ),
    SelectionError: (
        None, "export -o t.ztb --value 0", 2,
        "a tablebase holds every position, not a selection: leave out --classes, --ply, --value and --to-move",
    ),
    "export": (
        limit("zermelo.db.export.MOST"), "export --value 0", 2,
        "mnk:3,3,3 has 5,478 positions to go through, and csv would have 1,068 rows, about 31 kB: choose some with --ply,"
        " write a tablebase with --format ztb, or add --yes to do it all the same",
    ),
    "find": (
        limit("zermelo.db.find.MOST"), "find --trickiest", 2,
        "mnk:3,3,3 has 5,478 positions to go through: choose some with --ply, leave out --sort to see the first that are"
        " found, or add --yes to do it all the same",
    ),
    "verify": (
        limit("zermelo.db.verify.MOST"), "verify", 2,
        "mnk:3,3,3 has 5,478 positions, and to prove them all takes about 0 GB of memory: look at some with --sample 10000,"
        " or add --yes to do it all the same",
    ),
    "tree": (
        None, "tree --depth 4 --format svg", 2,
        "the tree of mnk:3,3,3 to depth 4 has more than 1,000 nodes, too many to look at, and fewer to depth 3: choose a smaller --depth,"
        " one of each set of symmetric moves with --fold, or add --yes to draw it all the same",
    ),
    "map": (
        lambda patch: patch.setattr("zermelo.views.map.SMALLEST", 5.0), "map", 2,
        "the map of mnk:3,3,3 for X has stones of 3.00 mm, too small to read on A4: they are 4.32 mm on A3, and 7.95 mm with a page for"
        " each first reply: choose --paper a3, --pages with a PDF, --numbered, or a smaller game",
    ),
    "atlas": (
        None, "map --numbered --side O", 2,
        "the map of mnk:3,3,3 for O has 168 boards, too many to read on one page: they take 3 pages of A4: choose --pages with a PDF,"
        " --paper a3, or a smaller game",
    ),
    "page": (
        limit("zermelo.web.single.MOST_POSITIONS"), "export -o page.html", 2,
        "mnk:3,3,3 has 5,478 positions, and a page holds 1,000 at the most: explore it with `zermelo serve`",
    ),
    OutputExistsError: (
        lambda _: Path("t.csv").touch(), "export -o t.csv", 2,
        "'t.csv' already exists: overwrite it with --force, or name another file",
    ),
    ClosedOutputError: (
        lambda patch: patch.setattr(sys, "stdout", None), "export", 1, "standard output is closed: name a file with -o",
    ),
    AddressError: (
        None, "serve --port {taken}", 1,
        "cannot serve on 127.0.0.1 port {taken} (Address already in use): choose another with --host or --port",
    ),
    MissingPackageError: (
        lambda patch: patch.setitem(sys.modules, "pyarrow", None), "export -o t.parquet", 2,
        "Parquet needs the Python package pyarrow, of the extra 'parquet': install it with `pip install 'zermelo[parquet]'`",
    ),
}  # fmt: skip
"""For every hint a way to come by it: what happens before, the command, its exit code, and the line that it ends with."""


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that is in use."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


SLOW = (CompileError, DamagedSolutionError, MemoryLimitError)
"""These compile, or load what is compiled."""


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.slow] * (kind in SLOW)) for kind in HINTS],
    ids=lambda kind: getattr(kind, "__name__", kind),
)
def test_every_hint_is_given(
    kind: type[ZermeloError] | str, folder: Path, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, which ends with the hint."""
    prepare, command, code, line = LINES[kind]
    monkeypatch.chdir(folder)
    out, said = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said), pytest.raises(SystemExit) as end:
        if prepare:
            prepare(monkeypatch)
        main(command.format(taken=taken).split())
    assert (end.value.code, said.getvalue()) == (code, f"zermelo: {line.format(taken=taken, folder=folder)}\n")


def test_hints_of_lines_from_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line's error gets its own, as if it had been asked alone."""
    error = RulesError("the rules of 'stops:Stops' failed")
    monkeypatch.setattr("zermelo.db.query.Solution.answers", lambda *_args, **_options: [error])
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"XO./.X./..O\n")))
    said = io.StringIO()
    with contextlib.redirect_stderr(said), pytest.raises(SystemExit):
        main(["query", "-"])
    assert said.getvalue() == f"zermelo: line 1: {error}: test the rules with `zermelo check`\n"


def test_an_error_without_the_facts_is_told_as_it_is() -> None:
    """Somebody's own game may raise ours with a message alone."""
    assert with_hint(MissingPackageError("this game needs chess")) == "this game needs chess"
    assert with_hint(errors.PositionError("'x' is not a position")) == "'x' is not a position"


def test_what_a_hint_quotes_can_be_pasted() -> None:
    """A name with a space in it is one argument."""
    error = MissingSolutionError("database 'x.db' does not hold tree:my game.json", db="x.db", game="tree:my game.json")
    assert "`zermelo build -g 'tree:my game.json'`" in with_hint(error)
