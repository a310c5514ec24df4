"""Exports: what is read back is what the database holds, and which rows are wanted is what comes."""

import csv
import io
import json
import os
import re
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.games import Piles
from zermelo.db.export import COLUMNS, export
from zermelo.db.positions import EVERYTHING, Selection, positions
from zermelo.db.query import Solution, open_solution
from zermelo.db.source import Row
from zermelo.db.store import build
from zermelo.solver.errors import BusyError, DamagedSolutionError, GameError, SelectionError
from zermelo.solver.games.mnk import MNK

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module", params=["rows", "classes"])
def solution(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Solution]:
    """Tic-tac-toe in a database, a row a position or a row a class."""
    path = str(tmp_path_factory.mktemp("export") / "zermelo.db")
    build(path, MNK(3, 3, 3), symmetry=request.param == "classes")
    with open_solution(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def entries(tictactoe_db: Path) -> list[Row]:
    """What the database holds, read by SQL."""
    with open_solution(str(tictactoe_db)) as opened:
        return list(opened.source.rows())


def written(solution: Solution, format_: str, selection: Selection = EVERYTHING) -> bytes:
    stream = io.BytesIO()
    export(stream, solution, format_, selection)
    return stream.getvalue()


def read_back(data: bytes, format_: str) -> list[dict[str, Any]]:
    """The rows as plain values, whatever they came in."""
    if format_ == "csv":
        rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
        numbers = ("ply", "value", "plies")
        return [
            {
                **{name: text or None for name, text in row.items()},
                **{name: int(row[name]) for name in numbers},
                "terminal": {"0": False, "1": True}[row["terminal"]],
                "optimal_moves": row["optimal_moves"],
            }
            for row in rows
        ]
    if format_ == "jsonl":
        return [json.loads(line) for line in data.decode().splitlines()]
    return pq.read_table(io.BytesIO(data)).to_pylist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("format_", ["csv", "jsonl", "parquet"])
def test_round_trip(format_: str, solution: Solution, entries: list[Row]) -> None:
    """All 5,478 positions, each column, in every format and from either storage."""
    rows = read_back(written(solution, format_), format_)
    assert tuple(rows[0]) == COLUMNS
    found = [Row(*(row[name] for name in ("position", "ply", "value", "plies", "best_move"))) for row in rows]
    assert sorted(found) == entries
    for row in rows:
        answer = solution.answer(row["position"]) if row["ply"] < 3 else None
        if answer is not None:
            assert (row["to_move"], row["terminal"]) == (answer.to_move, answer.terminal)
            assert row["optimal_moves"].split() == sorted(
                (move.move for move in answer.moves if move.optimal), key=lambda move: (move[1], move[0])
            )


def test_finished_and_unfinished_positions(solution: Solution) -> None:
    """What a reader of the table sees at the end of a game and before it."""
    rows = {row["position"]: row for row in read_back(written(solution, "jsonl"), "jsonl")}
    assert rows["XXX/OO./..."] == {
        "position": "XXX/OO./...", "ply": 5, "to_move": None, "terminal": True, "value": 1, "plies": 0,
        "best_move": None, "optimal_moves": "",
    }  # fmt: skip
    assert rows["XO./.X./..O"] == {
        "position": "XO./.X./..O", "ply": 4, "to_move": "X", "terminal": False, "value": 1, "plies": 3,
        "best_move": "a2", "optimal_moves": "a2 a3",
    }  # fmt: skip


def test_boards_are_in_order_where_a_row_a_position_is_stored(tictactoe_db: Path) -> None:
    """So that two exports of one solution are the same file; a tablebase of it gives the same too."""
    with open_solution(str(tictactoe_db)) as opened:
        data = written(opened, "csv")
        tablebase = tictactoe_db.with_suffix(".ztb")
        tablebase.write_bytes(written(opened, "ztb"))
    boards = [row["position"] for row in read_back(data, "csv")]
    assert boards == sorted(boards)
    with open_solution(str(tablebase)) as opened:
        assert written(opened, "csv") == data


@pytest.mark.parametrize(
    ("selection", "count"),
    [
        (Selection(classes=True), 765),
        (Selection(plies=(0, 2)), 1 + 9 + 72),
        (Selection(plies=(9, 9)), 78),
        (Selection(plies=(2, 2), classes=True), 12),
        (Selection(plies=(9, 9), value=0), 16),
        (Selection(to_move="X", plies=(0, 3)), 1 + 72),
        (Selection(to_move="O", plies=(9, 9)), 0),
        (Selection(value=-1, plies=(6, 6), classes=True), 17 + 21),
    ],
)
def test_only_what_is_wanted(selection: Selection, count: int, solution: Solution) -> None:
    """Counts that are known from elsewhere, from either storage."""
    found = list(positions(solution, selection))
    assert len(found) == len({position.board for position in found}) == count
    if selection.classes:
        symmetries, parse, text = solution.game.symmetries, solution.game.parse, solution.game.format
        for position in found:
            assert position.board == min(text(symmetry(parse(position.board))) for symmetry in symmetries)


def test_the_types_and_the_metadata_of_parquet(solution: Solution) -> None:
    """Numbers are numbers, what can be missing is nullable, and the file says what it is of."""
    schema = pq.read_schema(io.BytesIO(written(solution, "parquet", Selection(plies=(0, 1)))))
    coded = "dictionary<values=string, indices=int32, ordered=0>"
    assert [str(schema.field(name).type) for name in COLUMNS] == [
        "string", "int32", coded, "bool", "int32", "int32", coded, coded,
    ]  # fmt: skip
    assert [name for name in COLUMNS if schema.field(name).nullable] == ["to_move", "plies", "best_move"]
    assert schema.metadata[b"game"] == b"mnk:3,3,3"
    assert schema.metadata[b"digest"].decode() == solution.source.facts["digest"]
    assert schema.metadata[b"zermelo_version"].decode() == solution.source.facts["zermelo_version"]


def test_a_users_game(tmp_path: Path) -> None:
    """Texts with spaces and other players' names go through as they are."""
    game = Piles(4, 4)
    path = str(tmp_path / "piles.db")
    build(path, game, symmetry=True)
    with open_solution(path, game) as solution:
        rows = read_back(written(solution, "csv", Selection(to_move="Bo")), "csv")
        assert {row["to_move"] for row in rows} == {"Bo"}
        assert all(row["best_move"] in row["optimal_moves"].split() for row in rows)
        with pytest.raises(GameError, match="no player 'X': name Ann or Bo"):
            list(positions(solution, Selection(to_move="X")))


def test_a_tablebase_holds_everything(solution: Solution) -> None:
    """A part of one would answer some positions wrongly as unknown."""
    with pytest.raises(SelectionError, match="holds every position"):
        written(solution, "ztb", Selection(value=0))


def test_a_solution_that_is_built_again_meanwhile(tmp_path: Path) -> None:
    """Rows of two solutions are never mixed: the export fails."""
    path = str(tmp_path / "again.db")
    build(path, MNK(3, 3, 3))
    with open_solution(path) as solution:
        rows = solution.source.rows()
        next(rows)
        build(path, MNK(3, 3, 3), force=True)
        with pytest.raises(BusyError, match="built again while"):
            list(rows)


def test_a_database_that_lacks_a_position(tmp_path: Path) -> None:
    """No row is written of a solution that has lost one."""
    import sqlite3

    path = str(tmp_path / "lacking.db")
    build(path, MNK(3, 3, 3))
    with sqlite3.connect(path) as connection:
        connection.execute("delete from positions where board = 'X../.../...'")
    with (
        open_solution(path) as solution,
        pytest.raises(DamagedSolutionError, match=r"it has 5,477 rows in order instead of 5,478"),
    ):
        written(solution, "csv")


@pytest.mark.slow
def test_rows_stream_in_constant_memory(tmp_path: Path) -> None:
    """Forty thousand positions, of which few are wanted, take no more memory than a page of them."""
    game = Piles(140, 140)
    path = str(tmp_path / "many.db")
    assert build(path, game).positions > 39_000
    with open_solution(path, game) as solution, open(os.devnull, "wb") as nowhere:
        tracemalloc.start()
        export(nowhere, solution, "csv", Selection(plies=(0, 20)))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 6_000_000


def test_progress_reaches_the_end(solution: Solution) -> None:
    """A bar fills up whatever is wanted: with what is gone through, which are all positions of the wanted plies."""
    for selection, classes, every in ((Selection((0, 0)), 1, 1), (Selection(value=1), 765, 5478)):
        seen: list[tuple[int, int | None]] = []
        list(positions(solution, selection, lambda done, total, _stage="": seen.append((done, total))))  # noqa: B023
        assert seen[-1][0] == seen[-1][1] == (classes if solution.source.by_class else every)


@pytest.mark.parametrize("library", ["pandas", "polars", "duckdb", "numpy"])
def test_the_lines_of_the_page(
    library: str, tictactoe_db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What docs/exports.md and docs/tour.md show runs where the library is installed, and every way of loading gives all draws."""
    pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    with open_solution(str(tictactoe_db)) as opened:
        for format_ in ("csv", "jsonl", "parquet", "ztb"):
            Path(f"tictactoe.{format_}").write_bytes(written(opened, format_))
    match = re.search(rf"```python {library}\n(.*?)```", (DOCS / "exports.md").read_text(), re.DOTALL)
    assert match
    names: dict[str, Any] = {}
    lines = match[1].splitlines()
    exec("\n".join(lines), names)
    if library == "numpy":
        assert (names["entry"], names["none"], names["best_moves"].tolist()) == ((1, 3, "a2"), None, ["a2"])
        return
    assert names["draws"] == 1068
    shown = re.search(rf"```python {library}\n(.*?)```", (DOCS / "tour.md").read_text(), re.DOTALL)
    assert shown
    names = {}
    exec(shown[1], names)
    assert len(names["draws"]) == 1068
    # Each of the three ways alone leads to the same.
    loading = [line for line in lines if line.startswith("positions = ")]
    assert len(loading) == 3
    for line in loading:
        names = {}
        exec("\n".join([other for other in lines if other not in loading or other == line]), names)
        assert names["draws"] == 1068
