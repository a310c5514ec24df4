"""The proof: it passes what is right, and no single fault gets past it."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from tests.fuzz import scaled
from tests.games import Piles
from zermelo.db.query import Solution, open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import open_tablebase, write_tablebase
from zermelo.db.verify import SHOWN, Report, verify, verify_sample
from zermelo.solver.errors import DamagedError
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK


def verified(path: Path) -> Report:
    """What is said of the tic-tac-toe in the database."""
    with open_solution(str(path)) as solution:
        return verify(solution)


@pytest.fixture(scope="module")
def by_class(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tic-tac-toe with a row a class."""
    path = tmp_path_factory.mktemp("classes") / "classes.db"
    build(str(path), MNK(3, 3, 3), symmetry=True)
    return path


def test_what_is_right_is_proved(tictactoe_db: Path, by_class: Path, tmp_path: Path) -> None:
    """A row a position, a row a class, and a tablebase; with the figures that are known from elsewhere."""
    with open_solution(str(tictactoe_db)) as solution, open(tmp_path / "t.ztb", "wb") as stream:
        write_tablebase(stream, solution)
    for path in (tictactoe_db, by_class, tmp_path / "t.ztb"):
        report = verified(path)
        assert not report.faults
        assert len(report.proved) == 4
        assert "5,478 positions" in report.proved[0]
        assert "958 finished" in report.proved[1]
        assert "4,520 others" in report.proved[2]


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("spec", ["mnk:3,3,3,misere", "mnk:4,2,2", "mnk:2,2,2", "mnk:1,1,1"])
def test_other_boards(spec: str, symmetry: bool, tmp_path: Path) -> None:
    """Rectangles, misere, and boards so small that the first move ends the game."""
    path = str(tmp_path / "other.db")
    build(path, load(spec), symmetry=symmetry)
    with open_solution(path, spec) as solution:
        assert not verify(solution).faults


@pytest.mark.parametrize("symmetry", [False, True])
def test_a_users_game(symmetry: bool, tmp_path: Path) -> None:
    """Positions that are reached at different plies, and values of 3."""
    path, game = str(tmp_path / "piles.db"), Piles(6, 6)
    build(path, game, symmetry=symmetry)
    with open_solution(path, game) as solution:
        assert not verify(solution).faults
        with open(tmp_path / "piles.ztb", "wb") as stream:
            write_tablebase(stream, solution)
    with open_tablebase(str(tmp_path / "piles.ztb"), game) as tablebase:
        assert not verify(tablebase).faults
        assert not verify_sample(tablebase, 50, seed=1).faults


