"""Playing lists of moves."""

import pytest

from zermelo.solver.errors import ActionError
from zermelo.solver.games.mnk import MNK
from zermelo.solver.play import play


def test_moves_alternate_from_the_start() -> None:
    """X in the centre, O in a corner, X in the corner opposite."""
    game = MNK(3, 3, 3)
    assert game.format(play(game, ["b2", "a1", "c3"])) == "O../.X./..X"
    assert play(game, []) == game.initial


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("b2 b2", "move 2, 'b2', is not possible in .../.X./...: the moves are a1 b1 c1 a2 c2 a3 b3 c3"),
        ("a1 a2 b1 b2 c1 c2", "move 6, 'c2', comes after the end of the game: it was over in XXX/OO./..."),
        ("a1 z9", "move 2: 'z9' is not a cell of this board"),
    ],
)
def test_illegal_moves_are_refused_with_number_and_reason(moves: str, reason: str) -> None:
    """An occupied cell, a move after the end, a cell that is not there."""
    with pytest.raises(ActionError) as refused:
        play(MNK(3, 3, 3), moves.split())
    assert reason in str(refused.value)
