"""Build boards and put down what came out: ``python -m bench.results [--folder FOLDER] [GAME...]``.

Each game is built by `zermelo build` in a database of its own, which is left in FOLDER; one that was built and put down
before is not built again. The figures go to docs/results.json, and the table made of them to docs/results.md.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from zermelo.db.query import open_solution
from zermelo.solver.errors import size_text

DOCS = Path(__file__).parent.parent / "docs"
GAMES = (
    "mnk:3,3,3", "mnk:3,3,3,misere", "mnk:4,3,3", "mnk:4,3,3,misere", "mnk:4,3,4",
    "mnk:4,4,3", "mnk:4,4,3,misere", "mnk:4,4,4", "mnk:4,4,4,misere",
    "mnk:5,3,3", "mnk:5,3,4", "mnk:5,3,5", "mnk:5,4,3", "mnk:5,4,4", "mnk:5,4,4,misere", "mnk:5,4,5",
    "connect:3,3,3", "connect:4,4,3", "connect:4,4,4", "connect:4,4,4,misere", "connect:5,4,4", "connect:4,5,4",
    "connect:5,5,4", "connect:5,5,4,misere", "connect:6,4,4",
    "mnk:5,5,3", "mnk:5,5,4", "mnk:5,5,5",
    "dodgem:3", "dodgem:4", "morris:six", "dodgem:5",
)  # fmt: skip
_COLUMNS = ("game", "value", "positions", "classes", "layout", "time", "memory", "size")


def build(game: str, folder: Path) -> dict[str, Any]:
    """Build a game as a user does, and measure it from outside."""
    path = folder / (re.sub("[^a-z0-9]+", "-", game) + ".db")
    path.unlink(missing_ok=True)
    zermelo = str(Path(sys.executable).with_name("zermelo"))
    started = time.perf_counter()
    process = subprocess.Popen([zermelo, "build", "-g", game, "--db", str(path)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        sys.exit(f"{game} could not be built")
    with open_solution(str(path), game) as solution:
        facts = solution.source.facts
    kept = ("game", "value", "plies", "positions", "classes", "layout", "digest")
    measured = {"seconds": round(seconds, 2), "memory": usage.ru_maxrss * 1024, "size": path.stat().st_size}
    return {**{name: facts[name] for name in kept}, **measured}


def render(results: dict[str, dict[str, Any]]) -> str:
    """The page that shows the figures."""
    lines = [
        "# Boards solved here",
        "",
        "Values and plies are those of the start of the game with best play. Positions are those that can occur in a game,",
        "classes those that differ by more than a symmetry. Time is that of `zermelo build` as a process, from the rules to",
        "the stored solution, memory its peak, size the database's. Made by `python -m bench.results`.",
        "",
        "| " + " | ".join(_COLUMNS) + " |",
        "| --- | --- |" + " ---: |" * 2 + " --- |" + " ---: |" * 3,
    ]
    for game in sorted(results, key=lambda name: (not name.startswith("mnk"), results[name]["positions"])):
        found = results[game]
        value = {1: "X wins", 0: "draw", -1: "O wins"}[found["value"]]
        value += ", play need not end" if found["plies"] is None else f" in {found['plies']}"
        cells = (
            f"`{game}`", value, f"{found['positions']:,}", f"{found['classes']:,}", found["layout"],
            f"{found['seconds']:.1f} s", size_text(found["memory"]), size_text(found["size"]),
        )  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    if by_hand := [f"`{game}`" for game in sorted(results) if results[game].get("by_hand")]:
        lines += ["", f"The figures of {' and '.join(by_hand)} were read off builds started by hand, in the same way."]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.results", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="what to build; by default every board of the table")
    parser.add_argument("--folder", type=Path, default=Path("results"), help="where the databases go")
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    DOCS.mkdir(exist_ok=True)
    figures = DOCS / "results.json"
    results = json.loads(figures.read_text()) if figures.exists() else {}
    for game in options.games or [game for game in GAMES if game not in results]:
        results[game] = build(game, options.folder)
        figures.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
        (DOCS / "results.md").write_text(render(results))
        print(render({game: results[game]}).splitlines()[-1], flush=True)


if __name__ == "__main__":
    main()
