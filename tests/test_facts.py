"""Every published figure for tic-tac-toe, computed from the database as it is stored."""

import json
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import Zermelo
from zermelo.db.query import open_solution
from zermelo.db.stats import statistics
from zermelo.solver.games.mnk import MNK

GAME = MNK(3, 3, 3)
Row = tuple[int, int, int, str | None]


@pytest.fixture(scope="module")
def rows(tictactoe_db: Path) -> dict[str, Row]:
    """Ply, value, plies and best move of every stored board."""
    with sqlite3.connect(tictactoe_db) as connection:
        read = connection.execute("select board, ply, value, plies, best_move from positions").fetchall()
    return {board: (ply, value, plies, best_move) for board, ply, value, plies, best_move in read}


def class_of(board: str) -> str:
    """The board that stands for all its turns and reflections."""
    state = GAME.parse(board)
    return min(GAME.format(symmetry(state)) for symmetry in GAME.symmetries)


def successors(board: str) -> list[str]:
    """The boards one move on, by nothing but text."""
    turn = "X" if board.count("X") == board.count("O") else "O"
    return [board[:i] + turn + board[i + 1 :] for i, cell in enumerate(board) if cell == "."]


def test_positions(rows: dict[str, Row]) -> None:
    """5,478 positions, 958 of them finished: 626 won by X, 316 by O, 16 drawn; and by ply."""
    assert len(rows) == 5478
    finished = Counter(value for _, value, plies, _ in rows.values() if plies == 0)
    assert finished == {1: 626, -1: 316, 0: 16}
    by_ply = Counter(ply for ply, *_ in rows.values())
    assert [by_ply[ply] for ply in range(10)] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert all(ply == len(board.replace(".", "").replace("/", "")) for board, (ply, *_) in rows.items())


def test_classes(rows: dict[str, Row]) -> None:
    """765 classes by ply; 138 finished: 91 X, 44 O, 3 drawn."""
    classes = {class_of(board): row for board, row in rows.items()}
    by_ply = Counter(ply for ply, *_ in classes.values())
    assert [by_ply[ply] for ply in range(10)] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    finished = [(ply, value) for ply, value, plies, _ in classes.values() if plies == 0]
    assert Counter(value for _, value in finished) == {1: 91, -1: 44, 0: 3}
    finished_by_ply = Counter(ply for ply, _ in finished)
    assert [finished_by_ply[ply] for ply in range(5, 10)] == [21, 21, 58, 23, 15]


def test_outcomes_for_the_side_to_move(rows: dict[str, Row]) -> None:
    """Positions 2836 / 1068 / 1574, classes 390 / 151 / 224 won, drawn, lost; a finished win is lost for the mover."""

    def outcomes(boards: dict[str, Row]) -> list[int]:
        counted = Counter(value if ply % 2 == 0 else -value for ply, value, _, _ in boards.values())
        return [counted[1], counted[0], counted[-1]]

    assert outcomes(rows) == [2836, 1068, 1574]
    assert outcomes({class_of(board): row for board, row in rows.items()}) == [390, 151, 224]


def test_games(rows: dict[str, Row]) -> None:
    """255,168 games: 131,184 won by X, 77,904 by O, 46,080 drawn; by length; 549,946 nodes in the whole tree."""
    paths = Counter({".../.../...": 1})
    for board in sorted(rows, key=lambda board: rows[board][0]):
        if rows[board][2]:
            for child in successors(board):
                paths[child] += paths[board]
    assert sum(paths.values()) == 549_946
    ends = [(ply, value, paths[board]) for board, (ply, value, plies, _) in rows.items() if plies == 0]
    assert sum(count for _, _, count in ends) == 255_168
    won = {side: sum(count for _, value, count in ends if value == side) for side in (1, -1, 0)}
    assert won == {1: 131_184, -1: 77_904, 0: 46_080}
    assert [sum(count for ply, _, count in ends if ply == length) for length in range(5, 10)] == [
        1_440, 5_328, 47_952, 72_576, 127_872,
    ]  # fmt: skip


