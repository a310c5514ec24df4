"""A rectangle of cells with X's and O's stones on it: geometry and notation, no rules.

A state is one integer, read in base 4: a digit a cell, 0 empty, 1 for X's stone, 2 for O's. Cells
count from 0, row by row from the top, and cell 0 is the lowest digit.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import product
from typing import TypeVar

from solver.errors import ActionError, PositionError, quoted

Piece = TypeVar("Piece", int, str)
_CHUNK = 5  # cells looked up at a time: a table of 4**5 entries


class Board:
    """The geometry of a board `width` cells wide and `height` high.

    >>> board = Board(3, 3)
    >>> board.format(board.parse("x-o .X. __o".replace(" ", "/")))
    'X.O/.X./..O'
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.cells = width * height
        self.stones = int("1" * self.cells, 4)
        """The bits that X's stones take; O's are one bit higher."""

        ends = range(width - 1, self.cells - 1, width)
        self.format: Callable[[int], str] = _by_chunks(
            [[mark + "/" if cell in ends else mark for mark in ".XO?"] for cell in range(self.cells)], ""
        )

    def lines(self, k: int) -> tuple[int, ...]:
        """The states that hold one straight run of `k` stones of X and nothing else.

        >>> [len(Board(3, 3).lines(k)) for k in (1, 2, 3)]
        [9, 20, 8]
        """
        masks: dict[int, None] = {}
        for row, column in product(range(self.height), range(self.width)):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + down * (k - 1), column + right * (k - 1)
                if last_row < self.height and 0 <= last_column < self.width:
                    run = ((row + down * i) * self.width + column + right * i for i in range(k))
                    masks[sum(4**cell for cell in run)] = None
        return tuple(masks)

    @cached_property
    def permutations(self) -> tuple[tuple[int, ...], ...]:
        """Where each cell goes under each turn and reflection that keeps the board's shape.

        Eight on a square and four on a rectangle, the identity first.

        >>> Board(2, 2).permutations[1]
        (1, 0, 3, 2)
        """
        maps: dict[tuple[int, ...], None] = {}
        for transposed, flip_rows, flip_columns in product((False, True), repeat=3):
            if transposed and self.width != self.height:
                continue
            cells = []
            for row, column in product(range(self.height), range(self.width)):
                to_row, to_column = (column, row) if transposed else (row, column)
                to_row = self.height - 1 - to_row if flip_rows else to_row
                to_column = self.width - 1 - to_column if flip_columns else to_column
                cells.append(to_row * self.width + to_column)
            maps[tuple(cells)] = None
        return tuple(maps)

    def state_map(self, permutation: Sequence[int]) -> Callable[[int], int]:
        """The function that moves a state's stones as `permutation` moves the cells."""
        return _by_chunks([[digit * 4**target for digit in range(4)] for target in permutation], 0)

    def parse(self, text: str) -> int:
        """The state that `text` draws, whether or not a game can reach it.

        Takes lower case, ``_`` or ``-`` for an empty cell, and rows with or without slashes.
        """
        stones = text.strip().translate(_READ)
        if "/" in stones:
            rows = stones.split("/")
            if len(rows) != self.height or any(len(row) != self.width for row in rows):
                found = f"{len(rows)} rows of {', '.join(str(len(row)) for row in rows[:30])} cells"
                raise PositionError(f"position {quoted(text)} has {found}: {self._wanted}")
            stones = "".join(rows)
        if stones.strip("XO."):
            where, wrong = next((i, c) for i, c in enumerate(text.strip()) if c not in "XxOo._-/")
            raise PositionError(
                f"position {quoted(text)} has {wrong!r} at character {where + 1}: write X, O or . in each cell"
            )
        if len(stones) != self.cells:
            raise PositionError(f"position {quoted(text)} has {len(stones)} cells: {self._wanted}")
        return int(stones[::-1].translate(_DIGITS), 4)

    @property
    def _wanted(self) -> str:
        example = "/".join(["." * self.width] * self.height)
        return f"a board {self.width} wide and {self.height} high has {self.cells}, such as {example}"

    def name_of(self, cell: int) -> str:
        """The cell's name as in a spreadsheet: column letter, then row number from the top.

        >>> Board(3, 3).name_of(4)
        'b2'
        """
        row, column = divmod(cell, self.width)
        return f"{chr(ord('a') + column)}{row + 1}"

    def cell_of(self, text: str) -> int:
        """The cell that `text` names, by name or by number.

        >>> Board(3, 3).cell_of("B2"), Board(3, 3).cell_of("4")
        (4, 4)
        """
        name = text.strip().lower()
        if name.isascii() and name.isdigit() and len(name) < 4 and int(name) < self.cells:
            return int(name)
        for cell in range(self.cells):
            if self.name_of(cell) == name:
                return cell
        last = self.name_of(self.cells - 1)
        raise ActionError(
            f"{quoted(text)} is no cell of this board: name one from a1 to {last}, or a number from 0 to {self.cells - 1}"
        )

    def draw(self, state: int) -> str:
        """The board with its rows and columns named.

        >>> print(Board(3, 2).draw(4 + 2 * 4**3))
          a b c
        1 . X .
        2 O . .
        """
        rows = self.format(state).split("/")
        margin = len(str(self.height))
        letters = " ".join(self.name_of(column)[0] for column in range(self.width))
        lines = [f"{number:>{margin}} {' '.join(row)}" for number, row in enumerate(rows, 1)]
        return "\n".join([f"{'':{margin}} {letters}", *lines])


def _by_chunks(images: Sequence[Sequence[Piece]], nothing: Piece) -> Callable[[int], Piece]:
    """The sum over the cells of each cell's image, `images[cell][digit]`, looked up several cells at a time."""
    chunks: list[tuple[int, list[Piece]]] = []
    for first in range(0, len(images), _CHUNK):
        table = [nothing]
        for by_digit in images[first : first + _CHUNK]:
            table = [known + image for image in by_digit for known in table]
        chunks.append((2 * first, table))
    (_, start), *rest = chunks
    mask = 4**_CHUNK - 1

    def whole(state: int) -> Piece:
        image: Piece = start[state & mask]
        for shift, table in rest:
            image = image + table[state >> shift & mask]
        return image

    return whole


_READ = str.maketrans("xo_-", "XO..")
_DIGITS = str.maketrans(".XO", "012")
