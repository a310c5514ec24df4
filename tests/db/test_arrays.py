"""Solutions in blocks gone through by arrays: the same as one position after the other, on every position of whole games."""

import io
import sqlite3
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from zermelo.db import arrays
from zermelo.db.arrays import boards, sweep_of
from zermelo.db.export import export
from zermelo.db.find import find, holding_moves, losing_moves
from zermelo.db.positions import EVERYTHING, Selection, positions
from zermelo.db.query import Solution, open_solution
from zermelo.db.store import build
from zermelo.solver.errors import BusyError, ZermeloError
from zermelo.solver.games.dodgem import Dodgem

pytest.importorskip("numba")

LARGE = ("mnk:4,3,3", "mnk:4,3,3,misere", "connect:4,4,3", "dodgem:4")
STORES = [
    ("connect:3,3,3", "tablebase"), ("dodgem:3", "database"), ("mnk:1,1,1", "database"),
    *(pytest.param(pair, marks=pytest.mark.slow) for pair in product(("mnk:3,3,3,misere", "connect:4,3,3", "morris:three"), ("database", "tablebase"))),
    pytest.param(("dodgem:3", "tablebase"), marks=pytest.mark.slow),
]  # fmt: skip


@pytest.fixture(autouse=True)
def everything_by_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small solutions too."""
    monkeypatch.setattr(arrays, "FEW", 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arrays")


def stored(folder: Path, game: str, kind: str) -> str:
    """The game in blocks: in a database, or in a tablebase that was made of it."""
    db = folder / "packed.db"
    table = folder / f"{game.replace(':', '-')}.ztb"
    if not table.exists():
        build(str(db), game, layout="packed")
        with open_solution(str(db), game) as solution, open(table, "wb") as stream:
            export(stream, solution, "ztb")
    return str(db if kind == "database" else table)


@pytest.fixture(scope="module", params=STORES, ids="-".join)
def solution(request: pytest.FixtureRequest, folder: Path) -> Iterator[Solution]:
    """A game in blocks, in a database or a tablebase."""
    game, kind = request.param
    with open_solution(stored(folder, game, kind), game) as opened:
        yield opened


def swept(solution: Solution, selection: Selection) -> list[tuple[Any, ...]]:
    """All positions from arrays, as plain values."""
    sweep = sweep_of(solution)
    assert sweep is not None
    found = []
    for batch in sweep.batches(selection):
        if selection.classes:
            batch = batch.take(sweep.first_of_class(batch.states))
        which, sets = sweep.best_moves(batch)
        names = [[solution.game.format_action(action) for action in its] for its in sets]
        columns = [column.tolist() for column in batch[:-1]]
        for best, state, *rest in zip(which.tolist(), *columns, strict=True):
            found.append((solution.game.format(state), *rest, names[best]))
    return sorted(found)


def one_by_one(solution: Solution, selection: Selection) -> list[tuple[Any, ...]]:
    """The same from the positions with all their moves."""
    first, second = solution.game.players
    return sorted(
        (
            one.board, one.ply, one.value, -1 if one.plies is None else one.plies, {first: 0, second: 1, None: 2}[one.to_move],
            len(one.moves), len(holding_moves(one, first)), len(losing_moves(one, first)), one.optimal_moves,
        )
        for one in positions(solution, selection)
    )  # fmt: skip


_KNOWN: dict[tuple[str, bool], list[tuple[Any, ...]]] = {}


def known(solution: Solution, selection: Selection) -> list[tuple[Any, ...]]:
    """What `one_by_one` says of the wanted positions; every game is gone through twice, for all positions and for classes."""
    key = solution.game.spec, selection.classes
    if key not in _KNOWN:
        _KNOWN[key] = one_by_one(solution, Selection(classes=selection.classes))
    first, last = selection.plies or (0, 10**9)
    turn = {None: None, solution.game.players[1]: 1}[selection.to_move]
    return [
        row
        for row in _KNOWN[key]
        if first <= row[1] <= last and selection.value in (None, row[2]) and turn in (None, row[4])
    ]


def selections(solution: Solution) -> Iterator[Selection]:
    """Every kind of selection, of a player with the player's name in this game."""
    player = solution.game.players[1]
    for plies, value, to_move, classes in product((None, (2, 4)), (None, 0, 1), (None, player), (False, True)):
        yield Selection(plies, value, to_move, classes)


