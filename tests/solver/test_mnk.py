"""The rules of k-in-a-row games, and which positions can occur."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.solver.errors import GameError, PositionError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK

GAMES = ["mnk:3,3,3", "mnk:4,3,3", "mnk:5,5,4", "mnk:1,7,3", "mnk:25,1,5", "mnk:3,3,3,misere", "mnk:2,2,1", "mnk:1,1,1"]


def random_position(game: MNK, seed: int) -> int:
    """A position that play can reach, by random moves."""
    chance = random.Random(seed)
    state = game.initial
    for _ in range(chance.randrange(game.board.cells + 1)):
        if game.is_terminal(state):
            break
        state = game.result(state, chance.choice(game.actions(state)))
    return state


@given(st.sampled_from(GAMES), st.integers())
def test_notation_round_trips_on_positions_of_play(name: str, seed: int) -> None:
    """Whatever play reaches is written and read back, and is never refused."""
    game = load(name)
    assert isinstance(game, MNK)
    state = random_position(game, seed)
    assert game.parse(game.format(state)) == state
    for action in game.actions(state):
        assert game.parse_action(game.format_action(action)) == action


@given(st.sampled_from(GAMES), st.integers())
def test_symmetries_keep_the_rules(name: str, seed: int) -> None:
    """Turning a position and playing on is playing on and turning."""
    game = load(name)
    assert isinstance(game, MNK)
    state = random_position(game, seed)
    for symmetry in game.symmetries:
        image = symmetry(state)
        assert game.is_terminal(image) == game.is_terminal(state)
        assert game.to_move(image) == game.to_move(state)
        if game.is_terminal(state):
            assert game.utility(image, "X") == game.utility(state, "X")
        else:
            successors = {symmetry(game.result(state, action)) for action in game.actions(state)}
            assert successors == {game.result(image, action) for action in game.actions(image)}


def test_exactly_the_reachable_positions_are_accepted() -> None:
    """Of all 19,683 ways to fill nine cells, parse accepts the 5,478 that play reaches, and no other."""
    game = MNK(3, 3, 3)
    reachable = {game.format(state) for state in solve(game)}
    accepted = set()
    for number in range(3**9):
        cells = "".join(".XO"[number // 3**cell % 3] for cell in range(9))
        try:
            accepted.add(game.format(game.parse(cells)))
        except PositionError:
            continue
    assert accepted == reachable


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("XX./.../...", "X has 2 and O has 0 stones"),
        ("O../.../...", "X has 0 and O has 1 stones"),
        ("XXX/OOO/...", "X has a line, so O could not have moved after it"),
        ("XXX/OO./O..", "X has a line, so O could not have moved after it"),
        ("OOO/XX./XX.", "O has a line, so X could not have moved after it"),
        ("XXX/OOO/X..", "O has a line, so X could not have moved after it"),
    ],
)
def test_positions_that_no_game_reaches(text: str, reason: str) -> None:
    """Each impossible position is refused for its own reason."""
    with pytest.raises(PositionError, match="cannot occur") as refused:
        MNK(3, 3, 3).parse(text)
    assert reason in str(refused.value)


def test_two_lines_that_one_move_cannot_complete() -> None:
    """On 5x3 X can have two whole rows, but no stone is in both."""
    with pytest.raises(PositionError, match="X has lines that no single move could complete together"):
        MNK(5, 3, 3).parse("XXXOO/XXX.O/O.O..")


def test_two_lines_that_one_move_completes() -> None:
    """The centre stone can finish both diagonals at once: five X, four O, a legal end."""
    game = MNK(3, 3, 3)
    state = game.parse("XOX/OXO/XOX")
    assert game.is_terminal(state)
    assert game.utility(state, "X") == 1


@pytest.mark.parametrize(
    ("text", "over", "value"),
    [
        ("XXX/OO./...", True, 1),  # a row
        ("XO./XO./X..", True, 1),  # a column
        ("XX./OOO/X..", True, -1),  # O's row
        ("X.O/XO./OX.", True, -1),  # the rising diagonal
        ("XOX/XOO/OXX", True, 0),  # full without a line
        ("XX./OO./...", False, None),  # two in a row are not three
    ],
)
def test_when_it_is_over(text: str, over: bool, value: int | None) -> None:
    """Lines in every direction end the game, and a full board is a draw."""
    game = MNK(3, 3, 3)
    state = game.parse(text)
    assert game.is_terminal(state) is over
    if value is not None:
        assert (game.utility(state, "X"), game.utility(state, "O")) == (value, -value)


def test_misere_turns_the_utilities_round() -> None:
    """Whoever completes a line loses."""
    game = MNK(3, 3, 3, misere=True)
    state = game.parse("XXX/OO./...")
    assert (game.utility(state, "X"), game.utility(state, "O")) == (-1, 1)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("chess", "there is no game 'chess'"),
        ("mnk", "is not of the form"),
        ("mnk:3,3", "is not of the form"),
        ("mnk:3,3,3,misery", "is not of the form"),
        ("mnk:3,-3,3", "is not of the form"),
        ("mnk:3,3,³", "is not of the form"),
        ("mnk:6,5,4", "width times height is from 1 to 25"),
        ("mnk:0,5,4", "width times height is from 1 to 25"),
        ("mnk:3,3,4", "on 3x3 it is from 1 to 3"),
        ("mnk:3,3,0", "on 3x3 it is from 1 to 3"),
        ("", "there is no game ''"),
    ],
)
def test_games_that_cannot_be(name: str, reason: str) -> None:
    """The name and what would be right."""
    with pytest.raises(GameError) as refused:
        load(name)
    assert reason in str(refused.value)


def test_names_are_canonical() -> None:
    """However a game is named, a database knows it by one name."""
    assert load("tictactoe").spec == load("mnk:3,3,3").spec == load("mnk:03,3,3").spec == "mnk:3,3,3"
    assert load("mnk:4,3,3,misere").spec == "mnk:4,3,3,misere"
