"""Zermelo with its solution exported as a tablebase file."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from bench.peers import (
    FRESH_EARLY,
    FRESH_LATE,
    KNOWN,
    QUESTIONS,
    SIZE,
    SOLVE,
    STORE,
    STORED,
    THOUSAND,
    Task,
    Values,
    fresh,
    size_of,
    some_boards,
)
from bench.peers.ours import ANSWER
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import open_tablebase, write_tablebase
from zermelo.solver.games.mnk import MNK

NAME = "Zermelo, .ztb"
PACKAGE = "zermelo"
KNOWS = "value, plies, best move"


def tasks(folder: Path) -> Mapping[str, Task | str]:
    boards = some_boards()
    path = str(folder / "tictactoe.ztb")
    build(str(folder / "to-export.db"), MNK(3, 3, 3))
    with open_solution(str(folder / "to-export.db")) as solution, open(path, "wb") as stream:
        write_tablebase(stream, solution)
    tablebase = open_tablebase(path)
    many = np.array(boards)

    def thousand() -> list[int]:
        with open_tablebase(path) as tablebase:
            values: list[int] = tablebase.probe_many(many)["value"].tolist()
            return values

    def named(values: list[int]) -> Values:
        return dict(zip(boards, values, strict=True))

    return {
        SOLVE: "as Zermelo",
        STORE: "exported from what is stored",
        KNOWN: "as Zermelo",
        STORED: Task(lambda: [tablebase.probe(board).value for board in boards], named, len(boards)),
        THOUSAND: Task(thousand, named),
        FRESH_EARLY: Task(lambda: fresh(ANSWER, path, QUESTIONS[FRESH_EARLY])),
        FRESH_LATE: Task(lambda: fresh(ANSWER, path, QUESTIONS[FRESH_LATE])),
        SIZE: Task(lambda: size_of([Path(path)])),
    }