def test_the_two_counts_of_games_up_to_symmetry(rows: dict[str, Row]) -> None:
    """26,830 paths through classes, where symmetric moves count once; 31,896 orbits of whole move sequences."""
    paths: Counter[str] = Counter({class_of(".../.../..."): 1})
    ends = 0
    for board in sorted({class_of(board) for board in rows}, key=lambda board: rows[board][0]):
        if rows[board][2] == 0:
            ends += paths[board]
        for child in {class_of(child) for child in successors(board)} if rows[board][2] else ():
            paths[child] += paths[board]
    assert ends == 26_830

    # A sequence stays as it is under a symmetry only while all its moves are on fixed cells: count those, average.
    fixed = 0
    for permutation in GAME.board.permutations:
        cells = {cell for cell, image in enumerate(permutation) if cell == image}
        fixed += _games_within(rows, ".../.../...", cells)
    assert fixed % 8 == 0
    assert fixed // 8 == 31_896


def _games_within(rows: dict[str, Row], start: str, cells: set[int]) -> int:
    """The games that use none but `cells`."""
    paths = Counter({start: 1})
    games = 0
    for board in sorted(rows, key=lambda board: rows[board][0]):
        if not paths[board]:
            continue
        if rows[board][2] == 0:
            games += paths[board]
            continue
        for child in successors(board):
            changed = next(i for i, (a, b) in enumerate(zip(child, board, strict=True)) if a != b)
            if changed - changed // 4 in cells:  # the slashes are not cells
                paths[child] += paths[board]
    return games


def test_stats_as_json(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """One object with the totals and a row a ply, the values the minimax values."""
    figures = json.loads(zermelo("stats", "--db", str(tictactoe_db), "--format", "json").stdout)
    by_ply = figures.pop("by_ply")
    assert figures == {
        "game": "mnk:3,3,3",
        "value": 0,
        "plies": 9,
        "positions": 5478,
        "classes": 765,
        "terminal": 958,
        "games": 255168,
        "tree_nodes": 549946,
        "can_repeat": False,
        "longest": 5,
        "mover_wins": 2836,
        "mover_losses": 1574,
        "mover_draws": 1068,
    }
    assert [row["ply"] for row in by_ply] == list(range(10))
    assert [row["positions"] for row in by_ply] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert [row["classes"] for row in by_ply] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert [row["terminal_classes"] for row in by_ply][5:] == [21, 21, 58, 23, 15]
    assert sum(row["terminal"] for row in by_ply) == 958
    for row in by_ply:
        assert row["x_wins"] + row["draws"] + row["o_wins"] == row["positions"]
        assert row["x_wins_classes"] + row["draws_classes"] + row["o_wins_classes"] == row["classes"]
    # Won by the side to move: X's wins at even plies and O's at odd ones.
    assert sum(row["o_wins" if row["ply"] % 2 else "x_wins"] for row in by_ply) == 2836
    assert sum(row["draws"] for row in by_ply) == 1068
    assert sum(row["draws_classes"] for row in by_ply) == 151
    assert sum(row["o_wins_classes" if row["ply"] % 2 else "x_wins_classes"] for row in by_ply) == 390


def test_stats_agree_with_the_rows(rows: dict[str, Row], tictactoe_db: Path) -> None:
    """What was counted while building is what can be counted afterwards, class by class."""
    with open_solution(str(tictactoe_db)) as solution:
        by_ply = statistics(solution)["by_ply"]
    classes = {class_of(board): row for board, row in rows.items()}
    for row in map(dict, by_ply):
        for suffix, counted in (("", rows), ("_classes", classes)):
            values = Counter(value for ply, value, _, _ in counted.values() if ply == row["ply"])
            assert [row[f"x_wins{suffix}"], row[f"draws{suffix}"], row[f"o_wins{suffix}"]] == [
                values[1],
                values[0],
                values[-1],
            ]
