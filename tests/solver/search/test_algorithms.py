"""The algorithms on trees whose answers are known by hand, their counts, their limits and what they refuse."""

from collections.abc import Iterator
from itertools import count
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.solver.errors import GameError, OperationError, SearchError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.games.tree import Tree
from zermelo.solver.search import Settings, alphabeta, compare, deepening, limited, minimax, multiplayer, search
from zermelo.solver.search.alphabeta import Bounds, by_evaluation
from zermelo.solver.search.cutoff import when_quiet
from zermelo.solver.search.deepening import OutOfTimeError, Timer
from zermelo.solver.table import TranspositionTable


def test_the_two_ply_tree() -> None:
    """The book's figure: values 3, 2, 2; root 3; move a1; nine leaves."""
    value, move, values, report = minimax(load("figure:two-ply"), "A")
    assert (value, move, values) == (3, "a1", {"a1": 3, "a2": 2, "a3": 2})
    assert report == (13, 9, 0, 0, 2, True)


def test_alphabeta_skips_two_leaves_under_the_second_move() -> None:
    """4 and 6 cannot matter once 2 is known."""
    value, move, _, report = alphabeta(load("figure:two-ply"), "A")
    assert (value, move) == (3, "a1")
    assert report == (11, 7, 1, 0, 2, True)


def test_the_three_player_tree() -> None:
    """In X, C prefers 6 to 3."""
    game = load("figure:three-player")
    assert multiplayer(game, "X").move == "c1"
    value, move, values, report = multiplayer(game, "start")
    assert (value, move) == ((1, 2, 6), "a1")
    assert values == {"a1": (1, 2, 6), "a2": (1, 5, 2)}
    assert (report.nodes, report.leaves, report.exact) == (15, 8, True)


def test_two_players_who_both_gain_reach_what_is_best_for_both() -> None:
    """1000 is the most that either can get, so both steer there."""
    value, move, _, _ = multiplayer(load("figure:together"), "start")
    assert (value, move) == ((1000, 1000), "trust")


def test_minimax_makes_no_sense_of_players_who_are_not_at_odds() -> None:
    """It says so instead of assuming that one's gain is the other's loss."""
    for algorithm in (minimax, alphabeta, deepening):
        with pytest.raises(GameError, match=r"'figure:together' is not zero-sum in '"):
            algorithm(load("figure:together"), "start")
        with pytest.raises(GameError, match="has 3 players"):
            algorithm(load("figure:three-player"), "start")


def test_a_deeper_tree() -> None:
    """Worked by hand: B is 5, C at most 4, O is 6."""
    game = load("figure:four-ply")
    assert minimax(game, "A")[:2] == (6, "a3")
    value, move, _, report = alphabeta(game, "A")
    assert (value, move, report.cutoffs) == (6, "a3", 6)


def test_a_player_may_move_twice_in_a_row() -> None:
    """MAX moves again in B, so both its leaves are MAX's to choose from."""
    game = Tree({"name": "A", "moves": {"l": {"name": "B", "player": "MAX", "moves": {"x": 1, "y": 9}}, "r": 5}})
    for algorithm in (minimax, alphabeta, deepening):
        assert algorithm(game, "A")[:2] == (9, "l")


@pytest.mark.slow
def test_nodes_from_the_empty_board() -> None:
    """The whole game tree, and how little of it is needed."""
    game = load("tictactoe")
    plain = minimax(game, game.initial).report
    assert (plain.nodes, plain.leaves, plain.depth) == (549_946, 255_168, 9)
    pruned = alphabeta(game, game.initial, ordering=by_evaluation(game), table=TranspositionTable()).report
    assert pruned.table_hits > 0
    assert pruned.nodes < plain.nodes / 100


def test_a_table_serves_games_that_reach_a_position_at_different_plies() -> None:
    """Nim does, and a depth limit must not take a shallow answer for a deep one."""
    game = load("nim:2,3,4")
    for depth in range(1, 10):
        with_table = alphabeta(game, game.initial, depth, table=TranspositionTable())
        if with_table.report.exact:
            assert with_table.value == 1
    assert alphabeta(game, game.initial, table=TranspositionTable()).value == 1


