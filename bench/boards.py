"""Larger boards: how far each contestant gets in a time limit, each solution in a process of its own.

``python -m bench.boards CONTESTANT LIMIT WIDTH HEIGHT K`` is such a process.
"""

import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.measure import Spread
from bench.peers import AT_BOARDS, present

BOARDS = {(3, 3, 3): 0, (4, 3, 3): 1, (5, 3, 4): 0, (4, 4, 4): 0, (5, 4, 4): 0}
"""Boards from small to large, with the published value of the start from X's side."""
_MEMORY = 10 << 30


class Solved(NamedTuple):
    """What came of one contestant on one board: seconds, or why there are none."""

    contestant: str
    board: str
    positions: int | None
    seconds: Spread | None
    says: str = ""


def solutions(rounds: int, limit: float, *, peers: bool) -> Iterator[Solved]:
    """Every board by every contestant; one that did not finish a board is not asked about larger ones."""
    contestants = present(AT_BOARDS, peers=peers)
    behind: dict[str, str] = {}
    for (width, height, k), value in BOARDS.items():
        measured: dict[str, list[float]] = {}
        positions: dict[str, int | None] = {}
        said = dict(behind)
        for _ in range(rounds):
            for name in contestants:
                if name in said or sum(measured.get(name, ())) > limit / 2:
                    continue
                answer = solve_apart(name, width, height, k, limit)
                if "says" in answer:
                    said[name] = answer["says"]
                    if not answer.get("other boards may do"):
                        behind[name] = said[name]
                elif answer["value"] != value:
                    raise ValueError(f"{name} says that {width},{height},{k} is worth {answer['value']}: it is {value}")
                else:
                    measured.setdefault(name, []).append(answer["seconds"])
                    positions[name] = answer["positions"]
        everything = max((known for known in positions.values() if known), default=None)
        for name, module in contestants.items():
            seconds = Spread.of(measured[name]) if name in measured else None
            yield Solved(
                module.NAME,
                f"mnk:{width},{height},{k}",
                (positions[name] or everything) if name in positions else None,
                seconds,
                said.get(name, ""),
            )


def solve_apart(name: str, width: int, height: int, k: int, limit: float) -> dict[str, Any]:
    """Solve one board in a process of its own: seconds, positions and value, or what it says instead."""
    command = [sys.executable, "-m", "bench.boards", name, str(limit), str(width), str(height), str(k)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == -signal.SIGALRM:
        return {"says": f"over {limit:g} s"}
    if done.returncode:
        out_of_memory = "MemoryError" in done.stderr or done.returncode < 0
        if not out_of_memory:
            raise RuntimeError(done.stderr)
        return {"says": f"over {_MEMORY >> 30} GB"}
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def main(name: str, limit: str, *sizes: str) -> None:
    """Solve one board and print what came out."""
    module = present([name], peers=True)[name]
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.setitimer(signal.ITIMER_REAL, float(limit))  # ends the process, whatever it is in the middle of
    started = time.perf_counter()
    try:
        positions, value = module.solve_board(*map(int, sizes))
    except NotImplementedError as error:
        print(json.dumps({"says": str(error), "other boards may do": True}))
        return
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "positions": positions, "value": value}))


if __name__ == "__main__":
    main(*sys.argv[1:])
