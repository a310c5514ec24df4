"""X's and O's men on a board, and whose turn it is: what the games of that kind share besides their rules.

A state has two bits a cell, as `Board` has them, and above them one that says whose turn it is:

    turn   cell n-1       cell 1   cell 0
     t       o x    ...    o x      o x        x: X's man is there, o: O's; t: 0 X is to move, 1 O is

An action is where a man goes from and to, six bits each: `source << 6 | target`. Both are the same where a man is put down.
"""

from collections.abc import Callable, Sequence

from zermelo.solver.board import Points
from zermelo.solver.errors import ActionError, PositionError, quoted
from zermelo.solver.game import Game
from zermelo.solver.once import once
from zermelo.solver.picture import Picture

OFF = 63
"""Where a man goes that leaves the board."""


def has_line(stones: int, lines: Sequence[int]) -> bool:
    """Whether `stones` hold all of one of the `lines`."""
    for line in lines:  # noqa: SIM110 - any() takes twice as long
        if stones & line == line:
            return True
    return False


def count(stones: int) -> int:
    """How many stones there are.

    >>> count(0b10101)
    3
    """
    found = 0
    while stones:
        stones &= stones - 1
        found += 1
    return found


class Men(Game[int, int]):
    """A game with men of X's and O's. Each writes the verbs but one, `initial`, and what positions cannot be."""

    players = ("X", "O")
    bounds = (-1, 1)
    ends: Sequence[int] = ()
    """The lines that end the game when one side has completed one, as X's men on them."""

    compiled = True

    def __init__(self, spec: str, grid: Points, permutations: Sequence[Sequence[int]] = ()) -> None:
        self.spec = spec
        self.grid = grid
        self.permutations = permutations or [range(grid.cells)]
        """Where each cell goes under each symmetry of the rules, the identity first."""
        self.cells = grid.cells
        self.stones = grid.stones
        """The bits of X's men; those of O's are one higher."""
        self.turn = 1 << 2 * grid.cells
        """The bit that says whose turn it is."""

    def to_move(self, state: int) -> str:
        return "O" if state & self.turn else "X"

    def format(self, state: int) -> str:
        return f"{self.grid.format(state & self.turn - 1)}:{self.to_move(state)}"

    def parse(self, text: str) -> int:
        """The position that `text` draws, with whose turn it is; refused with the reason if it cannot be one."""
        state = self.read(text)
        if why := self.cannot_be(state):
            raise PositionError(f"position {quoted(text)} cannot occur: {why}")
        return state

    def read(self, text: str) -> int:
        """The state that `text` draws, whether or not it can be."""
        rows, _, player = text.strip().rpartition(":")
        if player.upper() not in self.players:
            raise PositionError(
                f"position {quoted(text)} does not say whose turn it is: end it with :X or :O, as in"
                f" {self.format(self.initial)}"
            )
        return self.grid.parse(rows) | (self.turn if player.upper() == "O" else 0)

    def cannot_be(self, state: int) -> str:
        """Why play cannot come to the state; empty where nothing is known against it."""
        return ""

    def name_of(self, place: int) -> str:
        """What a place in an action is called."""
        return self.grid.name_of(place)

    def place_of(self, text: str) -> int:
        """The place of that name."""
        return self.grid.cell_of(text)

    def format_action(self, action: int) -> str:
        source, target = action >> 6 & 63, action & 63
        if source == target:
            return self.name_of(source)
        return f"{self.name_of(source)}-{'off' if target == OFF else self.name_of(target)}"

    def parse_action(self, text: str) -> int:
        """The cell that a man is put on, or the cells that it goes from and to with a dash between them."""
        source, dash, target = text.strip().lower().partition("-")
        if dash and source == target:
            raise ActionError(f"move {quoted(text)} goes nowhere: name two cells, such as a1-b1")
        start = self.place_of(source)
        return start << 6 | (start if not dash else OFF if target == "off" else self.place_of(target))

    def draw(self, state: int) -> str:
        return self.grid.draw(state & self.turn - 1)

    def picture(self, state: int) -> Picture:
        return self.grid.picture(state & self.turn - 1, self.ends)

    @once
    def symmetries(self) -> Sequence[Callable[[int], int]]:
        """The symmetries of the board that the rules allow."""
        cells = self.turn - 1

        def moved(permutation: Sequence[int]) -> Callable[[int], int]:
            stones = self.grid.state_map(permutation)
            return lambda state: stones(state & cells) | state & ~cells

        return tuple(map(moved, self.permutations))
