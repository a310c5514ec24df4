"""What the check of a game's rules says."""

from zermelo.solver.check import RULES, Failure, Verdict
from zermelo.solver.games import load
from zermelo.views.check import check_lines


def test_a_rule_that_fails_has_a_second_line() -> None:
    """With the position where it shows first, and how often it shows."""
    verdict = Verdict(1200, 34, False, [Failure("turns", "1,2:MAX", "is nobody's turn", 1100)])
    lines = list(check_lines(load("nim:1,2"), verdict))
    assert (
        len(lines) == len(RULES) + 2
    )  # a second line, a note and the count, and nothing on compiled verbs, which nim has not
    at = lines.index("FAIL  turns: the player to move is one of the players")
    assert lines[at + 1] == "      '1,2:MAX' is nobody's turn (1,100 in all)"
    assert sum(line.startswith("ok    ") for line in lines) == len(RULES) - 2
    assert lines[-2] == "note  play comes back to none of the positions that were tried"
    assert lines[-1].startswith("nim:1,2: 1,200 positions tried, 34 of them finished: not every position")
