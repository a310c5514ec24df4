"""Geometry and notation of boards of every shape."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.solver.board import Board
from zermelo.solver.errors import ActionError, PositionError

SHAPES = [(w, h) for w in range(1, 26) for h in range(1, 26) if w * h <= 25]


@st.composite
def drawn_boards(draw: st.DrawFn) -> tuple[Board, str]:
    """A board of any shape, and stones on it in any number."""
    width, height = draw(st.sampled_from(SHAPES))
    stones = draw(st.text("XO.", min_size=width * height, max_size=width * height))
    return Board(width, height), "/".join(stones[i : i + width] for i in range(0, width * height, width))


@given(drawn_boards())
def test_text_and_state_are_inverses(drawn: tuple[Board, str]) -> None:
    """What is stored as text must come back as the same stones, whatever the shape."""
    board, text = drawn
    state = board.parse(text)
    assert board.format(state) == text
    assert board.parse(board.format(state)) == state


@given(drawn_boards())
def test_reading_is_generous(drawn: tuple[Board, str]) -> None:
    """Lower case, other marks for empty cells and missing slashes are how people type."""
    board, text = drawn
    state = board.parse(text)
    assert board.parse(text.lower()) == state
    assert board.parse(text.replace(".", "_")) == state
    assert board.parse(text.replace(".", "-")) == state
    assert board.parse(text.replace("/", "")) == state
    assert board.parse(f"  {text}\n") == state


@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_cell_names_and_numbers_are_inverses(width: int, height: int) -> None:
    """Every cell has one name, read back in either case."""
    board = Board(width, height)
    names = [board.name_of(cell) for cell in range(board.cells)]
    assert len(set(names)) == board.cells
    assert [board.cell_of(name) for name in names] == list(range(board.cells))
    assert [board.cell_of(name.upper()) for name in names] == list(range(board.cells))
    assert [board.cell_of(str(cell)) for cell in range(board.cells)] == list(range(board.cells))


def test_cells_are_named_as_in_a_spreadsheet() -> None:
    """a1 is top left and the letter is the column, so a 4 wide board ends at d."""
    assert [Board(4, 2).name_of(cell) for cell in range(8)] == ["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"]


@pytest.mark.parametrize("text", ["d1", "a4", "a0", "9", "-1", "", "1a", "b2b2", "é1", "²"])
def test_what_is_no_cell_is_refused(text: str) -> None:
    """The message names the input and the range."""
    with pytest.raises(
        ActionError, match=r"is not a cell of this board: name one from a1 to c3, or a number from 0 to 8"
    ) as refused:
        Board(3, 3).cell_of(text)
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("X.O", "has 3 cells"),
        ("X.O/.X./..O.", "has 3 rows of 3, 3, 4 cells"),
        ("X.O/.X.", "has 2 rows of 3, 3 cells"),
        ("X.O/.X./..O/", "has 4 rows of 3, 3, 3, 0 cells"),
        ("", "has 0 cells"),
        ("X.O/.Y./..O", "has 'Y' at character 6"),
        ("X.O.Y...O", "has 'Y' at character 5"),
        ("X.0/.X./..O", "has '0' at character 3"),
        ("❌.O/.X./..O", "has '❌' at character 1"),
        ("X O......", "has ' ' at character 2"),
    ],
)
def test_what_is_no_board_is_refused_with_the_reason(text: str, reason: str) -> None:
    """Which character is wrong and where, or how many cells there are."""
    with pytest.raises(PositionError) as refused:
        Board(3, 3).parse(text)
    assert str(refused.value).startswith(f"position {text!r} {reason}")


def number_of_lines(width: int, height: int, k: int) -> int:
    """The textbook's count: runs that fit along each row, each column and both diagonals."""
    across, down = max(width - k + 1, 0), max(height - k + 1, 0)
    return across * height + width * down + 2 * across * down


@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_lines_come_from_geometry(width: int, height: int) -> None:
    """As many lines as fit, each of k stones; lines of one stone are the cells."""
    for k in range(2, max(width, height) + 1):
        lines = Board(width, height).lines(k)
        assert len(set(lines)) == len(lines) == number_of_lines(width, height, k)
        assert {line.bit_count() for line in lines} == {k}
    assert len(Board(width, height).lines(1)) == width * height


def test_the_lines_of_tic_tac_toe() -> None:
    """Three rows, three columns, two diagonals."""
    board = Board(3, 3)
    drawn = {board.format(line) for line in board.lines(3)}
    assert drawn == {
        "XXX/.../...", ".../XXX/...", ".../.../XXX", "X../X../X..", ".X./.X./.X.", "..X/..X/..X", "X../.X./..X", "..X/.X./X..",
    }  # fmt: skip


@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_symmetries_are_a_group(width: int, height: int) -> None:
    """Eight on squares and four on rectangles (fewer where a side is 1), closed and with the identity first."""
    permutations = Board(width, height).permutations
    expected = 8 if width == height else 4
    if min(width, height) == 1:
        expected = 2 if max(width, height) > 1 else 1
    assert len(permutations) == expected
    assert permutations[0] == tuple(range(width * height))
    assert {tuple(p[c] for c in q) for p in permutations for q in permutations} == set(permutations)


def test_turning_a_position() -> None:
    """The eight faces of one corner and one edge stone."""
    board = Board(3, 3)
    state = board.parse("XO./.../...")
    faces = {board.format(board.state_map(permutation)(state)) for permutation in board.permutations}
    assert faces == {
        "XO./.../...", ".OX/.../...", ".../.../XO.", ".../.../.OX", "X../O../...", "..X/..O/...", ".../O../X..", ".../..O/..X",
    }  # fmt: skip
