"""What the page is told of a game: what it is called and how it looks, by the game itself and not by its name."""

import pytest

from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.web.describe import describe

FACTS = {"value": 0, "plies": 9, "can_repeat": False, "positions": 1, "classes": 1, "digest": "e3b0"}


@pytest.mark.parametrize(
    ("name", "title", "kind"),
    [
        ("tictactoe", "Tic-tac-toe", "board"),
        ("mnk:3,3,3,misere", "Misère tic-tac-toe", "board"),
        ("mnk:5,4,4", "4 in a row on 5x4", "board"),
        ("connect:5,4,4", "4 in a row on 5x4, stones fall", "board with gravity"),
        ("connect:3,3,3,misere", "Misère 3 in a row on 3x3, stones fall", "board with gravity"),
        ("nim:3,4,5", "Nim with heaps of 3, 4, 5", "no board"),
        ("figure:two-ply", "figure:two-ply", "no board"),
    ],
)
def test_title_and_kind(name: str, title: str, kind: str) -> None:
    described = describe(load(name), FACTS)
    assert (described["title"], described["kind"]) == (title, kind)
    assert (described["board"] is None) == (kind == "no board")


def test_games_of_ones_own() -> None:
    """Rules of its own are not tic-tac-toe, whatever the board; a title of its own is taken as it is."""

    class Own(MNK):
        def __init__(self) -> None:
            super().__init__(3, 3, 3)
            self.spec = "mine:own"

    class Titled(Own):
        title = "Maker and breaker"

    assert [describe(game, FACTS)["title"] for game in (Own(), Titled())] == ["mine:own", "Maker and breaker"]
    assert describe(Own(), FACTS)["kind"] == "board"
