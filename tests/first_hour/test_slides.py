"""Line 3: what a lecturer puts on slides."""

import json
import re
from pathlib import Path

import pytest

from tests.first_hour.conftest import Typed


def test_numbers_ascend_as_on_the_slides(typed: Typed) -> None:
    """The slides' board, numbered by columns: a2, a3, b3, c1 and c2 are empty."""
    lines = typed("zermelo trace XO./.X./..O --numbering columns").stdout.splitlines()
    assert lines[:3] == ["0 3 6", "1 4 7", "2 5 8"]
    assert "  ACTIONS(s1) = {1, 2, 5, 6, 7}" in lines
    # a2 (1) and a3 (2) both win, and 1 is tried first.
    assert lines[-1] == "MINIMAX-SEARCH returns 1: value 1 for X"


def test_search_numbers_cells(typed: Typed) -> None:
    """The board shows the numbers, and the moves come in their order."""
    done = typed("zermelo search XO./.X./..O --numbering columns").stdout.splitlines()
    assert done[:5] == ["X O 6", "1 X 7", "2 5 O", "", "X to move: value 1 for X. Move: 1."]
    assert [line.split()[0] for line in done[5:10]] == ["1", "2", "5", "6", "7"]
    rows = json.loads(typed("zermelo search XO./.X./..O --numbering rows --format json").stdout)
    assert list(rows["values"]) == ["2", "3", "5", "6", "7"]


def test_tree_numbers_cells(typed: Typed) -> None:
    """In text and in a picture."""
    done = typed("zermelo tree XO./.X./..O --depth 1 --numbering columns").stdout.splitlines()
    assert [re.split("[ :]", line)[1] for line in done[1:]] == ["1", "2", "5", "6", "7"]
    picture = typed("zermelo tree XO./.X./..O --depth 1 --numbering columns --format svg").stdout
    assert sorted(re.findall(r'class="move"[^>]*>(\w+)<', picture)) == ["1", "2", "5", "6", "7"]


def test_a_game_without_cells_has_no_numbers(typed: Typed) -> None:
    """Told, in each command."""
    for command in ("search", "trace", "tree"):
        done = typed(f"zermelo {command} -g nim:1,2 --numbering rows")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "'nim:1,2' has no cells to number" in done.stderr


def test_frames_of_alpha_beta(typed: Typed, folder: Path) -> None:
    """The book's tree: a picture a step, with the window as it is then, and all of one size."""
    assert typed("zermelo tree -g figure:two-ply --algorithm alphabeta --frames slides").returncode == 0
    files = sorted((folder / "slides").iterdir())
    assert [file.name for file in files] == [f"frame-{number:03}.svg" for number in range(1, 17)]
    windows = [re.findall(r'class="window"[^>]*>([^<]*)<', file.read_text()) for file in files]
    assert windows[0] == ["[-∞, +∞]"]
    assert windows[2] == ["[-∞, 3]", "[-∞, +∞]"]  # b1 gave 3 to MIN at B
    assert windows[5] == ["[-∞, 3]", "[3, +∞]"]  # B gave 3 to MAX at A
    assert "v = 2 ≤ α = 3: c2, c3 need not be tried" in files[8].read_text()
    crossed = [file.read_text().count('class="cut"') for file in files]
    assert crossed == [0] * 8 + [2] * 8
    assert len({re.search(r'viewBox="[^"]*"', file.read_text()).group() for file in files}) == 1  # type: ignore[union-attr]
    assert 'class="best"' in files[-1].read_text() and 'class="best"' not in files[-2].read_text()


def test_frames_do_not_overwrite(typed: Typed, folder: Path) -> None:
    """A folder with other things in it stays as it is."""
    (folder / "slides").mkdir()
    (folder / "slides" / "notes.txt").write_text("mine")
    done = typed("zermelo tree -g figure:two-ply --algorithm alphabeta --frames slides")
    assert (done.returncode, done.stderr) == (2, "zermelo: 'slides' holds 'notes.txt' already: name a new folder\n")
    assert [file.name for file in (folder / "slides").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--fold", "leave out --fold"),
        ("--depth 9", "more than 1,000 pictures"),
        ("--algorithm multiplayer", "two players"),
    ],
)
def test_frames_that_cannot_be(options: str, message: str, typed: Typed, folder: Path) -> None:
    """One line, and no folder."""
    done = typed(f"zermelo tree --frames slides {options}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr
    assert not (folder / "slides").exists()


def test_titles_are_for_people(typed: Typed) -> None:
    """The game by its name, or what the lecturer writes; and the legend only if it is wanted."""
    heading = r'class="heading"[^>]*>([^<]*)<'
    plain = typed("zermelo tree XOX/OO./.X. --depth 1 --format svg").stdout
    assert re.findall(heading, plain) == ["Tic-tac-toe: 1 ply from XOX/OO./.X."]
    assert "thick green: the best line" in plain
    own = typed("zermelo tree XOX/OO./.X. --depth 1 --format svg --title 'Why c2?' --no-legend").stdout
    assert re.findall(heading, own) == ["Why c2?"]
    assert 'class="note"' not in own
    assert ">Perfect play for X: Tic-tac-toe<" in typed("zermelo map").stdout
