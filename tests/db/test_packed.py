"""Packed solutions: the same answers as from rows, builds that go on where they were stopped, one builder at a time."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import db.pack
from db import open_solution
from db.lock import only_builder
from db.query import Solution
from db.source import HasBlocks
from db.stats import statistics
from db.store import build
from db.tablebase import open_tablebase, write_tablebase
from solver.errors import BusyError, OperationError, PositionError, SolutionExistsError
from solver.exhaustive import solve
from solver.games import load
from tests.conftest import Zermelo, heed_interrupts


def build_packed(path: Path, spec: str, **options: Any) -> str:
    return build(str(path), load(spec), layout="packed", **options).digest


@pytest.mark.parametrize("spec", ["mnk:3,3,3", "mnk:4,2,3,misere", "connect:3,3,3"])
def test_the_same_answers_as_from_rows(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Value, plies, best move, every move in its order, and all counts but those of paths; in parts and whole."""
    monkeypatch.setattr("db.pack.PART", 7)
    monkeypatch.setattr("db.packed.PART", 7)
    monkeypatch.setattr("db.packed._AT_ONCE", 5)
    game = load(spec)
    build(str(tmp_path / "rows.db"), game, layout="rows")
    build_packed(tmp_path / "packed.db", spec)
    with (
        open_solution(str(tmp_path / "rows.db"), game) as rows,
        open_solution(str(tmp_path / "packed.db"), game) as blocks,
    ):
        for state in list(solve(game))[::7]:
            board = game.format(state)
            assert blocks.answer(board) == rows.answer(board)
            assert blocks.probe(board) == rows.probe(board)
        assert sorted(blocks.source.rows()) == list(rows.source.rows())
        assert blocks.line(game.format(game.initial)) == rows.line(game.format(game.initial))
        unknown = {"games": None, "tree_nodes": None}
        assert statistics(blocks) == {**statistics(rows), **unknown}


def tablebase_of(solution: Solution, path: Path) -> Path:
    with path.open("wb") as stream:
        write_tablebase(stream, solution)
    return path


@pytest.mark.parametrize("spec", ["mnk:3,3,3", "mnk:4,2,3,misere", "connect:3,3,3"])
def test_a_tablebase_from_either_layout(spec: str, tmp_path: Path) -> None:
    """The same blocks; the files differ in the digest, which is the layout's, and in the counts of paths."""
    game = load(spec)
    build(str(tmp_path / "rows.db"), game, layout="rows")
    build_packed(tmp_path / "packed.db", spec)
    with (
        open_solution(str(tmp_path / "rows.db"), game) as rows,
        open_solution(str(tmp_path / "packed.db"), game) as packed,
    ):
        from_rows = tablebase_of(rows, tmp_path / "rows.ztb")
        from_blocks = tablebase_of(packed, tmp_path / "packed.ztb")
        digest = packed.source.facts["digest"]
    with open_tablebase(str(from_rows)) as one, open_tablebase(str(from_blocks)) as other:
        assert isinstance(one.source, HasBlocks)
        assert isinstance(other.source, HasBlocks)
        reached = [block for block in other.source.blocks() if set(block[1]) != {128}]
        assert list(one.source.blocks()) == reached
        assert other.source.facts == {**one.source.facts, "games": None, "tree_nodes": None, "digest": digest}
        assert sorted(one.source.rows()) == sorted(other.source.rows())


def test_a_tablebase_of_a_larger_board(tmp_path: Path) -> None:
    """A million classes take a second, because nothing is looked up one by one; answers are the database's."""
    spec, chance = "mnk:4,4,4", Random(4)
    build_packed(tmp_path / "zermelo.db", spec)
    with open_solution(str(tmp_path / "zermelo.db"), spec) as solution:
        game = solution.game
        with open_tablebase(str(tablebase_of(solution, tmp_path / "packed.ztb"))) as tablebase:
            for _ in range(100):
                state = game.initial
                while not game.is_terminal(state):
                    assert tablebase.answer(game.format(state)) == solution.answer(game.format(state))
                    state = game.result(state, chance.choice(game.actions(state)))
                assert tablebase.probe(game.format(state)) == solution.probe(game.format(state))


