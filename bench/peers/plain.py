"""The plainest fast way to do the same work: a dict over bitboards, and sqlite3 as it is."""

import sqlite3
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from bench import baseline
from bench.peers import (
    FRESH_EARLY,
    FRESH_LATE,
    KNOWN,
    QUESTIONS,
    SIZE,
    SOLVE,
    STORE,
    STORED,
    THOUSAND,
    Task,
    Values,
    fresh,
    size_of,
    some_boards,
)

NAME = "plain Python"
PACKAGE = ""
KNOWS = "value, plies, best move"
_SELECT = "select value from positions where board = ?"
_ANSWER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
board = sys.argv[2].replace("/", "")
print(connection.execute("select best from positions where board = ?", (board,)).fetchone()[0])
"""


def tasks(folder: Path) -> Mapping[str, Task | str]:
    path = str(folder / "plain.db")
    table = baseline.solve()
    baseline.store(path, table)
    new = (str(folder / f"plain-{number}.db") for number in count())
    boards = [board.replace("/", "") for board in some_boards()]
    keys = [sum(1 << cell + 9 * (stone == "O") for cell, stone in enumerate(board) if stone != ".") for board in boards]
    connection = sqlite3.connect(path, isolation_level=None)

    def look_up(connection: sqlite3.Connection) -> list[int]:
        return [connection.execute(_SELECT, (board,)).fetchone()[0] for board in boards]

    def store() -> str:
        path = next(new)
        baseline.store(path, baseline.solve())
        return path

    def thousand() -> list[int]:
        connection = sqlite3.connect(path, isolation_level=None)
        values = look_up(connection)
        connection.close()
        return values

    def named(values: list[int]) -> Values:
        return dict(zip(some_boards(), values, strict=True))

    return {
        SOLVE: Task(baseline.solve, lambda table: {_board(key): entry[0] for key, entry in table.items()}),
        STORE: Task(store, _stored),
        KNOWN: Task(lambda: [table[key][0] for key in keys], named, len(keys)),
        STORED: Task(lambda: look_up(connection), named, len(boards)),
        THOUSAND: Task(thousand, named),
        FRESH_EARLY: Task(lambda: fresh(_ANSWER, path, QUESTIONS[FRESH_EARLY])),
        FRESH_LATE: Task(lambda: fresh(_ANSWER, path, QUESTIONS[FRESH_LATE])),
        SIZE: Task(lambda: size_of([Path(path)])),
    }


def _board(key: int) -> str:
    return _with_slashes("".join("X" if key >> c & 1 else "O" if key >> 9 + c & 1 else "." for c in range(9)))


def _with_slashes(board: str) -> str:
    return "/".join((board[:3], board[3:6], board[6:]))


def _stored(path: str) -> Values:
    connection = sqlite3.connect(path)
    rows = connection.execute("select board, value from positions").fetchall()
    connection.close()
    return {_with_slashes(board): value for board, value in rows}
