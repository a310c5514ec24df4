"""Dodgem: ``dodgem:3`` is played with two cars each on a board of 3x3."""

from zermelo.solver.board import Board
from zermelo.solver.errors import GameError
from zermelo.solver.families import named, whole_numbers
from zermelo.solver.men import OFF, Men, count
from zermelo.solver.picture import Cell, Click, Picture

FORM, EXAMPLE = "dodgem:N", "dodgem:3"
LARGEST = 5


class Dodgem(Men):
    """X's cars go right, up or down and leave the board on the right, O's go up, left or right and leave it at the top;
    whoever has no car left, or cannot move, wins.

    There are `size` - 1 cars each: X's in the left column but for its lowest cell, O's in the bottom row but for its
    leftmost. Nothing is taken.

    >>> game = Dodgem(3)
    >>> print(game.draw(game.initial))
      a b c
    1 X . .
    2 X . .
    3 . O O
    >>> [game.format_action(action) for action in game.actions(game.parse("..X/X../.OO:X"))]
    ['c1-off', 'c1-c2', 'a2-b2', 'a2-a1', 'a2-a3']
    """

    def __init__(self, size: int) -> None:
        if not 2 <= size <= LARGEST:
            raise GameError(f"game 'dodgem:{size}' has no usable board: it is from 2 to {LARGEST} cells wide and high")
        super().__init__(f"dodgem:{size}", Board(size, size))
        self.size = size
        self.left = sum(4 ** (row * size) for row in range(size))
        """The cells of the left column."""
        self.right = self.left << 2 * (size - 1)
        self.top = int("1" * size, 4)
        self.initial = sum(4 ** (row * size) + 2 * 4 ** (self.cells - 1 - row) for row in range(size - 1))

    def actions(self, state: int) -> list[int]:
        moves: list[int] = []
        size, last = self.size, self.size - 1
        x, o = state & self.stones, state >> 1 & self.stones
        if not x or not o:
            return moves
        empty = self.stones & ~(x | o)
        own = o if state & self.turn else x
        for cell in range(self.cells):
            if not own >> 2 * cell & 1:
                continue
            row, column = cell // size, cell % size
            if own == x:
                if column == last:
                    moves.append(cell << 6 | OFF)
                elif empty >> 2 * (cell + 1) & 1:
                    moves.append(cell << 6 | cell + 1)
            elif row == 0:
                moves.append(cell << 6 | OFF)
            if row and empty >> 2 * (cell - size) & 1:
                moves.append(cell << 6 | cell - size)
            if own == x:
                if row < last and empty >> 2 * (cell + size) & 1:
                    moves.append(cell << 6 | cell + size)
            else:
                if column and empty >> 2 * (cell - 1) & 1:
                    moves.append(cell << 6 | cell - 1)
                if column < last and empty >> 2 * (cell + 1) & 1:
                    moves.append(cell << 6 | cell + 1)
        return moves

    def result(self, state: int, action: int) -> int:
        source, target = action >> 6, action & 63
        own = 1 if state & self.turn else 0
        after = state ^ self.turn ^ 1 << 2 * source + own
        return after if target == OFF else after | 1 << 2 * target + own

    def is_terminal(self, state: int) -> bool:
        x, o = state & self.stones, state >> 1 & self.stones
        if not x or not o:
            return True
        empty, below = self.stones & ~(x | o), 2 * self.size
        if state & self.turn:
            sideways = (o & ~self.left) >> 2 | (o & ~self.right) << 2
            return not (o & self.top or (o >> below | sideways) & empty)
        return not (x & self.right or (x >> below | x << below | (x & ~self.right) << 2) & empty)

    def utility(self, state: int, player: str) -> int:
        x, o = state & self.stones, state >> 1 & self.stones
        # Who has no car left has won; where both have one, the side to move is blocked, and has won by that.
        x_wins = not x or (o != 0 and not state & self.turn)
        return 1 if x_wins == (player == "X") else -1

    def picture(self, state: int) -> Picture:
        """The board, and beyond its right and its upper edge where the cars of each side leave it."""
        picture = super().picture(state)
        middle = (self.size - 1) / 2
        out = [Cell("top", middle, -1.45, "↑"), Cell("right", self.size + 0.1, middle, "→")]
        way_out = "-top" if state & self.turn else "-right"
        names = [self.format_action(action) for action in self.actions(state)]
        clicks = [Click(name, name.replace("-off", way_out).split("-")) for name in names]
        return picture._replace(cells=[*picture.cells, *out], clicks=clicks)

    def cannot_be(self, state: int) -> str:
        x, o = state & self.stones, state >> 1 & self.stones
        cars = self.size - 1
        if count(x) > cars or count(o) > cars:
            return f"X has {count(x)} and O has {count(o)} cars, and each starts with {cars}"
        if not x and not o:
            return "the game ends when one side has no car left"
        if not x or not o:
            first, other = ("X", "O") if not x else ("O", "X")
            return (
                f"{first} has just taken its last car off, so it is {other}'s turn"
                if self.to_move(state) == first
                else ""
            )
        if count(x) == count(o) == cars:
            # A step goes from a light cell to a dark one or back.
            dark = [cell for cell in range(self.cells) if (cell // self.size + cell % self.size) & 1]
            now, start = (sum(board >> 2 * cell & 3 != 0 for cell in dark) for board in (state, self.initial))
            if (now - start) & 1 != (state & self.turn != 0):
                return f"the cars have made an {'even' if state & self.turn else 'odd'} number of steps, and X began"
        return ""

    @property
    def title(self) -> str:
        return f"Dodgem on {self.size}x{self.size}"


@named(FORM, EXAMPLE)
def from_params(params: str) -> Dodgem:
    """The game that ``dodgem:PARAMS`` names.

    >>> from_params("4").title
    'Dodgem on 4x4'
    """
    return Dodgem(*whole_numbers(params, FORM, EXAMPLE))
