"""`check_game` on games that break one rule each: the failure has its name and the position where it shows."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from zermelo.solver.board import Board
from zermelo.solver.check import RULES, _symmetries, check_game
from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK


class Countdown(Game[tuple[int, str], int]):
    """Take one or two of four; whoever takes the last wins."""

    spec = "countdown"
    initial = (4, "MAX")

    def to_move(self, state: tuple[int, str]) -> str:
        return state[1]

    def actions(self, state: tuple[int, str]) -> Sequence[int]:
        return [take for take in (1, 2) if take <= state[0]]

    def result(self, state: tuple[int, str], action: int) -> tuple[int, str]:
        return state[0] - action, "MIN" if state[1] == "MAX" else "MAX"

    def is_terminal(self, state: tuple[int, str]) -> bool:
        return state[0] == 0

    def utility(self, state: tuple[int, str], player: str) -> int:
        return -1 if player == state[1] else 1


def broken(**verbs: Any) -> Countdown:
    """The same game with some of its verbs replaced."""
    game: Countdown = type("Broken", (Countdown,), verbs)()
    return game


ticket = count()

CASES: list[tuple[str, str, str, Countdown]] = [
    ("notation", "(4, 'MAX')", "reads as", broken(parse=lambda self, text: (0, "MAX"))),
    ("notation", "(4, 'MAX')", "which is not a word", broken(format_action=lambda self, action: f"take {action}")),
    ("notation", "(4, 'MAX')", "reads as 1", broken(format_action=lambda self, action: "1")),
    ("notation", "(4, 'MAX')", "raises KeyError", broken(draw=lambda self, state: {}[state])),
    ("actions", "(0, 'MAX')", "is finished, but has the action 1", broken(actions=lambda self, state: [1])),
    ("actions", "(0, 'MAX')", "is not finished, but has no action", broken(is_terminal=lambda self, state: False)),
    ("actions", "(4, 'MAX')", "has the action 1 twice", broken(actions=lambda self, state: [1, 1][: state[0]])),
    ("turns", "(4, 'MAX')", "is 'me''s turn", broken(to_move=lambda self, state: "me")),
    ("results", "(4, 'MAX')", "has two answers to actions", broken(actions=lambda self, state: [1 + next(ticket) % 2][: state[0]] if state[0] > 1 else [1][: state[0]])),
    ("results", "(1, 'MIN')", "raises IndexError", broken(result=lambda self, state, action: Countdown.result(self, state, action) if state[0] > 1 else [][0])),
    ("utilities", "(0, 'MAX')", "1 and 1, which do not add up to 0", broken(utility=lambda self, state, player: 1)),
    ("utilities", "(0, 'MAX')", "which is not a whole number", broken(utility=lambda self, state, player: 0.5)),
    ("utilities", "(0, 'MIN')", "outside the bounds (-1, 0)", broken(bounds=(-1, 0), evaluate=lambda self, state: -0.5)),
    ("evaluation", "(4, 'MAX')", "not strictly between", broken(bounds=(-1, 1), evaluate=lambda self, state: 1)),
    ("symmetries", "(4, 'MAX')", "the identity is missing", broken(symmetries=(lambda state: (state[0], "MIN" if state[1] == "MAX" else "MAX"),))),
    ("symmetries", "(2, 'MAX')", "each other's images", broken(symmetries=(lambda state: state, lambda state: {(1, "MAX"): (2, "MAX"), (2, "MAX"): (1, "MAX")}.get(state, state)))),
    ("symmetries", "(1, 'MIN')", "are not both finished", broken(symmetries=(lambda state: state, lambda state: {(1, "MIN"): (0, "MIN"), (0, "MIN"): (1, "MIN")}.get(state, state)))),
]  # fmt: skip


def test_the_game_without_a_fault_passes() -> None:
    """So that each case below fails for its own reason."""
    verdict = check_game(Countdown())
    assert (verdict.complete, verdict.failures) == (True, [])


@pytest.mark.parametrize(("rule", "position", "reason", "game"), CASES, ids=[f"{case[0]}: {case[2]}" for case in CASES])
def test_a_broken_rule_is_found_and_placed(rule: str, position: str, reason: str, game: Countdown) -> None:
    """By name, with a position."""
    found = {failure.rule: failure for failure in check_game(game).failures}
    assert rule in found
    assert reason in found[rule].reason
    assert found[rule].position == position
    assert found[rule].times >= 1
    assert rule in RULES


def test_where_the_rules_fail_play_has_not_ended() -> None:
    """The start is the only position that is found, and it is not a finished one."""
    verdict = check_game(broken(result=lambda self, state, action: [][0]))
    assert (verdict.positions, verdict.finished, verdict.complete) == (1, 0, False)


def test_coming_back_is_a_fact_and_no_failure() -> None:
    """The first position that comes back is named; what endless play is worth must be within the bounds."""
    passes = lambda self, state: [*Countdown.actions(self, state), 0]  # noqa: E731
    assert check_game(Countdown()).comes_back is None
    verdict = check_game(load("dodgem:3"))
    assert (verdict.complete, verdict.failures, verdict.comes_back is not None) == (True, [], True)
    after = broken(actions=passes, is_terminal=lambda self, state: state[0] == 0)
    assert check_game(after).comes_back == "(1, 'MIN')"
    outside = broken(actions=passes, bounds=(-1, 1), endless=2, evaluate=lambda self, state: 0)
    (failure,) = (failure for failure in check_game(outside).failures if "endless play" in failure.reason)
    assert failure.reason == "is where endless play is worth 2, outside the bounds (-1, 1)"


def test_a_symmetry_keeps_the_turn_and_the_utilities() -> None:
    """To exchange the players is none."""
    exchange = lambda state: (state[0], "MIN" if state[1] == "MAX" else "MAX")  # noqa: E731
    game = broken(symmetries=(lambda state: state, exchange))
    assert "different players' turns" in "".join(_symmetries(game, (4, "MAX"), None))
    assert "different utilities" in "".join(_symmetries(game, (0, "MAX"), None))


def test_a_symmetry_keeps_the_start() -> None:
    """Or positions that play cannot reach would be counted."""
    game = broken(symmetries=(lambda state: state, lambda state: (state[0] ^ 8, state[1])))
    assert "is the start" in "".join(_symmetries(game, (4, "MAX"), None))
    assert "which play cannot reach" in "".join(_symmetries(game, (3, "MIN"), {(3, "MIN"): []}))


def test_a_group_is_more_than_a_set() -> None:
    """A turn by a quarter without the turns by a half and three quarters."""
    turn = Board(3, 3).state_map((2, 5, 8, 1, 4, 7, 0, 3, 6))
    wrong: MNK = type("Wrong", (MNK,), {"family": "wrong", "symmetries": (lambda state: state, turn)})(3, 3, 3)
    (failure,) = check_game(wrong).failures
    assert failure.rule == "symmetries"
    assert "not a group" in failure.reason


def test_the_limit_is_kept_and_told() -> None:
    """What was not tried is not vouched for."""
    verdict = check_game(load("tictactoe"), limit=100)
    assert (verdict.positions, verdict.complete, verdict.failures) == (100, False, [])


def test_progress_is_told() -> None:
    """For the bar."""
    seen: list[tuple[int, int | None]] = []
    report = lambda done, total, _stage="": seen.append((done, total))  # noqa: E731
    check_game(load("nim:3,4,5"), progress=report)
    assert seen[0] == (0, 232)


@pytest.mark.parametrize(
    "name",
    [
        "tictactoe",
        pytest.param("mnk:3,3,3,misere", marks=pytest.mark.slow),
        "mnk:4,2,2",
        "nim:3,4,5",
        "nim:2,2,2",
        "figure:three-player",
    ],
)
def test_the_games_that_come_with_it_pass(name: str) -> None:
    """All positions, all rules."""
    verdict = check_game(load(name))
    assert (verdict.complete, verdict.failures) == (True, [])
