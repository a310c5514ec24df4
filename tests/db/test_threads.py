"""One open solution, many threads; and a process that was forked."""

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz import scaled
from zermelo.db.query import Solution, open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import write_tablebase
from zermelo.solver.errors import ZermeloError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load

GAME = load("tictactoe")
ENTRIES = {
    GAME.format(state): (value, plies, None if action is None else GAME.format_action(action))
    for state, (value, plies, action) in solve(GAME).items()
}
THREADS = 8
STORES = ["rows", "rows by class", "packed", "tablebase", "chunks"]


def stored(kind: str, path: Path) -> str:
    """Where tic-tac-toe is stored in this way."""
    build(str(path), GAME, layout="packed" if kind == "packed" else None, symmetry=kind == "rows by class")
    if kind not in ("tablebase", "chunks"):
        return str(path)
    with open_solution(str(path)) as solution, open(f"{path}.ztb", "wb") as stream:
        write_tablebase(stream, solution)
    return f"{path}.ztb"


@pytest.fixture(params=STORES)
def solution(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Solution]:
    """Tic-tac-toe, open once."""
    db = stored(request.param, tmp_path / "zermelo.db")
    opened = open_solution(db)
    if request.param == "chunks":
        opened.source.small = False  # type: ignore[attr-defined]
    with opened:
        yield opened


def ask(solution: Solution, seed: int, number: int, wrong: list[Any]) -> None:
    """Ask in every way there is, and put down what is not as it should be."""
    chance, boards = random.Random(seed), list(ENTRIES)
    try:
        for _ in range(number // 4):
            board = chance.choice(boards)
            answer = solution.answer(board)
            found = {
                "probe": solution.probe(board),
                "answer": (answer.value, answer.plies, answer.best_move),
                "get": solution.get(board),
                "many": solution.source.find_many([board, "nothing"])[0],
            }
            wrong += [(how, board, entry) for how, entry in found.items() if entry != ENTRIES[board]]
    except BaseException as error:
        wrong.append(error)


def ask_at_once(solution: Solution, number: int) -> list[Any]:
    """So many answers by eight threads, and what of it was wrong."""
    wrong: list[Any] = []
    threads = [threading.Thread(target=ask, args=(solution, seed, number // THREADS, wrong)) for seed in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def test_threads_share_a_solution(solution: Solution) -> None:
    """Eight at once: every answer is right."""
    assert ask_at_once(solution, 800) == []


@pytest.mark.slow
def test_threads_share_a_solution_for_long(solution: Solution) -> None:
    """100,000 answers from each kind of store at full scale."""
    assert ask_at_once(solution, scaled(100_000)) == []


DYING = """
import os, signal, sqlite3, sys
writer = sqlite3.connect(sys.argv[1], isolation_level=None)
writer.execute("pragma cache_size = 1")
writer.execute("begin immediate")
writer.execute("update positions set value = 7")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_threads_and_builds_that_are_killed_or_replace_the_solution(tmp_path: Path) -> None:
    """Whichever thread meets what a killed build left, and whichever finds the new solution: all go on, and are right."""
    path = tmp_path / "zermelo.db"
    build(str(path), GAME)
    wrong: list[Any] = []
    with open_solution(str(path)) as solution:
        for again in range(2):
            threads = [threading.Thread(target=ask, args=(solution, seed, 400, wrong)) for seed in range(THREADS)]
            for thread in threads:
                thread.start()
            subprocess.run([sys.executable, "-c", DYING, str(path)])
            build(str(path), GAME, force=True, symmetry=again % 2 == 0)
            for thread in threads:
                thread.join()
            assert ask_at_once(solution, 160) == []
    assert wrong == []


def test_closing_while_others_ask(solution: Solution) -> None:
    """They are told so, in our words."""
    said: list[BaseException] = []
    begun = threading.Barrier(5)

    def ask_on() -> None:
        begun.wait()
        try:
            while True:
                solution.answer("XO./.X./..O")
                solution.source.rows()
        except BaseException as error:
            said.append(error)

    threads = [threading.Thread(target=ask_on) for _ in range(4)]
    for thread in threads:
        thread.start()
    begun.wait()
    solution.close()
    for thread in threads:
        thread.join()
    assert len(said) == 4
    assert all(isinstance(error, ZermeloError) for error in said), said


FORK = """
import os, sys, threading
from zermelo.db.query import open_solution
solution = open_solution(sys.argv[1])
right = solution.answer("XO./.X./..O")
stop = threading.Event()
def ask():
    while not stop.is_set():
        assert solution.answer("XO./.X./..O") == right
threads = [threading.Thread(target=ask) for _ in range(3)]
for thread in threads: thread.start()
bad = 0
for _ in range(10):
    child = os.fork()
    if not child:
        code = 1
        try:
            ok = all(solution.answer("XO./.X./..O") == right for _ in range(20))
            ok = ok and solution.probe("XO./.X./..O") == (1, 3, "a2")
            code = 0 if ok else 1
        finally:
            os._exit(code)
    bad += os.waitpid(child, 0)[1] != 0
stop.set()
for thread in threads: thread.join()
assert solution.answer("XO./.X./..O") == right
solution.close()
print("bad", bad)
"""


@pytest.mark.parametrize("kind", ["rows", "packed", "tablebase"])
def test_after_a_fork(kind: str, tmp_path: Path) -> None:
    """Children that are forked while threads ask answer too, and leave the parent's connection alone."""
    db = stored(kind, tmp_path / "zermelo.db")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORK, db], capture_output=True, text=True, timeout=240)
    assert (done.stdout, done.stderr) == ("bad 0\n", "")
