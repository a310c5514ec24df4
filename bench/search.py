"""Iterative deepening against its own time limit, where the board is far too large to search to the end."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.measure import Line
from zermelo.solver.games.mnk import MNK
from zermelo.solver.search import deepening

LIMIT = 1.0
TARGET = 1.2


def lines(rounds: int) -> Iterator[Line]:
    """The slowest of some answers, as a function and as a process that has to start first."""
    game = MNK(5, 5, 4)
    yield _slowest("deepening on mnk:5,5,4 / its limit", lambda: deepening(game, game.initial, LIMIT), rounds)
    command = [str(Path(sys.executable).with_name("zermelo")), "search", "-g", "mnk:5,5,4", "--algorithm", "deepening"]
    command += ["--time-limit", str(LIMIT)]
    yield _slowest(
        "zermelo search --algorithm deepening / its limit",
        lambda: subprocess.run(command, check=True, capture_output=True),
        rounds,
    )


def _slowest(name: str, answer: Callable[[], object], rounds: int) -> Line:
    seconds = []
    for _ in range(rounds):
        started = time.perf_counter()
        answer()
        seconds.append(time.perf_counter() - started)
    return Line(name, max(seconds), LIMIT, TARGET)
