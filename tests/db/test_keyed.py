"""Solutions of whole numbers in blocks: everything that reads a solution reads them, and says the same."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Zermelo
from tests.db import second_reader
from tests.games import Piles
from tests.solver import fixed_point
from tests.solver.compiled.games import Graph
from zermelo.db.catalogue import solutions_in
from zermelo.db.export import export
from zermelo.db.layouts import choose_layout
from zermelo.db.query import Solution, open_solution
from zermelo.db.store import build
from zermelo.db.verify import verify
from zermelo.solver.compiled import blocks
from zermelo.solver.errors import DamagedSolutionError, GameError, MissingSolutionError
from zermelo.solver.games import load

SPEC = "dodgem:3"


@pytest.fixture(scope="module")
def keyed_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with 3x3 Dodgem in blocks, only to be read."""
    path = tmp_path_factory.mktemp("keyed") / "keyed.db"
    # So few states in a block that there are many blocks.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "SIZE", 100)
        build(path, SPEC, layout="packed", jobs=2)
    return path


@pytest.fixture(params=["database", "tablebase"])
def solution(request: pytest.FixtureRequest, keyed_db: Path, tmp_path: Path) -> Iterator[Solution]:
    path = keyed_db
    if request.param == "tablebase":
        path = tmp_path / "dodgem.ztb"
        with open_solution(keyed_db, SPEC) as stored, path.open("wb") as stream:
            export(stream, stored, "ztb")
    with open_solution(path, SPEC) as opened:
        yield opened


def test_every_position_is_answered_as_the_second_solver_does(solution: Solution) -> None:
    game = solution.game
    known = fixed_point.solve(game)
    assert solution.source.facts["codec"] == "keyed" and solution.source.facts["can_repeat"] is True
    assert len(solution) == len(known) == 1963
    for state, (value, plies, action) in known.items():
        best = None if action is None else game.format_action(action)
        assert tuple(solution.probe(game.format(state))) == (value, plies, best)
    rows = {row.board: (row.value, row.plies, row.best_move) for row in solution.source.rows()}
    assert rows == {board: tuple(solution.probe(board)) for board in rows} and len(rows) == 1963


def test_what_is_not_a_position_is_not_found(solution: Solution) -> None:
    """Below the first block, between states, after the last, and beyond what a database can hold."""
    states = [-1, 0, 3, 2**40, 2**62, 2**63 - 1, 2**63, 2**80]
    assert solution.source.lookup(states) == [None] * len(states)
    assert (
        solution.source.lookup([2**40 + i for i in range(200)]) == [None] * 200
    )  # so many are looked up in another way
    assert solution.get("XXX/.../OOO:X") is None


def test_it_is_proved_right(solution: Solution) -> None:
    report = verify(solution)
    assert not report.faults and "its digest" in report.proved[-1]


def test_rows_of_some_plies(solution: Solution) -> None:
    counts = solution.source.counts()
    for plies in ((0, 0), (3, 5)):
        wanted = sum(tally.positions for category, tally in counts.items() if plies[0] <= category.ply <= plies[1])
        assert len(list(solution.source.rows(plies))) == wanted > 0


def test_a_second_reader_of_the_file(keyed_db: Path, tmp_path: Path) -> None:
    """Written from the description of the format alone."""
    path = tmp_path / "dodgem.ztb"
    with open_solution(keyed_db, SPEC) as stored:
        with path.open("wb") as stream:
            export(stream, stored, "ztb")
        head, digest, answers = second_reader.read(path)
        assert (head["kind"], head["positions"], digest) == ("keyed", len(answers), stored.source.facts["digest"])
        for text, (value, plies, _) in answers.items():
            [known] = stored.source.lookup([int(text)])
            assert known is not None and (known.value, known.plies) == (value, plies)


