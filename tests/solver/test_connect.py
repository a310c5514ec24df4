"""Connect: stones fall. Positions that could not have come about are refused."""

from itertools import product

import pytest

from zermelo.solver.errors import GameError, PositionError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.games.connect import Connect


def test_stones_fall() -> None:
    """One move a column that has room, from left to right, named by the cell where the stone comes to rest."""
    game = Connect(3, 3, 3)
    state = game.parse("X../O../X.O")
    assert [game.format_action(cell) for cell in game.actions(state)] == ["b3", "c2"]
    assert game.format(game.result(state, game.parse_action("c2"))) == "X../O.X/X.O"


@pytest.mark.parametrize("spec", ["5,1,2", "6,1,3", "7,1,3,misere"])
def test_in_a_single_row_nothing_falls(spec: str) -> None:
    """It is the board without gravity, and solved as fast; two rows are not."""
    connect, mnk = load(f"connect:{spec}"), load(f"mnk:{spec}")
    assert isinstance(connect, Connect) and not connect.gravity and Connect(5, 2, 3).gravity
    assert solve(connect) == solve(mnk)


@pytest.mark.parametrize(
    ("spec", "positions", "start"),
    [
        ("connect:3,3,3", 694, (0, 9)),
        pytest.param("connect:4,4,4", 161_029, (0, 16), marks=pytest.mark.slow),
        pytest.param("connect:4,4,4,misere", 161_029, (-1, 13), marks=pytest.mark.slow),
    ],
)
def test_published_facts(spec: str, positions: int, start: tuple[int, int]) -> None:
    """With the row engine, on the game as the protocol has it."""
    game = load(spec)
    entries = solve(game)
    assert len(entries) == positions
    assert entries[game.initial][:2] == start


def test_parse_takes_exactly_the_positions_that_occur() -> None:
    """Every filling of a 3x3 board: those that play reaches are read, all others refused."""
    game = Connect(3, 3, 3)
    reached = {game.format(state) for state in solve(game)}
    taken = set()
    for cells in product(".XO", repeat=9):
        text = "/".join("".join(cells[row : row + 3]) for row in (0, 3, 6))
        try:
            taken.add(game.format(game.parse(text)))
        except PositionError:
            continue
    assert taken == reached


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (".../X../...", "the stone at a2 has nothing below it"),
        (".../.../OX.", None),
        (".../X../O..", "its stones cannot have fallen in turns"),  # O's stone would have come first
        (".../XXX/OOO", "has a line"),
    ],
)
def test_what_cannot_occur(text: str, why: str | None) -> None:
    """Each with its reason."""
    rows = text.split("/")
    game = Connect(len(rows[0]), len(rows), 3)
    if why is None:
        assert game.format(game.parse(text)) == text
    else:
        with pytest.raises(PositionError, match=why):
            game.parse(text)


def test_mirror_is_the_only_symmetry() -> None:
    """Down is down: a board has two symmetries, a single column one."""
    game = Connect(3, 2, 2)
    mirror = game.symmetries[1]
    assert game.format(mirror(game.parse("X../O.X"))) == "..X/X.O"
    assert len(game.symmetries) == 2
    assert len(Connect(1, 4, 2).symmetries) == 1


def test_sizes() -> None:
    """Up to 30 cells, with a form that says so."""
    assert Connect(6, 5, 4).spec == "connect:6,5,4"
    with pytest.raises(GameError, match="from 1 to 30"):
        Connect(31, 1, 4)
    with pytest.raises(GameError, match="connect:WIDTH,HEIGHT,K"):
        load("connect:4")
