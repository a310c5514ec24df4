"""Contestants answer rightly, and a wrong answer is caught before its time counts."""

from pathlib import Path

import pytest

from bench import boards
from bench.peers import (
    AT_BOARDS,
    AT_TASKS,
    FRESH_EARLY,
    FRESH_LATE,
    KNOWN,
    PEERS,
    SOLVE,
    STORED,
    TASKS,
    Task,
    check,
    present,
    some_boards,
    truth,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", [name for name in AT_TASKS if name != "egtb"])  # which takes seconds to solve
def test_what_a_contestant_says_is_right(name: str, tmp_path: Path) -> None:
    """Values of all that it solved and looked up agree with ours, and its move in a fresh process is a best one."""
    if name not in present([name], peers=True):
        pytest.skip(f"{name} is not installed")
    ways = present([name], peers=True)[name].tasks(tmp_path)
    assert set(ways) == set(TASKS)
    for task in (SOLVE, KNOWN, STORED, FRESH_LATE):
        way = ways[task]
        if isinstance(way, Task):
            known = check(task, way)
            assert known is None or known >= 882


def test_all_positions_of_a_thousand_are_different_and_unfinished() -> None:
    """A look-up that was made before may be remembered."""
    assert len(set(some_boards())) == 1000
    assert truth().keys() >= set(some_boards())


def test_a_wrong_value_is_refused() -> None:
    """All nine openings draw."""
    with pytest.raises(ValueError, match="1 wrong values"):
        check(SOLVE, Task(dict, lambda _: {".../.../...": 0, "X../.../...": 1}))


def test_no_values_are_refused() -> None:
    """A contestant that knows nothing is quick."""
    with pytest.raises(ValueError, match="0 wrong values"):
        check(SOLVE, Task(dict, lambda _: {}))


def test_a_losing_move_is_refused() -> None:
    """Against a corner only the centre draws."""
    assert check(FRESH_EARLY, Task(lambda: 4)) is None
    with pytest.raises(ValueError, match="no best move"):
        check(FRESH_EARLY, Task(lambda: 1))


def test_without_peers_only_ours_are_there() -> None:
    """As on a machine where nothing else is installed."""
    assert not present(AT_TASKS, peers=False).keys() & set(PEERS)
    assert {"ours", "ztb", "plain"} <= present(AT_TASKS, peers=False).keys()


@pytest.mark.parametrize("name", AT_BOARDS)
def test_a_board_is_solved_in_a_process_of_its_own(name: str) -> None:
    """Tic-tac-toe is a draw for every contestant."""
    if name not in present([name], peers=True):
        pytest.skip(f"{name} is not installed")
    answer = boards.solve_apart(name, 3, 3, 3, limit=300)
    assert answer["value"] == 0
    assert answer["positions"] in (None, 5478, 4804, 4520, 583)


def test_a_limit_is_kept() -> None:
    """The row engine takes half a minute and more for 4x4."""
    assert boards.solve_apart("ours", 4, 4, 4, limit=0.5) == {"says": "over 0.5 s"}
