"""The compiled engine says of every position what engines that share no code with it say."""

import random
import threading
import time
from typing import Any

import numpy as np
import pytest

from tests.solver import fixed_point
from tests.solver.compiled.games import Chain, Graph
from zermelo.solver import exhaustive
from zermelo.solver.compiled import crew as crews
from zermelo.solver.compiled import discover, moves, retrograde
from zermelo.solver.compiled.engine import entries_of, refuses, solve, suits
from zermelo.solver.errors import MemoryLimitError, NotZeroSumError, RulesError
from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.walk import SMALL


def entries(game: Game[int, int], jobs: int = 2) -> dict[int, Any]:
    return entries_of(game, solve(game, jobs=jobs))


@pytest.mark.parametrize("seed", range(10))
def test_random_graphs_with_loops(seed: int) -> None:
    """Several values, sides that move twice running, moves that lead to the same place, and loops."""
    game = Graph(seed, endless=seed % 3 - 1)
    assert entries(game) == fixed_point.solve(game) == exhaustive.solve(game)


@pytest.mark.parametrize("seed", range(5))
def test_random_graphs_without_loops(seed: int) -> None:
    """Among draws both hurry, whatever endless play would be worth."""
    game = Graph(seed, loops=False, values=2, endless=seed - 2)
    solved = solve(game, jobs=2)
    assert not solved.can_repeat
    assert entries_of(game, solved) == fixed_point.solve(game) == exhaustive.solve(game)


@pytest.mark.parametrize("spec", ["dodgem:2", "dodgem:3", "morris:three"])
def test_built_in_games(spec: str) -> None:
    """Some of them; all up to 200,000 positions are in `test_every_game`."""
    game = load(spec)
    assert entries(game) == fixed_point.solve(game)


def test_entries_of_a_game_that_ends_come_successors_first() -> None:
    """As those of the plain engine do: what counts them relies on it."""
    game = Graph(3, loops=False)
    found: set[int] = set()
    for state in entries(game):
        assert game.is_terminal(state) or found >= {game.result(state, action) for action in game.actions(state)}
        found.add(state)


def test_any_number_of_jobs_finds_the_same() -> None:
    game = Graph(11, nodes=5000, values=3)
    one, three = solve(game, jobs=1), solve(game, jobs=3)
    for some, others in ((one.states, three.states), (one.ranks, three.ranks), (one.plies, three.plies)):
        assert np.array_equal(some, others)
    assert np.array_equal(one.ply, three.ply)


def test_a_game_of_more_plies_than_two_bytes_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with one byte and 300 moves in a row: the plies are counted on."""
    monkeypatch.setattr(retrograde, "PLIES", np.uint8)
    game = Chain(300)
    solved = solve(game)
    start = np.searchsorted(solved.states, game.initial)
    # Whoever is to move at an even number of moves from the end has lost.
    assert (solved.values[solved.ranks[start]], solved.plies[start], int(solved.ply.max())) == (-1, 300, 300)
    assert not solved.can_repeat


@pytest.mark.parametrize("most", [0, 3000, 20_000, 2**40])
def test_moves_that_are_kept_and_moves_that_are_found_again(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether all of them find room, or it runs out at once or on the way: the solution is the same."""
    found_again = []

    class Counted(moves.Again):
        def read(self, begin: int, end: int) -> Any:
            found_again.append(begin)
            return super().read(begin, end)

    game = Graph(12, nodes=2000)
    monkeypatch.setattr(discover, "MOST_KEPT", most)
    monkeypatch.setattr(retrograde, "Again", Counted)
    assert entries(game) == exhaustive.solve(game)
    assert bool(found_again) == (most < 2**40)


def test_the_plies_of_every_position_are_counted_from_the_start() -> None:
    game = Graph(5)
    ply, front = {game.initial: 0}, [game.initial]
    while front:
        state = front.pop(0)
        for action in game.actions(state):
            child = game.result(state, action)
            if child not in ply:
                ply[child] = ply[state] + 1
                front.append(child)
    solved = solve(game)
    assert dict(zip(solved.states.tolist(), solved.ply.tolist(), strict=True)) == ply


def test_which_games_it_takes() -> None:
    assert refuses(load("tictactoe"), "rows") == "does not say that it is compiled"
    small = Graph(1)
    assert refuses(small, "rows") == "is so small that compiling takes longer" and suits(small) is None
    assert refuses(small, "packed") is None
    assert suits(Chain(SMALL + 1)) == "rows"


