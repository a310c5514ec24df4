"""Measuring two things in one run: what counts is how they compare, never how fast the machine is."""

import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import NamedTuple


class Line(NamedTuple):
    """One comparison: ours against a baseline, and how many times the baseline's cost ours may be."""

    name: str
    ours: float
    baseline: float
    target: float

    @property
    def ratio(self) -> float:
        return self.ours / self.baseline


def alternate(contestants: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The median seconds of each contestant, taking turns so that a busy moment hits all of them alike."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for run in contestants.values():
        run()  # what happens only the first time is measured for no one
    for _ in range(rounds):
        for name, run in contestants.items():
            started = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - started)
    return {name: median(times) for name, times in seconds.items()}


def compare(
    name: str, target: float, ours: Callable[[], object], baseline: Callable[[], object], rounds: int, times: int = 1
) -> Line:
    """One line of the benchmark; `times` is how often each run does its work, to report the cost of one."""
    medians = alternate({"ours": ours, "baseline": baseline}, rounds)
    return Line(name, medians["ours"] / times, medians["baseline"] / times, target)
