"""Merels: ``morris:three`` is three men's morris, and so on up to ``morris:six``.

Besides what `Men` says, a state holds how many men are still to be placed, in all, above the bit for the turn. In
three men's morris, achi and nine holes nobody is taken, and the men on the board tell it.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from zermelo.solver.board import Board, Points
from zermelo.solver.errors import GameError, PositionError, quoted
from zermelo.solver.families import named
from zermelo.solver.men import Men, count, has_line

_CROSSED = """\
  a b c
1 .-.-.
  |\\|/|
2 .-.-.
  |/|\\|
3 .-.-."""
_SQUARES = """\
  a b c d e
1 .---.---.
  |   |   |
2 | .-.-. |
  | |   | |
3 .-.   .-.
  | |   | |
4 | .-.-. |
  |   |   |
5 .---.---."""
_SIDES = ("a1 c1 e1", "e1 e3 e5", "a5 c5 e5", "a1 a3 a5", "b2 c2 d2", "d2 d3 d4", "b4 c4 d4", "b2 b3 b4")
_BRIDGES = ("c1 c2", "a3 b3", "d3 e3", "c4 c5")


class Variant(NamedTuple):
    """What one of these games is called, and where it differs from the others."""

    title: str
    men: int
    """How many each side has."""
    sentence: str


VARIANTS = {
    "three": Variant(
        "Three men's morris", 3,
        "Place three men each in turn, then slide one along a line to a neighbouring empty point;"
        " three of your own on a line win at once, and a side that cannot move loses.",
    ),
    "achi": Variant(
        "Achi", 4,
        "Place four men each in turn, then slide one along a line to a neighbouring empty point;"
        " three of your own on a line win at once, and a side that cannot move loses.",
    ),
    "nine-holes": Variant(
        "Nine holes", 3,
        "Place three men each in turn, then move one to any empty point;"
        " three of your own in a row or a column win at once.",
    ),
    "five": Variant(
        "Five men's morris", 5,
        "Place five men each in turn, then slide one to a neighbouring point; three in a line take an enemy man, one in no such"
        " line if there is any; a side with fewer than three men, once all are placed, or without a move loses.",
    ),
    "six": Variant(
        "Six men's morris", 6,
        "Place six men each in turn, then slide one to a neighbouring point; three in a line take an enemy man, one in no such"
        " line if there is any; a side with fewer than three men, once all are placed, or without a move loses.",
    ),
}  # fmt: skip


def closes(men: int, cell: int, lines: Sequence[int]) -> bool:
    """Whether the man on `cell` is one of three of the `men` on a line."""
    for line in lines:
        if line >> 2 * cell & 1 and men & line == line:
            return True
    return False


class Morris(Men):
    """Place men in turn, then slide them to a neighbouring point; what three of one's own on a line bring depends on the game.

    A move names the point that a man is put on, or those that it goes from and to, and after an ``x`` whom it takes.

    >>> game = Morris("six")
    >>> state = game.parse("X.O/O../X.../.../...:X:8")
    >>> [game.format_action(action) for action in game.actions(state)][-2:]
    ['c5', 'e5']
    >>> game.format_action(game.actions(game.parse("X.O/O../X.../.../...:X:8"))[-3])
    'a5xb2'
    """

    def __init__(self, name: str) -> None:
        if name not in VARIANTS:
            raise GameError(
                f"there is no game {quoted(f'morris:{name}')}: it is morris: and one of {', '.join(VARIANTS)}"
            )
        self.variant = VARIANTS[name]
        self.takes = name in ("five", "six")
        """Whether three on a line take a man, rather than win."""
        if self.takes:
            grid: Points = Points(_SQUARES)
            at = grid.names.index
            lines = [[at(point) for point in side.split()] for side in _SIDES]
            steps = [pair for line in lines for pair in pairwise(line)]
            steps += [(at(one), at(other)) for one, other in map(str.split, _BRIDGES)]
            turns = _turns_of_squares(grid)
        else:
            board = Board(3, 3)
            grid = board if name == "nine-holes" else Points(_CROSSED)
            turns = [list(turn) for turn in board.permutations]
            lines = [[cell for cell in range(9) if line >> 2 * cell & 1] for line in board.lines(3)]
            steps = [pair for line in lines for pair in pairwise(line)]
            if name == "nine-holes":
                lines = [line for line in lines if line[1] - line[0] in (1, 3)]
                steps = [(one, other) for one in range(9) for other in range(9) if one != other]
        super().__init__(f"morris:{name}", grid, turns)
        self.lines = tuple(sum(4**cell for cell in line) for line in lines)
        self.ends = () if self.takes else self.lines
        near = [0] * self.cells
        for one, other in steps:
            near[one] |= 4**other
            near[other] |= 4**one
        self.near = tuple(near)
        """The points next to each point."""
        self.hand = 2 * self.cells + 1
        """From which bit on the number of men to be placed is kept."""
        self.initial = 2 * self.variant.men << self.hand

    def actions(self, state: int) -> list[int]:
        moves: list[int] = []
        x, o = state & self.stones, state >> 1 & self.stones
        own, others = (o, x) if state & self.turn else (x, o)
        empty = self.stones & ~(x | o)
        placing = state >> self.hand
        if not self.takes:
            if has_line(others, self.lines):
                return moves
        elif not placing and (count(x) < 3 or count(o) < 3):
            return moves
        for source in range(self.cells):
            if placing:
                if not empty >> 2 * source & 1:
                    continue
                targets, left = 1 << 2 * source, own
            else:
                if not own >> 2 * source & 1:
                    continue
                targets, left = self.near[source] & empty, own ^ 1 << 2 * source
            for target in range(self.cells):
                if not targets >> 2 * target & 1:
                    continue
                move = source << 6 | target
                if not self.takes or not closes(left | 1 << 2 * target, target, self.lines):
                    moves.append(move)
                    continue
                found = len(moves)
                for taken in range(self.cells):
                    if others >> 2 * taken & 1 and not closes(others, taken, self.lines):
                        moves.append(taken + 1 << 12 | move)
                if found == len(moves):  # all of them are in lines, so any may be taken
                    for taken in range(self.cells):
                        if others >> 2 * taken & 1:
                            moves.append(taken + 1 << 12 | move)
        return moves

    def result(self, state: int, action: int) -> int:
        source, target, taken = action >> 6 & 63, action & 63, action >> 12
        own = 1 if state & self.turn else 0
        after = state ^ self.turn
        if state >> self.hand:
            after -= 1 << self.hand
        else:
            after ^= 1 << 2 * source + own
        if taken:
            after ^= 1 << 2 * (taken - 1) + 1 - own
        return after | 1 << 2 * target + own

    def is_terminal(self, state: int) -> bool:
        x, o = state & self.stones, state >> 1 & self.stones
        own, others = (o, x) if state & self.turn else (x, o)
        if not self.takes and has_line(others, self.lines):
            return True
        if state >> self.hand:
            return False
        if self.takes and (count(x) < 3 or count(o) < 3):
            return True
        empty = self.stones & ~(x | o)
        for cell in range(self.cells):
            if own >> 2 * cell & 1 and self.near[cell] & empty:
                return False
        return True

    def utility(self, state: int, player: str) -> int:
        x, o = state & self.stones, state >> 1 & self.stones
        # A side to move has lost, by the other's line or because it cannot move; but it may have won by taking.
        x_wins = state & self.turn != 0
        if self.takes and count(x) < 3:
            x_wins = False
        elif self.takes and count(o) < 3:
            x_wins = True
        return 1 if x_wins == (player == "X") else -1

    def format(self, state: int) -> str:
        """As all men's positions, and where men can be taken, how many are still to be placed, until none is."""
        return super().format(state) + (f":{state >> self.hand}" if self.takes and state >> self.hand else "")

    def read(self, text: str) -> int:
        """The state that `text` draws: ``:X:8`` after the men says that X is to move and 8 men are still to be placed."""
        every = 2 * self.variant.men
        if not self.takes:
            state = super().read(text)
            return state | max(0, every - count(state & self.turn - 1)) << self.hand
        drawn, player, placing = (*text.strip().split(":", 2), "", "")[:3]
        if placing and not (
            placing.isascii() and placing.isdigit() and len(placing) < 3 and 1 <= int(placing) <= every
        ):
            raise PositionError(
                f"position {quoted(text)} has {quoted(placing)} men still to be placed: it is from 1 to {every}, or nothing"
            )
        return super().read(f"{drawn}:{player}") | int(placing or 0) << self.hand

    def cannot_be(self, state: int) -> str:
        x, o = state & self.stones, state >> 1 & self.stones
        placing = state >> self.hand
        placed = 2 * self.variant.men - placing
        if placing and placing % 2 != (state & self.turn != 0):
            return f"{placing} men are still to be placed, so it is {'XO'[placing % 2]}'s turn"
        x_placed, o_placed = (placed + 1) // 2, placed // 2
        for player, men, own, other in (("X", x, x_placed, o_placed), ("O", o, o_placed, x_placed)):
            # Only from its third man on can a side take one, and below three the game is over.
            taken = max(0, other - 2) if self.takes else 0
            if not own - taken <= count(men) <= own:
                lost = f", of which {taken} at the most can be taken" if taken else ""
                return f"{player} has {count(men)} men on the board, and has placed {own}{lost}"
        if not self.takes and has_line(o if state & self.turn else x, self.lines):
            return f"{self.to_move(state)} has a line, which ended the game before the other's last move"
        return ""

    def format_action(self, action: int) -> str:
        taken = action >> 12
        return super().format_action(action) + (f"x{self.grid.name_of(taken - 1)}" if taken else "")

    def parse_action(self, text: str) -> int:
        """As all men's moves, and where one takes a man, an ``x`` and where that man stands."""
        move, x, taken = text.strip().lower().partition("x")
        return super().parse_action(move) | (self.grid.cell_of(taken) + 1 << 12 if x else 0)

    @property
    def title(self) -> str:
        return self.variant.title

    @property
    def rules(self) -> str:
        return self.variant.sentence


def _turns_of_squares(points: Points) -> list[list[int]]:
    """The turns and reflections of the two squares, each also with the inner and the outer square exchanged."""
    board = Board(5, 5)
    cells = [board.cell_of(name) for name in points.names]
    inside_out = {"a": "b", "b": "a", "c": "c", "d": "e", "e": "d", "1": "2", "2": "1", "3": "3", "4": "5", "5": "4"}
    exchanged = [points.names.index(inside_out[name[0]] + inside_out[name[1]]) for name in points.names]
    turns = [[cells.index(turn[cell]) for cell in cells] for turn in board.permutations]
    return turns + [[exchanged[cell] for cell in turn] for turn in turns]


@named("morris:NAME", *(f"morris:{name}" for name in VARIANTS))
def from_params(params: str) -> Morris:
    """The game that ``morris:PARAMS`` names.

    >>> from_params("three").title
    "Three men's morris"
    """
    return Morris(params)
