"""Chomp: ``chomp:4,3`` is a bar of chocolate 4 squares wide and 3 high.

A state has four bits a row for how many squares of it are left, the top row lowest, and above them whose turn it is.
"""

from collections.abc import Callable, Sequence

from zermelo.solver.board import Board
from zermelo.solver.errors import GameError, PositionError, quoted
from zermelo.solver.families import named, whole_numbers
from zermelo.solver.game import Game
from zermelo.solver.once import once
from zermelo.solver.picture import Picture, grid

FORM, EXAMPLE = "chomp:W,H", "chomp:4,3"
LARGEST = 15


class Chomp(Game[int, int]):
    """Bite off a square and all that is right of it and below it; whoever takes the poisoned corner, top left, loses.

    >>> game = Chomp(3, 2)
    >>> state = game.result(game.initial, game.parse_action("b2"))
    >>> game.format(state), [game.format_action(action) for action in game.actions(state)]
    ('3,1:MIN', ['a1', 'b1', 'c1', 'a2'])
    >>> print(game.draw(state))
      a b c
    1 ! # #
    2 # . .
    """

    bounds = (-1, 1)

    compiled = True

    def __init__(self, width: int, height: int) -> None:
        self.spec = f"chomp:{width},{height}"
        if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
            raise GameError(f"game {self.spec!r} has no usable bar: it is from 1 to {LARGEST} squares wide and high")
        self.width = width
        self.height = height
        self.turn = 1 << 4 * height
        """The bit that says whose turn it is."""
        self.grid = Board(width, height)
        self.initial = self._state([width] * height)

    def to_move(self, state: int) -> str:
        return "MIN" if state & self.turn else "MAX"

    def actions(self, state: int) -> list[int]:
        moves: list[int] = []
        for row in range(self.height):
            for column in range(state >> 4 * row & 15):
                moves.append(row * self.width + column)
        return moves

    def result(self, state: int, action: int) -> int:
        top, left = action // self.width, action % self.width
        for row in range(top, self.height):
            if state >> 4 * row & 15 > left:
                state = state & ~(15 << 4 * row) | left << 4 * row
        return state ^ self.turn

    def is_terminal(self, state: int) -> bool:
        return state & 15 == 0

    def utility(self, state: int, player: str) -> int:
        # The other has just taken the poisoned square.
        return 1 if player == self.to_move(state) else -1

    def format(self, state: int) -> str:
        return f"{','.join(map(str, self._lengths(state)))}:{self.to_move(state)}"

    def parse(self, text: str) -> int:
        """The position that `text` writes out: how many squares each row has left, from the top, and whose turn it is."""
        lengths, _, player = text.strip().partition(":")
        parts = lengths.split(",")
        if player.upper() not in self.players or not all(
            part.isascii() and part.isdigit() and len(part) < 3 for part in parts
        ):
            raise PositionError(
                f"position {quoted(text)} is not of the form ROWS:PLAYER, such as {self.format(self.initial)}"
            )
        rows = [int(part) for part in parts]
        if len(rows) != self.height or rows[0] > self.width:
            raise PositionError(
                f"position {quoted(text)} cannot occur: the bar has {self.height} rows of at most {self.width} squares"
            )
        if rows != sorted(rows, reverse=True):
            raise PositionError(
                f"position {quoted(text)} cannot occur: whatever is bitten off goes with all below it,"
                " so no row is longer than the one above"
            )
        # Every step in the edge took a bite, and a bite may be done in two wherever it takes more than one square.
        fewest = sum(row < above for row, above in zip(rows, [self.width, *rows], strict=False))
        state = self._state(rows) | (self.turn if player.upper() == "MIN" else 0)
        if fewest == self.width * self.height - sum(rows) and fewest % 2 != (state & self.turn != 0):
            raise PositionError(
                f"position {quoted(text)} cannot occur: MAX moves first, and what was taken took {fewest} bites"
            )
        return state

    def format_action(self, action: int) -> str:
        return self.grid.name_of(action)

    def parse_action(self, text: str) -> int:
        return self.grid.cell_of(text)

    def draw(self, state: int) -> str:
        """What is left of the bar, with an exclamation mark on the poisoned square."""
        letters = self.grid.draw(0).partition("\n")[0]
        margin = len(str(self.height))
        rows = [
            f"{number:>{margin}} {' '.join('#' * length + '.' * (self.width - length))}"
            for number, length in enumerate(self._lengths(state), 1)
        ]
        return "\n".join([letters, *rows]).replace("#", "!", 1)

    def picture(self, state: int) -> Picture:
        """The bar, with a piece on each square that is left and an exclamation mark on the poisoned one."""
        rows = "/".join("o" * length + "." * (self.width - length) for length in self._lengths(state))
        return grid(rows.replace("o", "!", 1), "")

    def _lengths(self, state: int) -> list[int]:
        return [state >> 4 * row & 15 for row in range(self.height)]

    def _state(self, lengths: Sequence[int]) -> int:
        return sum(length << 4 * row for row, length in enumerate(lengths))

    @property
    def title(self) -> str:
        return f"Chomp on {self.width}x{self.height}"

    @once
    def symmetries(self) -> Sequence[Callable[[int], int]]:
        """A square bar can be turned over, with rows for columns."""

        def turned_over(state: int) -> int:
            lengths = self._lengths(state)
            columns = [sum(length > column for length in lengths) for column in range(self.width)]
            return self._state(columns) | state & self.turn

        return (lambda state: state, turned_over) if self.width == self.height > 1 else (lambda state: state,)


@named(FORM, EXAMPLE)
def from_params(params: str) -> Chomp:
    """The game that ``chomp:PARAMS`` names.

    >>> from_params("4,3").title
    'Chomp on 4x3'
    """
    width, height = whole_numbers(params, FORM, EXAMPLE)
    return Chomp(width, height)
