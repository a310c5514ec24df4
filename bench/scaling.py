"""One worker and two, threads and a cluster, and what was said of the time: ``python -m bench.scaling [--rounds N] [GAME...]``.

Each way is a `zermelo build` of its own, in turns, so that a busy moment hits all of them alike. What is found goes to
docs/scaling.json; exits 1 where two workers of a cluster take more than 1.4 times as long as two threads, or where the
estimate is more than 30% off.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

from bench import run
from bench.measure import cost_of
from zermelo.db.engine import sql_engine
from zermelo.db.packed.keeper import Keeper
from zermelo.db.store import announce
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import knows
from zermelo.solver.packed.calibrate import seconds_of
from zermelo.solver.packed.groups import groups_of
from zermelo.solver.packed.solve import solved_groups
from zermelo.solver.packed.tasks import Sent

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
    said = seconds_of(groups_of(rules), 2)
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


def rates(game: str) -> dict[str, float]:
    """Nanoseconds a place of each step, on one processor."""
    rules = load(game)
    assert knows(rules)
    groups = groups_of(rules)
    found: dict[str, float] = {}

    def timed(step: str, work: Callable[[], Any]) -> Any:
        started = time.process_time()
        done = work()
        found[step] = round((time.process_time() - started) * 1e9 / sum(groups.sizes), 1)
        return done

    for _ in solved_groups(MNK(4, 4, 4)):  # so that all is compiled
        pass
    solved = timed("solving", lambda: list(solved_groups(rules)))
    sent = timed("compressing to send", lambda: [Sent.of(one.values, one.positions, one.classes) for one in solved])
    timed("decompressing what was sent", lambda: [one.values() for one in sent])
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder) / "zermelo.db")
        sql = sql_engine(db)
        solution = announce(sql, db, rules, layout="packed", codec="board", force=False)
        with closing(Keeper(sql, db, rules, groups, solution)) as keeper:
            packed = timed("compressing and hashing", lambda: list(map(keeper.pack, solved)))
            timed("writing to SQLite", lambda: keeper.write(packed))
            timed("reading from SQLite and decompressing", lambda: list(map(keeper.read, range(len(groups)))))
        sql.dispose()
    return found


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
        found = compared(game, options.rounds) | {"ns a place": rates(game)}
        kept = json.loads(options.output.read_text()) if options.output.exists() else {}
        run.write(options.output, {**kept, game: found})
        print(json.dumps(found, indent=1))
        missed |= found["local:2 / 2 threads"] > CLUSTER_AT_MOST or abs(found["estimate / 2 threads"] - 1) > WITHIN
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
