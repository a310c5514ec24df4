"""Fox and hounds: ``fox-and-hounds:8`` is played on the dark squares of a chessboard.

Dark squares are counted row by row from the top. A state has a bit for each, 1 where a hound stands, above them six bits
for the fox's square, and above those whose turn it is.
"""

from zermelo.solver.board import Board
from zermelo.solver.errors import ActionError, GameError, PositionError, quoted
from zermelo.solver.families import named, whole_numbers
from zermelo.solver.men import Men
from zermelo.solver.picture import Picture

FORM, EXAMPLE = "fox-and-hounds:N", "fox-and-hounds:4"
SIZES = (4, 6, 8, 10)


class FoxAndHounds(Men):
    """X's fox, which moves first, goes one step diagonally, O's hounds only down the board; a side that cannot move loses, and
    the fox also wins when it stands, with a square to go to beside it, where no hound can come any more.

    >>> game = FoxAndHounds(4)
    >>> print(game.draw(game.initial))
      a b c d
    1 . O . O
    2 . . . .
    3 . . . .
    4 . . X .
    >>> [game.format_action(action) for action in game.actions(game.initial)]
    ['c4-b3', 'c4-d3']
    """

    def __init__(self, size: int) -> None:
        if size not in SIZES:
            raise GameError(
                f"game 'fox-and-hounds:{size}' has no usable board: it is {', '.join(map(str, SIZES[:-1]))} or"
                f" {SIZES[-1]} squares wide and high"
            )
        super().__init__(f"fox-and-hounds:{size}", Board(size, size))
        self.size = size
        places = [(column, row) for row in range(size) for column in range(size) if (column + row) % 2]
        self.squares = len(places)
        self.turn = 64 << self.squares
        near, ahead, threats = [], [], []
        for column, row in places:
            beside = [abs(x - column) == abs(y - row) == 1 for x, y in places]
            near.append(sum(1 << square for square, is_near in enumerate(beside) if is_near))
            ahead.append(
                sum(1 << square for square, is_near in enumerate(beside) if is_near and places[square][1] > row)
            )
            threats.append(sum(1 << square for square, (x, y) in enumerate(places) if row - y >= abs(column - x)))
        self.near = tuple(near)
        """The squares next to each square."""
        self.ahead = tuple(ahead)
        """Those of them that a hound may go to."""
        self.threats = tuple(threats)
        """The squares from which a hound can still come to each square."""
        self.hounds = (1 << self.squares) - 1
        """The bits of the hounds."""
        fox = places.index((2 * (size // 4), size - 1))
        self.initial = (1 << size // 2) - 1 | fox << self.squares

    def actions(self, state: int) -> list[int]:
        moves: list[int] = []
        hounds, fox = state & self.hounds, state >> self.squares & 63
        near = self.near[fox]
        if not hounds & self.threats[fox]:
            for square in range(self.squares):
                if near >> square & 1 and not hounds & self.threats[square]:
                    return moves
        if not state & self.turn:
            for target in range(self.squares):
                if (near & ~hounds) >> target & 1:
                    moves.append(fox << 6 | target)
            return moves
        taken = hounds | 1 << fox
        for source in range(self.squares):
            if hounds >> source & 1:
                targets = self.ahead[source] & ~taken
                for target in range(self.squares):
                    if targets >> target & 1:
                        moves.append(source << 6 | target)
        return moves

    def result(self, state: int, action: int) -> int:
        source, target = action >> 6, action & 63
        if state & self.turn:
            return state ^ 1 << source ^ 1 << target ^ self.turn
        return (state & self.hounds | target << self.squares) ^ self.turn

    def is_terminal(self, state: int) -> bool:
        return len(self.actions(state)) == 0

    def utility(self, state: int, player: str) -> int:
        hounds, fox = state & self.hounds, state >> self.squares & 63
        x_wins = state & self.turn != 0
        if not hounds & self.threats[fox]:
            for square in range(self.squares):
                if self.near[fox] >> square & 1 and not hounds & self.threats[square]:
                    x_wins = True
        return 1 if x_wins == (player == "X") else -1

    def format(self, state: int) -> str:
        return f"{self.grid.format(self._stones(state))}:{self.to_move(state)}"

    def draw(self, state: int) -> str:
        return self.grid.draw(self._stones(state))

    def picture(self, state: int) -> Picture:
        return self.grid.picture(self._stones(state))

    def _stones(self, state: int) -> int:
        """The fox and the hounds as `Board` has them."""
        hounds = [square for square in range(self.squares) if state >> square & 1]
        stones: int = 4 ** self._cell(state >> self.squares & 63)
        return stones + sum(2 << 2 * self._cell(square) for square in hounds)

    def _cell(self, square: int) -> int:
        """Where a dark square is on the whole board."""
        row, place = divmod(square, self.size // 2)
        return row * self.size + 2 * place + (row + 1) % 2

    def read(self, text: str) -> int:
        rows, _, player = text.strip().rpartition(":")
        if player.upper() not in self.players:
            raise PositionError(
                f"position {quoted(text)} does not say whose turn it is: end it with :X or :O, as in {self.format(self.initial)}"
            )
        stones = self.grid.parse(rows)
        dark = [self._cell(square) for square in range(self.squares)]
        men = [(cell, stones >> 2 * cell & 3) for cell in range(self.cells) if stones >> 2 * cell & 3]
        for cell, _ in men:
            if cell not in dark:
                raise PositionError(
                    f"position {quoted(text)} has a man on {self.grid.name_of(cell)}, which is no dark square"
                )
        foxes = [dark.index(cell) for cell, man in men if man == 1]
        hounds = [dark.index(cell) for cell, man in men if man == 2]
        if (len(foxes), len(hounds)) != (1, self.size // 2):
            raise PositionError(
                f"position {quoted(text)} cannot occur: there are {len(foxes)} foxes and {len(hounds)} hounds,"
                f" not 1 and {self.size // 2}"
            )
        state = sum(1 << square for square in hounds) | foxes[0] << self.squares
        return state | (self.turn if player.upper() == "O" else 0)

    def cannot_be(self, state: int) -> str:
        # The hounds' rows tell how many steps they made; the fox has made as many, or one more.
        half, size = self.size // 2, self.size
        steps = sum(square // half for square in range(self.squares) if state >> square & 1)
        fox_steps = steps + (state & self.turn != 0)
        rows = abs(size - 1 - (state >> self.squares & 63) // half)
        if rows > fox_steps or (fox_steps - rows) % 2:
            return f"the hounds have made {steps} steps, and so many turns do not bring the fox there"
        return ""

    def name_of(self, place: int) -> str:
        return self.grid.name_of(self._cell(place))

    def place_of(self, text: str) -> int:
        cell = self.grid.cell_of(text)
        for square in range(self.squares):
            if self._cell(square) == cell:
                return square
        raise ActionError(
            f"{quoted(text)} is no dark square, on which alone men stand and move: b1 is one, and a1 is not"
        )

    @property
    def title(self) -> str:
        return f"Fox and hounds on {self.size}x{self.size}"


@named(FORM, EXAMPLE)
def from_params(params: str) -> FoxAndHounds:
    """The game that ``fox-and-hounds:PARAMS`` names.

    >>> from_params("4").title
    'Fox and hounds on 4x4'
    """
    return FoxAndHounds(*whole_numbers(params, FORM, EXAMPLE))
