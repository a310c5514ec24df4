"""Games in which play can come back to a position, in every store: answers, lines, counts, exports and proofs."""

import csv
import io
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.conftest import Zermelo
from tests.games import Loops
from zermelo.db.answers import comes_back
from zermelo.db.export import export
from zermelo.db.find import find
from zermelo.db.memory import solve_in_memory
from zermelo.db.positions import Selection
from zermelo.db.query import Solution, open_solution
from zermelo.db.stats import statistics
from zermelo.db.store import build
from zermelo.db.tablebase import write_tablebase
from zermelo.db.verify import verify, verify_sample
from zermelo.solver.errors import DamagedSolutionError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load

GAME = load("morris:three")
ENTRIES = solve(GAME)
SLOW = pytest.mark.slow
ENDLESS = "X../.../...:O"
"""X has opened in a corner: nobody can force a win."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three men's morris stored a row a position, a row a class, and as a tablebase of each."""
    folder = tmp_path_factory.mktemp("morris")
    for name, symmetry in (("rows", False), ("classes", True)):
        build(str(folder / f"{name}.db"), GAME, symmetry=symmetry)
        with open_solution(folder / f"{name}.db", GAME) as solution, (folder / f"{name}.ztb").open("wb") as stream:
            write_tablebase(stream, solution)
    return folder


@pytest.fixture(
    params=[
        "rows.db",
        "classes.ztb",
        *(pytest.param(name, marks=SLOW) for name in ("classes.db", "rows.ztb", "memory")),
    ]
)
def solution(built: Path, request: pytest.FixtureRequest) -> Iterator[Solution]:
    if request.param == "memory":
        yield solve_in_memory(GAME)
        return
    with open_solution(built / request.param, GAME) as solution:
        yield solution


class TestEveryStore:
    """All of them answer the same, plies that are null among them."""

    def test_every_entry_is_that_of_the_solver(self, solution: Solution) -> None:
        for state, (value, plies, action) in ENTRIES.items():
            best = None if action is None else GAME.format_action(action)
            assert solution.probe(GAME.format(state)) == (value, plies, best)

    def test_an_answer_where_play_need_not_end(self, solution: Solution) -> None:
        """Whatever keeps the value is best, and the first of them is the one that is stored."""
        answer = solution.answer(ENDLESS, line=True)
        assert (answer.value, answer.plies, answer.best_move) == (0, None, "b1")
        assert [(move.value, move.plies, move.optimal) for move in answer.moves] == 6 * [(0, None, True)] + 2 * [
            (1, 7, False)
        ]
        assert answer.comes_back

    def test_a_line_stops_where_a_position_comes_back(self, solution: Solution) -> None:
        """Not before, and not after; a win's line goes to its end."""
        positions = [ENDLESS, *(move.position for move in solution.line(ENDLESS))]
        assert len(set(positions)) == len(positions) - 1
        assert positions[-1] in positions[:-1]
        start = GAME.format(GAME.initial)
        assert len(solution.line(start)) == 9
        assert not comes_back(solution.line(start))

    def test_counts(self, solution: Solution) -> None:
        """Those published, from the side to move; games without end are not counted."""
        figures = statistics(solution)
        assert (figures["positions"], figures["can_repeat"], figures["games"]) == (5390, True, None)
        assert (figures["mover_wins"], figures["mover_losses"], figures["mover_draws"]) == (2997, 1185, 1208)
        assert figures["longest"] == max(plies or 0 for value, plies, _ in ENTRIES.values() if value)

    def test_it_is_proved(self, solution: Solution) -> None:
        assert verify(solution).faults == []
        assert verify_sample(solution, 200, seed=1).faults == []

    def test_finding(self, solution: Solution) -> None:
        """The longest win first; where play need not end there is no way to be long, so those come last."""
        first = find(solution, Selection(classes=True), sort="plies", limit=1)[0]
        assert first.plies == statistics(solution)["longest"]
        drawn = find(solution, Selection(value=0, classes=True), sort="plies", limit=3)
        assert [position.plies for position in drawn] == [None, None, None]
        assert all(position.best_move in position.optimal_moves for position in drawn)

    def test_exports_leave_empty_what_is_null(self, solution: Solution) -> None:
        """Nothing in CSV, null in JSON and Parquet."""
        for format_ in ("csv", "jsonl", "parquet"):
            stream = io.BytesIO()
            export(stream, solution, format_, Selection(plies=(0, 1)))
            rows: list[Any]
            if format_ == "csv":
                rows = list(csv.DictReader(io.StringIO(stream.getvalue().decode())))
            elif format_ == "jsonl":
                rows = [json.loads(line) for line in stream.getvalue().splitlines()]
            else:
                rows = pq.read_table(stream).to_pylist()
            plies = {row["position"]: row["plies"] for row in rows}
            null, eight = ("", "8") if format_ == "csv" else (None, 8)
            assert (plies[ENDLESS], plies[".../.X./...:O"]) == (null, eight)
            best = next(row for row in rows if row["position"] == ENDLESS)["optimal_moves"]
            assert best == "b1 c1 a2 b2 a3 c3"


@pytest.mark.parametrize(
    "name", ["quixo:2", *(pytest.param(name, marks=SLOW) for name in ("dodgem:3", "morris:nine-holes"))]
)
def test_other_games_are_proved(name: str, tmp_path: Path) -> None:
    """One without draws, one that is a draw, one that ends soon."""
    for symmetry in (False, True):
        build(str(tmp_path / "some.db"), load(name), symmetry=symmetry, force=True)
        with open_solution(tmp_path / "some.db", name) as solution:
            assert verify(solution).faults == []


