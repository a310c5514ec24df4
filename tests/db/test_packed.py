"""Packed solutions: the same answers as from rows, and one builder at a time."""

import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.conftest import Zermelo
from tests.db.test_stopped import StopError, build_packed
from zermelo.db.lock import only_builder
from zermelo.db.packed.keeper import Keeper
from zermelo.db.query import Solution, open_solution
from zermelo.db.source import HasBlocks
from zermelo.db.stats import statistics
from zermelo.db.store import build
from zermelo.db.tablebase import open_tablebase, write_tablebase
from zermelo.solver.errors import BusyError, OperationError, PositionError, SolutionExistsError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "spec", ["mnk:3,3,3", pytest.param("mnk:4,2,3,misere", marks=pytest.mark.slow), "connect:3,3,3"]
)
def test_the_same_answers_as_from_rows(spec: str, every: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Value, plies, best move, every move in its order, and all counts but those of paths; in parts and whole."""
    monkeypatch.setattr("zermelo.db.packed.source.PART", 7)
    monkeypatch.setattr("zermelo.db.packed.source._AT_ONCE", 5)
    game = load(spec)
    build(str(tmp_path / "rows.db"), game, layout="rows")
    build_packed(tmp_path / "packed.db", spec)
    with (
        open_solution(str(tmp_path / "rows.db"), game) as rows,
        open_solution(str(tmp_path / "packed.db"), game) as blocks,
    ):
        for state in list(solve(game))[::every]:
            board = game.format(state)
            assert blocks.answer(board) == rows.answer(board)
            assert blocks.probe(board) == rows.probe(board)
        assert sorted(blocks.source.rows()) == list(rows.source.rows())
        assert blocks.line(game.format(game.initial)) == rows.line(game.format(game.initial))
        # Without gravity they are counted when they are asked for.
        unknown = {} if spec.startswith("mnk") else {"games": None, "tree_nodes": None}
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


@pytest.mark.slow
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


@pytest.mark.slow
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

    monkeypatch.setattr(Keeper, "write", stop)
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
    monkeypatch.setattr("zermelo.solver.packed.solve.free_memory", lambda: 10**5)
    with pytest.raises(OperationError, match=r"takes at least \d\d\d MB of memory, and 100 kB is free"):
        build_packed(tmp_path / "zermelo.db", "mnk:4,4,4")
    assert not list(tmp_path.iterdir())


def test_a_look_up_imports_neither_numba_nor_numpy(tmp_path: Path) -> None:
    """As a process it needs the standard library and zstandard."""
    path = tmp_path / "zermelo.db"
    build_packed(path, "mnk:3,3,3")
    code = (
        "import sys; from zermelo.cli import main\n"
        f"try: main(['query', '-g', 'mnk:3,3,3', '--db', {str(path)!r}, 'XO./.X./..O'])\n"
        "except SystemExit as end: assert not end.code\n"
        "print(sorted({'numba', 'numpy', 'sqlalchemy', 'tqdm'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_command_line(zermelo: Zermelo) -> None:
    """Layout and jobs by option, the size beforehand, the best line afterwards."""
    said = zermelo("build", "-g", "mnk:5,4,4", "--dry-run", "--memory", "280M")
    assert said.stdout.startswith("mnk:5,4,4: 187,879,901 places to fill, about 280 MB of memory, ")
    assert said.returncode == 0
    done = zermelo("build", "-g", "mnk:3,3,3", "--layout", "packed", "--jobs", "1")
    assert done.stdout.startswith("mnk:3,3,3: draw in 9 plies\n5,478 positions in 765 classes, built in ")
    line = zermelo("query", "-g", "mnk:3,3,3", "XO./.X./..O", "--line")
    assert line.stdout.splitlines()[-1] == "Best line: a2 c1 c2"
    assert (
        '"line": ["a2", "c1", "c2"], "comes_back": false}'
        in zermelo("query", "XO./.X./..O", "--line", "--format", "json").stdout
    )
    table = zermelo("query", "XO./.X./..O", "--line", "--format", "csv").stdout.splitlines()
    assert table[0].endswith(",optimal_moves,line,comes_back")
    assert table[1].endswith(",a2 c1 c2,0")
    rows = zermelo("build", "-g", "mnk:4,3,3", "--dry-run")
    assert rows.stdout.startswith("mnk:4,3,3: 111,973 positions, about 135 MB of memory, 4 MB on the disk, ")
