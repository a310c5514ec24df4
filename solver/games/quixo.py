"""Quixo: ``quixo:3`` is played with 3x3 cubes."""

from zermelo.solver.board import Board
from zermelo.solver.errors import GameError
from zermelo.solver.families import named, whole_numbers
from zermelo.solver.men import Men, has_line

FORM, EXAMPLE = "quixo:N", "quixo:3"
LARGEST = 5


class Quixo(Men):
    """Take a blank cube or one of your own from the border and push it, with your mark, back in at another end of its row
    or column; a whole line of your mark wins, but whoever makes the other's line loses, even with one of its own.

    A move is the cell that a cube is taken from and the end that it is pushed in at.

    >>> game = Quixo(3)
    >>> state = game.parse("XO./.../..O:X")
    >>> [game.format_action(action) for action in game.actions(state)][:3]
    ['a1-c1', 'a1-a3', 'c1-a1']
    >>> game.format(game.result(state, game.parse_action("a1-c1")))
    'O.X/.../..O:O'
    """

    initial = 0

    def __init__(self, size: int) -> None:
        if not 2 <= size <= LARGEST:
            raise GameError(f"game 'quixo:{size}' has no usable board: it is from 2 to {LARGEST} cubes wide and high")
        grid = Board(size, size)
        super().__init__(f"quixo:{size}", grid, grid.permutations)
        self.size = size
        self.lines = self.ends = grid.lines(size)

    def actions(self, state: int) -> list[int]:
        moves: list[int] = []
        if self.is_terminal(state):
            return moves
        size = self.size
        others = state if state & self.turn else state >> 1
        for cell in range(self.cells):
            top = cell % size
            left, bottom = cell - top, self.cells - size + top
            right = left + size - 1
            if others >> 2 * cell & 1 or (cell != left and cell != right and cell != top and cell != bottom):
                continue
            for end in (left, right, top, bottom):
                if end != cell:
                    moves.append(cell << 6 | end)
        return moves

    def result(self, state: int, action: int) -> int:
        source, target = action >> 6, action & 63
        step = 1 if source // self.size == target // self.size else self.size
        if target < source:
            step = -step
        after, cell = state & ~(3 << 2 * source), source
        while cell != target:  # each cube on the way moves up into the gap
            after |= (state >> 2 * (cell + step) & 3) << 2 * cell
            cell += step
            after &= ~(3 << 2 * cell)
        mark = 2 if state & self.turn else 1
        return (after | mark << 2 * target) ^ self.turn

    def is_terminal(self, state: int) -> bool:
        return has_line(state & self.stones, self.lines) or has_line(state >> 1 & self.stones, self.lines)

    def utility(self, state: int, player: str) -> int:
        # With both lines there, the one who made them, and is not to move, has lost.
        x_line, o_line = has_line(state & self.stones, self.lines), has_line(state >> 1 & self.stones, self.lines)
        x_wins = x_line if x_line != o_line else not state & self.turn
        return 1 if x_wins == (player == "X") else -1

    def cannot_be(self, state: int) -> str:
        if state != self.initial and not (state if state & self.turn else state >> 1) & self.stones:
            other = "X" if state & self.turn else "O"
            return f"{other} has just moved, and so has its mark on a cube"
        return ""

    @property
    def title(self) -> str:
        return f"Quixo on {self.size}x{self.size}"


@named(FORM, EXAMPLE)
def from_params(params: str) -> Quixo:
    """The game that ``quixo:PARAMS`` names.

    >>> from_params("3").title
    'Quixo on 3x3'
    """
    return Quixo(*whole_numbers(params, FORM, EXAMPLE))
