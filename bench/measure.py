"""Measuring several things in one run: what counts is how they compare, never how fast the machine is."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from statistics import median, quantiles
from typing import NamedTuple


def run_process(*command: str, stdin: str = "") -> str:
    """Run a program as it runs once it is installed, and return what it printed.

    Installing compiles a package, so no program is to compile its own modules anew at each start.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=environment, input=stdin or None
    ).stdout


class Cost(NamedTuple):
    """What a process took: seconds on the wall's clock, seconds of the processors, and bytes of memory at the most."""

    seconds: float
    processor: float
    memory: int


_WATCHED = """
import json, os, subprocess, sys, time
started = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
said = process.stderr.read().decode(errors="replace")
_, status, used = os.wait4(process.pid, 0)
print(json.dumps([status, said, time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
"""A program begins with the peak of whoever starts it, so that is a small one."""


def cost_of(*command: str, folder: str | os.PathLike[str] | None = None) -> Cost:
    """Run a program as it runs once it is installed, and say what it took."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    watched = [sys.executable, "-S", "-c", _WATCHED, *command]
    told = subprocess.run(watched, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True).stdout
    status, said, seconds, processor, memory = json.loads(told)
    if status:
        error = subprocess.CalledProcessError(os.waitstatus_to_exitcode(status), command, stderr=said)
        error.add_note(said)  # or nobody would learn why
        raise error
    return Cost(seconds, processor, memory * (1 if sys.platform == "darwin" else 1024))


class Line(NamedTuple):
    """One comparison: ours against a baseline, and how many times the baseline's cost ours may be."""

    name: str
    ours: float
    baseline: float
    target: float
    unit: str = "seconds"

    @property
    def ratio(self) -> float:
        return self.ours / self.baseline


class Spread(NamedTuple):
    """The median of some measurements, and the quarters below and above it."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, measured: list[float], times: int = 1) -> "Spread":
        """The spread of one piece of work where each measurement is of `times`.

        >>> Spread.of([5.0, 1.0, 2.0, 4.0, 3.0])
        Spread(median=3.0, low=2.0, high=4.0)
        """
        low, _, high = quantiles(measured, n=4, method="inclusive") if len(measured) > 1 else measured * 3
        return cls(median(measured) / times, low / times, high / times)


def alternate(contestants: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """The seconds of each contestant, taking turns so that a busy moment hits all of them alike."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for run in contestants.values():
        run()  # what happens only the first time is measured for no one
    for _ in range(rounds):
        for name, run in contestants.items():
            started = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - started)
    return seconds


def compare(
    name: str, target: float, ours: Callable[[], object], baseline: Callable[[], object], rounds: int, times: int = 1
) -> Line:
    """One line of the benchmark; `times` is how often each run does its work, to report the cost of one."""
    seconds = alternate({"ours": ours, "baseline": baseline}, rounds)
    return Line(name, median(seconds["ours"]) / times, median(seconds["baseline"]) / times, target)
