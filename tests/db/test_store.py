"""Builds are seen whole or not at all: whatever is killed, in the way, or at work at the same time."""

import contextlib
import hashlib
import json
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.conftest import heed_interrupts
from zermelo.db.engine import insert_rows
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.solver.errors import GameError, SolutionExistsError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK

GAME = MNK(3, 3, 3)
DIGEST = "75d1d4004180d56cbe03c52f3bf8cc700e82978aebbaa844e82489e5f62436a3"


def stored(path: Path) -> dict[str, tuple[int, int, str | None]]:
    """The positions of the complete solution of tic-tac-toe, read with nothing of ours."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "select board, value, plies, best_move from positions where solution_id in"
            " (select id from solutions where game = 'mnk:3,3,3' and status = 'complete')"
        ).fetchall()
    connection.close()
    return {board: (value, plies, best_move) for board, value, plies, best_move in rows}


EXPECTED = {
    GAME.format(state): (value, plies, None if action is None else GAME.format_action(action))
    for state, (value, plies, action) in solve(GAME).items()
}


def test_what_is_stored_is_what_was_solved(tmp_path: Path) -> None:
    """As anyone with sqlite3 sees it, the query of the design included."""
    path = tmp_path / "zermelo.db"
    built = build(str(path), GAME)
    assert (built.value, built.plies, built.positions, built.classes, built.digest) == (0, 9, 5478, 765, DIGEST)
    assert stored(path) == EXPECTED
    with sqlite3.connect(path) as connection:
        asked = connection.execute(
            "select value, plies, best_move from positions where board = 'X.O/.X./..O'"
        ).fetchall()
        facts = connection.execute(
            "select game, layout, status, value, plies, positions, classes, digest from solutions"
        ).fetchall()
    assert asked == [(0, 5, "c2")]
    assert facts == [("mnk:3,3,3", "rows", "complete", 0, 9, 5478, 765, DIGEST)]


def test_the_digest_is_the_same_everywhere(tmp_path: Path) -> None:
    """A figure from another machine, with and without symmetry, and what the design says it is made of."""
    assert build(str(tmp_path / "plain.db"), GAME).digest == DIGEST
    assert build(str(tmp_path / "classes.db"), GAME, symmetry=True).digest == DIGEST
    lines = [f"{board} {value} {plies} {best or '-'}\n" for board, (value, plies, best) in sorted(EXPECTED.items())]
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == DIGEST


def test_one_position_of_each_class(tmp_path: Path) -> None:
    """765 rows, each the first of its class in the order of its text."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME, symmetry=True)
    rows = stored(path)
    assert len(rows) == 765
    for board, entry in rows.items():
        assert EXPECTED[board] == entry
        state = GAME.parse(board)
        assert board == min(GAME.format(symmetry(state)) for symmetry in GAME.symmetries)


def test_building_again_needs_force(tmp_path: Path) -> None:
    """And changes nothing without it."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME)
    before = path.read_bytes()
    with pytest.raises(SolutionExistsError, match=r"already holds mnk:3,3,3"):
        build(str(path), GAME)
    assert path.read_bytes() == before
    assert build(str(path), GAME, force=True).digest == DIGEST
    with sqlite3.connect(path) as connection:
        assert connection.execute("select count(*) from positions").fetchone() == (5478,)
        assert connection.execute("select count(*) from solutions").fetchone() == (1,)


def test_a_build_that_fails_leaves_the_old_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the middle of writing: nothing of the new, all of the old, and no row that says 'building'."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME)

    def fail_half_way(connection: object, model: object, rows: list[object]) -> None:
        insert_rows(connection, model, rows[:100])  # type: ignore[arg-type]
        raise MemoryError

    monkeypatch.setattr("zermelo.db.rows.build.insert_rows", fail_half_way)
    with pytest.raises(MemoryError):
        build(str(path), GAME, force=True)
    assert stored(path) == EXPECTED
    with sqlite3.connect(path) as connection:
        assert connection.execute("select status from solutions").fetchall() == [("complete",)]


def test_a_value_that_is_no_whole_number_is_refused(tmp_path: Path) -> None:
    """A database that rounds is worse than none."""

    class Halves(MNK):
        family = "halves"

        def utility(self, state: int, player: str) -> int:
            return super().utility(state, player) / 2  # type: ignore[return-value]

    with pytest.raises(GameError, match=r"has the utility -?0.5: a stored value is a whole number"):
        build(str(tmp_path / "zermelo.db"), Halves(2, 2, 2))


def zermelo_build(path: Path, *arguments: str) -> "subprocess.Popen[str]":
    """The build as a process of its own."""
    command = [sys.executable, "-m", "zermelo", "build", "--db", str(path), *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )


@pytest.mark.parametrize("kills", [1, pytest.param(30, marks=pytest.mark.slow)])
def test_killed_at_any_moment(kills: int, tmp_path: Path) -> None:
    """Kills at random moments of a rebuild: the database answers rightly each time, and a build mends the rest."""
    path = tmp_path / "zermelo.db"
    started = time.monotonic()
    _build_whole(path)
    whole = time.monotonic() - started
    chance = random.Random(20261116)
    killed = 0
    always_open = open_solution(str(path))
    while killed < kills:
        started = time.monotonic()
        builder = zermelo_build(path, "--force")
        # The first half of a build is imports: most kills belong where it writes.
        with contextlib.suppress(subprocess.TimeoutExpired):
            builder.communicate(timeout=whole * chance.uniform(0.3, 1.05))
        builder.kill()
        builder.communicate()
        if builder.returncode == -signal.SIGKILL:
            killed += 1
        else:
            # It was done first: a machine that got faster since needs an earlier moment.
            whole = min(0.95 * whole, time.monotonic() - started)
        assert always_open.probe("XO./.X./..O") == (1, 3, "a2")
        with open_solution(str(path)) as solution:
            assert solution.probe("XO./.X./..O") == (1, 3, "a2")
        assert stored(path) == EXPECTED
    always_open.close()
    _build_whole(path, "--force")
    assert stored(path) == EXPECTED


def _build_whole(path: Path, *arguments: str) -> None:
    with zermelo_build(path, *arguments) as builder:
        builder.communicate()
    assert builder.returncode == 0


@pytest.mark.slow
def test_interrupted_at_any_moment(tmp_path: Path) -> None:
    """Ctrl-C: one line, exit 1, soon, and no row left that says 'building'."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME)
    chance = random.Random(3)
    for _ in range(8):
        builder = zermelo_build(path, "-g", "mnk:4,3,3")
        while builder.poll() is None and len(_games(path)) < 2:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 1.5))
        builder.send_signal(signal.SIGINT)
        _, stderr = builder.communicate()
        games = _games(path)
        if len(games) == 2:
            # It was stored first. A signal between the commit and the last word is still an interrupt.
            assert games == [("mnk:3,3,3", "complete"), ("mnk:4,3,3", "complete")]
            assert (builder.returncode, stderr) in {(0, ""), (1, "zermelo: interrupted\n")}
            break
        assert (builder.returncode, stderr) == (1, "zermelo: interrupted\n")
        assert games == [("mnk:3,3,3", "complete")]