def test_some_plies(tmp_path: Path) -> None:
    """Every kind of storage gives the rows of just these plies."""
    build(str(tmp_path / "rows.db"), load("mnk:3,3,3"), layout="rows")
    build(str(tmp_path / "classes.db"), load("mnk:3,3,3"), symmetry=True)
    build_packed(tmp_path / "packed.db", "mnk:3,3,3")
    with open_solution(str(tmp_path / "packed.db")) as solution:
        tablebase_of(solution, tmp_path / "board.ztb")
    build(str(tmp_path / "nim.db"), load("nim:3,4"))
    with open_solution(str(tmp_path / "nim.db"), "nim:3,4") as solution:
        tablebase_of(solution, tmp_path / "nim.ztb")
    for name in ("rows.db", "classes.db", "packed.db", "board.ztb", "nim.ztb"):
        with open_solution(str(tmp_path / name)) as solution:
            for plies in ((0, 0), (1, 2), (2, sys.maxsize)):
                some = list(solution.source.rows(plies))
                assert some
                assert some == [row for row in solution.source.rows() if plies[0] <= row.ply <= plies[1]]


def test_what_cannot_occur_is_never_answered(tmp_path: Path) -> None:
    """The game's reader refuses it; and asked past that, the blocks know that it is no position."""
    build_packed(tmp_path / "zermelo.db", "connect:3,3,3")
    with open_solution(str(tmp_path / "zermelo.db"), "connect:3,3,3") as solution:
        with pytest.raises(PositionError):
            solution.probe(".../X../O..")
        floating_order = solution.game.board.parse(".../X../O..")  # type: ignore[attr-defined]
        assert solution.source.lookup([floating_order]) == [None]


class StopError(Exception):
    """Stands for whatever ends a build."""


