"""Functions of many whole numbers: the same compiled and plain."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.images import are_lowest, mapped

MANY = np.arange(0, 6_000_000, 100)
NAMES = {0: "even", 1: "odd"}


def large(number: int) -> int:
    """Which needs more than 64 bits on the way."""
    return number * 2**70 % 10_007


def named(number: int) -> int:
    """Which looks into a dictionary of texts, and compiled code has none."""
    return number + len(NAMES[number % 2])


def late(number: int) -> int:
    """Which fails at a number that is not looked at first, as compiled code and as plain."""
    return (1, 2)[number // 5_999_900 * 2]


@pytest.mark.parametrize("function", [abs, large, named, lambda number: number ^ 5])
def test_every_number_as_plain_python_makes_it(function: Callable[[int], int]) -> None:
    """Whether it can be compiled or not, and where it would be another number then."""
    assert mapped(function, MANY).tolist() == [function(number) for number in MANY.tolist()]


def test_an_error_is_plain_pythons() -> None:
    """What compiled code says of it is nobody's."""
    with pytest.raises(IndexError, match="tuple index out of range"):
        mapped(late, MANY)


def test_the_lowest_of_their_class() -> None:
    """Of the positions of a game whose symmetries move no bits, one of each class."""
    game = load("vanishing:3,3,3,3")
    states = sorted(_reached(game, 3))
    lowest = are_lowest(game.symmetries, np.array(states))
    classes = {frozenset(turn(state) for turn in game.symmetries) for state in states}
    assert [state for state, one in zip(states, lowest.tolist(), strict=True) if one] == sorted(map(min, classes))


def _reached(game: Game[Any, Any], plies: int) -> set[int]:
    reached: set[int] = {game.initial}
    for _ in range(plies):
        reached |= {game.result(state, action) for state in reached for action in game.actions(state)}
    return reached
