"""A game against the perfect player: what it plays, what can be undone, and the conversation around it."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.games import Loops
from zermelo.db.memory import solve_in_memory
from zermelo.db.query import Solution, open_solution
from zermelo.solver.errors import ActionError, PositionError
from zermelo.views.match import Match, converse


@pytest.fixture
def solution(tictactoe_db: Path) -> Iterator[Solution]:
    with open_solution(str(tictactoe_db)) as solution:
        yield solution


def test_the_perfect_player_never_loses(solution: Solution) -> None:
    """A hundred games against somebody who moves at random, from either side."""
    for seed in range(100):
        random = Random(seed)
        person, worst = ("X", 1) if seed % 2 else ("O", -1)
        match = Match(solution, [person], random=random)
        while not match.answer.terminal:
            if match.answer.to_move == person:
                match.play(random.choice(match.answer.moves).move)
            else:
                match.reply()
        assert match.answer.value != worst


def test_it_plays_only_moves_that_nothing_is_better_than(solution: Solution) -> None:
    """All that ask most in the long run, or always the stored one; the same seed chooses the same way."""
    position = "X../.O./..."
    optimal = [move for move in solution.answer(position, traps=True).moves if move.optimal]
    assert len(optimal) == 7
    # After these only one of O's six replies holds, after the other three four do.
    tricky = {"b1", "c1", "a2", "a3"}
    assert {move.move for move in optimal if move.traps == 5} == tricky
    assert {Match(solution, [], position, Random(seed)).reply() for seed in range(60)} == tricky
    openings = {Match(solution, [], None, Random(seed)).reply() for seed in range(60)}
    assert openings == {"a1", "c1", "a3", "c3"}
    assert {Match(solution, [], position).reply() for _ in range(5)} == {"b1"}
    assert Match(solution, [], position, Random(7)).reply() == Match(solution, [], position, Random(7)).reply()


def test_undo_takes_the_reply_back_too(solution: Solution) -> None:
    """It is the person's turn again, as before the move."""
    match = Match(solution, ["X"])
    with pytest.raises(ActionError, match="there is no move of yours to undo"):
        match.undo()
    match.play("b2")
    match.reply()
    match.play(match.answer.moves[0].move)
    match.undo()
    assert match.answer.ply == 2
    match.undo()
    assert match.answer.position == ".../.../..."

    second = Match(solution, ["O"])
    second.reply()
    with pytest.raises(ActionError):  # the first move was not the person's
        second.undo()


def test_two_people_undo_one_move(solution: Solution) -> None:
    """Each move was a person's."""
    match = Match(solution, ["X", "O"])
    for move in ("b2", "a1", "c3"):
        match.play(move)
    match.undo()
    assert match.answer.position == "O../.X./..."


def test_a_match_begins_anywhere_that_is_a_position(solution: Solution) -> None:
    """By the notation that every command takes."""
    assert Match(solution, ["X"], "xo_-x---o").answer.position == "XO./.X./..O"
    with pytest.raises(PositionError):
        Match(solution, ["X"], "XXX/OOO/...")


def talk(match: Match, *lines: str) -> list[str]:
    """What is said when a person types these lines."""
    typed = iter(lines)
    said: list[str] = []
    converse(match, lambda _prompt: next(typed, None), lambda text: said.extend(text.splitlines()))
    return said


def test_the_conversation(solution: Solution) -> None:
    """Moves by name or number, hints, and one line for what is no move."""
    said = talk(Match(solution, ["X"], "XO./.X./..O"), "hint", "z9", "B2", "", "3", "undo", "nothing", "a2", "c2")
    assert said[0].startswith("You play X. Type a move, such as c1, hint to see")
    said = said[2:]
    assert said[4:10] == [
        "X to move: X wins in 3 plies. Best move: a2.",
        "  a2  X wins in 2 plies  traps 0 of 4  *",
        "  a3  X wins in 2 plies  traps 0 of 4  *",
        "  c1  draw in 4 plies    traps 3 of 4",
        "  c2  draw in 4 plies    traps 3 of 4",
        "  b3  draw in 4 plies    traps 0 of 4",
    ]
    assert said[10].startswith("'z9' is not a cell of this board: ")
    assert said[11].startswith("move 'B2' is not possible in XO./.X./..O: the moves are c1 a2 c2 a3 b3. ")
    assert said[12] == "Type a move, or hint, undo or quit."
    assert said.count("O plays c1.") == 2
    assert said[-1] == "The game is over: X wins."


def test_a_game_to_the_end(solution: Solution) -> None:
    """The last line says how it ended; a game that was over says so at once."""
    said = talk(Match(solution, ["X", "O"]), "b2", "a1", "c1", "b1", "a3")
    assert said[-1] == "The game is over: X wins."
    assert talk(Match(solution, ["X"], "XXX/OO./..."))[-1] == "The game is over: X wins."


def test_the_third_time_ends_the_game() -> None:
    """Two people go to and fro; the third time the same position comes up the game is drawn, and undo takes that back."""
    match = Match(solve_in_memory(Loops("a>b,c b<a c=1")), ["MAX", "MIN"])
    assert talk(match, *"baba")[-1] == "The game is over: the same position has come up for the third time, draw."
    match.undo()
    assert not match.repeated
    assert talk(match, "a")[-1].endswith("for the third time, draw.")
    unequal = Match(solve_in_memory(Loops("a>b,c b<a c=1", endless=-1)), ["MAX", "MIN"])
    assert talk(unequal, *"baba")[-1].endswith("for the third time, MIN wins.")


def test_a_win_is_played_to_its_end() -> None:
    """The perfect player forces what is won in as many plies as are stored, wherever the other goes."""
    solution = solve_in_memory("dodgem:3")
    for seed in range(5):
        random = Random(seed)
        match = Match(solution, ["O"], random=random)
        while not match.answer.terminal:
            before = match.answer.plies
            if match.answer.to_move == "O":
                match.play(random.choice(match.answer.moves).move)
            else:
                match.reply()
            assert before is not None
            assert match.answer.plies is not None
            assert match.answer.plies < before
        assert match.answer.value == 1
