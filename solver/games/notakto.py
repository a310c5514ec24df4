"""Notakto: ``notakto:2`` is tic-tac-toe on two boards where both sides play X.

A state has a bit a cell, nine a board, the first board's lowest, and above them whose turn it is.
"""

from collections.abc import Callable, Sequence
from itertools import permutations

from zermelo.solver.board import Board
from zermelo.solver.errors import ActionError, GameError, PositionError, quoted
from zermelo.solver.families import named, whole_numbers
from zermelo.solver.game import Game
from zermelo.solver.once import once
from zermelo.solver.picture import Picture

FORM, EXAMPLE = "notakto:B", "notakto:1"
LARGEST = 3
_BOARD = Board(3, 3)


def is_dead(board: int, lines: Sequence[int]) -> bool:
    """Whether the board has a line."""
    for line in lines:
        if board & line == line:
            return True
    return False


class Notakto(Game[int, int]):
    """Both sides put an X on an empty cell; a board with three in a row is dead, and whoever kills the last board loses.

    Cells are named by their board's number and their place on it: ``2b3``; on a single board the place is enough.

    >>> game = Notakto(2)
    >>> state = game.parse("X../.X./... XX./.../...:MAX".replace(" ", "|"))
    >>> print(game.draw(state))
      a b c   a b c
    1 X . . 1 X X .
    2 . X . 2 . . .
    3 . . . 3 . . .
    >>> [game.format_action(action) for action in game.actions(state)][:3]
    ['1b1', '1c1', '1a2']
    """

    initial = 0
    bounds = (-1, 1)

    compiled = True

    def __init__(self, boards: int) -> None:
        self.spec = f"notakto:{boards}"
        if not 1 <= boards <= LARGEST:
            raise GameError(f"game {self.spec!r} has no usable boards: there are from 1 to {LARGEST}")
        self.boards = boards
        self.turn = 1 << 9 * boards
        """The bit that says whose turn it is."""
        self.lines = tuple(sum(1 << cell for cell in range(9) if line >> 2 * cell & 1) for line in _BOARD.lines(3))

    def to_move(self, state: int) -> str:
        return "MIN" if state & self.turn else "MAX"

    def actions(self, state: int) -> list[int]:
        moves: list[int] = []
        for board in range(self.boards):
            marks = state >> 9 * board & 511
            if not is_dead(marks, self.lines):
                for cell in range(9):
                    if not marks >> cell & 1:
                        moves.append(9 * board + cell)
        return moves

    def result(self, state: int, action: int) -> int:
        return (state | 1 << action) ^ self.turn

    def is_terminal(self, state: int) -> bool:
        for board in range(self.boards):
            if not is_dead(state >> 9 * board & 511, self.lines):
                return False
        return True

    def utility(self, state: int, player: str) -> int:
        # The other has just killed the last board.
        return 1 if player == self.to_move(state) else -1

    def format(self, state: int) -> str:
        return f"{'|'.join(map(_BOARD.format, self._drawn(state)))}:{self.to_move(state)}"

    def parse(self, text: str) -> int:
        """The position that `text` draws: the boards with bars between them, and whose turn it is."""
        drawn, _, player = text.strip().partition(":")
        boards = drawn.split("|")
        if player.upper() not in self.players or len(boards) != self.boards:
            raise PositionError(
                f"position {quoted(text)} is not of the form BOARD|...:PLAYER, such as {self.format(self.initial)}"
            )
        state = 0
        for number, board in enumerate(boards):
            stones = _BOARD.parse(board)
            if stones >> 1 & _BOARD.stones:
                raise PositionError(f"position {quoted(text)} cannot occur: both sides play X")
            marks = sum(1 << cell for cell in range(9) if stones >> 2 * cell & 1)
            if is_dead(marks, self.lines) and all(is_dead(marks & ~(1 << cell), self.lines) for cell in range(9)):
                raise PositionError(
                    f"position {quoted(text)} cannot occur: board {number + 1} has lines that no single move could complete together"
                )
            state |= marks << 9 * number
        if state.bit_count() % 2 != (player.upper() == "MIN"):
            raise PositionError(
                f"position {quoted(text)} cannot occur: MAX moves first, and {state.bit_count()} moves were made"
            )
        return state | (self.turn if player.upper() == "MIN" else 0)

    def format_action(self, action: int) -> str:
        name = _BOARD.name_of(action % 9)
        return name if self.boards == 1 else f"{action // 9 + 1}{name}"

    def parse_action(self, text: str) -> int:
        """A board's number and a cell of it; the number may be left out where there is one board."""
        name = text.strip()
        number = name[:1] if len(name) == 3 else "1" if self.boards == 1 else ""
        if number not in "123"[: self.boards] or not number:
            raise ActionError(
                f"move {quoted(text)} cannot be read: write a board and a cell of it, from 1a1 to {self.boards}c3"
            )
        return 9 * (int(number) - 1) + _BOARD.cell_of(name[-2:])

    def draw(self, state: int) -> str:
        boards = [_BOARD.draw(stones).split("\n") for stones in self._drawn(state)]
        return "\n".join(map(" ".join, zip(*boards, strict=True)))

    def picture(self, state: int) -> Picture:
        """The boards side by side, with the lines that made some of them dead."""
        cells, labels, ended = [], [], []
        for number, stones in enumerate(self._drawn(state)):
            one = _BOARD.picture(stones, _BOARD.lines(3))
            before = "" if self.boards == 1 else str(number + 1)
            right = 4.2 * number
            cells += [cell._replace(name=before + cell.name, x=cell.x + right, player=None) for cell in one.cells]
            labels += [label._replace(x=label.x + right) for label in one.labels]
            ended += [[before + name for name in line] for line in one.ended]
        return Picture(cells, labels=labels, ended=ended)

    def _drawn(self, state: int) -> list[int]:
        """The boards as `Board` has them."""
        return [int(f"{state >> 9 * board & 511:b}", 4) for board in range(self.boards)]

    @property
    def title(self) -> str:
        return f"Notakto on {self.boards} board{'s' if self.boards > 1 else ''}"

    @once
    def symmetries(self) -> Sequence[Callable[[int], int]]:
        """The boards exchanged, and all of them turned alike."""

        def moved(order: Sequence[int], turned: Sequence[int]) -> Callable[[int], int]:
            def image(state: int) -> int:
                found = state & self.turn
                for place, board in enumerate(order):
                    found |= turned[state >> 9 * board & 511] << 9 * place
                return found

            return image

        tables = [
            [sum(1 << turn[cell] for cell in range(9) if marks >> cell & 1) for marks in range(512)]
            for turn in _BOARD.permutations
        ]
        return tuple(moved(order, table) for order in permutations(range(self.boards)) for table in tables)


@named(FORM, EXAMPLE)
def from_params(params: str) -> Notakto:
    """The game that ``notakto:PARAMS`` names.

    >>> from_params("2").title
    'Notakto on 2 boards'
    """
    return Notakto(*whole_numbers(params, FORM, EXAMPLE))
