"""Pictures: plain data from which every place of every built-in game can be drawn, and every move made by clicking."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.games.nim import Nim
from zermelo.solver.picture import Picture, as_dict, clicks, grid, text

GAMES = (
    "mnk:3,3,3", "mnk:4,3,3,misere", "connect:4,4,3", "nim:3,4,5", "figure:two-ply", "figure:four-ply",
    "morris:three", "morris:achi", "morris:nine-holes", "morris:six", "dodgem:3", "dodgem:4", "quixo:3",
    "vanishing:3,3,3,3", "hare-and-hounds", "fox-and-hounds:4", "hexapawn:3,3", "notakto:2", "chomp:4,3", "kalah:3,2",
)  # fmt: skip


def states(game: Game[Any, Any], seed: int, most: int = 25) -> list[Any]:
    """The states of a game played at random."""
    chance = random.Random(seed)
    found = [game.initial]
    while len(found) < most and not game.is_terminal(found[-1]):
        found.append(game.result(found[-1], chance.choice(list(game.actions(found[-1])))))
    return found


@pytest.mark.parametrize("name", GAMES)
@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 1000))
def test_every_move_can_be_clicked(name: str, seed: int) -> None:
    """Each legal move has a way of its own, over cells that are there; and all of it is plain data."""
    game = load(name)
    for state in states(game, seed):
        picture = game.picture(state)
        assert picture is not None
        moves = [] if game.is_terminal(state) else [game.format_action(action) for action in game.actions(state)]
        ways = clicks(picture, moves)
        assert {way.move for way in ways} == set(moves)
        names = [cell.name for cell in picture.cells]
        assert len(set(names)) == len(names)
        assert all(cell in names for way in ways for cell in way.cells)
        # No way leads to two moves, and none stops on the way of another.
        told = {tuple(way.cells): way.move for way in ways}
        assert len(told) == len(ways)
        assert not [one for one in told for other in told if one != other and other[: len(one)] == one]
        assert all(cell in names for line in [*picture.lines, *picture.ended] for cell in line)
        plain = as_dict(picture, moves)
        assert json.loads(json.dumps(plain)) == plain


def test_pictures_by_hand() -> None:
    """A line that ended the game, a column to let go in, an object to take, and the place in a figure."""
    tictactoe, connect, nim, figure = map(load, ("tictactoe", "connect:3,3,3", "nim:1,3", "figure:two-ply"))
    won = tictactoe.picture(tictactoe.parse("XXX/OO./..."))
    assert won is not None
    assert (won.ended, won.cells[3].mark, won.cells[3].player) == ([["a1", "b1", "c1"]], "O", 1)
    falling = connect.picture(connect.parse(".../.../X.."))
    assert falling is not None
    assert [way.cells for way in falling.clicks if way.move == "a2"] == [["a2"], ["a1"], ["a3"]]
    heaps = nim.picture(nim.initial)
    assert heaps is not None
    assert {way.cells[0]: way.move for way in heaps.clicks} == {"a1": "a1", "b1": "b3", "b2": "b2", "b3": "b1"}
    tree = figure.picture("B")
    assert tree is not None
    assert (tree.here, [way.cells for way in tree.clicks]) == ("B", [["B.b1"], ["B.b2"], ["B.b3"]])


def test_text_of_a_picture_is_the_boards_drawing() -> None:
    """Two ways to the same lines."""
    for name in ("mnk:3,3,3", "mnk:4,3,3", "connect:4,4,3"):
        game = load(name)
        for state in states(game, 1):
            picture = game.picture(state)
            assert picture is not None
            assert text(picture) == game.draw(state)


def test_a_game_of_ones_own() -> None:
    """A method of its own is all it takes to be drawn; a game without a picture is drawn as its text."""

    class Drawn(Nim):
        def picture(self, state: Any) -> Picture:
            return grid("X./.O")

    tall = Nim(20)
    assert (tall.picture(tall.initial), tall.draw(tall.initial)) == (None, "20:MAX")
    assert Drawn(20).draw(tall.initial) == "  a b\n1 X .\n2 . O"
