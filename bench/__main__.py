"""Measure, print every comparison beside its target, and exit 1 where one is missed: ``python -m bench``."""

import argparse
import sys
from collections.abc import Iterator
from importlib.util import find_spec

from bench import core, search, tablebase, web
from bench.measure import Line


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--slack", type=float, default=1.0, help="multiply every target, for a noisy machine")
    options = parser.parse_args()

    missed = 0
    print(f"{'ours':>10} {'baseline':>10} {'ratio':>6} {'target':>6}")
    for line in _lines(rounds=5 if options.quick else 25):
        target = line.target * options.slack
        missed += line.ratio > target
        verdict = "MISSED" if line.ratio > target else ""
        times = f"{_duration(line.ours):>10} {_duration(line.baseline):>10}"
        print(f"{times} {line.ratio:6.2f} {target:6.2f}  {line.name} {verdict}".rstrip(), flush=True)
    return 1 if missed else 0


def _lines(rounds: int) -> Iterator[Line]:
    yield from core.lines(rounds)
    yield from tablebase.lines(rounds)
    yield from search.lines(rounds=5)
    yield from web.lines(rounds)
    if find_spec("numba"):
        from bench import packed

        yield from packed.lines(rounds)


def _duration(seconds: float) -> str:
    if seconds < 1e-6:
        return f"{seconds * 1e9:.2f} ns"
    return f"{seconds * 1e6:.1f} us" if seconds < 1e-3 else f"{seconds * 1e3:.1f} ms"


if __name__ == "__main__":
    sys.exit(main())
