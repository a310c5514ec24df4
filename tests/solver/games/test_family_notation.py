"""How the families' games, positions and moves are written: what is refused, with the reason, and what drawings look like."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.solver.errors import ActionError, GameError, PositionError
from zermelo.solver.games import load
from zermelo.solver.play import play

LARGEST = [
    "dodgem:5", "quixo:5", "morris:five", "morris:six", "vanishing:5,5,4,6", "hare-and-hounds", "fox-and-hounds:10",
    "hexapawn:6,5", "notakto:3", "chomp:15,15", "kalah:6,2", "kalah:6,6",
]  # fmt: skip
"""The largest game of each family, or nearly."""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("dodgem:0", "from 2 to 5 cells"),
        ("dodgem:", "not of the form dodgem:N with a whole number, such as dodgem:3"),
        ("dodgem:3,3", "not of the form dodgem:N"),
        ("dodgem:-3", "not of the form dodgem:N"),
        ("quixo:99", "from 2 to 5 cubes"),
        ("quixo:x", "not of the form quixo:N"),
        ("kalah:-1,3", "not of the form kalah:M,N with whole numbers, such as kalah:4,3"),
        ("kalah:4", "not of the form kalah:M,N"),
        ("kalah:7,1", "from 1 to 6 houses a side"),
        ("kalah:0,3", "from 1 to 6 houses a side"),
        ("chomp:0,3", "from 1 to 15 squares"),
        ("chomp:99999,3", "not of the form chomp:W,H"),
        ("notakto:0", "from 1 to 3"),
        ("notakto:4", "from 1 to 3"),
        ("hexapawn:3,2", "at least 1 wide and 3 high"),
        ("hexapawn:6,6", "at most 30 cells"),
        ("fox-and-hounds:5", "4, 6, 8 or 10 squares"),
        ("hare-and-hounds:3", "takes nothing after its name"),
        ("vanishing:3,3,3", "not of the form vanishing:W,H,K,S"),
        ("vanishing:6,6,3,3", "width times height is from 1 to 25"),
        ("vanishing:3,3,4,4", "on 3x3 it is from 1 to 3"),
        ("vanishing:3,3,3,2", "with 3 in a row on 3x3 it is from 3 to 4"),
        ("vanishing:3,3,3,5", "with 3 in a row on 3x3 it is from 3 to 4"),
        ("vanishing:2,2,2,2", "none, because a cell must stay empty"),
        ("vanishing:1,1,1,1", "none, because a cell must stay empty"),
        ("morris:", "one of three, achi, nine-holes, five, six"),
        ("morris:seven", "one of three, achi, nine-holes, five, six"),
    ],
)
def test_a_game_that_cannot_be_played(name: str, why: str) -> None:
    """One line that names the game as it was asked for and what would be right."""
    with pytest.raises(GameError, match=why) as raised:
        load(name)
    assert f"'{name}'" in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "position", "why"),
    [
        ("dodgem:3", "X../X../.OO", "does not say whose turn it is: end it with :X or :O, as in X../X../.OO:X"),
        ("dodgem:3", "X../X../.OO:Z", "whose turn"),
        ("dodgem:3", "X../X../.O:X", "has 3 rows of 3, 3, 2 cells"),
        ("dodgem:3", "XX./X../.OO:X", "X has 3 and O has 2 cars, and each starts with 2"),
        ("dodgem:3", "X../X../.OO:O", "an even number of steps, and X began"),
        ("dodgem:3", ".X./X../.OO:X", "an odd number of steps, and X began"),
        ("dodgem:3", ".../.../...:X", "ends when one side has no car left"),
        ("dodgem:3", ".../.../.O.:X", "X has just taken its last car off, so it is O's turn"),
        ("dodgem:3", "X../.../...:O", "O has just taken its last car off, so it is X's turn"),
        ("quixo:3", ".../.../...:O", "X has just moved, and so has its mark on a cube"),
        ("quixo:3", "X../.../...:X", "O has just moved, and so has its mark on a cube"),
        ("hare-and-hounds", "X../X..../X..:X", "there are 3 hounds and 0 hares, not 3 and 1"),
        ("hare-and-hounds", "XX./O..../X..:O", "the hare has just come to a2, so it is X's turn"),
        ("fox-and-hounds:4", "O..O/..../..../..X.:X", "has a man on a1, which is no dark square"),
        ("fox-and-hounds:4", ".O../..../..../..X.:X", "there are 1 foxes and 1 hounds, not 1 and 2"),
        ("fox-and-hounds:4", ".O.O/..../..../..X.:O", "the hounds have made 0 steps"),
        ("fox-and-hounds:4", ".O.O/..../..../..X.", "does not say whose turn it is"),
        ("hexapawn:3,3", "OOO/X../XXX:O", "X has 4 and O has 3 pawns, and each starts with 3"),
        ("hexapawn:3,3", "OOO/X../.XX:X", "the pawns have made 1 steps, so it is O's turn"),
        ("hexapawn:3,3", "XOO/.../...:X", "X has reached the far row, which ended the game"),
        ("hexapawn:3,3", "XXO/.../...:O", "the first pawn on the far row ends the game"),
        ("notakto:1", "X../.O./...:MAX", "both sides play X"),
        ("notakto:1", "X../.../...:MAX", "MAX moves first, and 1 moves were made"),
        ("notakto:1", "XXX/.../XXX:MAX", "board 1 has lines that no single move could complete together"),
        ("notakto:2", "X../.../...:MIN", "not of the form BOARD|...:PLAYER"),
        ("chomp:4,3", "4,4:MAX", "3 rows of at most 4 squares"),
        ("chomp:4,3", "3,4,4:MAX", "no row is longer than the one above"),
        ("chomp:4,3", "4,4,3:MAX", "MAX moves first, and what was taken took 1 bites"),
        ("chomp:4,3", "4,4,x:MAX", "not of the form ROWS:PLAYER, such as 4,4,4:MAX"),
        ("kalah:4,3", "3,3,3,3,0/3,3,3,3,1:MAX", "it has 25 seeds, and there are 24"),
        ("kalah:4,3", "0,0,0,0,12/3,3,3,3,0:MAX", "all go to the stores"),
        ("kalah:4,3", "3,3,3,3/3,3,3,3:MAX", "not of the form HOUSES,STORE/HOUSES,STORE:PLAYER"),
        ("vanishing:3,3,3,3", "Xa1/O:X", "X has 1 and O has 0 marks, but X moves first"),
        ("vanishing:3,3,3,3", "Xa1/Oa1:X", "a cell has two marks"),
        ("vanishing:3,3,3,3", "Xa1/Od1:X", "has a mark on d1: the cells are from a1 to c3"),
        ("vanishing:3,3,3,3", "Xa1b1a2b2/Oc1c2c3:O", "X has 4 and O has 3 marks, and 3 are allowed"),
        ("vanishing:3,3,3,3", "Xa1b1c1/Oa2b2a3:X", "X has a line, which ended the game"),
        ("vanishing:3,3,2,3", "Xa1b1c3/Oa3c1:O", "the line was there before the newest mark"),
        ("vanishing:3,3,3,3", "X../.../...", "not of the form Xa1b2/Oc3:O"),
        ("morris:three", "X../.../...:X", "5 men are still to be placed, so it is O's turn"),
        ("morris:three", "XX./.../...:X", "X has 2 men on the board, and has placed 1"),
        ("morris:three", "XXX/OO./O..:X", "X has a line, which ended the game before the other's last move"),
        ("morris:three", "XXX/O.O/OX.:X", "X has 4 men on the board, and has placed 3"),
        ("morris:six", ".../.../..../.../...:X", "X has 0 men on the board, and has placed 6, of which 4 at the most"),
        ("morris:six", ".../.../..../.../...:X:11", "11 men are still to be placed, so it is O's turn"),
        ("morris:six", ".../.../..../.../...:X:13", "'13' men still to be placed: it is from 1 to 12"),
        ("morris:six", ".../.../.../...:X:12", "has 4 rows of 3, 3, 3, 3 cells: a board with rows of 3, 3, 4, 3, 3"),
    ],
)
def test_a_position_that_cannot_be(name: str, position: str, why: str) -> None:
    """It is refused with the reason."""
    with pytest.raises(PositionError) as raised:
        load(name).parse(position)
    assert why in str(raised.value)


@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("dodgem:3", "a1-d1"),
        ("dodgem:3", ""),
        ("dodgem:3", "a1-a1"),
        ("quixo:3", "b2-"),
        ("morris:six", "a1xq"),
        ("fox-and-hounds:4", "a1-b2"),
        ("notakto:2", "a1"),
        ("notakto:2", "3a1"),
        ("chomp:4,3", "e1"),
        ("kalah:4,3", "e"),
        ("kalah:4,3", "ab"),
        ("vanishing:3,3,3,3", "d4"),
    ],
)
def test_a_move_that_cannot_be_read(name: str, move: str) -> None:
    """It is refused, whatever the position."""
    with pytest.raises(ActionError):
        load(name).parse_action(move)


def test_lower_case_and_other_blanks_are_read_too() -> None:
    """As on every board."""
    game = load("dodgem:3")
    assert game.parse("x--/X__/-oo:x") == game.initial


def test_the_points_of_two_squares() -> None:
    """The picture of six men's morris, with a mill that has just taken a man from c2."""
    game = load("morris:six")
    state = play(game, ["a1", "c2", "c1", "b2", "e1xc2"])
    assert game.format(state) == "XXX/O../..../.../...:O:7"
    assert game.draw(state).splitlines() == [
        "  a b c d e",
        "1 X---X---X",
        "  |   |   |",
        "2 | O-.-. |",
        "  | |   | |",
        "3 .-.   .-.",
        "  | |   | |",
        "4 | .-.-. |",
        "  |   |   |",
        "5 .---.---.",
    ]


