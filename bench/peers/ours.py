"""Zermelo itself, with its solution in a SQLite database."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path

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
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.solver.exhaustive import Entries, solve
from zermelo.solver.games.mnk import MNK

NAME = "Zermelo"
PACKAGE = "zermelo"
KNOWS = "value, plies, best move"
ANSWER = """
import sys
from zermelo.db.query import open_solution
with open_solution(sys.argv[1]) as solution:
    print(solution.game.parse_action(solution.probe(sys.argv[2]).best_move))
"""


def tasks(folder: Path) -> Mapping[str, Task | str]:
    game, boards = MNK(3, 3, 3), some_boards()
    path = str(folder / "zermelo.db")
    build(path, game)
    new = (str(folder / f"zermelo-{number}.db") for number in count())
    entries = solve(game)
    states = [game.parse(board) for board in boards]
    solution = open_solution(path)

    def values_of(entries: Entries[int, int]) -> Values:
        return {game.format(state): value for state, (value, _, _) in entries.items()}

    def store() -> str:
        path = next(new)
        build(path, game)
        return path

    def stored(path: str) -> Values:
        with open_solution(path) as solution:
            return {row.board: row.value for row in solution.source.rows()}

    def thousand() -> list[int]:
        with open_solution(path) as solution:
            return [solution.probe(board).value for board in boards]

    def named(values: list[int]) -> Values:
        return dict(zip(boards, values, strict=True))

    return {
        SOLVE: Task(lambda: solve(game), values_of),
        STORE: Task(store, stored),
        KNOWN: Task(lambda: [entries[state][0] for state in states], named, len(boards)),
        STORED: Task(lambda: [solution.probe(board).value for board in boards], named, len(boards)),
        THOUSAND: Task(thousand, named),
        FRESH_EARLY: Task(lambda: fresh(ANSWER, path, QUESTIONS[FRESH_EARLY])),
        FRESH_LATE: Task(lambda: fresh(ANSWER, path, QUESTIONS[FRESH_LATE])),
        SIZE: Task(lambda: size_of([Path(path)])),
    }


def solve_board(width: int, height: int, k: int) -> tuple[int, int]:
    game = MNK(width, height, k)
    entries = solve(game)
    return len(entries), entries[game.initial][0]
