"""Every family of games: its rules pass the check, two solvers agree, its values are the published ones, and it is stored."""

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import zermelo
from tests.solver import fixed_point
from zermelo.solver.check import check_game
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.search import alphabeta
from zermelo.solver.table import TranspositionTable

SMALL = [
    "dodgem:2", "dodgem:3", "quixo:2", "morris:three", "hare-and-hounds", "fox-and-hounds:4", "hexapawn:1,3",
    "hexapawn:3,3", "hexapawn:4,3", "notakto:1", "chomp:1,1", "chomp:3,3", "chomp:4,3", "kalah:1,3", "kalah:2,3", "kalah:4,1",
]  # fmt: skip
"""Games of few positions, of every family whose smallest has few."""
LARGE = [
    "morris:achi", "morris:nine-holes", "fox-and-hounds:6", "quixo:3", "vanishing:3,3,3,3", "hexapawn:4,4", "kalah:3,3", "chomp:7,7",
]  # fmt: skip
"""Games of up to 130,000 positions."""
LARGEST = ["notakto:2", "kalah:4,2", "dodgem:4", "fox-and-hounds:8"]
"""Games of up to 710,000 positions, which take minutes each way."""
LONG = pytest.mark.skipif(not os.environ.get("ZERMELO_FUZZ"), reason="takes minutes: set ZERMELO_FUZZ=1")
TRIED = [*LARGE, *(LARGEST if os.environ.get("ZERMELO_FUZZ") else ())]


@cache
def solved(name: str) -> dict[Any, tuple[int, int | None, Any]]:
    """Every position's entry, as Zermelo solves the game."""
    return solve(load(name))