def test_a_table_holds_exact_values_and_bounds_on_either_side() -> None:
    """All three kinds, and every one of them true."""
    game = load("tictactoe")
    table: TranspositionTable[int, Bounds] = TranspositionTable()
    alphabeta(game, game.initial, table=table)
    kinds = set()
    entries = solve(game)
    for state, known in table.entries.items():
        assert known.low <= entries[state][0] <= known.high
        kinds.add((known.low == -inf, known.high == inf))
    assert kinds == {(False, False), (True, False), (False, True)}


def test_facts_about_other_boards() -> None:
    """4x3: X wins in 7. Misere: the centre is the only opening that does not lose."""
    wide = load("mnk:4,3,3")
    won = deepening(wide, wide.initial)
    assert (won.value, won.report.depth, won.report.exact) == (1, 7, True)
    misere = load("mnk:3,3,3,misere")
    openings = {
        misere.format_action(cell): alphabeta(
            misere, misere.result(misere.initial, cell), table=TranspositionTable()
        ).value
        for cell in misere.actions(misere.initial)
    }
    assert openings.pop("b2") == 0
    assert set(openings.values()) == {-1}


def test_the_evaluation_counts_open_lines() -> None:
    """X in the centre leaves O four lines and itself all eight."""
    game = load("tictactoe")
    assert game.evaluate(game.parse(".../.X./...")) == pytest.approx(4 / 9)
    assert game.evaluate(game.parse("X../.../...")) == pytest.approx(3 / 9)
    misere = load("mnk:3,3,3,misere")
    assert misere.evaluate(misere.parse(".../.X./...")) == pytest.approx(-4 / 9)


def test_depth_limited_search_guesses_and_says_so() -> None:
    """One ply ahead the centre leaves most lines open."""
    game = load("tictactoe")
    value, move, values, report = limited(game, game.initial, 1)
    assert game.format_action(move) == "b2"
    assert value == values[4] == pytest.approx(4 / 9)
    assert (report.nodes, report.leaves, report.depth, report.exact) == (10, 9, 1, False)


def test_a_win_that_was_found_is_proved_whatever_was_guessed_elsewhere() -> None:
    """No guess reaches +1."""
    game = load("tictactoe")
    assert limited(game, game.parse("XX./OO./..."), 1).report.exact
    assert alphabeta(game, game.parse("XX./OO./..."), 1).report.exact


def test_quiescence_looks_further_while_a_win_in_one_is_on_the_board() -> None:
    """X O X / O O . / . X .: one ply ahead a3 and c3 look no worse than level, but O then wins at c2."""
    game = load("tictactoe")
    state = game.parse("XOX/OO./.X.")
    assert all(value > 0 for value in limited(game, state, 1).values.values())
    quiet = limited(game, state, 1, cutoff=when_quiet(game))
    assert {game.format_action(action): value for action, value in quiet.values.items()} == {
        "c2": 0,
        "a3": -1,
        "c3": -1,
    }
    assert quiet.report.depth > 1


def test_an_evaluation_of_ones_own() -> None:
    """It is asked only where the search stops."""
    asked = []
    limited(load("figure:two-ply"), "A", 1, evaluate=lambda state: asked.append(state) or 0)  # type: ignore[func-returns-value]
    assert asked == ["B", "C", "D"]


def ticks(step: float) -> Iterator[float]:
    return count(0.0, step)


def test_deepening_stops_at_its_limit_and_still_has_a_move() -> None:
    """With a clock that moves a second each time it is asked."""
    game = load("mnk:5,5,4")
    for limit in (1, 2, 30, 2000):
        clock = ticks(1.0)
        value, move, _, report = deepening(game, game.initial, limit, clock=lambda clock=clock: next(clock))  # type: ignore[misc]
        assert move in game.actions(game.initial)
        assert report.nodes <= limit
        assert not report.exact
        assert -1 < value < 1
    assert report.depth >= 2


def test_deepening_stops_when_the_value_is_proved() -> None:
    """A win in three is proved at depth 3, whatever lies beyond; a draw only at the end."""
    game = load("mnk:5,5,4")
    won = deepening(game, game.parse("...../.XX../...../.OO../....."))
    assert (won.value, won.report.depth, won.report.exact) == (1, 3, True)
    tictactoe = load("tictactoe")
    assert deepening(tictactoe, tictactoe.initial).report.depth == 9
    assert deepening(tictactoe, tictactoe.initial, depth=3).report[4:] == (3, False)


