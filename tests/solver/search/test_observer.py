"""An observer hears of every step, whatever the algorithm and whether or not a clock listens too."""

from collections.abc import Sequence
from math import inf
from typing import Any

import pytest

from zermelo.solver.errors import OperationError
from zermelo.solver.games import load
from zermelo.solver.search import Observer, SearchReport, Settings, deepening, search
from zermelo.solver.search.observer import Relay


class Listener(Observer):
    """Writes down every step."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[tuple[Any, ...]] = []

    def enter(self, state: Any, player: str, alpha: float = -inf, beta: float = inf) -> None:
        super().enter(state, player, alpha, beta)
        self.steps.append(("enter", state, player, alpha, beta))

    def choices(self, actions: Sequence[Any]) -> None:
        super().choices(actions)
        self.steps.append(("choices", tuple(actions)))

    def back(self, action: Any, value: Any, better: bool) -> None:
        super().back(action, value, better)
        self.steps.append(("back", action, value, better))

    def cutoff(self, value: Any, bound: float, rest: Sequence[Any]) -> None:
        super().cutoff(value, bound, rest)
        self.steps.append(("cutoff", value, bound, tuple(rest)))

    def leaf(self, value: Any, estimated: bool = False) -> None:
        super().leaf(value, estimated)
        self.steps.append(("leaf", value, estimated))

    def table_hit(self, value: Any, action: Any) -> None:
        super().table_hit(value, action)
        self.steps.append(("table hit", value, action))

    def leave(self, value: Any, action: Any) -> None:
        super().leave(value, action)
        self.steps.append(("leave", value, action))


SETTINGS = [
    Settings("minimax"),
    Settings("alphabeta", table=True),
    Settings("alphabeta", ordering="evaluation"),
    Settings("limited", depth=2),
    Settings("multiplayer"),
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: settings.algorithm)
def test_a_time_limit_takes_nothing_from_the_observer(settings: Settings) -> None:
    """The same steps, result and counts with a clock listening as without."""
    game = load("tictactoe")
    state = game.parse("XO./.X./..O")
    alone, beside = Listener(), Listener()
    without = search(game, state, settings, alone)
    limited = search(game, state, settings._replace(time_limit=3600), beside)
    assert limited == without
    assert beside.steps == alone.steps
    assert beside.report(exact=True) == alone.report(exact=True)


@pytest.mark.parametrize("time_limit", [None, 3600.0])
def test_deepening_tells_of_every_iteration(time_limit: float | None) -> None:
    """Nine of them for tic-tac-toe, each entered at the start and left, with as many nodes as the report counts."""
    game = load("tictactoe")
    listener = Listener()
    result = search(game, game.initial, Settings("deepening", time_limit=time_limit), listener)
    assert sum(step[:2] == ("enter", game.initial) for step in listener.steps) == result.report.depth == 9
    assert any(step[0] == "table hit" for step in listener.steps)
    assert listener.level == -1
    assert listener.report(exact=True) == result.report
    assert result == search(game, game.initial, Settings("deepening"))


def test_the_observer_hears_until_the_time_is_up() -> None:
    """What was entered was counted; nothing is heard afterwards."""
    game = load("tictactoe")
    ticks = iter(range(1000))
    listener = Listener()
    result = deepening(game, game.initial, 100, clock=lambda: float(next(ticks)), observer=listener)
    entered = sum(step[0] == "enter" for step in listener.steps)
    assert entered == listener.nodes == result.report.nodes == 99
    with pytest.raises(OperationError, match="did not finish in"):
        search(game, game.initial, Settings("minimax", time_limit=1e-9), listener)
    assert listener.nodes == entered


def test_a_relay_counts_as_those_that_it_tells() -> None:
    game = load("figure:two-ply")
    first, second = Listener(), Listener()
    relay = Relay(first, second)
    result = search(game, "A", Settings("alphabeta"), relay)
    assert first.steps == second.steps != []
    assert first.values == relay.values
    assert result.report == first.report(exact=True) == SearchReport(11, 7, 1, 0, 2, True)
