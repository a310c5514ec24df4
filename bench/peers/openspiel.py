"""OpenSpiel: rules in C++, and a minimax solver over them in Python. It has no file for a solution."""

import sqlite3
from collections.abc import Mapping
from itertools import count
from pathlib import Path

import pyspiel
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

from bench.peers import (
    FRESH_EARLY,
    FRESH_LATE,
    KNOWN,
    PLAYED,
    SIZE,
    SOLVE,
    STORE,
    STORED,
    THOUSAND,
    Task,
    Values,
    fresh,
    some_boards,
)

NAME = "OpenSpiel"
PACKAGE = "open_spiel"
KNOWS = "the value of every move, in unfinished positions"
_NO_STORE = "no store"
_SOLVE_AND_ANSWER = """
import sys, pyspiel
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver
solver = MinimaxSolver("tic_tac_toe")
solver.solve()
state = pyspiel.load_game("tic_tac_toe").new_initial_state()
for cell in sys.argv[1:]:
    state.apply_action(int(cell))
print(solver.action_values_from_state(state).argmax())
"""
_SEARCH_AND_ANSWER = """
import sys, pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search
game = pyspiel.load_game("tic_tac_toe")
state = game.new_initial_state()
for cell in sys.argv[1:]:
    state.apply_action(int(cell))
print(alpha_beta_search(game, state=state)[1])
"""


def tasks(folder: Path) -> Mapping[str, Task | str]:
    new = (str(folder / f"openspiel-{number}.db") for number in count())

    def solve() -> MinimaxSolver:
        solver = MinimaxSolver("tic_tac_toe")
        solver.solve()
        return solver

    def store() -> MinimaxSolver:
        solver = solve()
        rows = [(key, entry.value, int(entry.action_values.argmax())) for key, entry in solver._table.items()]
        connection = sqlite3.connect(next(new))
        with connection:
            connection.execute(
                "create table positions (board text primary key, value real, best integer) without rowid"
            )
            connection.executemany("insert into positions values (?, ?, ?)", rows)
        connection.close()
        return solver

    known = solve()
    states = [_state(board) for board in some_boards()]

    def named(values: list[float]) -> Values:
        return {board: _for_x(board, value) for board, value in zip(some_boards(), values, strict=True)}

    return {
        SOLVE: Task(solve, _values),
        STORE: Task(store, _values),
        KNOWN: Task(lambda: [known.values_from_string(str(state)) for state in states], named, len(states)),
        STORED: _NO_STORE,
        THOUSAND: _NO_STORE,
        FRESH_EARLY: Task(lambda: fresh(_SOLVE_AND_ANSWER, *map(str, PLAYED[FRESH_EARLY]))),
        FRESH_LATE: Task(lambda: fresh(_SEARCH_AND_ANSWER, *map(str, PLAYED[FRESH_LATE]))),
        SIZE: _NO_STORE,
    }


def solve_board(width: int, height: int, k: int) -> tuple[int, int]:
    table = MinimaxSolver(f"mnk(m={width},n={height},k={k})").solve()
    start = "\n".join(["." * width] * height)
    return len(table), int(table[start].value)


def _state(board: str) -> pyspiel.State:
    """The state of a board: X's stones and O's go down in turn, which in an unfinished game is as good as any order."""
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    cells = {stone: [cell for cell, there in enumerate(board.replace("/", "")) if there == stone] for stone in "XO"}
    for turn in range(len(cells["X"]) + len(cells["O"])):
        state.apply_action(cells["XO"[turn % 2]].pop())
    return state


def _for_x(board: str, value: float) -> int:
    return int(value if board.count("X") == board.count("O") else -value)


def _values(solver: MinimaxSolver) -> Values:
    boards = {key.upper().replace("\n", "/"): entry.value for key, entry in solver._table.items()}
    return {board: _for_x(board, value) for board, value in boards.items()}