def _games(path: Path) -> list[tuple[str, str]]:
    """The games in a database, and how far each is; none where a builder keeps others from looking."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return connection.execute("select game, status from solutions order by game").fetchall()
    except sqlite3.OperationalError:
        return []


def test_a_finished_build_waits_for_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who reads for long does not make hours of work be thrown away."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME)
    monkeypatch.setattr("zermelo.db.engine.WRITE_TIMEOUT", 0.2)
    reader = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    reader.execute("begin")
    reader.execute("select count(*) from positions").fetchall()
    threading.Timer(0.5, lambda: reader.execute("rollback")).start()
    assert build(str(path), GAME, force=True).digest == DIGEST
    reader.close()


@pytest.mark.slow
def test_the_first_build_killed_at_any_moment(tmp_path: Path) -> None:
    """With nothing there before, a kill leaves a database that says so, or a complete one."""
    chance = random.Random(16112026)
    for number in range(10):
        path = tmp_path / f"{number}.db"
        builder = zermelo_build(path)
        time.sleep(chance.uniform(0.2, 0.9))
        builder.kill()
        builder.communicate()
        asked = subprocess.run(
            [sys.executable, "-m", "zermelo", "query", "--db", str(path), "XO./.X./..O", "--format", "json"],
            capture_output=True,
            text=True,
        )
        if asked.returncode:
            assert asked.stderr.startswith("zermelo: ")
            assert asked.stderr.count("\n") == 1
        else:
            assert json.loads(asked.stdout)["best_move"] == "a2"
        assert build(str(path), GAME, force=True).digest == DIGEST


@pytest.mark.slow
def test_two_builds_at_once(tmp_path: Path) -> None:
    """One good database; the one that came second says so in one line."""
    for number in range(10):
        path = tmp_path / f"{number}.db"
        builders = [zermelo_build(path), zermelo_build(path)]
        outputs = [builder.communicate() for builder in builders]
        codes = sorted(builder.returncode for builder in builders)
        assert codes[0] == 0, outputs
        if codes[1]:
            complaint = next(
                stderr for builder, (_, stderr) in zip(builders, outputs, strict=True) if builder.returncode
            )
            assert complaint.startswith("zermelo: ")
            assert complaint.count("\n") == 1
        else:  # the first was done by then
            assert sum("already" in stdout for stdout, _ in outputs) == 1
        assert stored(path) == EXPECTED


QUERIES = """
import json, os, sys
from zermelo.db.query import open_solution
path, expected = sys.argv[1], json.load(open(sys.argv[2]))
boards = sorted(expected)
print("ready", flush=True)
solution = open_solution(path)
asked = 0
while asked < 200 or not os.path.exists(sys.argv[3]):
    board = boards[asked * 7919 % len(boards)]
    assert list(solution.probe(board)) == expected[board], board
    if asked % 50 == 0:
        with open_solution(path) as another:
            moves = another.moves(board)
            assert all([move.value, move.plies] == expected[move.position][:2] for move in moves)
    asked += 1
"""


@pytest.mark.slow
def test_eight_processes_query_while_a_rebuild_runs(tmp_path: Path) -> None:
    """No error and no wrong answer, from readers that stay open and from ones that open anew."""
    path, expected, enough = tmp_path / "zermelo.db", tmp_path / "expected.json", tmp_path / "enough"
    build(str(path), GAME)
    expected.write_text(json.dumps(EXPECTED))
    command = [sys.executable, "-c", QUERIES, str(path), str(expected), str(enough)]
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(8)]
    for reader in readers:
        assert reader.stdout
        assert reader.stdout.readline() == "ready\n"
    for _ in range(8):
        build(str(path), GAME, force=True)
    enough.touch()
    for reader in readers:
        _, stderr = reader.communicate()
        assert reader.returncode == 0, stderr


def test_every_board_up_to_nine_cells_can_be_built(tmp_path: Path) -> None:
    """The smallest boards too, where a table has one row."""
    path = str(tmp_path / "zermelo.db")
    for spec in ("mnk:1,1,1", "mnk:2,1,2", "mnk:1,9,3", "mnk:2,2,2,misere"):
        game = load(spec)
        built = build(path, game)
        assert built.positions == len(solve(game))
