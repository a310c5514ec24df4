"""The tablebase file: small, answering as the database, read by a second reader, never wrong when it is damaged."""

import io
import sqlite3
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.db import second_reader
from tests.games import Piles
from zermelo.db import batch
from zermelo.db.query import Solution, open_solution
from zermelo.db.stats import statistics
from zermelo.db.store import build
from zermelo.db.tablebase import Tablebase, boards, open_tablebase, write_tablebase
from zermelo.solver.errors import (
    DatabaseError,
    MissingDatabaseError,
    MissingSolutionError,
    PositionError,
    UnknownPositionError,
)
from zermelo.solver.exhaustive import solve
from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.games.connect import Connect
from zermelo.solver.games.mnk import MNK

GAME = MNK(3, 3, 3)
GAMES: list[Game[Any, Any]] = [
    *map(load, ("mnk:3,3,3", "mnk:3,3,3,misere", "mnk:4,2,2", "mnk:2,4,3", "mnk:1,1,1", "mnk:5,2,3")),
    Connect(3, 3, 3),
    Connect(4, 2, 3),
    Connect(3, 5, 3),
    load("mnk:5,5,1"),
]

BOARDS = ["/".join("".join(marks[i : i + 3]) for i in (0, 3, 6)) for marks in product(".XO", repeat=9)]


def exported(solution: Solution, path: Path) -> Path:
    """The solution as a tablebase."""
    with path.open("wb") as stream:
        write_tablebase(stream, solution)
    return path


def stored(folder: Path, game: Game[Any, Any], *, symmetry: bool = False) -> Path:
    """The game solved, stored, and exported as a tablebase."""
    database = str(folder / "stored.db")
    build(database, game, symmetry=symmetry, force=True)
    with open_solution(database, game) as solution:
        return exported(solution, folder / "stored.ztb")


@pytest.fixture(scope="module")
def opened(tictactoe: Path) -> Iterator[Tablebase]:
    """Tic-tac-toe's tablebase, open."""
    with open_tablebase(str(tictactoe)) as tablebase:
        yield tablebase


def test_tic_tac_toe_takes_a_thousand_bytes(tictactoe: Path, tictactoe_db: Path) -> None:
    """All 5,478 positions with value, plies and best move; another program takes 1,128 without best moves."""
    assert tictactoe.stat().st_size <= 1000
    rows = sqlite3.connect(tictactoe_db).execute("select board, value, plies, best_move from positions").fetchall()
    with open_tablebase(str(tictactoe)) as tablebase:
        assert len(rows) == 5478
        for board, *entry in rows:
            assert tablebase.probe(board) == tuple(entry)


def test_the_file_says_what_it_is(tictactoe: Path, tictactoe_db: Path) -> None:
    """Game, rules, counts and digest, the same as the database's."""
    with open_tablebase(str(tictactoe)) as tablebase, open_solution(str(tictactoe_db)) as solution:
        assert tablebase.game.spec == "mnk:3,3,3"
        ours, theirs = tablebase.source.facts, solution.source.facts
        names = ("game", "value", "plies", "positions", "classes", "games", "tree_nodes", "digest", "zermelo_version")
        assert {name: ours[name] for name in names} == {name: theirs[name] for name in names}
        assert tablebase.source.counts() == solution.source.counts()
    head, _, _ = second_reader.read(tictactoe)
    assert "3x3 board" in head["rules"]
    assert "3 in a row win" in head["rules"]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
def test_a_second_reader_agrees(game: Game[Any, Any], tmp_path: Path) -> None:
    """A reader written from the page alone gives every entry of the solver's, and the digest is theirs."""
    head, digest, answers = second_reader.read(stored(tmp_path, game))
    entries = solve(game)
    assert answers == {
        game.format(state): (value, plies, None if action is None else game.format_action(action))
        for state, (value, plies, action) in entries.items()
    }
    assert second_reader.digest(answers) == digest
    assert (head["game"], head["positions"]) == (game.spec, len(entries))


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("game", [Piles(40, 60), Piles(9, 9)], ids=["without symmetries", "with symmetries"])
def test_a_users_own_game(game: Piles, symmetry: bool, tmp_path: Path) -> None:
    """Texts as states, values of 3, several chunks; stored a row a position or a row a class."""
    path = stored(tmp_path, game, symmetry=symmetry)
    entries = solve(game)
    with open_tablebase(str(path), game) as tablebase:
        for state, entry in entries.items():
            assert tablebase.probe(state) == entry
        assert tablebase.get("Ann: 99 | 0") is None
        with pytest.raises(PositionError):
            tablebase.probe("nonsense")
    if not symmetry:
        head, digest, answers = second_reader.read(path)
        assert answers == entries
        assert second_reader.digest(answers) == digest
        assert head["rules"].startswith("Two piles; a move takes one or two")
        assert "Left out" not in head["rules"]


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("name", ["dodgem:3", pytest.param("morris:three", marks=pytest.mark.slow)])
def test_a_game_that_comes_back(name: str, symmetry: bool, tmp_path: Path) -> None:
    """Version 2 of the format, in which plies may be null; and exported once more it is the same file."""
    game = load(name)
    path = stored(tmp_path, game, symmetry=symmetry)
    assert path.read_bytes()[7] == 2
    named = {
        game.format(state): (value, plies, None if action is None else game.format_action(action))
        for state, (value, plies, action) in solve(game).items()
    }
    with open_tablebase(str(path)) as tablebase, open_solution(str(tmp_path / "stored.db"), name) as solution:
        assert {board: tuple(tablebase.probe(board)) for board in named} == named
        assert tablebase.source.facts["can_repeat"] is True
        assert statistics(tablebase) == statistics(solution)
        assert exported(tablebase, tmp_path / "again.ztb").read_bytes() == path.read_bytes()
        known = tablebase.probe_many(np.array(list(named)))
        assert {text: (int(one["value"]), int(one["plies"]), str(one["best_move"])) for text, one in zip(named, known, strict=True)} == {
            text: (value, -1 if plies is None else plies, best or "") for text, (value, plies, best) in named.items()
        }  # fmt: skip
    if not symmetry:
        head, digest, answers = second_reader.read(path)
        assert answers == named
        assert second_reader.digest(answers) == digest
        assert head["can_repeat"] is True