def test_every_position_comes_as_it_is_one_by_one(solution: Solution) -> None:
    """Every position, with whatever is wanted of them: its entry, its best moves, and how many moves hold and lose."""
    for selection in selections(solution):
        assert swept(solution, selection) == known(solution, selection)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "kind"), list(product(LARGE, ("database", "tablebase"))))
def test_every_position_of_larger_games(game: str, kind: str, folder: Path) -> None:
    """The same with more positions than one batch has."""
    with open_solution(stored(folder, game, kind), game) as opened:
        for selection in (EVERYTHING, Selection(classes=True)):
            assert swept(opened, selection) == one_by_one(opened, selection)


@pytest.mark.parametrize("only_move", [False, True])
def test_the_same_are_found(solution: Solution, only_move: bool) -> None:
    """The foremost, in the same order down to the text; without an order as many, and all of them fit."""
    for selection, sort, limit in product(selections(solution), (None, "plies", "losing"), (20,)):
        fitting = known(solution, selection)
        if only_move:
            fitting = [row for row in fitting if row[5] > 1 and row[6] == 1]
        if sort == "plies":
            fitting.sort(key=lambda row: (row[3] < 0, -row[3], row[1], row[0]))
        elif sort == "losing":
            fitting = sorted((row for row in fitting if row[7]), key=lambda row: (-row[7], row[5], row[1], row[0]))
        found = [one.board for one in find(solution, selection, only_move=only_move, sort=sort, limit=limit)]
        boards = [row[0] for row in fitting]
        if sort is not None:
            assert found == boards[:limit]
        else:
            assert len(found) == len(set(found)) == min(limit, len(boards))
            assert set(found) <= set(boards)


def test_one_by_one_is_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found where a solution is small: whole positions, moves and all, in the same order."""
    with open_solution(stored(folder, "dodgem:3", "database"), "dodgem:3") as opened:
        for sort, only_move in product(("plies", "losing"), (False, True)):
            found = []
            for few in (0, 10**9):
                monkeypatch.setattr(arrays, "FEW", few)
                found.append(find(opened, Selection(classes=True), only_move=only_move, sort=sort, limit=50))
            assert found[0] == found[1] != []


def test_the_same_files(solution: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    """CSV and JSON lines to the byte and Parquet to the type, but for the order of the rows; of selections too."""
    player = solution.game.players[1]
    for selection in (EVERYTHING, Selection((2, 4), 0, player, True), Selection((99, 99))):
        written = []
        for few in (0, 10**9):
            monkeypatch.setattr(arrays, "FEW", few)
            streams = [io.BytesIO() for _ in range(3)]
            for stream, format_ in zip(streams, ("csv", "jsonl", "parquet"), strict=True):
                export(stream, solution, format_, selection)
            table = pq.read_table(streams[2])
            rows = sorted(map(str, table.to_pylist()))
            written.append((*(sorted(stream.getvalue().splitlines()) for stream in streams[:2]), table.schema, rows))
        assert written[0] == written[1]


def test_texts_that_csv_and_json_must_quote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's own game with a comma, quotes and what a spreadsheet would run, in its positions and its moves."""

    class Odd(Dodgem):
        def __init__(self) -> None:
            super().__init__(3)
            self.spec = "odd-dodgem"

        def format(self, state: int) -> str:
            return f'=1,"{state}" é'

        def parse(self, text: str) -> int:
            return int(text.split('"')[1])

        def format_action(self, action: int) -> str:
            return f"@{action}"

    game = Odd()
    path = str(tmp_path / "odd.db")
    build(path, game, layout="packed")
    with open_solution(path, game) as opened:
        files = []
        for few in (0, 10**9):
            monkeypatch.setattr(arrays, "FEW", few)
            files.append([io.BytesIO() for _ in range(2)])
            for stream, format_ in zip(files[-1], ("csv", "jsonl"), strict=True):
                export(stream, opened, format_)
    assert [stream.getvalue() for stream in files[0]] == [stream.getvalue() for stream in files[1]]
    assert """"'=1,""" in files[0][0].getvalue().decode()