@pytest.mark.parametrize("spec", ["mnk:4,3,3", "connect:4,3,3"])
@pytest.mark.parametrize("at", [0, 3, 8, 12])
def test_a_stopped_build_goes_on_where_it_was(
    spec: str, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in the middle of a layer, the next build solves that one and those below, and ends with the same digest."""
    whole = build_packed(tmp_path / "whole.db", spec)
    path = tmp_path / "stopped.db"
    monkeypatch.setattr("db.pack._BATCH", 1)
    monkeypatch.setattr("db.pack._COMMIT", 1)
    compressed = db.pack._compressed

    def stopping(pool: Any, solution_id: int, layer: Any) -> Iterator[Any]:
        for number, rows in enumerate(compressed(pool, solution_id, layer)):
            if layer.stones == at and number == min(2, len(layer.occupancies) - 1):
                raise StopError
            yield rows

    with monkeypatch.context() as patch:
        patch.setattr("db.pack._compressed", stopping)
        with pytest.raises(StopError):
            build_packed(path, spec)
    with pytest.raises(BusyError, match="is being built"):
        open_solution(str(path), spec)

    stored: list[int] = []

    def noting(pool: Any, solution_id: int, layer: Any) -> Iterator[Any]:
        stored.append(layer.stones)
        return compressed(pool, solution_id, layer)

    monkeypatch.setattr("db.pack._compressed", noting)
    assert build_packed(path, spec, jobs=2) == whole
    assert stored == list(range(at, -1, -1))
    with open_solution(str(path), spec) as one, open_solution(str(tmp_path / "whole.db"), spec) as other:
        assert statistics(one) == statistics(other)
    assert os.listdir(tmp_path).count("stopped.db") == 1
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".lock")]


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """Whenever the process is killed, the next one ends with the same digest, and readers see nothing half done."""
    spec = "mnk:5,3,4"
    whole = build_packed(tmp_path / "whole.db", spec)
    path = tmp_path / "killed.db"
    command = [sys.executable, "-m", "cli", "build", "-g", spec, "--db", str(path), "--no-progress"]
    for delay in (1.2, 1.5, 1.6, 1.7, 1.8):
        builder = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(delay)
        builder.kill()
        builder.communicate()
        if path.exists() and path.stat().st_size:
            try:
                with open_solution(str(path), spec) as solution:
                    assert solution.source.facts["digest"] == whole
            except (BusyError, OperationError, KeyError, ValueError):
                pass
    assert build_packed(path, spec, force=True) == whole


def test_interrupted(tmp_path: Path) -> None:
    """Ctrl-C ends the build at once, with a line that says how to go on; and so it does."""
    path = tmp_path / "zermelo.db"
    command = [
        sys.executable,
        "-m",
        "cli",
        "build",
        "-g",
        "mnk:5,4,4",
        "--db",
        str(path),
        "--no-progress",
        "--jobs",
        "1",
    ]
    builder = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not _layers_in(path):
        time.sleep(0.02)
    builder.send_signal(signal.SIGINT)
    _, stderr = builder.communicate(timeout=20)
    assert builder.returncode == 1
    said = "zermelo: interrupted: what is finished is kept, and the same command goes on from there"
    assert stderr.splitlines()[-1] == said
    assert 20 in _layers_in(path)


def _layers_in(path: Path) -> list[int]:
    try:
        # Whoever waits for the builder's lock may see nothing of it but the end.
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=0)) as connection:
            return [layer for (layer,) in connection.execute("select distinct layer from blocks")]
    except sqlite3.Error:
        return []


def test_one_builder_at_a_time(tmp_path: Path) -> None:
    """The second is told so in one line, and the first one's work is left alone."""
    path = tmp_path / "zermelo.db"
    with only_builder(str(path), "mnk:3,3,3"):
        with pytest.raises(BusyError, match=r"another build of mnk:3,3,3 is at work in .*: wait for it to finish"):
            build_packed(path, "mnk:3,3,3")
        build_packed(path, "mnk:3,3,2")  # another game is no matter
    build_packed(path, "mnk:3,3,3")


def test_rows_do_not_take_over_from_a_packed_builder_at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They do once it was stopped."""
    path = tmp_path / "zermelo.db"

    def stop(*_: object) -> None:
        with pytest.raises(BusyError, match="another build of mnk:3,3,3 is at work"):
            build(str(path), load("mnk:3,3,3"), layout="rows")
        raise StopError

    monkeypatch.setattr("db.pack._store", stop)
    with pytest.raises(StopError):
        build_packed(path, "mnk:3,3,3")
    assert build(str(path), load("mnk:3,3,3"), layout="rows").positions == 5478


def test_a_finished_solution_is_replaced_only_by_force(tmp_path: Path) -> None:
    """By either layout; whoever has it open goes on to get answers."""
    path = tmp_path / "zermelo.db"
    build_packed(path, "mnk:3,3,3")
    with pytest.raises(SolutionExistsError):
        build_packed(path, "mnk:3,3,3")
    with open_solution(str(path), "mnk:3,3,3") as solution:
        build_packed(path, "mnk:3,3,3", force=True)
        assert solution.probe("XO./.X./..O") == (1, 3, "a2")
    build(str(path), load("mnk:3,3,3"), layout="rows", force=True)
    with open_solution(str(path), "mnk:3,3,3") as solution:
        assert solution.source.facts["layout"] == "rows"
    with sqlite3.connect(path) as connection:
        assert connection.execute("select count(*) from blocks").fetchone() == (0,)


def test_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine does not have is refused with figures before anything is written."""
    monkeypatch.setattr("solver.packed.estimate.free_memory", lambda: 10**8)
    with pytest.raises(OperationError, match=r"takes 269 MB of memory, and 100 MB is free"):
        build_packed(tmp_path / "zermelo.db", "mnk:4,4,4")
    assert not list(tmp_path.iterdir())


def test_a_look_up_imports_neither_numba_nor_numpy(tmp_path: Path) -> None:
    """As a process it needs the standard library and zstandard."""
    path = tmp_path / "zermelo.db"
    build_packed(path, "mnk:3,3,3")
    code = (
        "import sys; from cli import main\n"
        f"try: main(['query', '-g', 'mnk:3,3,3', '--db', {str(path)!r}, 'XO./.X./..O'])\n"
        "except SystemExit as end: assert not end.code\n"
        "print(sorted({'numba', 'numpy', 'sqlalchemy', 'tqdm'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_command_line(zermelo: Zermelo) -> None:
    """Layout and jobs by option, the size beforehand, the best line afterwards."""
    said = zermelo("build", "-g", "mnk:5,5,4", "--dry-run")
    assert said.stdout.startswith("mnk:5,5,4: 20,479,891,915 positions to solve, about 7.6 GB of memory, ")
    assert said.returncode == 0
    done = zermelo("build", "-g", "mnk:3,3,3", "--layout", "packed", "--jobs", "1")
    assert done.stdout.startswith("mnk:3,3,3: draw in 9 plies\n5,478 positions in 765 classes, built in ")
    line = zermelo("query", "-g", "mnk:3,3,3", "XO./.X./..O", "--line")
    assert line.stdout.splitlines()[-1] == "Best line: a2 c1 c2"
    assert '"line": ["a2", "c1", "c2"]}' in zermelo("query", "XO./.X./..O", "--line", "--format", "json").stdout
    table = zermelo("query", "XO./.X./..O", "--line", "--format", "csv").stdout.splitlines()
    assert table[0].endswith(",optimal_moves,line")
    assert table[1].endswith(",a2 c1 c2")
    rows = zermelo("build", "-g", "mnk:4,3,3", "--dry-run")
    assert rows.stdout == "mnk:4,3,3: a row a position; how many that are is known once it is solved\n"
