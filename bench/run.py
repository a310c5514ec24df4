"""One run: what was measured, on what, as plain values that JSON can hold."""

import json
import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench import core, many, search, tablebase, web
from bench.measure import Line
from bench.peers import AT_TASKS, present, version_of
from zermelo.db.files import whole_file

_PACKAGES = ("zermelo", "SQLAlchemy", "alembic", "click", "numpy", "numba", "fastapi", "uvicorn", "easyAI", "open_spiel",
             "gamesolver", "python-tictactoe")  # fmt: skip


def lines(*, quick: bool) -> Iterator[Line]:
    """Every comparison that has a target."""
    rounds = 5 if quick else 25
    yield from core.lines(rounds)
    yield from tablebase.lines(rounds)
    yield from search.lines(rounds=3 if quick else 5)
    yield from web.lines(rounds)
    yield from many.lines(rounds)
    if find_spec("numba"):
        from bench import compiled, packed, whole

        yield from packed.lines(2 if quick else rounds)
        yield from compiled.lines(2 if quick else rounds)
        yield from whole.lines(1 if quick else 3)


def machine() -> dict[str, Any]:
    """What it was measured on. Nothing in it says whose machine it is."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cpu": _cpu(),
        "processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def versions() -> dict[str, str]:
    """The packages that took part."""
    return {package: found for package in _PACKAGES if (found := version_of(package))}


def knowledge(*, peers: bool) -> dict[str, str]:
    """What each contestant knows of a position once it has solved the game."""
    return {module.NAME: module.KNOWS for module in present(AT_TASKS, peers=peers).values()}


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as facts:
            return next(line.partition(":")[2].strip() for line in facts if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def line_as_dict(line: Line, slack: float) -> dict[str, Any]:
    """A comparison with its target, and whether it was missed."""
    target = line.target * slack
    return {**line._asdict(), "ratio": line.ratio, "target": target, "missed": line.ratio > target}


def write(path: Path, run: dict[str, Any]) -> None:
    """Keep a run as JSON."""
    write_text(path, json.dumps(run, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all: it has figures of runs before, and the run may be stopped at any time."""
    with whole_file(path, force=True) as stream:
        stream.write(text.encode())
