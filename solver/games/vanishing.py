"""Vanishing marks: ``vanishing:3,3,3,3`` is tic-tac-toe where the fourth mark makes one's first vanish.

A state is one number in base cells + 1, a digit a mark and 0 for none, and whose turn it is in its lowest bit: X's marks from
the oldest to the newest, then O's.
"""

from collections.abc import Callable, Sequence
from re import findall, fullmatch

from zermelo.solver.board import Board
from zermelo.solver.errors import GameError, PositionError, quoted
from zermelo.solver.families import named, whole_numbers
from zermelo.solver.game import Game
from zermelo.solver.men import has_line
from zermelo.solver.once import once
from zermelo.solver.picture import Picture

FORM, EXAMPLE = "vanishing:W,H,K,S", "vanishing:3,3,3,3"


class Vanishing(Game[int, int]):
    """Put marks on empty cells in turn; who has the most marks allowed loses its oldest with the next one, whose cell was not
    free for that; K of one's own in a row win.

    >>> game = Vanishing(3, 3, 3, 3)
    >>> state = game.parse("Xa1b2c2/Ob1a3:O")
    >>> game.format(game.result(state, game.parse_action("c1")))
    'Xa1b2c2/Ob1a3c1:X'
    >>> print(game.draw(state))  # X's mark on a1 vanishes with X's next
      a  b  c
    1 X1 O2 .
    2 .  X2 X3
    3 O3 .  .
    """

    players = ("X", "O")
    bounds = (-1, 1)
    initial = 0

    compiled = True

    def __init__(self, width: int, height: int, k: int, most: int) -> None:
        self.spec = f"vanishing:{width},{height},{k},{most}"
        self.cells = width * height
        self.base = self.cells + 1
        if width < 1 or height < 1 or self.cells > 25:
            raise GameError(f"game {self.spec!r} has no usable board: width times height is from 1 to 25")
        if not 1 <= k <= max(width, height):
            raise GameError(
                f"game {self.spec!r} wants {k} in a row: on {width}x{height} it is from 1 to {max(width, height)}"
            )
        largest = min((self.cells - 1) // 2, next(s for s in range(32) if 2 * self.base ** (2 * s + 2) > 2**63))
        if not k <= most <= largest:
            raise GameError(
                f"game {self.spec!r} has no usable number of marks: with {k} in a row on {width}x{height} it is"
                + (f" from {k} to {largest}" if k <= largest else " none, because a cell must stay empty")
            )
        self.grid = Board(width, height)
        self.k = k
        self.most = most
        self.powers: tuple[int, ...] = tuple(self.base**place for place in range(most + 1))
        """What a mark of each age counts."""
        self.lines = tuple(
            sum(1 << cell for cell in range(self.cells) if line >> 2 * cell & 1) for line in self.grid.lines(k)
        )

    def to_move(self, state: int) -> str:
        return "O" if state & 1 else "X"

    def actions(self, state: int) -> list[int]:
        moves: list[int] = []
        if self.is_terminal(state):
            return moves
        taken, marks = 0, state >> 1
        for _ in range(2 * self.most):
            taken |= 1 << marks % self.base
            marks //= self.base
        for cell in range(self.cells):
            if not taken >> cell + 1 & 1:
                moves.append(cell)
        return moves

    def result(self, state: int, action: int) -> int:
        every = self.powers[self.most]
        x, o = (state >> 1) % every, (state >> 1) // every
        own = o if state & 1 else x
        if own >= self.powers[self.most - 1]:  # all are on the board, so the oldest goes
            own //= self.base
        age = 0
        while own >= self.powers[age]:
            age += 1
        own += (action + 1) * self.powers[age]
        return (x + own * every) << 1 if state & 1 else (own + o * every) << 1 | 1

    def is_terminal(self, state: int) -> bool:
        # Only the side that just moved can have completed a line.
        every = self.powers[self.most]
        marks = (state >> 1) % every if state & 1 else (state >> 1) // every
        stones = 0
        while marks:
            stones |= 1 << marks % self.base - 1
            marks //= self.base
        return has_line(stones, self.lines)

    def utility(self, state: int, player: str) -> int:
        return -1 if player == self.to_move(state) else 1

    def _marks(self, state: int) -> tuple[list[int], list[int]]:
        """The cells of X's marks and of O's, oldest first."""
        digits = [(state >> 1) // self.base**place % self.base for place in range(2 * self.most)]
        x, o = digits[: self.most], digits[self.most :]
        return [cell - 1 for cell in x if cell], [cell - 1 for cell in o if cell]

    def _state(self, x: Sequence[int], o: Sequence[int], turn: int) -> int:
        own, other = (sum((cell + 1) * self.powers[age] for age, cell in enumerate(cells)) for cells in (x, o))
        return own + other * self.powers[self.most] << 1 | turn

    def format(self, state: int) -> str:
        x, o = ("".join(map(self.grid.name_of, cells)) for cells in self._marks(state))
        return f"X{x}/O{o}:{self.to_move(state)}"

    def parse(self, text: str) -> int:
        """The position that `text` writes out: X's marks from the oldest to the newest, O's, and whose turn it is."""
        found = fullmatch(r"x((?:[a-z]\d+)*)/o((?:[a-z]\d+)*):([xo])", text.strip().lower())
        if found is None:
            raise PositionError(
                f"position {quoted(text)} is not of the form Xa1b2/Oc3:O: X's marks from the oldest to the newest, O's marks,"
                " and whose turn it is"
            )
        names = [findall(r"[a-z]\d+", marks) for marks in found.groups()[:2]]
        if unknown := [name for side in names for name in side if name not in self.grid.names]:
            raise PositionError(
                f"position {quoted(text)} has a mark on {unknown[0]}: the cells are from a1 to {self.grid.names[-1]}"
            )
        x, o = ([self.grid.names.index(name) for name in side] for side in names)
        turn = int(found[3] == "o")
        state = self._state(x[: self.most], o[: self.most], turn)
        if why := self._cannot_be(state, x, o, turn):
            raise PositionError(f"position {quoted(text)} cannot occur: {why}")
        return state

    def _cannot_be(self, state: int, x: list[int], o: list[int], turn: int) -> str:
        if len({*x, *o}) < len(x) + len(o):
            return "a cell has two marks"
        if max(len(x), len(o)) > self.most:
            return f"X has {len(x)} and O has {len(o)} marks, and {self.most} are allowed"
        if (len(x), len(o)) != (self.most, self.most) and len(x) - len(o) != turn:
            return f"X has {len(x)} and O has {len(o)} marks, but X moves first and the sides take turns"
        if self.is_terminal(state ^ 1):
            return f"{self.to_move(state)} has a line, which ended the game before the other's last move"
        last = x if turn else o
        if self.is_terminal(state) and has_line(sum(1 << cell for cell in last[:-1]), self.lines):
            return "the line was there before the newest mark"
        return ""

    def format_action(self, action: int) -> str:
        return self.grid.name_of(action)

    def parse_action(self, text: str) -> int:
        return self.grid.cell_of(text)

    def draw(self, state: int) -> str:
        """The board, with the number of own moves after which each mark is gone."""
        cells = ["."] * self.cells
        for player, marks in zip(self.players, self._marks(state), strict=True):
            for newer, cell in enumerate(reversed(marks)):
                cells[cell] = f"{player}{self.most - newer}"
        width, margin = self.grid.width, len(str(self.grid.height))
        rows = [[name[0] for name in self.grid.names[:width]]]
        rows += [cells[first : first + width] for first in range(0, self.cells, width)]
        return "\n".join(
            f"{number or '':>{margin}} {' '.join(f'{cell:<2}' for cell in row)}".rstrip()
            for number, row in enumerate(rows)
        )

    def picture(self, state: int) -> Picture:
        """The board, each mark with the number of own moves after which it is gone."""
        both = self._marks(state)
        owners = {cell: side for side, marks in enumerate(both) for cell in marks}
        ages = {cell: self.most - newer for marks in both for newer, cell in enumerate(reversed(marks))}
        empty = self.grid.picture(0)
        cells = [
            place
            if cell not in owners
            else place._replace(mark=f"{self.players[owners[cell]]}{ages[cell]}", player=owners[cell])
            for cell, place in enumerate(empty.cells)
        ]
        sides = [sum(1 << cell for cell in marks) for marks in both]
        done = [line for line in self.lines if any(side & line == line for side in sides)]
        ended = [[name for cell, name in enumerate(self.grid.names) if line >> cell & 1] for line in done]
        return empty._replace(cells=cells, ended=ended)

    @property
    def title(self) -> str:
        board = f"{self.grid.width}x{self.grid.height}"
        if (board, self.k) == ("3x3", 3):
            return f"Tic-tac-toe with {self.most} vanishing marks"
        return f"{self.k} in a row on {board} with {self.most} vanishing marks"

    @once
    def symmetries(self) -> Sequence[Callable[[int], int]]:
        """The turns and reflections of the board."""

        def moved(permutation: Sequence[int]) -> Callable[[int], int]:
            base, marks, digit_of = self.base, 2 * self.most, (0, *(cell + 1 for cell in permutation))

            def image(state: int) -> int:
                rest, turned, power = state >> 1, 0, 1
                for _ in range(marks):
                    turned += digit_of[rest % base] * power
                    rest //= base
                    power *= base
                return turned << 1 | state & 1

            return image

        return tuple(map(moved, self.grid.permutations))


@named(FORM, EXAMPLE)
def from_params(params: str) -> Vanishing:
    """The game that ``vanishing:PARAMS`` names.

    >>> from_params("3,3,3,3").title
    'Tic-tac-toe with 3 vanishing marks'
    """
    width, height, k, most = whole_numbers(params, FORM, EXAMPLE)
    return Vanishing(width, height, k, most)
