"""Values and outcomes in words: the same whether a search found them or a solution holds them."""

import pytest

from zermelo.solver.games import load
from zermelo.solver.search import Run, search
from zermelo.views.search.results import as_text
from zermelo.views.words import move_lines, outcome_text, value_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-1, "-1"),
        (1_234_567, "1234567"),  # a whole number is never rounded
        (1 / 3, "0.33"),
        (-0.5, "-0.5"),
        (float("-inf"), "-∞"),
        ((1, -2, 0.25), "(1, -2, 0.25)"),
    ],
)
def test_values(value: object, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize(
    ("game", "value", "plies", "text"),
    [
        ("tictactoe", 1, 0, "X wins"),
        ("tictactoe", 0, 9, "draw in 9 plies"),
        ("nim:1,2", -1, 1, "MIN wins in 1 ply"),
        ("figure:two-ply", -12, 2, "value -12 for MAX in 2 plies"),
        ("figure:two-ply", 1_234_567, 0, "value 1234567 for MAX"),
    ],
)
def test_outcomes(game: str, value: int, plies: int, text: str) -> None:
    assert outcome_text(load(game), value, plies) == text


def test_no_moves_no_lines() -> None:
    """In a finished game there is nothing to list."""
    assert list(move_lines([])) == []


def test_a_search_lists_its_moves_as_a_solution_does() -> None:
    """Values under each other on the right, the chosen one starred."""
    game = load("tictactoe")
    state = game.parse("XOX/OO./.X.")
    lines = as_text(game, state, Run("minimax", search(game, state), 0)).splitlines()
    assert lines[-4:-1] == ["  c2   0  *", "  a3  -1", "  c3  -1"]
