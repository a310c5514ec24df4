"""Games in which play can come back to a position: every entry against a solver that shares no code with the engine."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games import Loops
from tests.solver import fixed_point
from tests.solver.test_exhaustive import Counting
from zermelo.solver.census import take_census
from zermelo.solver.errors import RulesError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.table import TranspositionTable

NODES = "abcdefgh"


@st.composite
def loops(draw: st.DrawFn) -> Loops:
    """Any arrows between up to eight nodes, some of them ends of different worth, and any worth of endless play."""
    nodes = NODES[: draw(st.integers(2, 8))]
    texts = []
    for node in nodes:
        if node != "a" and draw(st.booleans()):
            texts.append(f"{node}={draw(st.integers(-2, 2))}")
        else:
            arrows = draw(st.lists(st.sampled_from(nodes), min_size=1, max_size=4))
            texts.append(f"{node}{draw(st.sampled_from('<>'))}{','.join(arrows)}")
    return Loops(" ".join(texts), draw(st.integers(-1, 1)))


@given(loops())
def test_any_arrows_against_fixed_point_iteration(game: Loops) -> None:
    """Value, plies and best move of every position, several values and any worth of endless play among them."""
    assert solve(game) == fixed_point.solve(game)


def test_three_mens_morris() -> None:
    """The published value and counts; the second solver agrees on every position."""
    game = load("morris:three")
    entries = solve(game)
    assert entries == fixed_point.solve(game)
    assert entries[game.initial][:2] == (1, 9)
    census = take_census(game, entries)
    assert (len(entries), census.mover_wins, census.mover_losses) == (5390, 2997, 1185)
    assert (census.can_repeat, census.games, census.tree_nodes) == (True, None, None)


@pytest.mark.parametrize(
    ("text", "endless", "entries"),
    [
        # MAX can go round or end with 1: it ends.
        ("a>b,c b<a c=1", 0, {"a": (1, 1, "c"), "b": (1, 2, "a"), "c": (1, 0, None)}),
        # MIN can go round for ever, and nobody can force more.
        ("a>b b<a,c c=1", 0, {"a": (0, None, "b"), "b": (0, None, "a"), "c": (1, 0, None)}),
        # Going round is worth 2 to MAX, so the end that gives 1 is what MIN hurries to.
        ("a>b b<a,c c=1", 2, {"a": (1, 2, "b"), "b": (1, 1, "c"), "c": (1, 0, None)}),
        # A win by 3 is better than a sooner win by 1.
        ("a>b,c b=1 c>a,d d=3", 0, {"a": (3, 2, "c"), "b": (1, 0, None), "c": (3, 1, "d"), "d": (3, 0, None)}),
        # The other side delays: of two ways to lose, the longer; and to lose by 1 rather than by 2, whatever it takes.
        ("a<b,c,e b=1 c>d,a d=1 e=2", 0, {"a": (1, 2, "c"), "b": (1, 0, None), "c": (1, 1, "d"), "d": (1, 0, None), "e": (2, 0, None)}),
        # An end that is worth what endless play is: no plies before it, and the first move that keeps the value.
        ("a>b,c b<a c=0", 0, {"a": (0, None, "b"), "b": (0, None, "a"), "c": (0, 0, None)}),
        # To pass is to come back at once.
        ("a>a,b b=-1", 0, {"a": (0, None, "a"), "b": (-1, 0, None)}),
    ],
)  # fmt: skip
def test_small_loops(text: str, endless: int, entries: dict[str, tuple[int, int | None, str | None]]) -> None:
    """Solved by hand."""
    assert solve(Loops(text, endless)) == entries


def test_two_moves_to_the_same_position_count_twice() -> None:
    """MIN has two ways to the same end and a third that goes round, which it takes."""
    assert solve(Loops("a<b,b,c b=1 c>a"))["a"] == (0, None, "c")


def test_without_a_way_back_nothing_changes() -> None:
    """In a draw both hurry, which they do not where play can come back; `endless` is then of no account."""
    assert solve(Loops("a>b,c b<d c=0 d=0", endless=-1))["a"] == (0, 1, "c")


def test_a_game_with_passes() -> None:
    """Whoever would lose passes for ever."""

    class WithPasses(Counting):
        def actions(self, state: int) -> list[int]:
            return [*super().actions(state), 0]

    game = WithPasses(5)
    assert solve(game) == fixed_point.solve(game)
    assert solve(game)[game.initial] == (0, None, 1)  # 1, 2 and both passes lead to where the other passes too


def test_every_position_is_stored_once() -> None:
    """What was looked at before a way back was found is not counted."""
    table: TranspositionTable[Any, Any] = TranspositionTable()
    assert len(solve(load("dodgem:3"), table)) == table.stores == 1963


def test_no_action_in_an_unfinished_position() -> None:
    """A mistake in the rules is told, wherever it is."""

    class Stuck(Loops):
        def actions(self, state: str) -> list[str]:
            return [] if state == "c" else list(super().actions(state))

    with pytest.raises(RulesError, match="has no action in the unfinished position 'c'"):
        solve(Stuck("a>b,c b<a c>b"))
