"""The tablebase file against a bare SELECT, and many positions at once against one after the other."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.measure import Line, compare
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import open_tablebase, write_tablebase
from zermelo.solver.games.mnk import MNK

_SELECT = "select value, plies, best_move from positions where solution_id = ? and board = ?"


def lines(rounds: int) -> Iterator[Line]:
    """Every comparison, over all 5,478 positions of tic-tac-toe in turn."""
    with TemporaryDirectory() as folder:
        database, path = str(Path(folder, "zermelo.db")), str(Path(folder, "tictactoe.ztb"))
        build(database, MNK(3, 3, 3))
        with open_solution(database) as solution, open(path, "wb") as stream:
            boards = [row.board for row in solution.source.rows()]
            write_tablebase(stream, solution)
        many = np.array(boards)

        bare = sqlite3.connect(database, isolation_level=None)
        with open_tablebase(path) as tablebase:

            def probe() -> None:
                for board in boards:
                    tablebase.probe(board)

            def select() -> None:
                for board in boards:
                    bare.execute(_SELECT, (1, board)).fetchone()

            yield compare("probe an open .ztb / bare SELECT by key", 1.0, probe, select, rounds, len(boards))
            bare.execute("begin")
            name = "probe an open .ztb / bare SELECT by key within one transaction"
            yield compare(name, 1.0, probe, select, rounds, len(boards))
            name = "probe_many on an open .ztb, a position / probe"
            yield compare(name, 0.05, lambda: tablebase.probe_many(many), probe, rounds, len(boards))
        bare.close()
