"""One worker and two, threads and a cluster, and what was said of the time: ``python -m bench.scaling [--rounds N] [GAME...]``.

Each way is a `zermelo build` of its own, in turns, so that a busy moment hits all of them alike. What is found goes to
docs/scaling.json; exits 1 where two workers of a cluster take more than 1.4 times as long as two threads, or where the
estimate is more than 30% off.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from bench import run
from bench.measure import cost_of
from zermelo.solver.games import load
from zermelo.solver.packed import knows
from zermelo.solver.packed.calibrate import seconds_of
from zermelo.solver.packed.groups import Groups

FIGURES = Path(__file__).parent.parent / "docs" / "scaling.json"
WAYS = {
    "1 thread": ("--jobs", "1"),
    "2 threads": ("--jobs", "2"),
    "local:1": ("--cluster", "local:1"),
    "local:2": ("--cluster", "local:2"),
}
CLUSTER_AT_MOST = 1.4
WITHIN = 0.3


def measured(game: str, options: tuple[str, ...], folder: Path) -> float:
    """The seconds of a build."""
    path = folder / "zermelo.db"
    path.unlink(missing_ok=True)
    command = [sys.executable, "-m", "zermelo", "build", "-g", game, "--db", str(path), "--no-progress", *options]
    return cost_of(*command).seconds


def compared(game: str, rounds: int) -> dict[str, Any]:
    """The median of each way, and how they compare."""
    rules = load(game)
    assert knows(rules)
    said = seconds_of(Groups(rules), 2)
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for way, options in WAYS.items():
                found[way].append(measured(game, options, Path(folder)))
    seconds = {way: round(median(each), 2) for way, each in found.items()}
    return {
        "machine": run.machine(),
        "rounds": rounds,
        "seconds": seconds,
        "estimate": round(said, 2),
        "estimate / 2 threads": round(said / seconds["2 threads"], 2),
        "1 thread / 2 threads": round(seconds["1 thread"] / seconds["2 threads"], 2),
        "local:1 / local:2": round(seconds["local:1"] / seconds["local:2"], 2),
        "local:2 / 2 threads": round(seconds["local:2"] / seconds["2 threads"], 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description=__doc__)
    parser.add_argument("games", nargs="*", default=["mnk:5,4,4"], metavar="GAME", help="boards; mnk:5,4,4 by default")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often each way is taken")
    parser.add_argument(
        "--output", type=Path, default=FIGURES, help="where the figures go; docs/scaling.json by default"
    )
    options = parser.parse_args()
    missed = False
    for game in options.games:
        found = compared(game, options.rounds)
        kept = json.loads(options.output.read_text()) if options.output.exists() else {}
        run.write(options.output, {**kept, game: found})
        print(json.dumps(found, indent=1))
        missed |= found["local:2 / 2 threads"] > CLUSTER_AT_MOST or abs(found["estimate / 2 threads"] - 1) > WITHIN
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