@pytest.mark.parametrize("name", SMALL)
def test_the_rules_pass_the_check(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, on some hundred positions: notation, symmetries, ends and utilities."""
    # Compiled they are tried below: that takes seconds for each.
    monkeypatch.setattr("zermelo.solver.check.is_compiled", lambda _: False)
    assert check_game(name, limit=300).failures == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SMALL, *LARGE, *LARGEST, "morris:six", "kalah:6,4", "notakto:3"])
def test_the_rules_pass_the_check_everywhere(name: str) -> None:
    """The same on 6,000 positions, which for most is all of them."""
    assert check_game(name, limit=6_000).failures == []


@pytest.mark.parametrize("name", SMALL)
def test_a_family_has_a_title_and_a_sentence_of_rules(name: str) -> None:
    """What people call it, and what a finder of a stored solution reads."""
    game = load(name)
    assert game.title != game.spec == name
    assert game.rules.endswith(".")
    assert game.rules.count(". ") == 0


@pytest.mark.parametrize("name", SMALL)
def test_every_position_against_a_solver_that_shares_no_code(name: str) -> None:
    """Value, plies and best move."""
    assert solved(name) == fixed_point.solve(load(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIED)
def test_every_position_of_larger_games(name: str) -> None:
    """The same."""
    assert solved(name) == fixed_point.solve(load(name))


def assert_built_proved_and_answered(name: str, folder: Path, symmetry: bool = False) -> None:
    """Build the game, prove it from the rules, and ask it for some positions."""
    db = str(folder / "games.db")
    entries = solved(name)
    built = zermelo.build(name, db=db, symmetry=symmetry)
    assert (built.positions, built.value, built.plies) == (len(entries), *entries[load(name).initial][:2])
    with zermelo.open(db, name) as solution:
        assert zermelo.verify(solution).faults == []
        game = solution.game
        for state in list(entries)[:: len(entries) // 50 + 1]:
            value, plies, action = entries[state]
            best = None if action is None else game.format_action(action)
            answer = solution.answer(game.format(state))
            assert (answer.value, answer.plies, answer.best_move) == (value, plies, best)
            assert sorted(move.move for move in answer.moves) == sorted(map(game.format_action, game.actions(state)))


@pytest.mark.parametrize("name", SMALL)
def test_it_is_built_proved_and_answered(name: str, tmp_path: Path) -> None:
    """All of it through the database."""
    assert_built_proved_and_answered(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIED)
def test_larger_games_are_built_proved_and_answered(name: str, tmp_path: Path) -> None:
    """The same."""
    assert_built_proved_and_answered(name, tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "hexapawn:3,3",
        "chomp:3,3",
        "notakto:1",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("morris:three", "hare-and-hounds")),
    ],
)
def test_one_of_each_class_answers_for_all(name: str, tmp_path: Path) -> None:
    """Where a game has symmetries."""
    assert len(load(name).symmetries) > 1
    assert_built_proved_and_answered(name, tmp_path, symmetry=True)


def test_three_mens_morris() -> None:
    """The first wins in 9; its opening in the centre wins, in a corner draws, on an edge loses."""
    game, entries = load("morris:three"), solved("morris:three")
    assert entries[game.initial] == (1, 9, game.parse_action("b2"))
    openings = {
        game.format_action(point): entries[game.result(game.initial, point)][0] for point in game.actions(game.initial)
    }
    assert openings == {"a1": 0, "c1": 0, "a3": 0, "c3": 0, "b1": -1, "a2": -1, "c2": -1, "b3": -1, "b2": 1}


@pytest.mark.parametrize(
    ("name", "won", "lost", "drawn"), [("morris:three", 2997, 1185, 1208), ("dodgem:3", 1123, 840, 0)]
)
def test_how_often_the_side_to_move_wins(name: str, won: int, lost: int, drawn: int) -> None:
    """As published, over all positions."""
    game = load(name)
    gains = [value if game.to_move(state) == "X" else -value for state, (value, _, _) in solved(name).items()]
    assert [gains.count(gain) for gain in (1, -1, 0)] == [won, lost, drawn]


@pytest.mark.parametrize(
    ("name", "positions", "value", "plies"),
    [
        ("morris:three", 5_390, 1, 9),
        ("dodgem:3", 1_963, 1, 19),
        ("hare-and-hounds", 2_510, 1, 23),
        ("fox-and-hounds:4", 83, -1, 8),
        ("hexapawn:3,3", 135, -1, 6),
        ("notakto:1", 450, 1, 6),
        ("chomp:1,1", 2, -1, 1),
        ("chomp:4,3", 68, 1, 8),
        pytest.param("morris:achi", 5_716, 1, 11, marks=pytest.mark.slow),
        pytest.param("morris:nine-holes", 5_470, 0, None, marks=pytest.mark.slow),
        pytest.param("fox-and-hounds:6", 8_175, 1, 21, marks=pytest.mark.slow),
        pytest.param("fox-and-hounds:8", 709_868, -1, 44, marks=[pytest.mark.slow, LONG]),
        pytest.param("quixo:3", 32_027, 1, 7, marks=pytest.mark.slow),
        pytest.param("vanishing:3,3,3,3", 128_170, 1, 13, marks=pytest.mark.slow),
        pytest.param("dodgem:4", 393_900, 0, None, marks=[pytest.mark.slow, LONG]),
    ],
)
def test_the_value_of_the_start(name: str, positions: int, value: int, plies: int | None) -> None:
    """As published, where it is: positions, value and plies; play that need not end has no plies."""
    game, entries = load(name), solved(name)
    assert (len(entries), entries[game.initial][:2]) == (positions, (value, plies))


def test_notakto_is_won_only_in_the_centre() -> None:
    """On one board."""
    game, entries = load("notakto:1"), solved("notakto:1")
    winning = [move for move in game.actions(game.initial) if entries[game.result(game.initial, move)][0] == 1]
    assert [game.format_action(move) for move in winning] == ["b2"]


@pytest.mark.parametrize("name", [f"chomp:{w},{h}" for w in range(1, 6) for h in range(1, 6) if (w, h) != (1, 1)])
def test_the_first_always_wins_chomp(name: str) -> None:
    """By strategy stealing, unless there is nothing but poison."""
    game = load(name)
    assert solve(game)[game.initial][0] == 1


@pytest.mark.parametrize(
    ("name", "lead"),
    [
        *((f"kalah:1,{seeds}", lead) for seeds, lead in enumerate((0, -2, 6, -2, 2, 0), 1)),
        *((f"kalah:2,{seeds}", lead) for seeds, lead in enumerate((2, -2, -2, -12, 6, 8), 1)),
        ("kalah:3,1", 0),
        ("kalah:3,2", 4),
        ("kalah:4,1", 2),
    ],
)
def test_the_lead_in_small_kalah(name: str, lead: int) -> None:
    """Won, lost and drawn as published; by how much, as a separate program found it."""
    game = load(name)
    assert solve(game)[game.initial][0] == lead


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lead"), [("kalah:4,3", 8), ("kalah:6,1", 2)])
def test_the_lead_in_larger_kalah(name: str, lead: int) -> None:
    """As published. A search that cuts off goes through a part of their millions of positions."""
    game = load(name)
    assert alphabeta(game, game.initial, table=TranspositionTable()).value == lead
