"""Every algorithm against the database, on all 5,478 positions of tic-tac-toe."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.search import Result, alphabeta, deepening, limited, minimax, multiplayer
from zermelo.solver.search.alphabeta import Bounds, by_evaluation
from zermelo.solver.search.cutoff import when_quiet
from zermelo.solver.table import TranspositionTable

Search = Callable[[Game[int, int], int], Result[int, float]]

ALGORITHMS: dict[str, Search] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "alphabeta ordering": lambda game, state: alphabeta(game, state, ordering=by_evaluation(game)),
    "alphabeta table": lambda game, state: alphabeta(game, state, table=TranspositionTable()),
    "alphabeta ordering table": lambda game, state: alphabeta(
        game, state, ordering=by_evaluation(game), table=TranspositionTable()
    ),
    "alphabeta full depth": lambda game, state: alphabeta(game, state, 9, cutoff=when_quiet(game)),
    "limited full depth": lambda game, state: limited(game, state, 9),
    "deepening": deepening,
}


@pytest.fixture(scope="module")
def stored(tictactoe_db: Path) -> dict[int, int]:
    """The value of every position, as the database has it."""
    connection = sqlite3.connect(tictactoe_db)
    rows = connection.execute("select board, value from positions").fetchall()
    connection.close()
    return {load("tictactoe").parse(board): value for board, value in rows}


@pytest.mark.parametrize("every", [30, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_value_and_move_agree_with_the_database(name: str, every: int, stored: dict[int, int]) -> None:
    """The move is optimal in value: it leads to a position of the stored value. (The database's own `optimal` also
    wants the best plies, which the textbook's algorithms do not look at.)"""
    game: Game[int, int] = load("tictactoe")
    assert len(stored) == 5478
    # A few in each run, and not the start, from which a search that leaves nothing out takes half a million steps.
    for state, value in [item for place, item in enumerate(stored.items()) if (place + 1) % every == 0]:
        result = ALGORITHMS[name](game, state)
        assert result.value == value, game.format(state)
        assert result.report.exact
        if game.is_terminal(state):
            assert result.move is None
        else:
            assert result.move is not None
            assert stored[game.result(state, result.move)] == value, game.format(state)


def test_a_shared_table_keeps_its_word(stored: dict[int, int]) -> None:
    """Bounds that one search left behind are true in the next."""
    game: Game[int, int] = load("tictactoe")
    table: TranspositionTable[int, Bounds] = TranspositionTable()
    for state, value in stored.items():
        assert alphabeta(game, state, table=table).value == value


@pytest.mark.slow
def test_multiplayer_search_is_minimax_when_one_gains_what_the_other_loses(stored: dict[int, int]) -> None:
    """With two players the vector is the value and its opposite."""
    game: Game[int, int] = load("tictactoe")
    for state, value in stored.items():
        if state.bit_count() >= 3:
            assert multiplayer(game, state).value == (value, -value)


def test_the_minimax_value_of_every_action(stored: dict[int, int]) -> None:
    """Not of the best one only."""
    game: Game[int, int] = load("tictactoe")
    for state in stored:
        if state.bit_count() >= 4 and not game.is_terminal(state):
            values = minimax(game, state).values
            assert values == {action: stored[game.result(state, action)] for action in game.actions(state)}
