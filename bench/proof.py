"""The proof of a packed solution beside its build, both as processes: ``python -m bench.proof [GAME...]``."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.measure import Line

_GIGABYTE = 1e9


class Run(NamedTuple):
    """What a process took."""

    seconds: float
    memory: float
    """Bytes, at the most."""


def lines(rounds: int) -> Iterator[Line]:
    """The comparison for a board that is built in seconds."""
    yield from compare("mnk:4,4,4", rounds, target=15.0)


def compare(game: str, rounds: int, target: float) -> Iterator[Line]:
    """Seconds of the whole proof beside those of the build, in turns, and the most memory that a proof took beside a gigabyte."""
    builds, proofs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            built, proved = _build_and_prove(game, Path(folder) / f"{number}.db")
            if number:  # the first may compile
                builds.append(built)
                proofs.append(proved)
    seconds = [median(run.seconds for run in runs) for runs in (proofs, builds)]
    yield Line(f"verify all of {game} / build it", *seconds, target=target)
    yield Line(f"memory of verify {game} / 1 GB", max(run.memory for run in proofs), _GIGABYTE, target=1.0)


def _build_and_prove(game: str, db: Path) -> tuple[Run, Run]:
    return run("build", "-g", game, "--db", str(db)), run("verify", "-g", game, "--db", str(db))


def run(*command: str) -> Run:
    """What a command takes as a process of its own."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "zermelo", *command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"zermelo {' '.join(command)} failed")
    return Run(time.perf_counter() - started, usage.ru_maxrss * 1024)


def main() -> None:
    """Build and prove the games that are named once each."""
    for game in sys.argv[1:] or ["mnk:4,4,4"]:
        with tempfile.TemporaryDirectory() as folder:
            db = Path(folder) / "game.db"
            built, proved = _build_and_prove(game, db)
            sampled = run("verify", "-g", game, "--db", str(db), "--sample", "1000000")
        for what, took in (("build", built), ("verify", proved), ("verify --sample 1000000", sampled)):
            print(f"{game}: {what} {took.seconds:.1f} s, {took.memory / _GIGABYTE:.2f} GB", flush=True)


if __name__ == "__main__":
    main()
