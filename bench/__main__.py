"""Measure Zermelo beside what people would use instead, and every comparison that has a target: ``python -m bench``.

Exits 1 where a target is missed.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from bench import boards, report, rows, run


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds and a short limit: done in two minutes")
    parser.add_argument("--zermelo-only", action="store_true", help="leave out the other packages")
    parser.add_argument("--slack", type=float, default=1.0, help="multiply every target, for a noisy machine")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep what was measured")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FOLDER",
        help="write benchmarks.json, benchmarks.svg and the tables of benchmarks.md",
    )
    options = parser.parse_args(arguments)

    peers = not options.zermelo_only
    found: dict[str, Any] = {
        "machine": run.machine(),
        "versions": run.versions(),
        "knows": run.knowledge(peers=peers),
        "quick": options.quick,
        "limit": 2 if options.quick else 60,
        "lines": [],
        "rows": [],
        "boards": [],
    }
    print(report.LINE_HEAD)
    for line in run.lines(quick=options.quick):
        found["lines"].append(run.line_as_dict(line, options.slack))
        print(report.line_text(found["lines"][-1]), flush=True)
    for row in rows.rows(3 if options.quick else 25, 0.3 if options.quick else 10, peers=peers):
        found["rows"].append({**row._asdict(), "cells": [cell_as_dict(cell) for cell in row.cells]})
        print(report.row_text(found["rows"][-1]), flush=True)
    for solved in boards.solutions(1 if options.quick else 5, found["limit"], peers=peers):
        found["boards"].append({**solved._asdict(), "seconds": spread_as_dict(solved.seconds)})
        print(report.board_text(found["boards"][-1]), flush=True)
    found["machine"]["load at the end"] = [round(load, 2) for load in os.getloadavg()]

    if options.json:
        run.write(options.json, found)
    if options.report:
        report.write(options.report, found)
    missed = [line["name"] for line in found["lines"] if line["missed"]]
    for name in missed:
        print(f"missed: {name}", file=sys.stderr)
    return 1 if missed else 0


def cell_as_dict(cell: rows.Cell) -> dict[str, Any]:
    return {**cell._asdict(), "figure": spread_as_dict(cell.figure)}


def spread_as_dict(spread: Any) -> dict[str, float] | None:
    return None if spread is None else spread._asdict()


if __name__ == "__main__":
    sys.exit(main())
