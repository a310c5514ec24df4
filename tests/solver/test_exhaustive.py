"""The walk over the whole state space: right values, every position once, any length."""

import pytest

from bench import baseline
from tests.solver import reference
from zermelo.solver.errors import GameError
from zermelo.solver.exhaustive import solve
from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.solver.table import TranspositionTable


class Counting(Game[int, int]):
    """Take 1 or 2 from a heap; whoever takes the last one wins. A test of everything that is not a board."""

    players = ("first", "second")

    def __init__(self, heap: int, most: int = 2) -> None:
        self.spec = f"counting:{heap}"
        self.initial = 2 * heap  # the heap, and whose turn it is in the lowest bit
        self.most = most

    def to_move(self, state: int) -> str:
        return self.players[state & 1]

    def actions(self, state: int) -> list[int]:
        return [take for take in range(1, self.most + 1) if take <= state >> 1]

    def result(self, state: int, action: int) -> int:
        return state - 2 * action ^ 1

    def is_terminal(self, state: int) -> bool:
        return state < 2

    def utility(self, state: int, player: str) -> int:
        return -1 if player == self.to_move(state) else 1

    def format(self, state: int) -> str:
        return f"{state >> 1}{'ab'[state & 1]}"

    def parse(self, text: str) -> int:
        return 2 * int(text[:-1]) + "ab".index(text[-1])

    def format_action(self, action: int) -> str:
        return str(action)

    def parse_action(self, text: str) -> int:
        return int(text)


@pytest.mark.parametrize(
    "spec",
    [
        f"mnk:{w},{h},{k}{m}"
        for w in (1, 2, 3)
        for h in (1, 2, 3)
        for k in (1, 2, 3)
        for m in ("", ",misere")
        if k <= max(w, h)
    ],
)
def test_every_small_board_against_a_solver_that_shares_no_code(spec: str) -> None:
    """Value, plies and best move of every position of every board up to 3x3."""
    _assert_agrees_with_reference(spec)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["mnk:4,3,3", "mnk:4,3,3,misere", "mnk:3,4,4", "mnk:11,1,3", "mnk:5,2,3"])
def test_larger_boards_against_a_solver_that_shares_no_code(spec: str) -> None:
    """The same on boards of up to 12 cells."""
    _assert_agrees_with_reference(spec)


def _assert_agrees_with_reference(spec: str) -> None:
    game = load(spec)
    assert isinstance(game, MNK)
    ours = {game.format(state).replace("/", ""): entry for state, entry in solve(game).items()}
    assert ours == reference.solve(game.board.width, game.board.height, game.k, misere=game.misere)


def test_tic_tac_toe_against_the_bitboard_baseline() -> None:
    """What the speed is measured against solves the same game to the same entries."""
    game = MNK(3, 3, 3)
    theirs = {}
    for key, entry in baseline.solve().items():
        cells = "".join("X" if key >> c & 1 else "O" if key >> 9 + c & 1 else "." for c in range(9))
        theirs[game.parse(cells)] = entry
    assert solve(game) == theirs


def test_every_position_is_solved_once() -> None:
    """A store for each of the 5,478 positions, and a probe for each of the 16,167 moves."""
    table: TranspositionTable[int, tuple[int, int | None, int | None]] = TranspositionTable()
    solve(MNK(3, 3, 3), table)
    assert (table.stores, table.misses, table.hits) == (5478, 5477, 10690)


def test_a_position_that_several_lines_of_different_length_reach() -> None:
    """Three taken at once or one by one: the same heap, at different plies."""
    entries = solve(Counting(10, most=3))
    for state, (value, _, _) in entries.items():
        heap, turn = divmod(state, 2)
        mover_wins = heap % 4 != 0
        assert value == (1 if mover_wins == (turn == 0) else -1)


def test_the_winner_hurries_and_the_loser_delays() -> None:
    """With up to 3 to take: from 8 every move loses, and taking 1 lasts as long as any; from 7 taking 3 wins."""
    game = Counting(8, most=3)
    entries = solve(game)
    assert entries[game.parse("8a")] == (-1, 4, 1)  # 7b, 4a, 3b, 0a: all three moves last four plies, the first is kept
    assert entries[game.parse("7b")] == (-1, 3, 3)  # 4a is the only lost heap that can be left
    assert entries[game.parse("2a")] == (1, 1, 2)  # taking both wins at once


def test_a_game_of_a_hundred_thousand_plies() -> None:
    """Depth costs memory, not Python's stack."""
    entries = solve(Counting(100_000, most=1))
    assert entries[200_000] == (-1, 100_000, 1)


def test_two_moves_to_the_same_position_are_no_repetition() -> None:
    """The first of them is the best move."""

    class Doubled(Counting):
        def actions(self, state: int) -> list[int]:
            return [action for take in super().actions(state) for action in (take, take + 10)]

        def result(self, state: int, action: int) -> int:
            return super().result(state, action % 10)

    assert solve(Doubled(4)) == solve(Counting(4))


def test_a_game_without_an_action_in_an_unfinished_position_is_refused() -> None:
    """A mistake in the rules is told, not turned into a value."""

    class Stuck(Counting):
        def actions(self, state: int) -> list[int]:
            return [] if state >> 1 == 3 else super().actions(state)

    with pytest.raises(GameError, match=r"no action in the unfinished position '3[ab]'"):
        solve(Stuck(5))


def test_progress_is_reported_and_ends_with_the_total() -> None:
    """A bar can be drawn from it: never backwards, and full at the end."""
    reports: list[tuple[int, int | None]] = []
    solve(MNK(3, 3, 3), progress=lambda done, total, _stage="": reports.append((done, total)))
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert reports[-1] == (5478, 5478)
    assert len(reports) > 1
