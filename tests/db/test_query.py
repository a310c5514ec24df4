"""Every way of storing and reading a solution gives the same answers."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from zermelo.db.positions import positions
from zermelo.db.query import Solution, open_solution
from zermelo.db.readers import ServerReader
from zermelo.db.stats import statistics
from zermelo.db.store import build
from zermelo.db.tablebase import open_tablebase, write_tablebase
from zermelo.solver.errors import DamagedError, IncompleteSolutionError, PositionError, UnknownPositionError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK

GAME = MNK(3, 3, 3)
ENTRIES = solve(GAME)


def in_tablebase(path: str) -> Solution:
    with open_solution(path) as database, open(f"{path}.ztb", "wb") as stream:
        write_tablebase(stream, database)
    return open_tablebase(f"{path}.ztb")


def in_chunks(path: str) -> Solution:
    """As a board is read that is too large to be kept in memory."""
    tablebase = in_tablebase(path)
    tablebase.source.small = False  # type: ignore[attr-defined]
    return tablebase


def through_sqlalchemy(path: str) -> Solution:
    """As a server's database is read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zermelo.db.query.open_reader", lambda db: ServerReader(f"sqlite:///{db}"))
        return open_solution(path)


STORED: dict[str, dict[str, Any]] = {
    "rows": {"layout": "rows"},
    "rows by class": {"symmetry": True},
    "packed": {"layout": "packed"},
}
READ: dict[str, Callable[[str], Solution]] = {
    "file": open_solution,
    "SQLAlchemy": through_sqlalchemy,
    "tablebase": in_tablebase,
    "chunks": in_chunks,
}


@pytest.fixture(scope="module", params=product(STORED, READ), ids=", ".join)
def solution(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Solution]:
    """Tic-tac-toe, stored and read in every way there is."""
    stored, read = request.param
    path = str(tmp_path_factory.mktemp("stored") / "zermelo.db")
    build(path, GAME, **STORED[stored])
    with READ[read](path) as solution:
        yield solution


