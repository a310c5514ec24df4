"""Finding positions worth a look, against what can be counted by hand or by brute force."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from zermelo.db.find import find, holding_moves, losing_moves
from zermelo.db.positions import Selection, positions
from zermelo.db.query import Solution, open_solution


@pytest.fixture(scope="module")
def solution(tictactoe_db: Path) -> Iterator[Solution]:
    """Tic-tac-toe, open."""
    with open_solution(str(tictactoe_db)) as opened:
        yield opened


def test_the_only_reply_to_a_corner_is_the_centre(solution: Solution) -> None:
    """The best known only move: after a corner every reply but the centre loses."""
    (corner,) = find(solution, Selection(plies=(1, 1), classes=True), only_move=True)
    assert corner.board == ".../.../..X"
    assert holding_moves(corner, "X") == ["b2"] == corner.optimal_moves
    assert len(losing_moves(corner, "X")) == 7


@pytest.mark.slow
def test_only_moves_are_all_that_a_plain_count_finds(solution: Solution) -> None:
    """Asked one by one: another move is there, and just one keeps the value."""
    found = {position.board for position in find(solution, only_move=True, limit=10_000)}
    for position in positions(solution):
        answer = solution.answer(position.board)
        kept = [move for move in answer.moves if move.value == answer.value]
        assert (position.board in found) == (len(answer.moves) > 1 and len(kept) == 1)


def test_the_tutorials_position(solution: Solution) -> None:
    """X O X / O O . / . X . with X to move: c2 draws, a3 and c3 lose at once."""
    found = find(solution, Selection(plies=(6, 6), value=0, to_move="X"), only_move=True, limit=10_000)
    (position,) = (position for position in found if position.board == "XOX/OO./.X.")
    assert holding_moves(position, "X") == ["c2"]
    assert losing_moves(position, "X") == ["a3", "c3"]


def test_the_longest_wins_come_first(solution: Solution) -> None:
    """X's longest forced win takes as many plies as any position's in the database."""
    found = find(solution, Selection(value=1, classes=True), sort="plies", limit=5)
    assert len(found) == 5
    longest = max(row.plies or 0 for row in solution.source.rows() if row.value == 1)
    plies = [position.plies or 0 for position in found]
    assert plies == sorted(plies, reverse=True)
    assert found[0].plies == longest == 5


def test_the_trickiest_draws_come_first(solution: Solution) -> None:
    """The draw with the most losing replies is the corner opening; O goes wrong with seven of eight moves."""
    found = find(solution, Selection(value=0, classes=True), sort="losing", limit=3)
    losing = [len(losing_moves(position, "X")) for position in found]
    assert losing == sorted(losing, reverse=True)
    assert (found[0].board, losing[0]) == (".../.../..X", 7)
    assert losing[0] == max(len(losing_moves(position, "X")) for position in positions(solution, Selection(value=0)))


def test_the_limit_stops_the_search(solution: Solution) -> None:
    """Without an order to bring them in, the first that are found will do."""
    assert len(find(solution, limit=3)) == 3
    assert len(find(solution, Selection(plies=(0, 0)), limit=3)) == 1


def test_in_a_lost_position_nothing_holds(solution: Solution) -> None:
    """X to move wins after any move of O's: each of them loses, and none holds."""
    found = find(solution, Selection(value=1, to_move="O"), sort="plies", limit=100)
    assert len(found) == 100
    for position in found:
        assert holding_moves(position, "X") == []
        assert losing_moves(position, "X") == [reply.move for reply in position.moves] != []


def test_no_tricky_draw_without_a_move_that_loses(solution: Solution) -> None:
    """Of the 1,068 draws those count where one can go wrong, however many are asked for; the empty board is not among them."""
    found = find(solution, Selection(value=0), sort="losing", limit=5478)
    draws = [position for position in positions(solution, Selection(value=0)) if losing_moves(position, "X")]
    assert {position.board for position in found} == {position.board for position in draws}
    assert 0 < len(found) < 1068
    assert ".../.../..." not in {position.board for position in found}