PACKED = ("mnk:3,3,3", "connect:3,3,3", "mnk:4,2,3")


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some games in blocks, in one database."""
    path = tmp_path_factory.mktemp("packed") / "packed.db"
    for spec in PACKED:
        build(str(path), load(spec), layout="packed")
    return path


def verified_packed(path: Path, spec: str) -> Report:
    """What is said of a game in the database."""
    with open_solution(str(path), spec) as solution:
        return verify(solution)


@pytest.mark.parametrize("spec", PACKED)
def test_blocks_are_proved(spec: str, packed: Path) -> None:
    """As rows are, with a digest of their own."""
    report = verified_packed(packed, spec)
    assert not report.faults
    assert len(report.proved) == 4


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["connect:4,4,4", "mnk:4,3,3"])
def test_blocks_of_larger_boards_are_proved(spec: str, tmp_path: Path) -> None:
    """Where a group has more than a few blocks."""
    build(str(tmp_path / "packed.db"), load(spec), layout="packed")
    assert not verified_packed(tmp_path / "packed.db", spec).faults


def test_a_tablebase_of_blocks_is_proved(packed: Path, tmp_path: Path) -> None:
    """It has the digest of the blocks."""
    path = tmp_path / "packed.ztb"
    with open_solution(str(packed), "mnk:3,3,3") as solution, path.open("wb") as stream:
        write_tablebase(stream, solution)
    assert not verified(path).faults


def test_bytes_that_cannot_be_unpacked(packed: Path, tmp_path: Path) -> None:
    """One line that names the block."""
    for data in (b"rubbish", zstandard.compress(b"\0" * 5)):
        path = tmp_path / "damaged.db"
        shutil.copy(packed, path)
        connection = sqlite3.connect(path)
        connection.execute("update blocks set data = ? where occupancy = 511", (data,))
        connection.commit()
        connection.close()
        with pytest.raises(DamagedError, match=r"mnk:3,3,3 in .* is damaged \(block 511 is not as it was written\)"):
            verified_packed(path, "mnk:3,3,3")


def change_value(connection: sqlite3.Connection, chance: random.Random) -> str:
    """Another value, at any position."""
    board, value = chance.choice(connection.execute("select board, value from positions").fetchall())
    wrong = chance.choice([other for other in (-1, 0, 1) if other != value])
    connection.execute("update positions set value = ? where board = ?", (wrong, board))
    return str(board)


def change_plies(connection: sqlite3.Connection, chance: random.Random) -> str:
    """Another number of plies."""
    board, plies = chance.choice(connection.execute("select board, plies from positions").fetchall())
    wrong = chance.choice([other for other in range(10) if other != plies])
    connection.execute("update positions set plies = ? where board = ?", (wrong, board))
    return str(board)


def change_best_move(connection: sqlite3.Connection, chance: random.Random) -> str:
    """Another best move, legal or not, or none."""
    board, best = chance.choice(connection.execute("select board, best_move from positions").fetchall())
    wrong = chance.choice(
        [other for other in (*("abc"[i % 3] + str(i // 3 + 1) for i in range(9)), None) if other != best]
    )
    connection.execute("update positions set best_move = ? where board = ?", (wrong, board))
    return str(board)


def change_ply(connection: sqlite3.Connection, chance: random.Random) -> str:
    """Another ply."""
    (board,) = chance.choice(connection.execute("select board from positions").fetchall())
    connection.execute("update positions set ply = ply + ? where board = ?", (chance.choice((-1, 1, 2)), board))
    return str(board)


def delete_row(connection: sqlite3.Connection, chance: random.Random) -> str:
    """A position less."""
    (board,) = chance.choice(connection.execute("select board from positions").fetchall())
    connection.execute("delete from positions where board = ?", (board,))
    return str(board)


def add_row(connection: sqlite3.Connection, chance: random.Random) -> str:
    """A position that play never reaches, with the entry of one that it does."""
    there = {board for (board,) in connection.execute("select board from positions")}
    while (board := "/".join("".join(chance.choices(".XO", k=3)) for _ in range(3))) in there:
        pass
    connection.execute(
        "insert into positions select solution_id, ?, ply, value, plies, best_move, null from positions where board = ?",
        (board, chance.choice(sorted(there))),
    )
    return board


FAULTS = (change_value, change_plies, change_best_move, change_ply, delete_row, add_row)


def is_caught(good: Path, folder: Path, fault: Callable[[sqlite3.Connection, random.Random], str], seed: int) -> None:
    """Put one fault into a copy of the database, and see that its position is named."""
    path = folder / "faulty.db"
    shutil.copy(good, path)
    connection = sqlite3.connect(path)
    board = fault(connection, random.Random(seed))
    connection.commit()
    connection.close()
    faults = verified(path).faults
    assert any(line.startswith(f"{board}:") for line in faults), (fault.__name__, seed, board, faults)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught(
    fault: Callable[[sqlite3.Connection, random.Random], str], tictactoe_db: Path, by_class: Path, tmp_path: Path
) -> None:
    """Each kind of fault, in a database of positions and in one of classes."""
    is_caught(tictactoe_db, tmp_path, fault, seed=1)
    is_caught(by_class, tmp_path, fault, seed=2)


@pytest.mark.slow
def test_many_faults_are_caught(tictactoe_db: Path, by_class: Path, tmp_path: Path) -> None:
    """No single fault gets through: every kind at random, 1,200 of them at full scale."""
    for seed in range(scaled(1200)):
        is_caught(by_class if seed % 4 == 3 else tictactoe_db, tmp_path, FAULTS[seed // 4 % len(FAULTS)], seed + 1000)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("update solutions set digest = replace(digest, substr(digest, 1, 1), 'z')", "digest"),
        ("update solutions set positions = 5477", "positions: 5477 is stored, and it is 5478"),
        ("update solutions set classes = 764", "classes: 764 is stored, and it is 765"),
        ("update solutions set games = '255169'", "games: 255169 is stored, and it is 255168"),
        ("update solutions set tree_nodes = '1'", "tree nodes: 1 is stored, and it is 549946"),
        ("update solutions set value = 1", "value: 1 is stored, and it is 0"),
        ("update solutions set plies = 8", "plies: 8 is stored, and it is 9"),
        ("update counts set positions = 25 where ply = 2 and value = 0", "25 positions in 5 classes are counted"),
        ("update counts set classes = 6 where ply = 2 and value = 0", "24 positions in 6 classes are counted"),
        ("delete from counts where ply = 9 and value = 0", "0 positions in 0 classes are counted"),
    ],
)
def test_the_counts_and_the_digest_are_checked(change: str, told: str, by_class: Path, tmp_path: Path) -> None:
    """Everything that is stored beside the positions."""
    path = tmp_path / "counts.db"
    shutil.copy(by_class, path)
    connection = sqlite3.connect(path)
    connection.execute(change)
    connection.execute("update solutions set checksum = null, counts_checksum = null")  # as who solved wrongly has none
    connection.commit()
    connection.close()
    faults = verified(path).faults
    assert len(faults) == 1
    assert told in faults[0]


def test_many_faults_are_counted(tictactoe_db: Path, tmp_path: Path) -> None:
    """Twenty are told, and how many more there are."""
    path = tmp_path / "many.db"
    shutil.copy(tictactoe_db, path)
    connection = sqlite3.connect(path)
    connection.execute("update positions set best_move = 'c9' where ply = 3")
    connection.commit()
    connection.close()
    report = verified(path)
    assert len(report.faults) == SHOWN == 20
    assert report.more == 252 - 20 + 1  # and the digest


def test_a_sample_finds_what_it_comes_by(tictactoe_db: Path, tmp_path: Path) -> None:
    """A wrong start is come by sooner or later, and the same seed looks at the same positions."""
    path = tmp_path / "start.db"
    shutil.copy(tictactoe_db, path)
    connection = sqlite3.connect(path)
    connection.execute("update positions set value = 1 where board = '.../.../...'")
    connection.commit()
    connection.close()

    def sampled(solution: Solution) -> list[str]:
        return verify_sample(solution, 100, seed=7).faults

    with open_solution(str(path)) as solution:
        faults = sampled(solution)
        assert faults
        assert all(line.startswith(".../.../...:") for line in faults)
        assert sampled(solution) == faults