class TestEveryReader:
    """What holds of all of them."""

    @pytest.mark.parametrize("every", [27, pytest.param(1, marks=pytest.mark.slow)])
    def test_every_entry_is_that_of_the_solver(self, every: int, solution: Solution) -> None:
        """All 5,478 positions: value, plies and best move."""
        for state, (value, plies, action) in list(ENTRIES.items())[::every]:
            best_move = None if action is None else GAME.format_action(action)
            assert solution.probe(GAME.format(state)) == (value, plies, best_move)

    @pytest.mark.parametrize("every", [25, pytest.param(1, marks=pytest.mark.slow)])
    def test_moves_are_best_first_and_lead_to_their_entries(self, every: int, solution: Solution) -> None:
        """In every position the first move is the best, each value is its successor's, no better move comes later."""
        for state, (value, plies, action) in list(ENTRIES.items())[::every]:
            answer = solution.answer(GAME.format(state))
            if action is None:
                assert (answer.to_move, answer.best_move, answer.moves) == (None, None, [])
                continue
            assert answer.best_move == GAME.format_action(action) == answer.moves[0].move
            assert {GAME.parse_action(move.move) for move in answer.moves} == set(GAME.actions(state))
            sign = 1 if answer.to_move == "X" else -1
            gains = [sign * move.value for move in answer.moves]
            assert gains == sorted(gains, reverse=True)
            assert plies is not None
            for move in answer.moves:
                assert (move.value, move.plies) == ENTRIES[GAME.parse(move.position)][:2]
                assert move.optimal == ((move.value, move.plies) == (value, plies - 1))
            assert answer.moves[0].optimal

    def test_an_answer_is_complete(self, solution: Solution) -> None:
        """The example of the design: X wins in three by a2 or a3."""
        answer = solution.answer("xo-/-x-/--o")
        assert answer.as_dict() == {
            "game": "mnk:3,3,3",
            "position": "XO./.X./..O",
            "ply": 4,
            "to_move": "X",
            "terminal": False,
            "value": 1,
            "plies": 3,
            "best_move": "a2",
            "moves": [
                {"move": "a2", "position": "XO./XX./..O", "value": 1, "plies": 2, "optimal": True},
                {"move": "a3", "position": "XO./.X./X.O", "value": 1, "plies": 2, "optimal": True},
                {"move": "c1", "position": "XOX/.X./..O", "value": 0, "plies": 4, "optimal": False},
                {"move": "c2", "position": "XO./.XX/..O", "value": 0, "plies": 4, "optimal": False},
                {"move": "b3", "position": "XO./.X./.XO", "value": 0, "plies": 4, "optimal": False},
            ],
        }

    def test_a_finished_game(self, solution: Solution) -> None:
        """Nobody is to move, and there is nothing to choose."""
        answer = solution.answer("XXX/OO./...")
        assert (answer.terminal, answer.value, answer.plies, answer.ply) == (True, 1, 0, 5)
        assert (answer.to_move, answer.best_move, answer.moves) == (None, None, [])

    def test_probe_raises_and_get_does_not(self, solution: Solution) -> None:
        """What is no position has no value, least of all 0."""
        for text in ("XXX/OOO/...", "X.O", "hello", ""):
            with pytest.raises(PositionError):
                solution.probe(text)
            with pytest.raises(ValueError, match="position"):
                solution.answer(text)
            assert solution.get(text) is None
        assert solution.get(".../.../...") == (0, 9, "a1")

    def test_all_nine_openings_draw(self, solution: Solution) -> None:
        """The oldest fact about the game."""
        assert [move.value for move in solution.moves(".../.../...")] == [0] * 9

    def test_the_tutorials_worked_example(self, solution: Solution) -> None:
        """X O X / O O . / . X . with X to move: only c2 draws, the other two lose at once."""
        moves = solution.moves("XOX/OO./.X.")
        assert [(move.move, move.value, move.plies) for move in moves] == [("c2", 0, 2), ("a3", -1, 1), ("c3", -1, 1)]


def test_a_position_of_the_game_that_the_solution_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that was lost is damage and not an unknown position; where nobody counts the rows, it is named."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME)
    with sqlite3.connect(path) as connection:
        connection.execute("delete from positions where board = 'X../.../...'")
    with open_solution(str(path)) as solution:
        for ask in (solution.probe, solution.get, solution.answer):
            with pytest.raises(DamagedError, match=r"it has 5,477 rows in order instead of 5,478"):
                ask("X../.../...")
        with pytest.raises(DamagedError, match="instead of 5,478"):
            solution.answer(".../.../...")
        # In a large solution nobody goes through all rows for that.
        monkeypatch.setattr("zermelo.db.rows.source._SMALL", 1000)
        with pytest.raises(UnknownPositionError, match=r"position 'X../.../...' is not in the solution of mnk:3,3,3"):
            solution.probe("X../.../...")
        assert solution.get("X../.../...") is None
        with pytest.raises(IncompleteSolutionError, match=r"lacks 'X../.../...', to which '.../.../...' leads"):
            solution.answer(".../.../...")


def test_an_open_reader_survives_a_rebuild(tmp_path: Path) -> None:
    """The new solution has another number; the reader finds it by itself."""
    path = str(tmp_path / "zermelo.db")
    build(path, GAME)
    with open_solution(path) as solution:
        assert solution.probe("XO./.X./..O") == (1, 3, "a2")
        build(path, GAME, force=True, symmetry=True)
        assert solution.probe("XO./.X./..O") == (1, 3, "a2")
        assert len(solution.moves(".../.../...")) == 9
        build(path, GAME, force=True)
        figures = statistics(solution)
        assert (figures["terminal"], len(figures["by_ply"])) == (958, 10)


