"""Nim against the rule that has been known since 1901: the side to move loses when the heaps' XOR is 0."""

from functools import reduce
from operator import xor
from pathlib import Path

import pytest

from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.solver.check import check_game
from zermelo.solver.errors import ActionError, GameError, PositionError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.search import alphabeta


@pytest.mark.parametrize("name", ["nim:3,4,5", "nim:1", "nim:2,2,2", "nim:1,2,3,4"])
def test_every_position_follows_the_xor_rule(name: str) -> None:
    """MAX wins where it is to move and the XOR is not 0, or MIN is and it is."""
    entries = solve(load(name))
    for (player, heaps), (value, _, _) in entries.items():
        winner_moves = reduce(xor, heaps) != 0
        assert value == (1 if winner_moves == (player == "MAX") else -1), heaps


def test_a_search_and_the_database_follow_it_too(tmp_path: Path) -> None:
    """Every stored position, and a search from the start."""
    game = load("nim:3,4,5")
    assert alphabeta(game, game.initial).value == 1
    build(str(tmp_path / "nim.db"), game)
    with open_solution(str(tmp_path / "nim.db"), game) as solution:
        for state, (value, plies, _) in solve(game).items():
            entry = solution.probe(game.format(state))
            assert (entry.value, entry.plies) == (value, plies)
        # The first heap can go in one move, in two or in three: the ply is that of the shortest way.
        assert solution.answer("0,4,5:MIN").ply == 1
        assert solution.answer("0,4,5:MAX").ply == 2
        assert solution.answer("0,0,0:MAX").ply == 4


@pytest.mark.parametrize("symmetry", [False, True])
def test_exchanging_equal_heaps_changes_nothing(symmetry: bool, tmp_path: Path) -> None:
    """One position of each class answers for all."""
    game = load("nim:3,3,2")
    built = build(str(tmp_path / "nim.db"), game, symmetry=symmetry)
    assert built.classes < built.positions
    with open_solution(str(tmp_path / "nim.db"), game) as solution:
        for state, (value, _, _) in solve(game).items():
            assert solution.probe(game.format(state)).value == value


def test_the_rules_pass_the_check() -> None:
    """All of them, on all positions."""
    verdict = check_game(load("nim:3,3,2"))
    assert verdict.complete
    assert verdict.failures == []


def test_what_can_be_parsed_is_what_play_can_reach() -> None:
    """No more and no less."""
    game = load("nim:1,3")
    reached = {game.format(state) for state in solve(game)}
    for first in range(3):
        for second in range(5):
            for player in ("MAX", "MIN"):
                text = f"{first},{second}:{player}"
                try:
                    game.parse(text)
                except PositionError:
                    assert text not in reached
                else:
                    assert text in reached


@pytest.mark.parametrize("wrong", ["nim:", "nim:x", "nim:3,,4", "nim:0", "nim:1,2,3,4,5,6,7", "nim:1001", "nim:3,-1"])
def test_heaps_that_cannot_be_used(wrong: str) -> None:
    """The message names the game as it was asked for."""
    with pytest.raises(GameError, match=f"game '{wrong}'"):
        load(wrong)


@pytest.mark.parametrize("wrong", ["3,4", "3,4,6", "x", "3,4,5:ME", "", "3,4,5:MIN", "2,4,5:MAX"])
def test_positions_that_cannot_be(wrong: str) -> None:
    """Too many heaps, too many objects, or the wrong one's turn."""
    with pytest.raises(PositionError):
        load("nim:3,4,5").parse(wrong)


@pytest.mark.parametrize("wrong", ["", "3", "d1", "a", "a-1", "ax"])
def test_moves_that_cannot_be_read(wrong: str) -> None:
    """A letter and a number."""
    with pytest.raises(ActionError):
        load("nim:3,4,5").parse_action(wrong)
