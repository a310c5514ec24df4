"""A board with X's and O's stones on its cells: geometry and notation, no rules.

A state is one integer, read in base 4: a digit a cell, 0 empty, 1 for X's stone, 2 for O's. Cells
count from 0, row by row from the top, and cell 0 is the lowest digit.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeVar

from zermelo.solver.errors import ActionError, PositionError, quoted
from zermelo.solver.once import once
from zermelo.solver.picture import Cell, Picture, edges

Piece = TypeVar("Piece", int, str)
_CHUNK = 5  # cells looked up at a time: a table of 4**5 entries


class Points:
    r"""The cells of a board as a picture shows them: a dot a cell, its column's letter above, its row's number in front.

    >>> cross = Points("  a b c\n1   .\n   /|\\\n2 .-.-.")
    >>> cross.names, cross.format(cross.parse("x/.o."))
    (('b1', 'a2', 'b2', 'c2'), 'X/.O.')
    >>> print(cross.draw(cross.parse("x/.o.")))
      a b c
    1   X
       /|\
    2 .-O-.
    """

    def __init__(self, picture: str) -> None:
        letters, *lines = picture.split("\n")
        margin = len(letters) - len(letters.lstrip())
        rows = [
            [letters[at] + line[:margin].strip() for at, mark in enumerate(line) if mark == "."]
            for line in lines
            if "." in line
        ]
        self.rows = tuple(map(len, rows))
        """How many cells each row has, from the top."""
        self.names = tuple(name for row in rows for name in row)
        """The cells' names as in a spreadsheet: column letter, then row number from the top."""
        self.cells = len(self.names)
        self.stones = int("1" * self.cells, 4)
        """The bits that X's stones take; O's are one bit higher."""

        self.places = tuple((float(ord(name[0]) - ord("a")), float(name[1:]) - 1) for name in self.names)
        """How far to the right and down each cell is."""
        self.links = _links(lines, letters, margin)
        """The names of the cells that the picture joins."""
        self._between = picture.split(".")
        ends = [sum(self.rows[:row]) - 1 for row in range(1, len(rows))]
        self.format: Callable[[int], str] = _by_chunks(
            [[mark + "/" if cell in ends else mark for mark in ".XO?"] for cell in range(self.cells)], ""
        )

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
            if tuple(map(len, rows)) != self.rows:
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
        example = "/".join(["." * length for length in self.rows])
        return f"{self} has {self.cells}, such as {example}"

    def __str__(self) -> str:
        return f"a board with rows of {', '.join(map(str, self.rows))}"

    def name_of(self, cell: int) -> str:
        """The cell's name.

        >>> Board(3, 3).name_of(4)
        'b2'
        """
        return self.names[cell]

    def cell_of(self, text: str) -> int:
        """The cell that `text` names, by name or by number.

        >>> Board(3, 3).cell_of("B2"), Board(3, 3).cell_of("4")
        (4, 4)
        """
        name = text.strip().lower()
        if name.isascii() and name.isdigit() and len(name) < 4 and int(name) < self.cells:
            return int(name)
        if name in self.names:
            return self.names.index(name)
        first, last = self.names[0], self.names[-1]
        raise ActionError(
            f"{quoted(text)} is not a cell of this board: name one from {first} to {last}, or a number from 0 to {self.cells - 1}"
        )

    def draw(self, state: int) -> str:
        """The board with its rows and columns named.

        >>> print(Board(3, 2).draw(4 + 2 * 4**3))
          a b c
        1 . X .
        2 O . .
        """
        marks = self.format(state).replace("/", "")
        return "".join(text for pair in zip(self._between, marks, strict=False) for text in pair) + self._between[-1]

    def picture(self, state: int, lines: Sequence[int] = ()) -> Picture:
        """The board as plain data; of the `lines`, given as states of X's stones, those that one side has completed are told.

        >>> Board(3, 3).picture(Board(3, 3).parse("XXX/OO./..."), Board(3, 3).lines(3)).ended
        [['a1', 'b1', 'c1']]
        """
        marks = self.format(state).replace("/", "")
        cells = [
            Cell(name, x, y, "" if mark == "." else mark, _OWNERS[mark])
            for name, (x, y), mark in zip(self.names, self.places, marks, strict=True)
        ]
        sides = state & self.stones, state >> 1 & self.stones
        done = [line for line in lines if any(side & line == line for side in sides)]
        ended = [[name for cell, name in enumerate(self.names) if line >> 2 * cell & 1] for line in done]
        width, height = (int(max(along)) + 1 for along in zip(*self.places, strict=True))
        return Picture(cells, self.links, edges(width, height), ended)


def _links(lines: Sequence[str], letters: str, margin: int) -> tuple[tuple[str, str], ...]:
    """The cells that strokes in a drawing join: rightwards, down and aslant, each from one dot to the next."""
    found = []
    for row, line in enumerate(lines):
        for column, mark in enumerate(line):
            if mark != ".":
                continue
            for stroke, down, right in (("-", 0, 1), ("|", 1, 0), ("\\", 1, 1), ("/", 1, -1)):
                y, x = row + down, column + right
                while 0 <= y < len(lines) and 0 <= x < len(lines[y]) and lines[y][x] == stroke:
                    y, x = y + down, x + right
                if (y, x) != (row + down, column + right) and y < len(lines) and lines[y][x : x + 1] == ".":
                    found.append((letters[column] + line[:margin].strip(), letters[x] + lines[y][:margin].strip()))
    return tuple(found)


class Board(Points):
    """The geometry of a board `width` cells wide and `height` high.

    >>> board = Board(3, 3)
    >>> board.format(board.parse("x-o .X. __o".replace(" ", "/")))
    'X.O/.X./..O'
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        margin = len(str(height))
        letters = " ".join(chr(ord("a") + column) for column in range(width))
        rows = [f"{number:>{margin}} {' '.join('.' * width)}" for number in range(1, height + 1)]
        super().__init__("\n".join([f"{'':{margin}} {letters}", *rows]))

    def __repr__(self) -> str:
        return f"Board({self.width}, {self.height})"

    def __str__(self) -> str:
        return f"a board {self.width} wide and {self.height} high"

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

    @once
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


_OWNERS = {"X": 0, "O": 1, ".": None}
_READ = str.maketrans("xo_-", "XO..")
_DIGITS = str.maketrans(".XO", "012")


def board_of(game: object) -> Board | None:
    """The board that a game is played on, None where it is not played on one.

    >>> from zermelo.solver.games import load
    >>> board_of(load("mnk:4,3,3")).cells, board_of(load("nim:1,2"))
    (12, None)
    """
    board = getattr(game, "board", None)
    return board if isinstance(board, Board) else None
