"""One byte of a file is changed: what is then answered is right, or it is refused in our words."""

import collections
import random
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz import scaled
from zermelo.db.catalogue import solutions_in
from zermelo.db.memory import solve_in_memory
from zermelo.db.query import Solution, open_solution
from zermelo.db.stats import statistics
from zermelo.db.store import build
from zermelo.db.tablebase import write_tablebase
from zermelo.solver.errors import ZermeloError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load

GAME = load("tictactoe")
SOLVED = solve(GAME)
STATES = list(SOLVED)
BOARDS = [GAME.format(state) for state in STATES]
KNOWN = [(state.bit_count(), *SOLVED[state][:2]) for state in STATES]
ENTRIES = [(v, p, None if action is None else GAME.format_action(action)) for v, p, action in SOLVED.values()]
MEMORY = solve_in_memory(GAME)
AT_ONCE = 500
LAYOUTS = ["rows", "rows by class", "packed", "tablebase"]


def made(layout: str, folder: Path) -> Path:
    """Tic-tac-toe in a file of this layout."""
    path = folder / "good.db"
    build(str(path), GAME, layout="packed" if layout == "packed" else None, symmetry=layout == "rows by class")
    if layout != "tablebase":
        return path
    with open_solution(str(path)) as solution, (folder / "good.ztb").open("wb") as stream:
        write_tablebase(stream, solution)
    return folder / "good.ztb"


class Outcome:
    """What came of asking a changed file everything."""

    def __init__(self, path: Path, truth: dict[str, Any], chance: random.Random) -> None:
        self.told: list[str] = []
        self.wrong: list[str] = []
        self._try("list", lambda: _facts(path), truth["facts"])
        try:
            solution = open_solution(str(path), GAME)
        except ZermeloError as error:
            self.told.append(str(error))
            return
        with solution:
            self._try("length", lambda: len(solution), len(STATES))
            self._try("statistics", lambda: statistics(solution), truth["statistics"])
            for place in chance.sample(range(len(STATES)), 8):
                self._ask(solution, BOARDS[place], ENTRIES[place])
            source = solution.source
            by_text = source.facts["layout"] == "rows" and not source.by_class  # where texts are found at once
            for first in range(0, len(STATES), AT_ONCE):
                some = slice(first, first + AT_ONCE)
                if by_text:
                    self._try("find", lambda some=some: source.find_many(BOARDS[some]), ENTRIES[some])
                else:
                    self._try("lookup", lambda some=some: source.lookup(STATES[some]), KNOWN[some])

    def _ask(self, solution: Solution, board: str, entry: Any) -> None:
        self._try("probe", lambda: solution.probe(board), entry)
        self._try("get", lambda: solution.get(board), entry)
        self._try("answer", lambda: solution.answer(board, line=True), MEMORY.answer(board, line=True))

    def _try(self, what: str, ask: Any, right: Any) -> None:
        """Anything but what is right or an error of ours is wrong."""
        try:
            found = ask()
        except ZermeloError as error:
            self.told.append(str(error))
        except Exception as error:
            self.wrong.append(f"{what}: {type(error).__name__}: {error}")
        else:
            if found != right:
                self.wrong.append(f"{what}: another answer")


def _facts(path: Path) -> list[dict[str, Any]]:
    return [{name: fact for name, fact in facts.items() if name != "checksum"} for facts in solutions_in(path)]


def flipped(layout: str, folder: Path, number: int, seed: int) -> tuple[collections.Counter[str], list[str]]:
    """Change a byte, ask, and put down what came of it, so many times."""
    good = made(layout, folder)
    with open_solution(str(good), GAME) as solution:
        truth = {
            "facts": _facts(good),
            "statistics": statistics(solution),
        }
    data, chance = good.read_bytes(), random.Random(seed)
    tally: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []
    path = folder / f"changed{good.suffix}"
    for _ in range(number):
        place, change = chance.randrange(len(data)), chance.randrange(1, 256)
        changed = bytearray(data)
        changed[place] ^= change
        path.write_bytes(changed)
        outcome = Outcome(path, truth, chance)
        tally["wrong" if outcome.wrong else "told" if outcome.told else "no harm"] += 1
        wrong += [f"byte {place} ^ {change}: {what}" for what in outcome.wrong[:3]]
        for left in folder.glob(f"{path.name}-*"):
            wrong.append(f"byte {place} ^ {change}: {left.name} is left behind")
            left.unlink()
    return tally, wrong


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_few_changed_bytes(layout: str, tmp_path: Path) -> None:
    """Of each layout."""
    _, wrong = flipped(layout, tmp_path, 12, seed=7)
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["rows", "packed", "tablebase"])
def test_many_changed_bytes(layout: str, tmp_path: Path) -> None:
    """A thousand of each at full scale; docs/reliability.md has the figures."""
    number = scaled(1000)
    tally, wrong = flipped(layout, tmp_path, number, seed=11)
    print(layout, dict(tally))
    assert wrong == []
    assert tally["told"] > number // 20
