"""The main path against plain baselines: solving, storing, one look-up, and starting the program."""

import sqlite3
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import baseline
from bench.measure import Line, compare, run_process
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.solver.exhaustive import solve
from zermelo.solver.games.mnk import MNK

_PROBES = 1000
_BOARD = "XO./.X./..O"
_SELECT = "select value, plies, best_move from positions where solution_id = ? and board = ?"


def lines(rounds: int) -> Iterator[Line]:
    """Every comparison of the main path, `rounds` runs each."""
    yield compare("solve tic-tac-toe / bitboard baseline", 3.5, lambda: solve(MNK(3, 3, 3)), baseline.solve, rounds)
    with TemporaryDirectory() as folder:
        new = (str(Path(folder, f"{number}.db")) for number in count())
        yield compare(
            "solve and store in a new file / baseline and raw executemany",
            3.0,
            lambda: build(next(new), MNK(3, 3, 3)),
            lambda: baseline.store(next(new), baseline.solve()),
            rounds,
        )

        path = str(Path(folder, "zermelo.db"))
        build(path, MNK(3, 3, 3))
        bare = sqlite3.connect(path, isolation_level=None)
        with open_solution(path) as solution:
            yield compare(
                "probe an open database / bare SELECT by key",
                4.0,
                lambda: [solution.probe(_BOARD) for _ in range(_PROBES)],
                lambda: [bare.execute(_SELECT, (1, _BOARD)).fetchone() for _ in range(_PROBES)],
                rounds,
                _PROBES,
            )
        bare.close()

        python, zermelo = sys.executable, str(Path(sys.executable).with_name("zermelo"))
        yield compare(
            "zermelo build as a process / importing what it needs",
            2.0,
            lambda: run_process(zermelo, "build", "--db", next(new)),
            lambda: run_process(python, "-c", "import sqlalchemy, alembic.command, click, tqdm"),
            rounds,
        )
        yield compare(
            "zermelo query as a process / import click, sqlite3",
            1.7,
            lambda: run_process(zermelo, "query", _BOARD, "--db", path),
            lambda: run_process(python, "-c", "import click, sqlite3"),
            rounds,
        )
