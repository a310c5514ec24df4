"""Answers as lines: as text one drawing below the other, as CSV with one header, as JSON an object a line."""

import csv
import json
from pathlib import Path

from zermelo.db.query import open_solution
from zermelo.views.answer import answer_lines, answer_writer

POSITIONS = ("XOX/OO./.X.", "XXX/OO./...")


def written(db: Path, format_: str, *, line: bool = False) -> list[str]:
    with open_solution(str(db)) as solution:
        write = answer_writer(solution.game, format_)
        return [text for position in POSITIONS for text in write(solution.answer(position, line=line))]


def test_text(tictactoe_db: Path) -> None:
    """A blank line between two answers, none before the first or after the last."""
    lines = "\n".join(written(tictactoe_db, "text", line=True)).splitlines()
    assert lines[5:11] == [
        "X to move: draw in 3 plies. Best move: c2.",
        "  c2  draw in 2 plies  *",
        "  a3  O wins in 1 ply",
        "  c3  O wins in 1 ply",
        "Best line: c2 c3 a3",
        "",
    ]
    assert lines[-2:] == ["The game is over: X wins.", "Best line: "]
    assert "" not in (lines[0], lines[-1])


def test_csv(tictactoe_db: Path) -> None:
    """One header for all; lists are words with spaces between, and what is not known is empty."""
    rows = list(csv.DictReader(written(tictactoe_db, "csv")))
    assert [row["position"] for row in rows] == list(POSITIONS)
    assert (rows[0]["optimal_moves"], rows[0]["terminal"]) == ("c2", "0")
    assert (rows[1]["to_move"], rows[1]["best_move"], rows[1]["terminal"]) == ("", "", "1")
    assert "line" not in rows[0]
    assert next(csv.DictReader(written(tictactoe_db, "csv", line=True)))["line"] == "c2 c3 a3"


def test_json(tictactoe_db: Path) -> None:
    """Nothing but the answer, in the order of its fields."""
    with open_solution(str(tictactoe_db)) as solution:
        for line, text in zip(written(tictactoe_db, "json"), POSITIONS, strict=True):
            assert list(json.loads(line).items()) == list(solution.answer(text).as_dict().items())


def test_a_move_that_ends_the_game(tictactoe_db: Path) -> None:
    """It leads to the end at once."""
    with open_solution(str(tictactoe_db)) as solution:
        assert "  c1  X wins at once  *" in answer_lines(solution.game, solution.answer("XX./OO./..."))
