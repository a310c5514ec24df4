"""Who is measured: Zermelo, the plain baseline, and other packages that solve such games. One file each.

A contestant says for every task how it does it, in the way that its documentation shows, or why it cannot.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from bench.measure import run_process
from zermelo.solver.exhaustive import solve
from zermelo.solver.games.mnk import MNK

SOLVE = "solve all of tic-tac-toe"
STORE = "solve and store in a file"
KNOWN = "one look-up in memory, of a position in the contestant's own form"
STORED = "one look-up in what is stored, of a position as text"
THOUSAND = "open what is stored and look up a thousand positions"
FRESH_EARLY = "first answer of a fresh process, after one move"
FRESH_LATE = "first answer of a fresh process, after four moves"
SIZE = "size on disk"
TASKS = (SOLVE, STORE, KNOWN, STORED, THOUSAND, FRESH_EARLY, FRESH_LATE, SIZE)

QUESTIONS = {FRESH_EARLY: "X../.../...", FRESH_LATE: "XO./.X./..O"}
"""The positions that a fresh process is asked for a best move in."""
PLAYED = {FRESH_EARLY: (0,), FRESH_LATE: (0, 1, 4, 8)}
"""The cells that were played to get there, in turn."""

Values = Mapping[str, int]
"""Boards such as X.O/.X./..O, and their values from X's side."""


class Task(NamedTuple):
    """How a contestant does a task."""

    run: Callable[[], Any]
    values: Callable[[Any], Values] | None = None
    """What a run found, in our words: asked once, to check it. None where a run returns what it is asked for."""
    times: int = 1
    """How often a run does the task."""


class Contestant(Protocol):
    """A module of this package that does the tasks."""

    NAME: str
    PACKAGE: str
    """Its name where pip gets it, and how its version is known."""
    KNOWS: str
    """What is known of a position after solving."""

    def tasks(self, folder: Path) -> Mapping[str, Task | str]:
        """For every task how it is done, with `folder` for files, or why it is not."""


class BoardSolver(Protocol):
    """A module of this package that solves larger boards."""

    NAME: str

    def solve_board(self, width: int, height: int, k: int) -> tuple[int | None, int]:
        """Solve all of a board: how many positions are then known, None where it is all, and the start's value from X's side.

        What the contestant cannot do is a `NotImplementedError` that says why.
        """


PEERS = ("easyai", "openspiel", "gamesolver", "egtb")
AT_TASKS = ("ours", "ztb", "plain", *PEERS)
AT_BOARDS = ("packed", "ours", "searching", "easyai", "openspiel", "gamesolver")


def present(names: Iterable[str], *, peers: bool) -> dict[str, Any]:
    """The modules of that name, without the peers if they are not wanted, and without what is not installed."""
    found = {}
    for name in names:
        if name in PEERS and not peers:
            continue
        try:
            found[name] = import_module(f"bench.peers.{name}")
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] == "bench":
                raise
    return found


def version_of(package: str) -> str | None:
    """The version of a package that is installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


@cache
def truth() -> dict[str, int]:
    """The value of every position of tic-tac-toe."""
    game = MNK(3, 3, 3)
    return {game.format(state): value for state, (value, _, _) in solve(game).items()}


@cache
def some_boards() -> list[str]:
    """A thousand unfinished positions, from all over the game."""
    game = MNK(3, 3, 3)
    boards = sorted(game.format(state) for state in solve(game) if not game.is_terminal(state))
    return boards[: len(boards) // 1000 * 1000 : len(boards) // 1000][:1000]


def fresh(code: str, *arguments: str) -> int:
    """The cell that a new Python process prints."""
    return int(run_process(sys.executable, "-c", code, *arguments))


def size_of(paths: Sequence[Path]) -> int:
    """The bytes that files take together."""
    return sum(path.stat().st_size for path in paths)


def check(name: str, task: Task) -> int | None:
    """Refuse a contestant's answers if one of them is wrong; how many positions it had one for, where that is told."""
    answer = task.run()
    if name in QUESTIONS:
        game, board = MNK(3, 3, 3), QUESTIONS[name]
        after = game.format(game.result(game.parse(board), answer))
        if truth()[after] != truth()[board]:
            raise ValueError(f"{name}: cell {answer} is no best move in {board}")
        return None
    if task.values is None:
        return None
    found = task.values(answer)
    wrong = [board for board, value in found.items() if board in truth() and truth()[board] != value]
    if wrong or not found:
        raise ValueError(f"{name}: {len(wrong)} wrong values, such as that of {wrong[:1]}")
    return len(found.keys() & truth().keys())