def test_parquet_can_be_read_by_ranges_of_rows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group of rows alone is what it is among all."""
    monkeypatch.setattr("zermelo.db.export.parquet_format._GROUP", 500)
    stream = io.BytesIO()
    with open_solution(stored(folder, "mnk:3,3,3,misere", "database"), "mnk:3,3,3,misere") as opened:
        export(stream, opened, "parquet")
    file = pq.ParquetFile(stream)
    assert [file.metadata.row_group(group).num_rows for group in range(11)] == [500] * 10 + [478]
    whole = file.read()
    assert file.read_row_group(3).to_pylist() == whole.slice(1500, 500).to_pylist()
    positions = whole.column("position").to_pylist()
    assert positions == sorted(positions)


def test_the_bar_counts_what_is_gone_through(solution: Solution) -> None:
    """All positions of the wanted plies, whatever else is wanted of them."""
    for selection in (
        EVERYTHING,
        Selection(classes=True),
        Selection((2, 3), 0),
        Selection(to_move=solution.game.players[0]),
    ):
        seen: list[tuple[int, int | None]] = []
        sweep = sweep_of(solution)
        assert sweep is not None
        for _ in sweep.batches(selection, lambda done, total, _stage="": seen.append((done, total))):  # noqa: B023
            pass
        assert seen == sorted(seen)
        if seen:
            assert seen[-1][0] == seen[-1][1] == len(known(solution, Selection(selection.plies)))


class TestDamage:
    """What does not follow from the positions after it is refused, and so is a solution that lacks a block."""

    @pytest.fixture
    def db(self, tmp_path: Path) -> str:
        path = str(tmp_path / "damaged.db")
        for game in ("mnk:3,3,3", "dodgem:3"):
            build(path, game, layout="packed")
        return path

    @staticmethod
    def error(path: str, game: str) -> ZermeloError:
        with open_solution(path, game) as opened, pytest.raises(ZermeloError) as caught:
            swept(opened, EVERYTHING)
        return caught.value

    def test_a_block_that_is_missing(self, db: str) -> None:
        """With the start of the game gone no position leads to nowhere, but one is missing."""
        with sqlite3.connect(db) as connection:
            connection.execute("delete from blocks where solution_id = 1 and occupancy = 0")
        assert "its blocks have 5,477 positions instead of 5,478" in str(self.error(db, "mnk:3,3,3"))

    def test_a_block_that_others_lead_to(self, db: str) -> None:
        with sqlite3.connect(db) as connection:
            connection.execute("delete from blocks where solution_id = 1 and occupancy = 1")
        assert "block 1 is missing" in str(self.error(db, "mnk:3,3,3"))

    def test_a_state_that_others_lead_to(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of a game of whole numbers, whose only block has lost its last state."""
        path = str(tmp_path / "whole.db")
        build(path, "dodgem:3", layout="packed")
        with open_solution(path, "dodgem:3") as opened:
            sweep = sweep_of(opened)
            read = sweep._read  # type: ignore[union-attr]
            short = lambda number: type(read(number))(*(column[:-1] for column in read(number)))  # noqa: E731
            monkeypatch.setattr(sweep, "_kept", short)
            monkeypatch.setattr(opened.source, "lookup", lambda states: [None] * len(states))
            with pytest.raises(ZermeloError, match="damaged"):
                list(sweep.batches(EVERYTHING))  # type: ignore[union-attr]

    @pytest.mark.parametrize("game", ["mnk:3,3,3", "dodgem:3"])
    def test_built_again_meanwhile(self, db: str, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Positions of two solutions are never mixed."""
        monkeypatch.setattr(boards, "_IN_ORDER", 0)
        with open_solution(db, game) as opened:
            sweep = sweep_of(opened)
            assert sweep is not None
            batches = sweep.batches(EVERYTHING)
            next(batches)
            build(db, game, layout="packed", force=True)
            with pytest.raises(BusyError, match="built again while"):
                list(batches)