# b and c hold each other up: were both false wins, each would follow from the other. d is the only true end.
FALSE = Loops("a>b,d b<c c>b d=-1")


def faults_after(tmp_path: Path, game: Loops, *changes: str) -> list[str]:
    """What the proof finds once the rows are changed, and the digest and the counts with them."""
    path = tmp_path / "false.db"
    build(str(path), game, force=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        for change in changes:
            connection.execute(f"update positions set {change}")
    with open_solution(path, game) as solution:
        return [fault for fault in verify(solution).faults if fault[1:2] == ":"]


def test_false_wins_that_hold_each_other_up(tmp_path: Path) -> None:
    """Every value follows from the successors', for only the plies cannot: whatever they are, one of them is wrong."""
    assert solve(FALSE)["b"] == (0, None, "c")
    assert faults_after(tmp_path, FALSE) == []
    for b, c in ((4, 3), (3, 4), (2, 2), (0, 0), (-1, -2)):
        wins = "value = 1, plies = {} where board = '{}'"
        found = faults_after(
            tmp_path, FALSE, wins.format(b, "b"), wins.format(c, "c"), f"value = 1, plies = {b + 1} where board = 'a'"
        )
        assert any(fault.startswith(("b: stored is value 1", "c: stored is value 1")) for fault in found), (b, c)


def test_false_wins_without_plies(tmp_path: Path) -> None:
    """Off the worth of endless play, plies are never null."""
    found = faults_after(tmp_path, FALSE, "value = 1, plies = null where board in ('a', 'b', 'c')")
    with open_solution(tmp_path / "false.db", FALSE) as solution, pytest.raises(DamagedSolutionError):
        solution.answer("b")
    false = "{}: stored is value 1 without end, best move {}; its successors give value 1 in no number of plies, best move {}"
    assert {false.format("b", "c", "c"), false.format("c", "b", "b")} <= set(found)


def test_plies_where_play_need_not_end(tmp_path: Path) -> None:
    """A number there would promise an end that nobody can force."""
    found = faults_after(tmp_path, FALSE, "plies = 3 where board = 'b'")
    assert found == [
        "b: stored is value 0 in 3 plies, best move c; its successors give value 0 without end, best move c"
    ]


def test_plies_that_are_one_too_many(tmp_path: Path) -> None:
    """The value is right and the best move too, but the win comes sooner than is stored."""
    game = Loops("a>b,c b<a c=1")
    assert faults_after(tmp_path, game, "plies = plies + 2 where board in ('a', 'b')")
    assert faults_after(tmp_path, game, "best_move = 'b' where board = 'a'")


def test_a_wrong_word_on_whether_play_can_come_back(tmp_path: Path) -> None:
    """Whoever reads the plies must know which rule they follow."""
    path = tmp_path / "some.db"
    build(str(path), FALSE)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update solutions set can_repeat = 0, mover_losses = 3, checksum = null")
    with open_solution(path, FALSE) as solution:
        assert verify(solution).faults == [
            "can repeat: False is stored, and it is True",
            "mover losses: 3 is stored, and it is 1",
        ]


def test_the_command_line(zermelo: Zermelo, built: Path, tmp_path: Path) -> None:
    """Every command that shows plies, where they are null."""
    shutil.copy(built / "rows.db", tmp_path / "zermelo.db")
    asked = zermelo("query", "-g", "morris:three", ENDLESS, "--line").stdout.splitlines()
    assert asked[7] == "O to move: draw: play need not end. Best move: b1."
    assert asked[8] == "  b1  draw: play need not end  traps 2 of 7  *"
    assert asked[-1].startswith("Best line: b1 ")
    assert asked[-1].endswith(" - and there a position comes back: play need not end")
    answer = json.loads(zermelo("query", "-g", "morris:three", ENDLESS, "--line", "--format", "json").stdout)
    assert (answer["value"], answer["plies"], answer["moves"][0]["plies"], answer["comes_back"]) == (
        0,
        None,
        None,
        True,
    )
    row = next(csv.DictReader(zermelo("query", "-g", "morris:three", ENDLESS, "--format", "csv").stdout.splitlines()))
    assert (row["value"], row["plies"]) == ("0", "")

    counted = json.loads(zermelo("stats", "-g", "morris:three", "--format", "json").stdout)
    assert [counted[name] for name in ("can_repeat", "longest", "mover_wins", "mover_losses", "mover_draws")] == [
        True, 10, 2997, 1185, 1208,
    ]  # fmt: skip
    told = zermelo("stats", "-g", "morris:three").stdout.splitlines()
    assert told[2:5] == [
        "play can come back to a position, so there is no end to the games",
        "the side to move wins 2,997, loses 1,185 and draws 1,208",
        "the longest win or loss takes 10 plies",
    ]

    assert zermelo("build", "-g", "morris:nine-holes").stdout.startswith("morris:nine-holes: draw: play need not end\n")
    listed = [json.loads(line) for line in zermelo("list", "--format", "json").stdout.splitlines()]
    assert [(row["game"], row["plies"], row["can_repeat"]) for row in listed] == [
        ("morris:nine-holes", None, True),
        ("morris:three", 9, True),
    ]
    assert "draw: play need not end" in zermelo("find", "-g", "morris:three", "--trickiest", "--limit", "1").stdout
    assert zermelo("verify", "-g", "morris:nine-holes").returncode == 0
