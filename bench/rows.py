"""Side by side: every task by every contestant, taking turns, each answer checked before its time counts."""

import gc
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bench.measure import Spread
from bench.peers import AT_TASKS, SIZE, TASKS, Task, check, present


class Cell(NamedTuple):
    """What came out for one contestant at one task: seconds or bytes, or why there is none."""

    contestant: str
    figure: Spread | None
    says: str = ""


class Row(NamedTuple):
    """One task."""

    task: str
    unit: str
    cells: list[Cell]


def rows(rounds: int, seconds: float, *, peers: bool) -> Iterator[Row]:
    """Every task, `rounds` times each, but a contestant that has used up its `seconds` sits out the rest."""
    with ExitStack() as stack:
        ways = {
            module.NAME: module.tasks(Path(stack.enter_context(TemporaryDirectory())))
            for module in present(AT_TASKS, peers=peers).values()
        }
        for task in TASKS:
            yield _row(task, {name: tasks[task] for name, tasks in ways.items()}, rounds, seconds)


def _row(task: str, ways: dict[str, Task | str], rounds: int, seconds: float) -> Row:
    positions = {name: check(task, way) for name, way in ways.items() if isinstance(way, Task)}
    doing = {name: way for name, way in ways.items() if isinstance(way, Task)}
    if task == SIZE:
        figures = {name: Spread.of([way.run()]) for name, way in doing.items()}
    else:
        measured = _take_turns(doing, rounds, seconds)
        figures = {name: Spread.of(measured[name], way.times) for name, way in doing.items()}
    most = max((known for known in positions.values() if known), default=0)
    cells = []
    for name, way in ways.items():
        known = positions.get(name)
        partial = f"{known:,} of {most:,} positions" if known and known < most else ""
        cells.append(Cell(name, figures.get(name), way if isinstance(way, str) else partial))
    return Row(task, "bytes" if task == SIZE else "seconds", cells)


def _take_turns(ways: dict[str, Task], rounds: int, seconds: float) -> dict[str, list[float]]:
    measured: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            if sum(measured[name]) < seconds:
                gc.collect()  # so that no one clears up after another
                measured[name].append(_timed(way.run))
    return measured


def _timed(run: Any) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started
