"""One worker and two, threads and a cluster, and what was said of the time: ``python -m bench.scaling [--rounds N] [GAME...]``.

Each way is a `zermelo build` of its own, in turns, so that a busy moment hits all of them alike. With ``--memory 2G`` it is
what a build within that takes instead. What is found goes to docs/scaling.json and from there into the tables of docs/scaling.md;
exits 1 where two workers of a cluster take more than 1.4 times as long as two threads, or where the estimate is more than
30% off.
"""

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

from bench import run
from bench.measure import Cost, cost_of
from bench.results.pages import kept
from zermelo.db.engine import sql_engine
from zermelo.db.packed.keeper import Keeper
from zermelo.db.store import announce
from zermelo.solver.errors import size_text
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import knows
from zermelo.solver.packed.calibrate import seconds_of
from zermelo.solver.packed.estimate import places_of
from zermelo.solver.packed.groups import groups_of
from zermelo.solver.packed.solve import solved_groups
from zermelo.solver.packed.tasks import Sent

DOCS = Path(__file__).parent.parent / "docs"
FIGURES, PAGE = "scaling.json", "scaling.md"
SHOWN = ("mnk:5,4,4", "mnk:5,5,4", "mnk:5,5,5", "connect:6,5,4", "connect:7,4,4")
"""Boards of the results whose builds are shown."""
_MADE = re.compile(r"(<!-- measured -->\n).*?(<!-- end -->\n)", re.DOTALL)
WAYS = {
    "1 thread": ("--jobs", "1"),
    "2 threads": ("--jobs", "2"),
    "local:1": ("--cluster", "local:1"),
    "local:2": ("--cluster", "local:2"),
}
CLUSTER_AT_MOST = 1.4
WITHIN = 0.3


def measured(game: str, options: tuple[str, ...], folder: Path) -> Cost:
    """What a build takes."""
    path = folder / "zermelo.db"
    path.unlink(missing_ok=True)
    command = [sys.executable, "-m", "zermelo", "build", "-g", game, "--db", str(path), "--no-progress", *options]
    return cost_of(*command)


def limited(game: str, memory: str) -> dict[str, Any]:
    """A build that may take so much memory."""
    with tempfile.TemporaryDirectory() as folder:
        cost = measured(game, ("--memory", memory), Path(folder))
        size = (Path(folder) / "zermelo.db").stat().st_size
    return {"machine": run.machine(), "builds": {f"--memory {memory}": {**cost._asdict(), "size": size}}}


def compared(game: str, rounds: int) -> dict[str, Any]:
    """The median of each way, and how they compare."""
    rules = load(game)
    assert knows(rules)
    said = seconds_of(groups_of(rules), 2)
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for way, options in WAYS.items():
                found[way].append(measured(game, options, Path(folder)).seconds)
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
        "ns a place": rates(game),
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


def tables(figures: Mapping[str, Any]) -> str:
    """The tables of the page: what was kept here, and of whole builds what was kept among the results."""
    rated = {game: found["ns a place"] for game, found in figures.items() if "ns a place" in found}
    ways = {game: found["seconds"] for game, found in figures.items() if "seconds" in found}
    results = {game: known for family in ("mnk", "connect") for game, known in kept(family).items()}
    builds = [_build(game, game, results[game]) for game in SHOWN]
    for game, found in figures.items():
        for way, cost in found.get("builds", {}).items():
            builds.append(_build(game, f"{game}, {way}", cost))
    steps = next(iter(rated.values()))
    parts = [
        "Nanoseconds of one processor for a place:",
        _table(
            ["step", *map(_code, rated)], [[step, *(f"{each[step]:.1f}" for each in rated.values())] for step in steps]
        ),
        "Whole builds, from the rules to the stored solution; those without a remark are of the [results](results/README.md):",
        _table(["build", "places", "seconds", "memory", "on disk", "bytes a place there"], builds),
        "One worker and two, in seconds:",
        _table(
            ["board", "1 thread", "2 threads", "1 worker of a cluster", "2 workers"],
            [[_code(game), *(f"{each[way]:.1f}" for way in WAYS)] for game, each in ways.items()],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _build(game: str, name: str, cost: Mapping[str, Any]) -> list[str]:
    rules = load(game)
    assert knows(rules)
    named, places = name.replace(game, _code(game)), places_of(rules)
    figures = [
        f"{cost['seconds']:.0f}",
        size_text(cost["memory"]),
        size_text(cost["size"]),
        f"{cost['size'] / places:.2f}",
    ]
    return [named, f"{places:,}", *figures]


def _code(game: str) -> str:
    return f"`{game}`"


def _table(head: list[str], rows: list[list[str]]) -> str:
    """The first column is words, the others are numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def keep(folder: Path, game: str, found: dict[str, Any]) -> None:
    """Put down what was found of a game, and write the tables anew."""
    path, page = folder / FIGURES, folder / PAGE
    figures = {**(json.loads(path.read_text()) if path.exists() else {}), game: found}
    run.write(path, figures)
    run.write_text(page, _MADE.sub(lambda part: f"{part[1]}\n{tables(figures)}\n{part[2]}", page.read_text()))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description=__doc__)
    parser.add_argument("games", nargs="*", default=["mnk:5,4,4"], metavar="GAME", help="boards; mnk:5,4,4 by default")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often each way is taken")
    parser.add_argument("--memory", metavar="SIZE", help="what a build within so much memory takes")
    options = parser.parse_args()
    missed = False
    for game in options.games:
        found = limited(game, options.memory) if options.memory else compared(game, options.rounds)
        keep(DOCS, game, found)
        print(json.dumps(found, indent=1))
        if not options.memory:
            missed |= found["local:2 / 2 threads"] > CLUSTER_AT_MOST or abs(found["estimate / 2 threads"] - 1) > WITHIN
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
