"""gamesolver: memoised traversal of square boards up to symmetry, which it keeps as CSV."""

from collections.abc import Mapping
from pathlib import Path

from gamesolver.Games.TTT import TTT
from gamesolver.Solvers import Solver
from gamesolver.util import GameValue

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
    truth,
)

NAME = "gamesolver"
PACKAGE = "gamesolver"
KNOWS = "value and plies, a class of positions at a time"
_VALUES = {GameValue.WIN: 1, GameValue.TIE: 0, GameValue.LOSE: -1}
_ANSWER = """
import sys
from gamesolver.Games.TTT import TTT
from gamesolver.Solvers import Solver
row, column = Solver(name=sys.argv[1], read=True).generateMove(TTT(code=sys.argv[2]))
print(3 * row + column)
"""


def tasks(folder: Path) -> Mapping[str, Task | str]:
    path = str(folder / "gamesolver.csv")

    def solve() -> Solver:
        solver = Solver()
        solver.solve(TTT(size=3))
        return solver

    def store() -> Solver:
        solver = solve()
        solver.writeMemory(name=path)
        return solver

    known = store()
    boards = some_boards()
    games = [_game(board) for board in boards]

    def named(values: list[str]) -> Values:
        return {board: _for_x(board, value) for board, value in zip(boards, values, strict=True)}

    def thousand() -> list[str]:
        solver = Solver(name=path, read=True)
        return [solver.solve(_game(board)) for board in boards]

    return {
        SOLVE: Task(solve, _values),
        STORE: Task(store, _values),
        KNOWN: Task(lambda: [known.solve(game) for game in games], named, len(games)),
        STORED: Task(lambda: [known.solve(_game(board)) for board in boards], named, len(boards)),
        THOUSAND: Task(thousand, named),
        FRESH_EARLY: Task(lambda: fresh(_ANSWER, path, _code(QUESTIONS[FRESH_EARLY]))),
        FRESH_LATE: Task(lambda: fresh(_ANSWER, path, _code(QUESTIONS[FRESH_LATE]))),
        SIZE: Task(lambda: size_of([Path(path)])),
    }


def solve_board(width: int, height: int, k: int) -> tuple[None, int]:
    if width != height:
        raise NotImplementedError("square boards only")
    solver = Solver()
    value = solver.solve(TTT(size=width, winBy=k))
    return None, _VALUES[value]


def _code(board: str) -> str:
    return board.replace("/", "").replace(".", "_")


def _game(board: str) -> TTT:
    return TTT(code=_code(board))


def _for_x(board: str, value: str) -> int:
    return _VALUES[value] if board.count("X") == board.count("O") else -_VALUES[value]


def _values(solver: Solver) -> Values:
    known = {board: solver.memory.get(_game(board).serialize()) for board in truth()}
    return {board: _for_x(board, value) for board, value in known.items() if value is not None}