def test_a_man_in_a_mill_is_safe_while_another_is_not() -> None:
    """O's mill on the inner square is passed over for the man on e5; were all in mills, any could be taken."""
    game = load("morris:six")
    for position, taken in (
        ("XX./OOO/..../.../..O:X:4", ["e1xe5"]),
        ("XX./OOO/..../.../...:X:6", ["e1xb2", "e1xc2", "e1xd2"]),
    ):
        moves = [game.format_action(action) for action in game.actions(game.parse(position))]
        assert [move for move in moves if "x" in move] == taken


@pytest.mark.parametrize("name", LARGEST)
@settings(max_examples=15)
@given(choices=st.lists(st.integers(0, 2**16), max_size=40))
def test_whatever_is_played_reads_back(name: str, choices: list[int]) -> None:
    """Positions, their images and moves are written and read again; states are small enough to be compiled."""
    game: Any = load(name)
    state = game.initial
    for choice in choices:
        assert game.parse(game.format(state)) == state
        assert 0 <= state < 2**63 or name == "kalah:6,6"
        image = game.symmetries[choice % len(game.symmetries)](state)
        assert game.parse(game.format(image)) == image
        assert (game.to_move(image), game.is_terminal(image)) == (game.to_move(state), game.is_terminal(state))
        actions = game.actions(state)
        assert bool(actions) is not game.is_terminal(state)
        if not actions:
            break
        action = actions[choice % len(actions)]
        assert game.parse_action(game.format_action(action)) == action
        assert 0 <= action < 2**63
        state = game.result(state, action)
