"""Line 7: stats that fit a terminal, in the players' own words, with all games counted."""

import json
from pathlib import Path

import pytest

from tests.first_hour.conftest import Typed
from zermelo.db.stats import Statistics
from zermelo.solver.census import take_census
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.packed.ways import count_ways
from zermelo.views.stats import stats_lines


def test_stats_fit_eighty_columns(typed: Typed) -> None:
    """A table for positions and one for outcomes, under names that people read."""
    lines = typed("zermelo stats").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line.split("  ") for line in lines if line.startswith("ply")]
    assert [[word.strip() for word in head if word.strip()] for head in heads] == [
        ["ply", "positions", "classes", "finished", "finished classes"],
        ["ply", "X wins", "draws", "O wins", "X classes", "draw classes", "O classes"],
    ]


def test_stats_fit_with_large_numbers_and_long_names() -> None:
    """As large as 5x5, with players called at length: more tables, no wider ones."""

    class Players:
        players = ("the hounds", "the hare")
        bounds = (-1, 1)

    row = dict.fromkeys(
        ["positions", "classes", "terminal", "terminal_classes", "x_wins", "draws", "o_wins", "x_wins_classes",
         "draws_classes", "o_wins_classes"], 20_000_000_000,
    )  # fmt: skip
    figures = Statistics(
        game="own:Game", value=1, plies=30, positions=10**11, classes=10**10, terminal=10**9, games=10**26,
        tree_nodes=10**27, can_repeat=False, longest=30, mover_wins=10**10, mover_losses=10**10, mover_draws=10**10, by_ply=[{"ply": 12, **row}],  # type: ignore[typeddict-item]
    )  # fmt: skip
    lines = list(stats_lines(Players(), figures, "text"))  # type: ignore[arg-type]
    assert max(map(len, lines)) <= 80
    assert "the hounds wins" in "\n".join(lines) and "X" not in "\n".join(lines)
    assert sum(line.startswith("ply") for line in lines) == 3


def test_the_players_own_names(typed: Typed) -> None:
    """Nim is played by MAX and MIN."""
    assert typed("zermelo build -g nim:1,2").returncode == 0
    assert "MAX wins  draws  MIN wins" in typed("zermelo stats -g nim:1,2").stdout


@pytest.mark.parametrize(
    "name",
    ["mnk:3,3,3", "mnk:3,3,3,misere", "mnk:4,2,3", "mnk:3,3,2", "mnk:2,2,1", "mnk:1,1,1", "connect:3,3,3",
     "connect:4,3,3,misere", "connect:5,2,3", "connect:1,4,2", "connect:3,3,1"],
)  # fmt: skip
def test_games_are_counted_as_the_census_counts_them(name: str) -> None:
    """From counts by ply, or layer by layer with gravity: the census goes through every position's moves."""
    game = load(name)
    census = take_census(game, solve(game))
    assert count_ways(game, census.counts) == (census.games, census.tree_nodes)  # type: ignore[arg-type]


def test_games_of_packed_boards(typed: Typed, folder: Path) -> None:
    """In a database and in a tablebase."""
    assert typed("zermelo build --layout packed --force").returncode == 0
    assert typed("zermelo stats").stdout.splitlines()[2] == "255,168 games, 549,946 nodes in the whole game tree"
    assert typed("zermelo export -o packed.ztb").returncode == 0
    figures = json.loads(typed("zermelo stats --db packed.ztb --format json").stdout)
    assert (figures["games"], figures["tree_nodes"]) == (255_168, 549_946)