def test_the_same_digest_whatever_does_the_work(keyed_db: Path, tmp_path: Path) -> None:
    """Any number of threads, and blocks of any size."""
    built = build(tmp_path / "one.db", SPEC, layout="packed", jobs=1)
    with open_solution(keyed_db, SPEC) as stored:
        facts = stored.source.facts
        assert built.digest == facts["digest"]
        assert (built.positions, built.classes, built.value, built.plies) == (1963, 1963, 1, 19)
        assert (facts["longest"], facts["mover_wins"], facts["mover_losses"]) == (21, 1123, 840)


def test_the_same_counts_as_in_rows(tmp_path: Path) -> None:
    """With symmetries, several values and draws."""
    for game in (load("morris:three"), Graph(3), Graph(4, loops=False)):
        rows, packed = tmp_path / "rows.db", tmp_path / "packed.db"
        build(rows, game, layout="rows")
        build(packed, game, layout="packed")
        with open_solution(rows, game) as one, open_solution(packed, game) as other:
            assert one.source.counts() == other.source.counts()
            for name in (
                "value",
                "plies",
                "positions",
                "classes",
                "longest",
                "mover_wins",
                "mover_losses",
                "can_repeat",
            ):
                assert one.source.facts[name] == other.source.facts[name], name


@pytest.mark.parametrize(
    "change",
    [
        "update blocks set data = substr(data, 1, 40)",
        "update blocks set data = zeroblob(100)",
        "update blocks set occupancy = occupancy - 1",
        "update blocks set data = (select data from blocks order by occupancy desc limit 1)",
        "update blocks set data = 'text'",
        "update blocks set data = 7",
        "update blocks set occupancy = 'x' || occupancy",
        "update blocks set occupancy = cast(occupancy as blob)",
        "update blocks set occupancy = 1 << 60 where occupancy = (select min(occupancy) from blocks)",
        "delete from blocks where occupancy = (select min(occupancy) from blocks)",
    ],
)
def test_damaged_blocks_never_answer(change: str, keyed_db: Path, tmp_path: Path) -> None:
    path = _changed(keyed_db, tmp_path, change)
    with open_solution(path, SPEC) as solution:
        first = int(min(fixed_point.solve(solution.game)))
        for states in ([first], [first] * 100):  # which are looked up in two ways
            with pytest.raises(DamagedSolutionError):
                solution.source.lookup(states)
        with pytest.raises(DamagedSolutionError):
            list(solution.source.rows())


def test_a_block_that_says_it_is_huge_is_not_unpacked(keyed_db: Path, tmp_path: Path) -> None:
    huge = zstandard.ZstdCompressor().compress(bytes(1 << 28))
    path = _changed(keyed_db, tmp_path, "update blocks set data = ?", huge)
    with open_solution(path, SPEC) as solution, pytest.raises(DamagedSolutionError, match="not as it was written"):
        solution.probe("X../X../.OO:X")


def test_a_missing_block_is_a_fault(keyed_db: Path, tmp_path: Path) -> None:
    """And not a position that the solution does not hold."""
    path = _changed(keyed_db, tmp_path, "delete from blocks where occupancy = (select max(occupancy) from blocks)")
    with open_solution(path, SPEC) as solution, pytest.raises(DamagedSolutionError, match="positions instead of 1,963"):
        list(solution.source.rows())