def test_deepening_tries_the_last_iterations_move_first() -> None:
    """So all of its iterations together look at fewer nodes than one search in the game's own order."""
    game = load("tictactoe")
    assert deepening(game, game.initial).report.nodes < alphabeta(game, game.initial).report.nodes


def test_a_guess_is_no_proof() -> None:
    """0 is the lowest utility here, and must not be the guess that stops the search too early."""
    game = Tree(
        {"name": "A", "moves": {"l": {"name": "B", "moves": {"x": 0, "y": 4}}, "r": {"name": "C", "moves": {"x": 3}}}}
    )
    assert deepening(game, "A")[:2] == (3, "r")


def test_a_timer_stops_any_search() -> None:
    """Also those that have nothing to give then."""
    game = load("tictactoe")
    clock = ticks(1.0)
    timer = Timer(100, lambda: next(clock))
    with pytest.raises(OutOfTimeError):
        minimax(game, game.initial, timer)
    assert timer.nodes == 99
    with pytest.raises(OperationError, match=r"minimax did not finish in 1e-05 s"):
        search(game, game.initial, Settings("minimax", time_limit=1e-5))


def test_a_game_too_long_for_recursion() -> None:
    """One line, not a thousand."""
    for algorithm in (minimax, alphabeta, multiplayer):
        with pytest.raises(GameError, match="'nim:1000' is too long to search by recursion"):
            algorithm(load("nim:1000"), ("MAX", (1000,)))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Settings("magic"), "there is no algorithm 'magic': the algorithms are minimax, alphabeta,"),
        (Settings(ordering="alphabet"), "there is no ordering 'alphabet'"),
        (Settings(depth=0), "depth 0 leaves nothing to search: give 1 or more plies"),
        (Settings("alphabeta", depth=-1), "depth -1 leaves nothing"),
        (Settings("limited"), "limited search needs a depth"),
        (Settings("minimax", table=True), "minimax has no use for an ordering or a table"),
        (Settings("multiplayer", depth=2), "multiplayer search goes to the end"),
        (Settings("alphabeta", quiescence=True), "quiescence delays a depth limit"),
        (Settings("deepening", time_limit=0), "time limit 0 leaves no time"),
    ],
)
def test_what_a_search_refuses(wrong: Settings, message: str) -> None:
    """Each with the reason."""
    game = load("tictactoe")
    with pytest.raises(SearchError, match=message):
        search(game, game.initial, wrong)


def test_a_finished_position_is_refused() -> None:
    """There is no move to look for."""
    game = load("tictactoe")
    with pytest.raises(SearchError, match=r"position 'XXX/OO./...' is over"):
        search(game, game.parse("XXX/OO./..."))


def test_compare_runs_what_suits_the_game() -> None:
    """Many players leave one algorithm; a depth leaves those that can keep to it; time may run out."""
    assert [run.name for run in compare(load("figure:three-player"), "start")] == ["multiplayer"]
    game = load("tictactoe")
    names = [run.name for run in compare(game, game.parse("XOX/OO./.X."), Settings(depth=2))]
    assert names[0] == "limited"
    assert "multiplayer" not in names
    slow = {run.name: run.result for run in compare(game, game.initial, Settings(time_limit=1e-4))}
    assert slow["minimax"] is None
    assert slow["deepening"] is not None


LEAVES = st.integers(-3, 3)
NODES = st.recursive(
    LEAVES, lambda below: st.lists(below, min_size=1, max_size=4).map(lambda kids: {"moves": {f"m{i}": kid for i, kid in enumerate(kids)}}), max_leaves=25
)  # fmt: skip


@settings(max_examples=150)
@given(NODES.filter(lambda node: isinstance(node, dict)))
def test_every_algorithm_agrees_on_any_tree(root: dict[str, object]) -> None:
    """Uneven ones too, and with every option of alpha-beta."""
    game = Tree(root)
    value, _, values, _ = minimax(game, "root")
    for ordering in (None, by_evaluation(game)):
        for tabled in (False, True):
            found = alphabeta(game, "root", ordering=ordering, table=TranspositionTable() if tabled else None)
            assert found.value == value
            assert found.move is not None
            assert values[found.move] == value
    assert deepening(game, "root").value == value
    assert limited(game, "root", inf).value == value
    assert multiplayer(game, "root").value == (value, -value)
