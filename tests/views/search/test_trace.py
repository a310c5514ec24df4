"""Traces: every step, in order, as the slides tell it."""

import pytest

from zermelo.solver.errors import SearchError
from zermelo.solver.games import load
from zermelo.solver.search import Settings
from zermelo.views.search.trace import trace


def traced(name: str, position: str, settings: Settings = Settings(), numbering: str = "names") -> list[str]:  # noqa: B008
    game = load(name)
    lines: list[str] = []
    trace(game, game.parse(position), lines.append, settings, numbering)
    return lines


def test_the_tutorials_position_step_by_step() -> None:
    """In by c2 to the end, out again, and what a3 and c3 come to."""
    lines = traced("tictactoe", "XOX/OO./.X.")
    assert lines[:12] == [
        "s1 = XOX/OO./.X., X to move",
        "MINIMAX-SEARCH(s1)",
        "MAX-VALUE(s1)",
        "  v, move ← -∞, null",
        "  ACTIONS(s1) = {c2, a3, c3}",
        "  s2 = RESULT(s1, c2) = XOX/OOX/.X.",
        "  MIN-VALUE(s2)",
        "    v, move ← +∞, null",
        "    ACTIONS(s2) = {a3, c3}",
        "    s3 = RESULT(s2, a3) = XOX/OOX/OX.",
        "    MAX-VALUE(s3)",
        "      v, move ← -∞, null",
    ]
    assert "        s4 is terminal: return UTILITY(s4) = 1, null" in lines
    assert "  c2: v2 = 0, and 0 > -∞: v, move ← 0, c2" in lines
    assert "  a3: v2 = -1, and -1 is not > 0" in lines
    assert lines[-2:] == ["  return 0, c2", "MINIMAX-SEARCH returns c2: value 0 for X"]
    # One call and one way out for each of the 14 nodes.
    assert sum("-VALUE(s" in line for line in lines) == sum("return " in line for line in lines) == 14


def test_o_to_move_enters_min_value() -> None:
    """Values are X's whoever moves first."""
    lines = traced("tictactoe", "XOX/OO./XX.")
    assert lines[2] == "MIN-VALUE(s1)"
    assert lines[-1] == "MINIMAX-SEARCH returns c2: value -1 for X"


def test_cells_numbered_by_columns() -> None:
    """As on the slides: 0 3 6 / 1 4 7 / 2 5 8."""
    lines = traced("tictactoe", "XOX/OO./.X.", numbering="columns")
    assert lines[:3] == ["0 3 6", "1 4 7", "2 5 8"]
    assert "  ACTIONS(s1) = {2, 7, 8}" in lines
    assert lines[-1] == "MINIMAX-SEARCH returns 7: value 0 for X"
    assert traced("tictactoe", "XOX/OO./.X.", numbering="rows")[:3] == ["0 1 2", "3 4 5", "6 7 8"]


def test_alphabeta_shows_its_window_and_its_cutoffs() -> None:
    """The two leaves under the second move."""
    lines = traced("figure:two-ply", "A", Settings("alphabeta"))
    assert "MAX-VALUE(s1, α = -∞, β = +∞)" in lines
    assert "  α ← 3" in lines
    assert "  MIN-VALUE(s6, α = 3, β = +∞)" in lines
    assert "    v = 2 ≤ α = 3: cut off {c2, c3}" in lines
    assert not any("C.c2" in line for line in lines)


def test_a_depth_limit_evaluates() -> None:
    """And says why it stopped."""
    lines = traced("tictactoe", "XOX/OO./.X.", Settings(depth=1))
    assert lines[1] == "MINIMAX-SEARCH(s1) with depth limit 1"
    assert "    s2 is as deep as we look: return EVAL(s2) = 0.22, null" in lines
    alphabeta = traced("tictactoe", "XOX/OO./.X.", Settings("alphabeta", depth=2))
    assert alphabeta[1] == "ALPHA-BETA-SEARCH(s1) with depth limit 2"


def test_many_players() -> None:
    """Each compares its own part of the vector."""
    lines = traced("figure:three-player", "X", Settings("multiplayer"))
    assert "  c2: v2 = (4, 2, 3), and 3 is not > 6 for C" in lines
    assert lines[-1] == "MULTIPLAYER-SEARCH returns c1: value (1, 2, 6) for A, B, C"


def test_lines_come_while_the_search_runs() -> None:
    """A trace of half a million nodes must not be collected first."""
    game = load("tictactoe")

    class EnoughError(Exception):
        pass

    seen: list[str] = []

    def write(line: str) -> None:
        seen.append(line)
        if len(seen) == 100:
            raise EnoughError

    with pytest.raises(EnoughError):
        trace(game, game.initial, write)
    assert seen[2] == "MAX-VALUE(s1)"


def test_what_a_trace_refuses() -> None:
    """Before the first line."""
    with pytest.raises(SearchError, match="is over"):
        traced("tictactoe", "XXX/OO./...")
    with pytest.raises(SearchError, match="has no cells to number"):
        traced("figure:two-ply", "A", numbering="columns")
