"""One game built as a user builds it, measured from outside, and checked in ways that share no code with what solved it."""

import copy
import json
import random
import re
import sys
from pathlib import Path
from typing import Any

from bench.measure import Cost, cost_of
from zermelo.db.query import Solution, open_solution
from zermelo.db.stats import statistics
from zermelo.solver.exhaustive import solve
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import knows

ALL_UP_TO = 1_000_000_000
"""Positions that are all verified; of more, a sample."""
SAMPLE = 1_000_000
_EMPTY = 8
"""Cells that are empty where a part of a game is solved anew."""
PARTS = 20


def solved(game: str, folder: Path, *, keep: bool = False) -> dict[str, Any]:
    """What is known of a game once it is solved and checked, its figures with it."""
    path = folder / (re.sub("[^a-z0-9]+", "-", game) + ".db")
    path.unlink(missing_ok=True)
    building = _cost("build", "-g", game, "--db", str(path))
    size = path.stat().st_size
    with open_solution(str(path), game) as solution:
        known = described(solution)
        checks = [_verified(path, game, known["positions"])]
        if not checks[0].startswith("all") and knows(solution.game):
            checks.append(f"{solved_anew(solution, PARTS):,} positions solved anew by the plain engine")
    if not keep:
        path.unlink()
    return {**known, "seconds": round(building.seconds, 2), "memory": building.memory, "size": size, "checked": checks}


def described(solution: Solution) -> dict[str, Any]:
    """Everything that the pages tell of a solution, as plain values."""
    start = solution.answer(solution.game.format(solution.game.initial))
    openings = {move.move: [move.value, move.plies] for move in start.moves}
    facts = solution.source.facts
    return {
        **json.loads(json.dumps(statistics(solution, patient=len(solution) <= ALL_UP_TO))),
        "layout": facts["layout"],
        "digest": facts["digest"],
        "openings": openings,
    }


def _cost(*arguments: str) -> Cost:
    return cost_of(str(Path(sys.executable).with_name("zermelo")), *arguments)


def _verified(path: Path, game: str, positions: int) -> str:
    everything = positions <= ALL_UP_TO
    how = ["--yes"] if everything else ["--sample", str(SAMPLE)]
    seconds = _cost("verify", "-g", game, "--db", str(path), *how).seconds
    return f"{'all' if everything else f'a sample of {SAMPLE:,}'} positions verified in {seconds:,.0f} s"


def solved_anew(solution: Solution, parts: int, empty: int = _EMPTY, seed: int = 1) -> int:
    """Solve what is below some positions of random play by the plain engine, and compare all of it; how many there were.

    The positions have `empty` empty cells, or fewer where no game gets so far.
    """
    import numpy as np

    game = solution.game
    assert isinstance(game, MNK)
    chance = random.Random(seed)
    compared = 0
    for _ in range(parts):
        part = copy.copy(game)
        part.initial = _late(game, chance, empty)
        entries = solve(part)
        boards = [game.format(state) for state in entries]
        stored = solution.probe_many(np.array(boards))
        for board, entry, found in zip(boards, entries.values(), stored, strict=True):
            value, plies, best = entry
            move = "" if best is None else game.format_action(best)
            if (True, value, plies, move) != (bool(found["known"]), found["value"], found["plies"], found["best_move"]):
                sys.exit(f"{game.spec} is wrong at {board}: {found} is stored, and the plain engine finds {entry}")
        compared += len(entries)
    return compared


def _late(game: MNK, chance: random.Random, empty: int) -> int:
    """A position of random play that is unfinished, if one is met in ten games."""
    state = game.initial
    for _ in range(10):
        state = game.initial
        while not game.is_terminal(state) and game.board.cells - state.bit_count() > empty:
            state = game.result(state, chance.choice(list(game.actions(state))))
        if not game.is_terminal(state):
            break
    return state
