"""Searching games in which play can come back: cut where it does, remembered only what holds everywhere, exact or not."""

from typing import Any

import pytest
from hypothesis import given

from tests.games import Loops, Refill
from tests.solver.test_retrograde import loops
from zermelo.solver.exhaustive import solve
from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.search import Settings, alphabeta, deepening, minimax, multiplayer, search
from zermelo.solver.search.alphabeta import Bounds
from zermelo.solver.table import TranspositionTable
from zermelo.views.search.diagram import grow, walk
from zermelo.views.search.plain import to_json, to_text
from zermelo.views.search.svg import to_svg
from zermelo.views.search.trace import trace

TRAP = Loops("a<d,c b=1 c<d d>c,b")
"""On the way a, d the move from d to c only leads back to d, which is worth 0 there; but c by itself is lost for MIN."""


def unfinished(game: Game[Any, Any]) -> dict[Any, int]:
    """The value of every position that can be searched."""
    return {state: value for state, (value, plies, _) in solve(game).items() if plies != 0}


def check(game: Game[Any, Any], state: Any, values: dict[Any, int]) -> None:
    """Every algorithm finds the value, says that it is exact, and has a move that leads to it."""
    table: TranspositionTable[Any, Bounds] = TranspositionTable()
    runs = [
        minimax(game, state),
        alphabeta(game, state),
        alphabeta(game, state, table=table),
        deepening(game, state),
    ]
    for value, move, _, report in runs:
        assert (value, report.exact) == (values[state], True)
        after = game.result(state, move)
        assert values.get(after, value) == value
    # What stands in the table holds for each state by itself, and so does what is told of each move.
    for known, (low, high, _, _) in table.entries.items():
        assert low <= values[known] <= high
    for action, value in runs[0].values.items():
        assert values.get(game.result(state, action), value) == value
    assert multiplayer(game, state).value[0] == values[state]


@given(loops())
def test_any_arrows_against_the_solved_values(game: Loops) -> None:
    """From every position, with several values and any worth of endless play."""
    values = unfinished(game)
    for state in values:
        check(game, state, values)


@pytest.mark.parametrize("game", [load("dodgem:2"), Refill(2, 2, 2), TRAP], ids=lambda game: game.spec)
def test_every_position_of_a_game(game: Game[Any, Any]) -> None:
    """All algorithms from everywhere."""
    values = unfinished(game)
    for state in values:
        check(game, state, values)


@pytest.mark.parametrize("game", [load("quixo:2"), Refill(5, 1, 3)], ids=lambda game: game.spec)
def test_a_table_from_every_position(game: Game[Any, Any]) -> None:
    """Games of too many ways for minimax: alpha-beta with a table."""
    for state, value in unfinished(game).items():
        found = alphabeta(game, state, table=TranspositionTable())
        assert (found.value, found.report.exact) == (value, True)


def test_what_is_called_exact_is_exact() -> None:
    """With a depth limit, in a game that is too large to search to the end: a guess is never called a proof."""
    game = load("morris:three")
    values = unfinished(game)
    proofs = 0
    for state in list(values)[::40]:
        found = deepening(game, state, depth=4)
        if found.report.exact:
            proofs += 1
            assert found.value == values[state]
    assert proofs > 10


def naive(state: str, path: tuple[str, ...], known: dict[str, int]) -> int:
    """A search that cuts off what comes back, and remembers every value that it finds on the way."""
    if state in path:
        return TRAP.endless
    if state not in known:
        below = [naive(after, (*path, state), known) for after in TRAP.actions(state)]
        choose = max if TRAP.to_move(state) == "MAX" else min
        known[state] = choose(below) if below else TRAP.utility(state, "MAX")
    return known[state]


def test_the_known_trap() -> None:
    """What is remembered from one way and believed on another makes a draw of MAX's win."""
    assert naive("a", (), {}) == 0
    assert solve(TRAP)["a"] == (1, 3, "c")
    table: TranspositionTable[str, Bounds] = TranspositionTable()
    assert alphabeta(TRAP, "a", table=table).value == 1
    assert table.entries["c"].low == 1


def test_a_move_that_only_comes_back_is_not_told() -> None:
    """MAX wins at once, or by way of c and back: that the second wins too is not seen on this way, so nothing is said."""
    game = Loops("a>b,c b=1 c<a")
    found = minimax(game, "a")
    assert (found.value, found.values) == (1, {"b": 1})
    assert solve(game)["c"][0] == 1


def test_a_position_that_leads_to_itself() -> None:
    """The shortest way round."""
    game = Loops("a>a,b b=-1")
    assert minimax(game, "a")[:3] == (0, "a", {"a": 0, "b": -1})


def test_many_players_and_no_end() -> None:
    """What rests on coming back is not called exact."""
    assert multiplayer(Loops("a>b,c b<a c=1"), "a").report.exact is False
    assert search(load("figure:three-player"), "start", Settings("multiplayer")).report.exact


def test_the_trace_says_which_position_comes_back() -> None:
    """And what that is worth."""
    lines: list[str] = []
    trace(Loops("a>b,c b<a c=1"), "a", lines.append)
    assert "      s3 is s1 again, a repetition: play need not end, return 0, null" in lines
    assert lines[-1] == "MINIMAX-SEARCH returns c: value 1 for MAX"


def test_the_tree_shows_repetitions() -> None:
    """As text, as JSON and as a picture; below them there is nothing."""
    game = Loops("a>b,c b<a c=1")
    root = grow(game, "a", 3)
    assert to_text(game, root).splitlines() == [
        "MAX a: 1",
        "├─ b: MIN b: 0",
        "│  └─ a: MAX a: ↺ 0 (a repetition)",
        "└─ c: end c: 1 *",
    ]
    assert '"repetition": true' in to_json(game, root)
    assert "↺: a position that is above it already" in to_svg(game, root)


def test_the_values_of_a_tree_are_solved() -> None:
    """However many positions lie below what is drawn."""
    game = load("morris:three")
    entries = solve(game)
    for node, _ in walk(grow(game, game.initial, 2)):
        assert node.value == entries[node.state][0]