def _changed(db: Path, folder: Path, sql: str, *parameters: Any) -> Path:
    path = folder / "changed.db"
    path.write_bytes(db.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute("pragma defer_foreign_keys = on")
        connection.execute(sql, parameters)
    connection.close()
    return path


def test_what_a_killed_build_left_is_cleared_away(keyed_db: Path, tmp_path: Path) -> None:
    """Half of its blocks are there, and they are another game's."""
    path = _changed(keyed_db, tmp_path, "update solutions set status = 'building', digest = null, checksum = null")
    with sqlite3.connect(path) as connection:
        connection.execute("delete from blocks where occupancy % 2 = 0")
        connection.execute("delete from counts")
    connection.close()
    with pytest.raises(Exception, match="is being built"):
        open_solution(path, SPEC)
    built = build(path, SPEC, layout="packed")
    with open_solution(path, SPEC) as solution:
        assert built.digest == solution.source.facts["digest"] and not verify(solution).faults


def test_a_build_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "zermelo.db"

    def report(done: int, total: int | None, stage: str = "") -> None:
        if stage == "storing":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(path, SPEC, layout="packed", progress=report)
    assert solutions_in(path) == []
    with pytest.raises(MissingSolutionError):
        open_solution(path, SPEC)


def test_rules_with_other_states_are_refused(tmp_path: Path) -> None:
    build(tmp_path / "graph.db", Graph(3), layout="packed")
    game = Piles(1, 1)
    game.spec = Graph(3).spec
    with pytest.raises(GameError, match="by whole numbers"):
        open_solution(tmp_path / "graph.db", game)


def test_which_layout_a_game_gets() -> None:
    assert choose_layout(load(SPEC)) == "rows"
    assert choose_layout(load("dodgem:5")) == "packed"


@pytest.mark.slow
def test_the_commands_read_it(keyed_db: Path, zermelo: Zermelo, tmp_path: Path) -> None:
    """What each prints of 3x3 Dodgem in blocks is what it prints of it in rows."""
    build(tmp_path / "rows.db", SPEC, layout="rows")
    for command in (
        ("query", "--line"),
        ("query", "--format", "json", "X../X../.OO:X"),
        ("stats",),
        ("find", "--limit", "3", "--sort", "board"),
        ("verify",),
    ):
        one, other = (zermelo(*command, "-g", SPEC, "--db", str(db)) for db in (keyed_db, tmp_path / "rows.db"))
        assert one.returncode == other.returncode, (command, one.stderr, other.stderr)
        assert one.stdout.replace(str(keyed_db), "") == other.stdout.replace(str(tmp_path / "rows.db"), ""), command
    for name in ("one.csv", "other.csv"):
        db = keyed_db if name == "one.csv" else tmp_path / "rows.db"
        assert not zermelo("export", "-g", SPEC, "--db", str(db), "-o", name).returncode
    lines = [sorted((tmp_path / name).read_text().splitlines()) for name in ("one.csv", "other.csv")]
    assert lines[0] == lines[1]
    listed = zermelo("list", "--db", str(keyed_db))
    assert "packed" in listed.stdout and "1,963" in listed.stdout
    played = zermelo("play", "-g", SPEC, "--db", str(keyed_db), "--stored", stdin="a1-b1\nquit\n")
    assert "The game is left unfinished." in played.stdout, played.stderr


@given(
    st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=50, unique=True),
    st.lists(st.integers(-(2**31) + 1, 2**31 - 1), min_size=1, max_size=5, unique=True),
    st.randoms(use_true_random=False),
)
def test_blocks_hold_what_was_put_into_them(states: list[int], values: list[int], chance: Any) -> None:
    states, values = sorted(states), sorted(values)
    endless = 2**16 - 1
    ranks = [chance.randrange(len(values)) for _ in states]
    plies = [chance.choice([0, 1, 300, endless - 1, endless]) for _ in states]
    ply = [chance.randrange(2**32) for _ in states]
    solved: Any = SimpleNamespace(
        states=np.array(states), values=np.array(values), ranks=np.array(ranks, np.int16),
        plies=np.array(plies, np.uint16), ply=np.array(ply, np.uint32), no_plies=endless,
    )  # fmt: skip
    number, data = blocks.pack(solved, 0, len(states))
    block = blocks.unpack(number, data)
    assert list(block.states) == states
    for i in range(len(states)):
        assert block.known(i) == (ply[i], values[ranks[i]], None if plies[i] == endless else plies[i])


@given(st.binary(max_size=200))
def test_bytes_that_are_no_block(data: bytes) -> None:
    try:
        block = blocks.unpack(5, data)
    except ValueError:
        return
    assert len(block.states) == len(block.plies) and sorted(set(block.states)) == list(block.states)