def test_an_open_reader_survives_a_build_that_is_killed(tmp_path: Path) -> None:
    """A writer that dies with half its pages in the file: the reader that was open all along goes on."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME)
    dying = (
        "import os, signal, sqlite3, sys\n"
        "writer = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "writer.execute('pragma cache_size = 1')\n"
        "writer.execute('begin immediate')\n"
        "writer.execute('update positions set value = 7')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    with open_solution(str(path)) as solution:
        assert solution.probe(".../.../...").value == 0
        subprocess.run([sys.executable, "-c", dying, str(path)])
        assert Path(f"{path}-journal").exists()
        assert solution.probe(".../.../...").value == 0
        assert solution.answer("XO./.X./..O").best_move == "a2"


def test_a_class_that_is_missing_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one row a class, the best move comes from the successors: all of them, or none."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME, symmetry=True)
    state = GAME.parse("XOX/.X./..O")
    gone = min(GAME.format(symmetry(state)) for symmetry in GAME.symmetries)
    with sqlite3.connect(path) as connection:
        connection.execute("delete from positions where board = ?", (gone,))
    monkeypatch.setattr("zermelo.db.rows.source._SMALL", 100)
    lacking = r"lacks 'XOX/.X./..O', to which 'XO./.X./..O' leads"
    with open_solution(str(path)) as solution:
        with pytest.raises(IncompleteSolutionError, match=lacking):
            solution.probe("XO./.X./..O")
        with pytest.raises(IncompleteSolutionError, match=lacking):
            solution.get("XO./.X./..O")  # which would be None if there were no such position


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize(
    "change",
    [
        "value = 1 where board = '.../.../...'",  # from which no move wins
        "plies = 7 where board = '.../.../...'",  # but after every move 8 are left
        "value = 1 where board = '.../.../..X'",  # to which the start leads, so that it would be a win
        "value = 0 where board = '.../.OO/XXX'",  # which the rules say X has won
    ],
)
def test_an_answer_that_cannot_be_is_refused(change: str, symmetry: bool, tmp_path: Path) -> None:
    """What is stored of a position must follow from what is stored of its successors."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME, symmetry=symmetry)
    with sqlite3.connect(path) as connection:
        assert connection.execute(f"update positions set {change}").rowcount == 1
    asked = ".../.OO/XXX" if "XXX" in change else ".../.../..."
    with open_solution(str(path)) as solution:
        with pytest.raises(DamagedError, match=r"mnk:3,3,3 in .* is damaged"):
            solution.answer(asked)
        with pytest.raises(DamagedError, match=r"mnk:3,3,3 in .* is damaged"):
            list(positions(solution))


def test_many_games_in_one_file(tmp_path: Path) -> None:
    """The same board means different things in different games."""
    path = str(tmp_path / "zermelo.db")
    for spec in ("mnk:3,3,3", "mnk:3,3,3,misere", "mnk:3,3,2"):
        build(path, load(spec))
    values = {}
    for spec in ("mnk:3,3,3", "mnk:3,3,3,misere", "mnk:3,3,2"):
        with open_solution(path, spec) as solution:
            values[spec] = [move.value for move in sorted(solution.moves(".../.../..."))]
    assert values["mnk:3,3,3"] == [0] * 9
    # In misere tic-tac-toe the centre is the only opening that does not lose.
    assert values["mnk:3,3,3,misere"] == [-1, -1, -1, -1, 0, -1, -1, -1, -1]
    assert values["mnk:3,3,2"] == [1] * 9


def test_reading_writes_nothing(tmp_path: Path) -> None:
    """Not a byte, not a file, not a time."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME)
    path.chmod(0o444)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    with open_solution(str(path)) as solution:
        solution.answer("XO./.X./..O")
        solution.source.counts()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [file.name for file in tmp_path.iterdir()] == ["zermelo.db"]


def test_the_best_line(tictactoe_db: Path) -> None:
    """Each move is the stored one, until the game is over."""
    with open_solution(str(tictactoe_db)) as solution:
        line = solution.line("XO./.X./..O")
        assert [move.move for move in line] == ["a2", "c1", "c2"]
        assert line[-1].position == "XOO/XXX/..O"
        assert solution.line("XXX/OO./...") == []
