"""Get k in a row on a board: tic-tac-toe is ``mnk:3,3,3``, 3 wide, 3 high, 3 in a row."""

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from operator import and_
from typing import TypeVar

from zermelo.solver.board import Board
from zermelo.solver.errors import GameError, PositionError, quoted
from zermelo.solver.families import named
from zermelo.solver.game import Game
from zermelo.solver.once import once
from zermelo.solver.picture import Picture

_REMEMBERED = 1 << 16


class MNK(Game[int, int]):
    """Two players put stones on empty cells in turn; `k` of one's own in a row end the game.

    Whoever completes a line wins, or loses when the game is `misere`. States are those of `Board`,
    actions are cells.

    >>> game = MNK(3, 3, 3)
    >>> state = game.parse("XO./.X./..O")
    >>> game.to_move(state), [game.format_action(cell) for cell in game.actions(state)]
    ('X', ['c1', 'a2', 'c2', 'a3', 'b3'])
    >>> won = game.result(game.result(game.result(state, 3), 2), 5)
    >>> game.format(won), game.is_terminal(won), game.utility(won, "O")
    ('XOO/XXX/..O', True, -1)
    """

    family = "mnk"
    largest = 25
    """The most cells that a board of this family may have."""
    packed = True
    gravity = False
    """Whether stones fall to the lowest empty cell of their column."""
    players = ("X", "O")
    initial = 0
    bounds = (-1, 1)

    def __init__(self, width: int, height: int, k: int, *, misere: bool = False) -> None:
        self.spec = self._own_spec = f"{self.family}:{width},{height},{k}" + (",misere" if misere else "")
        if width < 1 or height < 1 or width * height > self.largest:
            raise GameError(f"game {self.spec!r} has no usable board: width times height is from 1 to {self.largest}")
        if not 1 <= k <= max(width, height):
            raise GameError(
                f"game {self.spec!r} wants {k} in a row: on {width}x{height} it is from 1 to {max(width, height)}"
            )
        self.board = Board(width, height)
        self.k = k
        self.misere = misere
        self.lines = self.board.lines(k)
        self._cells = self.board.cells
        self._stones = self.board.stones
        lines, cells = self.lines, range(self._cells)

        # On boards small enough to solve, the same stones and the same gaps come up again and again.
        @lru_cache(maxsize=_REMEMBERED)
        def has_line(stones: int) -> bool:
            for line in lines:
                if stones & line == line:
                    return True
            return False

        @lru_cache(maxsize=_REMEMBERED)
        def empty_cells(occupied: int) -> tuple[int, ...]:
            return tuple([cell for cell in cells if not occupied >> 2 * cell & 1])

        self._has_line = has_line
        self._empty_cells = empty_cells

    def to_move(self, state: int) -> str:
        return "O" if state.bit_count() & 1 else "X"

    def actions(self, state: int) -> Sequence[int]:
        if self._has_line((state if state.bit_count() & 1 else state >> 1) & self._stones):
            return ()
        return self._empty_cells((state | state >> 1) & self._stones)

    def result(self, state: int, action: int) -> int:
        return state | 1 << 2 * action + (state.bit_count() & 1)

    def is_terminal(self, state: int) -> bool:
        # Only the side that just moved can have completed a line.
        count = state.bit_count()
        return self._has_line((state if count & 1 else state >> 1) & self._stones) or count == self._cells

    def utility(self, state: int, player: str) -> int:
        for side, stones in (("X", state & self._stones), ("O", state >> 1 & self._stones)):
            if self._has_line(stones):
                return 1 if (side == player) is not self.misere else -1
        return 0

    def evaluate(self, state: int) -> float:
        """The lines still open to X less those open to O, as a part of all lines: from -1 to +1, without the ends.

        A line is open to a side while the other has no stone on it. In a misere game a line is a danger,
        and the sign turns.

        >>> game = MNK(3, 3, 3)
        >>> [round(game.evaluate(game.parse(text)), 2) for text in (".../.X./...", "X../.O./...")]
        [0.44, -0.11]
        """
        x, o = state & self._stones, state >> 1 & self._stones
        lead = sum([(not o & line) - (not x & line) for line in self.lines])
        return (-lead if self.misere else lead) / (len(self.lines) + 1)

    def format(self, state: int) -> str:
        return self.board.format(state)

    def format_action(self, action: int) -> str:
        return self.board.name_of(action)

    def parse_action(self, text: str) -> int:
        return self.board.cell_of(text)

    def draw(self, state: int) -> str:
        return self.board.draw(state)

    def picture(self, state: int) -> Picture:
        return self.board.picture(state, self.lines)

    def parse(self, text: str) -> int:
        """The position that `text` draws, refused with the reason if no game can reach it.

        >>> MNK(3, 3, 3).parse("XXX/OOO/...")
        Traceback (most recent call last):
        ...
        zermelo.solver.errors.PositionError: position 'XXX/OOO/...' cannot occur: X has a line, so O could not have moved after it
        """
        state = self.board.parse(text)
        x, o = state & self._stones, state >> 1 & self._stones
        lead = x.bit_count() - o.bit_count()
        if lead not in (0, 1):
            raise PositionError(
                f"position {quoted(text)} cannot occur: X has {x.bit_count()} and O has {o.bit_count()} stones,"
                " but X moves first and the sides take turns"
            )
        last, other = (("X", x), ("O", o)) if lead else (("O", o), ("X", x))
        if self._has_line(other[1]):
            raise PositionError(
                f"position {quoted(text)} cannot occur: {other[0]} has a line, so {last[0]} could not have moved after it"
            )
        if self._has_line(last[1]):
            completed = [line for line in self.lines if last[1] & line == line]
            if not reduce(and_, completed):
                raise PositionError(
                    f"position {quoted(text)} cannot occur: {last[0]} has lines that no single move could complete together"
                )
        return state

    @property
    def title(self) -> str:
        """What people call the game. A class with rules of its own has a `spec` of its own, and is called by that.

        >>> MNK(3, 3, 3).title, MNK(5, 4, 4, misere=True).title
        ('Tic-tac-toe', 'Misère 4 in a row on 5x4')
        """
        if self.spec != self._own_spec:
            return self.spec
        size = self.board.width, self.board.height
        name = f"{self.k} in a row on {size[0]}x{size[1]}" + (", stones fall" if self.gravity else "")
        if (*size, self.k, self.gravity) == (3, 3, 3, False):
            name = "tic-tac-toe"
        return f"Misère {name}" if self.misere else name.capitalize()

    @property
    def rules(self) -> str:
        """The rules in two sentences.

        >>> MNK(4, 3, 3, misere=True).rules
        'X and O take turns to put a stone on an empty cell of a 4x3 board, X first. 3 in a row lose; a full board is a draw.'
        """
        board = f"{self.board.width}x{self.board.height}"
        ends = "lose" if self.misere else "win"
        cell = "the lowest empty cell of a column" if self.gravity else "an empty cell"
        return (
            f"X and O take turns to put a stone on {cell} of a {board} board, X first."
            f" {self.k} in a row {ends}; a full board is a draw."
        )

    @property
    def permutations(self) -> Sequence[Sequence[int]]:
        """Where each cell goes under each symmetry of the rules, the identity first."""
        return self.board.permutations

    @once
    def symmetries(self) -> Sequence[Callable[[int], int]]:
        """The turns and reflections of the board that the rules allow."""
        return tuple(self.board.state_map(permutation) for permutation in self.permutations)


@named("mnk:W,H,K or mnk:W,H,K,misere", "mnk:4,3,3")
def from_params(params: str) -> MNK:
    """The game that ``mnk:PARAMS`` names.

    >>> from_params("4,3,3,misere").spec
    'mnk:4,3,3,misere'
    """
    return game_from(MNK, params)


AnyMNK = TypeVar("AnyMNK", bound=MNK)


def game_from(kind: type[AnyMNK], params: str) -> AnyMNK:
    """The game of this kind that ``FAMILY:PARAMS`` names."""
    numbers, misere = params.removesuffix(",misere"), params.endswith(",misere")
    parts = numbers.split(",")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        form = f"{kind.family}:WIDTH,HEIGHT,K"
        raise GameError(
            f"game {quoted(f'{kind.family}:{params}')} is not of the form {form} or {form},misere, such as {kind.family}:4,3,3"
        )
    width, height, k = map(int, parts)
    return kind(width, height, k, misere=misere)
