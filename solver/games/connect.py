"""Get k in a row with gravity: Connect Four's rule, ``connect:5,4,4`` is 5 wide, 4 high, 4 in a row."""

from collections.abc import Sequence
from functools import lru_cache

from zermelo.solver.errors import PositionError
from zermelo.solver.families import named
from zermelo.solver.games.mnk import _REMEMBERED, MNK, game_from
from zermelo.solver.picture import Click, Picture


class Connect(MNK):
    """A stone falls to the lowest empty cell of its column; all else is as in `MNK`.

    Actions are the cells that stones come to rest in, the columns' from left to right.

    >>> game = Connect(4, 4, 4)
    >>> [game.format_action(cell) for cell in game.actions(game.parse("..../X.../O..X/X..O"))]
    ['a1', 'b4', 'c4', 'd2']
    """

    family = "connect"
    largest = 30
    packed = True

    def __init__(self, width: int, height: int, k: int, *, misere: bool = False) -> None:
        super().__init__(width, height, k, misere=misere)
        # In a single row nothing falls: what can occur is told by lines alone, in half the time.
        self.gravity = height > 1
        columns = [range(self._cells - width + column, -1, -width) for column in range(width)]

        @lru_cache(maxsize=_REMEMBERED)
        def landing_cells(occupied: int) -> tuple[int, ...]:
            rests = (next((cell for cell in column if not occupied >> 2 * cell & 1), None) for column in columns)
            return tuple([cell for cell in rests if cell is not None])

        self._empty_cells = landing_cells

    def parse(self, text: str) -> int:
        """The position that `text` draws, refused with the reason if no game can reach it.

        >>> Connect(3, 3, 3).parse(".../X../...")
        Traceback (most recent call last):
        ...
        zermelo.solver.errors.PositionError: position '.../X../...' cannot occur: the stone at a2 has nothing below it
        """
        state = super().parse(text)
        occupied = (state | state >> 1) & self._stones
        for cell in range(self._cells - self.board.width):
            if occupied >> 2 * cell & 1 and not occupied >> 2 * (cell + self.board.width) & 1:
                raise PositionError(
                    f"position {text!r} cannot occur: the stone at {self.board.name_of(cell)} has nothing below it"
                )
        if not self._can_occur(state):
            raise PositionError(
                f"position {text!r} cannot occur: its stones cannot have fallen in turns without the game ending earlier"
            )
        return state

    def picture(self, state: int) -> Picture:
        """A stone may be let go anywhere in a column: each move is made in the cell that it ends in, or in any other of its column."""
        clicks = []
        for action in self.actions(state):
            column = range(action % self.board.width, self._cells, self.board.width)
            for cell in sorted(column, key=lambda cell: cell != action):
                clicks.append(Click(self.format_action(action), [self.board.name_of(cell)]))
        return super().picture(state)._replace(clicks=clicks)

    def action_in(self, state: int, text: str) -> int:
        """A column's letter is enough to say where a stone comes to rest.

        >>> game = Connect(4, 4, 4)
        >>> game.format_action(game.action_in(game.parse("..../X.../O..X/X..O"), "D"))
        'd2'
        """
        column = ord(text.strip().lower()) - ord("a") if len(text.strip()) == 1 and text.strip().isalpha() else -1
        landing = [cell for cell in self.actions(state) if cell % self.board.width == column]
        return landing[0] if landing else self.parse_action(text)

    def _can_occur(self, state: int) -> bool:
        """Whether stones can be lifted off in turns down to the empty board, with no line left after the first.

        What is left under the stones lifted so far depends on how many each column still has, so the
        search meets at most one position for each filling of the columns.
        """
        seen: set[int] = set()
        stack = [before for before in self._before(state) if not self._has_line_of_either(before)]
        while stack:
            before = stack.pop()
            if before not in seen:
                seen.add(before)
                stack += self._before(before)
        return not state or 0 in seen

    def _before(self, state: int) -> list[int]:
        """The states that one stone fewer leads to this one from."""
        width, occupied = self.board.width, (state | state >> 1) & self._stones
        last = 0 if state.bit_count() & 1 else 1
        return [
            state ^ 1 << 2 * cell + last
            for cell in range(self._cells)
            if state >> 2 * cell + last & 1 and (cell < width or not occupied >> 2 * (cell - width) & 1)
        ]

    def _has_line_of_either(self, state: int) -> bool:
        return self._has_line(state & self._stones) or self._has_line(state >> 1 & self._stones)

    @property
    def permutations(self) -> Sequence[Sequence[int]]:
        """The identity and, where it is another, the reflection left to right: the only turn that down survives."""
        width = self.board.width
        mirror = tuple(cell - cell % width + width - 1 - cell % width for cell in range(self._cells))
        return tuple(dict.fromkeys((tuple(range(self._cells)), mirror)))


@named("connect:W,H,K or connect:W,H,K,misere", "connect:5,4,4")
def from_params(params: str) -> Connect:
    """The game that ``connect:PARAMS`` names.

    >>> from_params("5,4,4").spec
    'connect:5,4,4'
    """
    return game_from(Connect, params)