class Faulty(Chain):
    """Rules that contradict themselves in one position."""

    def __init__(self, fault: str) -> None:
        super().__init__(20)
        self.spec = f"faulty:{fault}"
        self.stuck, self.negative, self.unfair, self.large, self.broken = (
            fault == name for name in ("stuck", "negative", "unfair", "large", "broken")
        )
        self.table = (1, 2, 3)

    def actions(self, state: int) -> list[int]:
        return [step for step in (1, 2) if step <= self.left(state) and not (self.stuck and state == 21)]

    def result(self, state: int, action: int) -> int:
        if self.broken and state == 21:
            return self.table[state]
        if self.negative and state == 21:
            return -5
        return super_result(state, action)

    def utility(self, state: int, player: str) -> int:
        if self.unfair:
            return 1
        size = 2**40 if self.large else 1
        return -size if player == self.to_move(state) else size


def super_result(state: int, action: int) -> int:
    return (state // 2 - action) * 2 + 1 - state % 2


@pytest.mark.parametrize(
    "fault, message",
    [
        ("stuck", "game 'faulty:stuck' has no action in the unfinished position '21'"),
        ("negative", "game 'faulty:negative' leads from '21' to a negative number"),
        ("large", "game 'faulty:large' has at '[01]' a utility that does not fit into 32 bits"),
        ("broken", "game 'faulty:broken' fails at the position 21: IndexError: tuple index out of range"),
    ],
)
def test_rules_that_contradict_themselves(fault: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Found by the engine itself: the comparison with plain Python would find some of them before.
    monkeypatch.setattr("zermelo.solver.compiled.engine.nearest", lambda *_: [])
    with pytest.raises(RulesError, match=message):
        solve(Faulty(fault))


def test_a_game_that_is_not_zero_sum() -> None:
    with pytest.raises(NotZeroSumError, match="game 'faulty:unfair' is not zero-sum"):
        solve(Faulty("unfair"))


def test_memory_is_asked_for_before_it_is_taken() -> None:
    """The table grows within the limit, and what solving takes is said once all positions are found."""
    game = Graph(1, nodes=200_000)
    with pytest.raises(
        MemoryLimitError, match=r"graph:1 takes \d+ MB of memory for finding more than [\d,]+ positions?"
    ):
        solve(game, memory=crews._BASE + 600_000)
    states = solve(game).states
    widths = [len(game.actions(state)) for state in states.tolist()]
    needed = crews._BASE + retrograde.memory_of(len(states), sum(widths), max(widths))
    with pytest.raises(
        MemoryLimitError, match=r"graph:1 takes \d+ MB of memory for solving [\d,]+ positions, and"
    ) as error:
        solve(game, memory=needed - 1)
    assert (error.value.game, error.value.memory) == ("graph:1", needed)
    assert len(solve(game, memory=needed).states) == len(states)


def test_it_stops_when_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interrupt comes from within the report, as one from the keyboard comes from within the wait: no thread is left."""
    game = Graph(4, nodes=50_000)
    before = threading.active_count()

    def report(done: int, total: int | None, stage: str = "") -> None:
        if stage == "linking moves":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(game, jobs=2, progress=report)
    limit = time.monotonic() + 300
    while threading.active_count() > before and time.monotonic() < limit:
        time.sleep(0.05)
    assert threading.active_count() <= before


def test_both_phases_are_reported() -> None:
    stages: dict[str, tuple[int, int | None]] = {}
    game = Graph(6, nodes=20_000)
    solved = solve(game, progress=lambda done, total, stage="": stages.update({stage: (done, total)}))
    count = len(solved.states)
    assert list(stages) == [
        "compiling", "finding positions", "sorting", "looking at moves", "linking moves", "finding what comes back", "solving",
    ]  # fmt: skip
    assert stages["finding positions"] == (count, None) and stages["linking moves"] == (count, count)


def test_random_states_are_found_again() -> None:
    """Any distribution of states, such as one far from all others, is looked up right."""
    from zermelo.solver.compiled.crew import Crew
    from zermelo.solver.compiled.discover import _shelves
    from zermelo.solver.compiled.kernels import find

    chance = random.Random(1)
    some = [0, 1, 2, 2**62, 2**63 - 1, *(chance.randrange(2**40, 2**40 + 100) for _ in range(50))]
    for states in (sorted(set(some)), [7], [2**63 - 1], sorted(chance.sample(range(10**9), 500))):
        crew = Crew("x", 1, None, None)
        shelves = _shelves(np.array(states, np.int64), crew)
        assert [find(*shelves, state) for state in states] == list(range(len(states)))
        crew.close()