def test_a_file_of_version_1_lacks_no_count(tictactoe: Path, tictactoe_db: Path) -> None:
    """It stays as it was, so what was counted only later is counted from its positions."""
    assert tictactoe.read_bytes()[7] == 1
    with open_tablebase(str(tictactoe)) as tablebase, open_solution(str(tictactoe_db)) as solution:
        assert statistics(tablebase) == statistics(solution)


def test_a_large_board_is_read_chunk_by_chunk(tictactoe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As boards too large to keep in memory are: small chunks, each position found by itself."""
    monkeypatch.setattr(boards, "_CHUNK_SIZE", 64)
    monkeypatch.setattr(boards, "_SMALL", 0)
    monkeypatch.setattr(boards, "_REMEMBERED", 0)
    path = stored(tmp_path, MNK(3, 3, 3))
    with open_tablebase(str(path)) as tablebase:
        assert len(tablebase.source.firsts) > 10  # type: ignore[union-attr]
        rows = list(tablebase.source.rows())
        assert len(rows) == 5478
        assert tablebase.get("XXX/OOO/...") is None
    monkeypatch.undo()
    with open_tablebase(str(tictactoe)) as small:
        assert sorted(rows) == list(small.source.rows())
    _, digest, answers = second_reader.read(path)
    assert second_reader.digest(answers) == digest


@pytest.mark.parametrize("small", [True, False])
def test_every_board_that_can_be_written(small: bool, tictactoe: Path) -> None:
    """All 19,683 ways to fill the cells: an entry for what play can reach, and for nothing else."""
    entries = {GAME.format(state): entry[:2] for state, entry in solve(GAME).items()}
    with open_tablebase(str(tictactoe)) as tablebase:
        tablebase.source.small = small  # type: ignore[union-attr]
        for text in BOARDS:
            entry = tablebase.source.find(text)
            assert (entry and entry[:2]) == entries.get(text)
        known = tablebase.probe_many(np.array(BOARDS))["known"].tolist()
        assert {board for board, is_known in zip(BOARDS, known, strict=True) if is_known} == set(entries)


def test_a_tablebase_exports_to_itself(tictactoe: Path, tmp_path: Path) -> None:
    """What is read from a tablebase is written as it was."""
    with open_tablebase(str(tictactoe)) as tablebase:
        again = exported(tablebase, tmp_path / "again.ztb")
    assert again.read_bytes() == tictactoe.read_bytes()


class TestOpening:
    """By what the file holds, not by its name."""

    def test_the_name_does_not_matter(self, tictactoe: Path, tictactoe_db: Path, tmp_path: Path) -> None:
        """A tablebase called .db and a database called .ztb are what they are."""
        disguised = tmp_path / "disguised.db"
        disguised.write_bytes(tictactoe.read_bytes())
        database = tmp_path / "database.ztb"
        database.write_bytes(tictactoe_db.read_bytes())
        for path in (disguised, database):
            with open_solution(str(path)) as solution:
                assert solution.probe("XO./.X./..O") == (1, 3, "a2")

    def test_the_game_is_the_files(self, tmp_path: Path) -> None:
        """Without a game named it is read from the file; another one is refused."""
        path = str(stored(tmp_path, MNK(4, 2, 2)))
        with open_solution(path) as solution:
            assert solution.game.spec == "mnk:4,2,2"
        with open_solution(path, "mnk:4,2,2") as solution:
            assert solution.game.spec == "mnk:4,2,2"
        with pytest.raises(MissingSolutionError, match="holds mnk:4,2,2, not mnk:3,3,3"):
            open_solution(path, "tictactoe")

    def test_what_is_not_there(self, tmp_path: Path) -> None:
        """One line each."""
        with pytest.raises(MissingDatabaseError, match="there is no tablebase"):
            open_tablebase(str(tmp_path / "nowhere.ztb"))
        with pytest.raises(DatabaseError, match="is a directory"):
            open_tablebase(str(tmp_path))

    def test_probe_raises_and_get_does_not(self, tictactoe: Path) -> None:
        """As with a database: the reason in the error, or None."""
        with open_tablebase(str(tictactoe)) as tablebase:
            with pytest.raises(PositionError, match="X has a line"):
                tablebase.probe("XXX/OOO/...")
            with pytest.raises(PositionError, match="rows"):
                tablebase.probe("X/O./.X./..O")
            assert tablebase.get("XXX/OOO/...") is None
            assert tablebase.probe("xo--x---o") == (1, 3, "a2")
            assert tablebase.moves("XOX/OO./.X.")[0].move == "c2"

    def test_a_position_that_the_file_lacks(self, tmp_path: Path) -> None:
        """Well-formed, but not of this solution."""
        game = Piles(2, 3)
        with (
            open_tablebase(str(stored(tmp_path, game)), game) as tablebase,
            pytest.raises(UnknownPositionError, match="not in the solution"),
        ):
            tablebase.probe("Bo: 2 | 3")


class TestProbeMany:
    """Arrays in, arrays out, and each element what `get` says."""

    @pytest.mark.parametrize("kind", ["U", "S"])
    def test_every_position(self, kind: str, tictactoe: Path) -> None:
        """All of them, in texts or bytes."""
        with open_tablebase(str(tictactoe)) as tablebase:
            rows = list(tablebase.source.rows())
            found = tablebase.probe_many(np.array([row.board for row in rows]).astype(kind))
        assert found["known"].all()
        assert found["value"].tolist() == [row.value for row in rows]
        assert found["plies"].tolist() == [row.plies for row in rows]
        assert [move or None for move in found["best_move"].tolist()] == [row.best_move for row in rows]

    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
    def test_boards_too_large_for_a_table(
        self, game: Game[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The way through the blocks gives every entry too, and knows what is no position."""
        monkeypatch.setattr(batch, "_DENSE_CELLS", 0)
        with open_tablebase(str(stored(tmp_path, game)), game) as tablebase:
            rows = list(tablebase.source.rows())
            found = tablebase.probe_many(np.array([row.board for row in rows]))
            assert found["known"].all()
            assert found["value"].tolist() == [row.value for row in rows]
            assert found["plies"].tolist() == [row.plies for row in rows]
            assert [move or None for move in found["best_move"].tolist()] == [row.best_move for row in rows]

            if game.spec == "mnk:3,3,3":
                known = tablebase.probe_many(np.array(BOARDS))["known"].tolist()
                assert sum(known) == len(rows)
            blank = rows[0].board.replace("X", ".").replace("O", ".")
            wrong = [blank.replace(".", "X"), blank.replace(".", "O"), blank.replace(".", "?"), blank[1:], blank + "X"]
            known = tablebase.probe_many(np.array(wrong))["known"].tolist()
            assert known == [tablebase.source.find(text) is not None for text in wrong]

    @settings(max_examples=100)
    @given(texts=st.lists(st.text("XO./?é", max_size=13) | st.just("XO./.X./..O"), min_size=1, max_size=30))
    def test_what_is_no_position_is_not_known(self, texts: list[str], opened: Tablebase) -> None:
        """Wrong marks, lengths and slashes."""
        found = opened.probe_many(np.array(texts))
        for text, one in zip(texts, found, strict=True):
            entry = opened.source.find(text)
            assert bool(one["known"]) is (entry is not None)
            if entry is None:
                assert (one["plies"], one["value"]) == (-1, np.iinfo(np.int32).min)

    def test_shapes_and_other_games(self, tictactoe: Path, tmp_path: Path) -> None:
        """The shape stays; a user's game and a large board answer too; numbers are refused."""
        with open_tablebase(str(tictactoe)) as tablebase:
            assert tablebase.probe_many(np.full((2, 3), "XO./.X./..O")).shape == (2, 3)
            assert tablebase.probe_many(np.array([], dtype="U11")).shape == (0,)
            with pytest.raises(PositionError, match="array of int64"):
                tablebase.probe_many(np.arange(3))
        game = Piles(3, 3)
        with open_tablebase(str(stored(tmp_path, game)), game) as tablebase:
            found = tablebase.probe_many(np.array(["Ann: 3 | 3", "Ann: 9 | 9"]))
            assert found["known"].tolist() == [True, False]
            assert (found["value"][0], found["plies"][0]) == tablebase.probe("Ann: 3 | 3")[:2]


def test_a_board_whose_values_no_byte_can_hold_is_refused(tmp_path: Path) -> None:
    """Better no file than a wrong one: a draw before the board is full has no byte."""
    from zermelo.db.store import build
    from zermelo.solver.errors import GameError

    path = tmp_path / "wrong.db"
    build(str(path), GAME)
    with sqlite3.connect(path) as connection:
        connection.execute("update positions set plies = 3, checksum = null where board = '.../.../...'")
    with (
        open_solution(str(path)) as solution,
        pytest.raises(GameError, match="no byte stands for the value 0 in 3 plies"),
    ):
        write_tablebase(io.BytesIO(), solution)
