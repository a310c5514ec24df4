"""Going through a whole solution beside building it, as processes: ``python -m bench.whole [ROUNDS]``.

Seconds are those of the processors, user's and system's together, so that a busy machine disturbs little.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.measure import Cost, Line, cost_of

GAME = "mnk:4,4,4"
_MEMORY = 1e9
_TASKS = (
    ("find --trickiest", 3.0, ("find", "--trickiest", "--limit", "1")),
    ("export to Parquet", 15.0, ("export", "--force", "-o", "whole.parquet")),
    ("verify", 15.0, ("verify",)),
    ("export to CSV", 40.0, ("export", "--force", "-o", "whole.csv")),
)


def lines(rounds: int) -> Iterator[Line]:
    """Each task beside the build, and the memory that it takes."""
    zermelo = str(Path(sys.executable).with_name("zermelo"))
    with TemporaryDirectory() as folder:
        new = (f"{number}.db" for number in count())

        def build() -> Cost:
            return cost_of(zermelo, "build", "-g", GAME, "--db", next(new), folder=folder)

        build()
        tasks = [task for task in _TASKS if "Parquet" not in task[0] or find_spec("pyarrow")]
        costs: dict[str, list[Cost]] = {"build": [], **{name: [] for name, *_ in tasks}}
        for measured in range(-1, rounds):  # what happens only the first time is measured for no one
            costs["build"].append(build())
            for name, _, arguments in tasks:
                cost = cost_of(zermelo, *arguments, "--yes", "-g", GAME, "--db", "0.db", folder=folder)
                costs[name].append(cost)
            if measured < 0:
                costs = {name: [] for name in costs}
    built = median(cost.processor for cost in costs["build"])
    for name, target, _ in tasks:
        yield Line(
            f"{name} of {GAME} / its build, processor time", median(one.processor for one in costs[name]), built, target
        )
        yield Line(f"{name} of {GAME}, memory / 1 GB", max(one.memory for one in costs[name]), _MEMORY, 1.0)


def main() -> None:
    """Print each comparison."""
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
        print(
            f"{line.name}: {line.ours:,.3g} / {line.baseline:,.3g} = {line.ratio:.2f}, at most {line.target:g}",
            flush=True,
        )


if __name__ == "__main__":
    main()
