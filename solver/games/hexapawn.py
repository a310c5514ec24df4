"""Hexapawn: ``hexapawn:3,3`` is played with three pawns each on a board 3 wide and 3 high."""

from zermelo.solver.board import Board
from zermelo.solver.errors import GameError
from zermelo.solver.families import named, whole_numbers
from zermelo.solver.men import Men, count

FORM, EXAMPLE = "hexapawn:W,H", "hexapawn:3,3"
LARGEST = 30


class Hexapawn(Men):
    """Pawns step forward to an empty cell or take diagonally forward, X's upwards and O's downwards; whoever reaches the
    far row, or leaves the other without a move, wins.

    >>> game = Hexapawn(3, 3)
    >>> state = game.parse("OOO/X../.XX:O")
    >>> [game.format_action(action) for action in game.actions(state)]
    ['b1-b2', 'b1-a2', 'c1-c2']
    """

    def __init__(self, width: int, height: int) -> None:
        if width < 1 or height < 3 or width * height > LARGEST:
            raise GameError(
                f"game 'hexapawn:{width},{height}' has no usable board: it is at least 1 wide and 3 high,"
                f" with at most {LARGEST} cells"
            )
        grid = Board(width, height)
        mirror = [cell - cell % width + width - 1 - cell % width for cell in range(grid.cells)]
        super().__init__(f"hexapawn:{width},{height}", grid, [range(grid.cells), mirror] if width > 1 else ())
        self.width = width
        self.top = int("1" * width, 4)
        self.bottom = self.top << 2 * (self.cells - width)
        self.initial = self.bottom | self.top << 1

    def actions(self, state: int) -> list[int]:
        moves: list[int] = []
        x, o = state & self.stones, state >> 1 & self.stones
        if x & self.top or o & self.bottom:
            return moves
        own, others, ahead = (o, x, self.width) if state & self.turn else (x, o, -self.width)
        for cell in range(self.cells):
            if own >> 2 * cell & 1:
                target, column = cell + ahead, cell % self.width
                if not (x | o) >> 2 * target & 1:
                    moves.append(cell << 6 | target)
                if column and others >> 2 * (target - 1) & 1:
                    moves.append(cell << 6 | target - 1)
                if column < self.width - 1 and others >> 2 * (target + 1) & 1:
                    moves.append(cell << 6 | target + 1)
        return moves

    def result(self, state: int, action: int) -> int:
        source, target = action >> 6, action & 63
        own = 1 if state & self.turn else 0
        return (state & ~(3 << 2 * target) | 1 << 2 * target + own) ^ 1 << 2 * source + own ^ self.turn

    def is_terminal(self, state: int) -> bool:
        x, o = state & self.stones, state >> 1 & self.stones
        if x & self.top or o & self.bottom:
            return True
        return len(self.actions(state)) == 0

    def utility(self, state: int, player: str) -> int:
        # Whoever has just moved reached the far row or blocked the other: the side to move has lost.
        return -1 if player == self.to_move(state) else 1

    def cannot_be(self, state: int) -> str:
        x, o = state & self.stones, state >> 1 & self.stones
        if max(count(x), count(o)) > self.width:
            return f"X has {count(x)} and O has {count(o)} pawns, and each starts with {self.width}"
        if (o & self.bottom) if state & self.turn else (x & self.top):
            return f"{self.to_move(state)} has reached the far row, which ended the game before the other's last move"
        if count(x & self.top) > 1 or count(o & self.bottom) > 1:
            return "the first pawn on the far row ends the game"
        if count(x) == count(o) == self.width:
            # No pawn was taken, so each is still in its column, and the rows tell how many steps were made.
            steps = 0
            for cell in range(self.cells):
                row = cell // self.width
                steps += row * (state >> 2 * cell + 1 & 1) + (self.cells // self.width - 1 - row) * (
                    state >> 2 * cell & 1
                )
            if steps & 1 != (state & self.turn != 0):
                return f"the pawns have made {steps} steps, so it is {'XO'[steps & 1]}'s turn"
        return ""

    @property
    def title(self) -> str:
        width, height = self.width, self.cells // self.width
        return "Hexapawn" if (width, height) == (3, 3) else f"Hexapawn on {width}x{height}"


@named(FORM, EXAMPLE)
def from_params(params: str) -> Hexapawn:
    """The game that ``hexapawn:PARAMS`` names.

    >>> from_params("3,3").title, from_params("4,4").title
    ('Hexapawn', 'Hexapawn on 4x4')
    """
    width, height = whole_numbers(params, FORM, EXAMPLE)
    return Hexapawn(width, height)
