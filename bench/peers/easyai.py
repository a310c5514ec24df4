"""easyAI: depth-first search with a transposition table, which it can keep in a file as a pickle.

It stops at the first winning move, so its table leaves out what lies behind the others.
"""

from collections.abc import Mapping
from pathlib import Path

from easyAI import TranspositionTable, TwoPlayerGame, solve_with_depth_first_search
from easyAI.games.TicTacToe import TicTacToe

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
    size_of,
    some_boards,
)
from zermelo.solver.board import Board

NAME = "easyAI"
PACKAGE = "easyAI"
KNOWS = "value and a move that reaches it"
_WIN = 100
_ANSWER = """
import sys
from easyAI import Negamax, TranspositionTable
from easyAI.games.TicTacToe import TicTacToe
class Game(TicTacToe):
    def ttentry(self):
        return tuple(self.board), self.current_player
game = Game([None, None])
for cell in sys.argv[1:]:
    game.make_move(int(cell) + 1)
    game.switch_player()
print(Negamax(9, win_score=90, tt=TranspositionTable())(game) - 1)
"""


class Tabled(TicTacToe):  # type: ignore[misc]
    """Its own tic-tac-toe, with the one method that its documentation asks for where a table is used."""

    def ttentry(self) -> tuple[tuple[int, ...], int]:
        return tuple(self.board), self.current_player


class KInARow(TwoPlayerGame):  # type: ignore[misc]
    """A board as a user of easyAI would write it, after its tic-tac-toe."""

    def __init__(self, width: int, height: int, k: int) -> None:
        board = Board(width, height)
        self.players = [None, None]
        self.current_player = 1
        self.board = [0] * board.cells
        self.lines = [[cell for cell in range(board.cells) if line >> 2 * cell & 1] for line in board.lines(k)]

    def possible_moves(self) -> list[int]:
        return [cell for cell, stone in enumerate(self.board) if not stone]

    def make_move(self, cell: int) -> None:
        self.board[cell] = self.current_player

    def unmake_move(self, cell: int) -> None:
        self.board[cell] = 0

    def lose(self) -> bool:
        board, other = self.board, self.opponent_index
        return any(all(board[cell] == other for cell in line) for line in self.lines)

    def is_over(self) -> bool:
        return 0 not in self.board or self.lose()

    def scoring(self) -> int:
        return -_WIN if self.lose() else 0

    def ttentry(self) -> tuple[tuple[int, ...], int]:
        return tuple(self.board), self.current_player


def tasks(folder: Path) -> Mapping[str, Task | str]:
    path = str(folder / "easyai.pickle")

    def solve() -> TranspositionTable:
        table = TranspositionTable()
        solve_with_depth_first_search(Tabled([None, None]), _WIN, tt=table)
        return table

    def store() -> TranspositionTable:
        table = solve()
        table.to_file(path)
        return table

    def load() -> TranspositionTable:
        table = TranspositionTable()
        table.from_file(path)
        return table

    known = store()
    boards = [board for board in some_boards() if known.lookup(_game(board)) is not None]
    boards += boards[: len(some_boards()) - len(boards)]
    games = [_game(board) for board in boards]

    def named(values: list[int]) -> Values:
        return {board: _for_x(game, value) for board, game, value in zip(boards, games, values, strict=True)}

    def thousand() -> list[int]:
        table = load()
        return [table.lookup(_game(board))["value"] for board in boards]

    return {
        SOLVE: Task(solve, _values),
        STORE: Task(store, _values),
        KNOWN: Task(lambda: [known.lookup(game)["value"] for game in games], named, len(games)),
        STORED: Task(lambda: [known.lookup(_game(board))["value"] for board in boards], named, len(boards)),
        THOUSAND: Task(thousand, named),
        FRESH_EARLY: Task(lambda: fresh(_ANSWER, *map(str, PLAYED[FRESH_EARLY]))),
        FRESH_LATE: Task(lambda: fresh(_ANSWER, *map(str, PLAYED[FRESH_LATE]))),
        SIZE: Task(lambda: size_of([Path(path)])),
    }


def solve_board(width: int, height: int, k: int) -> tuple[int, int]:
    table = TranspositionTable()
    value: int = solve_with_depth_first_search(KInARow(width, height, k), _WIN, tt=table)
    return len(table.d), value


def _game(board: str) -> Tabled:
    game = Tabled([None, None])
    game.board = [".XO".index(stone) for stone in board if stone != "/"]
    game.current_player = 1 if game.board.count(1) == game.board.count(2) else 2
    return game


def _for_x(game: Tabled, value: int) -> int:
    return value if game.current_player == 1 else -value


def _values(table: TranspositionTable) -> Values:
    found = {}
    for (stones, player), entry in table.d.items():
        text = "".join(".XO"[stone] for stone in stones)
        found["/".join((text[:3], text[3:6], text[6:]))] = entry["value"] if player == 1 else -entry["value"]
    return found
