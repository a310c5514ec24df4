"""The counts of solved games, against published ones."""

import pytest

from zermelo.solver.census import take_census
from zermelo.solver.errors import GameError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK


@pytest.mark.parametrize(
    ("spec", "positions", "classes", "value", "plies"),
    [
        ("mnk:3,3,3", 5_478, 765, 0, 9),
        ("mnk:3,3,3,misere", 5_478, 765, 0, 9),
        pytest.param("mnk:4,3,3", 111_973, 28_275, 1, 7, marks=pytest.mark.slow),
        pytest.param("mnk:4,3,3,misere", 111_973, 28_275, -1, 11, marks=pytest.mark.slow),
        pytest.param("mnk:5,3,4", 3_414_564, None, 0, 15, marks=pytest.mark.slow),
    ],
)
def test_published_counts_and_values(spec: str, positions: int, classes: int | None, value: int, plies: int) -> None:
    """Positions, classes, value and length of the best line."""
    game = load(spec)
    entries = solve(game)
    assert len(entries) == positions
    assert entries[game.initial][:2] == (value, plies)
    if classes is not None:
        census = take_census(game, entries)
        assert sum(tally.positions for tally in census.counts.values()) == positions
        assert sum(tally.classes for tally in census.counts.values()) == len(census.plies) == classes


def test_the_size_of_the_tree_of_tic_tac_toe() -> None:
    """255,168 games and 549,946 nodes, and a game is an end of the tree."""
    game = load("tictactoe")
    census = take_census(game, solve(game))
    assert (census.games, census.tree_nodes) == (255_168, 549_946)


def test_a_symmetry_that_moves_the_start_is_refused() -> None:
    """Counting a class once for all its images would count positions that play never reaches."""

    class Moved(MNK):
        initial = MNK(3, 3, 3).parse("XO./.../...")

    game = Moved(3, 3, 3)
    with pytest.raises(
        GameError, match=r"has a symmetry that takes its start to '.*', but a symmetry must leave the start"
    ):
        take_census(game, solve(game))


def test_without_symmetries_every_position_is_its_own_class() -> None:
    """A game need not offer symmetries: the counts are then those of positions."""
    from tests.solver.test_exhaustive import Counting

    game = Counting(6)
    census = take_census(game, solve(game))
    assert {tally.positions for tally in census.counts.values()} == {tally.classes for tally in census.counts.values()}
    # Fewest moves from the start: 6 -> 4 -> 2 -> 0 are three moves of two.
    assert census.plies[game.parse("0b")] == 3
    # Ways to take 6 by ones and twos: 13.
    assert census.games == 13
