"""One byte of a file is changed: what is then answered is right, or it is refused in our words."""

import collections
import random
from functools import cache, partial
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
from zermelo.solver.games import load

AT_ONCE = 500
ROWS, BY_CLASS, BOARD, KEYED = "rows", "rows by class", "packed board", "packed keyed"
ZTB_BOARD, ZTB_KEYED, ZTB_ROWS = "tablebase of a board", "tablebase keyed", "tablebase of rows"
LAYOUTS = [ROWS, BY_CLASS, BOARD, KEYED, ZTB_BOARD, ZTB_KEYED, ZTB_ROWS]


class Truth:
    """What the plain solver says of every position of a game, which shares no code with the packed engines."""

    def __init__(self, name: str) -> None:
        self.game = load(name)
        self.solution = solve_in_memory(self.game)
        self.boards = list(self.solution)
        self.states = [self.game.parse(board) for board in self.boards]
        self.entries = self.solution.source.find_many(self.boards)
        self.known = self.solution.source.lookup(self.states)


truth_of = cache(Truth)


def game_in(layout: str) -> str:
    """One that such a file can hold: a board, or a game of whole numbers where play comes back."""
    return "morris:three" if layout in (KEYED, ZTB_KEYED, ZTB_ROWS) else "tictactoe"


def made(layout: str, folder: Path) -> Path:
    """A solution in a file of this layout."""
    path, game = folder / "good.db", truth_of(game_in(layout)).game
    packed = layout in (BOARD, KEYED, ZTB_KEYED)
    build(str(path), game, layout="packed" if packed else "rows", symmetry=layout == BY_CLASS)
    if layout not in (ZTB_BOARD, ZTB_KEYED, ZTB_ROWS):
        return path
    with open_solution(str(path), game) as solution, (folder / "good.ztb").open("wb") as stream:
        write_tablebase(stream, solution)
    return folder / "good.ztb"


class Outcome:
    """What came of asking a changed file everything."""

    def __init__(self, path: Path, truth: Truth, whole: dict[str, Any], chance: random.Random) -> None:
        self.told: list[str] = []
        self.wrong: list[str] = []
        self._try("list", lambda: facts_of(path), whole["facts"])
        try:
            solution = open_solution(str(path), truth.game)
        except ZermeloError as error:
            self.told.append(str(error))
            return
        except Exception as error:
            self.wrong.append(f"open: {type(error).__name__}: {error}")
            return
        with solution:
            self._try("length", lambda: len(solution), len(truth.states))
            self._try("statistics", lambda: statistics(solution), whole["statistics"])
            for board in chance.sample(truth.boards, 8):
                self._ask(solution, board, truth.solution)
            source = solution.source
            by_text = source.facts["codec"] is None and not source.by_class  # where texts are found at once
            for first in range(0, len(truth.states), AT_ONCE):
                some = slice(first, first + AT_ONCE)
                if by_text:
                    self._try("find", partial(source.find_many, truth.boards[some]), truth.entries[some])
                else:
                    self._try("lookup", partial(source.lookup, truth.states[some]), truth.known[some])

    def _ask(self, solution: Solution, board: str, right: Solution) -> None:
        self._try("probe", lambda: solution.probe(board), right.probe(board))
        self._try("get", lambda: solution.get(board), right.probe(board))
        self._try("answer", lambda: solution.answer(board, line=True), right.answer(board, line=True))

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


def facts_of(path: Path) -> list[dict[str, Any]]:
    """What the list of solutions says of a file."""
    return [{name: fact for name, fact in facts.items() if name != "checksum"} for facts in solutions_in(path)]


def flipped(layout: str, folder: Path, number: int, seed: int) -> tuple[collections.Counter[str], list[str]]:
    """Change a byte, ask, and put down what came of it, so many times."""
    good, truth = made(layout, folder), truth_of(game_in(layout))
    with open_solution(str(good), truth.game) as solution:
        whole = {"facts": facts_of(good), "statistics": statistics(solution)}
    data, chance = good.read_bytes(), random.Random(seed)
    tally: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []
    path = folder / f"changed{good.suffix}"
    for _ in range(number):
        place, change = chance.randrange(len(data)), chance.randrange(1, 256)
        changed = bytearray(data)
        changed[place] ^= change
        path.write_bytes(changed)
        outcome = Outcome(path, truth, whole, chance)
        tally["wrong" if outcome.wrong else "told" if outcome.told else "no harm"] += 1
        wrong += [f"byte {place} ^ {change}: {what}" for what in outcome.wrong[:3]]
        for left in folder.glob(f"{path.name}-*"):
            wrong.append(f"byte {place} ^ {change}: {left.name} is left behind")
            left.unlink()
    return tally, wrong


@pytest.mark.parametrize("layout", [BY_CLASS, BOARD, ZTB_KEYED])
def test_a_few_changed_bytes(layout: str, tmp_path: Path) -> None:
    """Of rows, of blocks and of a tablebase, so that every run has some."""
    _, wrong = flipped(layout, tmp_path, 12, seed=7)
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_many_changed_bytes(layout: str, tmp_path: Path) -> None:
    """A thousand of each at full scale; docs/reliability.md has the figures."""
    number = scaled(1000)
    tally, wrong = flipped(layout, tmp_path, number, seed=11)
    print(layout, dict(tally))
    assert wrong == []
    assert tally["told"] > number // 40
