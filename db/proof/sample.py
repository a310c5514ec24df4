"""Checks positions that random play comes by, by the rules and kernels that prove whole solutions.

They are looked up by their keys, as whoever asks does, many at a time and in order: so each block is read about once.
"""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.db.proof import keyed_kernels, sample_kernels
from zermelo.db.proof.board_rules import NOTHING_YET
from zermelo.db.proof.board_tables import rules_of
from zermelo.db.proof.boards import told
from zermelo.db.proof.keyed_kernels import Found
from zermelo.db.proof.keyed_table import board_of, table_of
from zermelo.db.proof.keyed_table import rules_of as compiled_rules
from zermelo.db.proof.keyed_table import told as told_of_state
from zermelo.db.proof.report import SHOWN, Report
from zermelo.db.query import Solution
from zermelo.db.source import HasBlocks
from zermelo.solver.compiled.expansion import Expander
from zermelo.solver.errors import DamagedError
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.blocks import spread
from zermelo.solver.progress import Progress

Numbers = NDArray[np.int64]
_AT_ONCE = 1 << 20
"""Positions and successors that are looked up together."""
_GAMES = 1 << 14
"""Games that are played before it is told how far they are."""
_LONGEST = 10_000
"""Moves after which a game that need not end is broken off."""


def sample_board(solution: Solution, count: int, seed: int | None, progress: Progress | None) -> Report:
    """Check positions of a board that lies in blocks."""
    game, source = solution.game, solution.source
    assert isinstance(game, MNK) and isinstance(source, HasBlocks)
    report = Report(game.spec, count)
    rules = rules_of(game)
    taken, of_min = np.empty(count, np.int64), np.empty(count, np.int64)
    chance = random.Random(seed)
    for first in range(0, count, _GAMES):
        here = slice(first, first + _GAMES)
        sample_kernels.play(rules, np.uint64(chance.getrandbits(64)), taken[here], of_min[here])
        if progress:
            progress(0, count, "playing")
    stones, done = np.bitwise_count(taken), 0
    for layer in range(rules.cells + 1):
        both = np.unique(np.stack([taken, of_min])[:, stones == layer], axis=1)
        step = _AT_ONCE // (rules.cells + 1)
        for first in range(0, both.shape[1], step):
            some = both[:, first : first + step]
            try:
                _check(report, game, source, rules, layer, some[0], some[1])
            except DamagedError as error:
                report.fault(str(error))
                return report
        done += int((stones == layer).sum())
        if progress:
            progress(done, count, f"{layer} stones")
    report.prove_sample()
    return report


def _check(
    report: Report, game: MNK, source: HasBlocks, rules: Any, stones: int, taken: Numbers, of_min: Numbers
) -> None:
    values = source.codes(taken, of_min)
    owner, child_taken, child_of_min = sample_kernels.successors(rules, stones, taken, of_min)
    bytes_ = source.codes(child_taken, child_of_min)
    best = np.full(len(taken), NOTHING_YET, np.int8)
    # What follows in a finished game is no position, and nothing is read off it.
    wrong = sample_kernels.judge(rules, stones, taken, of_min, values, owner, bytes_, best)
    for at in np.flatnonzero(wrong).tolist():
        state = spread(int(taken[at] ^ of_min[at])) | spread(int(of_min[at])) << 1
        report.fault(told(game, state, int(values[at]), int(best[at])))


def sample_keyed(solution: Solution, count: int, seed: int | None, progress: Progress | None) -> Report:
    """Check positions of a game of whole numbers that lies in blocks."""
    report = Report(solution.game.spec, count)
    expand = compiled_rules(solution.game)
    chance = np.random.default_rng(seed)
    # Some are checked before more are played, so that memory does not grow with their number.
    for first in range(0, count, _AT_ONCE):
        chosen = [
            _played(expand, min(_GAMES, count - begin), chance)
            for begin in range(first, min(first + _AT_ONCE, count), _GAMES)
        ]
        if progress:
            progress(first, count, "checking")
        try:
            _check_states(report, solution, expand, np.unique(np.concatenate(chosen)))
        except DamagedError as error:
            report.fault(str(error))
            return report
    if progress:
        progress(count, count, "checking")
    report.prove_sample()
    return report


def _played(expand: Expander, games: int, chance: np.random.Generator) -> Numbers:
    """A position of each of many games that are played at random, every position of a game as likely."""
    states = np.full(games, expand.game.initial, np.int64)
    chosen, playing = states.copy(), np.arange(games)
    for length in range(1, _LONGEST):
        after, begin = np.full(len(playing), -1, np.int64), 0
        while begin < len(playing):
            batch = expand(states, begin, len(playing))
            counts = np.diff(batch.starts[: batch.size + 1])
            places = batch.starts[: batch.size] + (chance.random(batch.size) * counts).astype(np.int64)
            going_on = counts > 0
            after[begin : begin + batch.size][going_on] = batch.children[places[going_on]]
            begin += batch.size
        playing, states = playing[after >= 0], after[after >= 0]
        if not len(playing):
            break
        # Each new position takes the place of the one that was kept so often that all are as likely.
        kept = chance.random(len(playing)) * (length + 1) < 1
        chosen[playing[kept]] = states[kept]
    return chosen


def _check_states(report: Report, solution: Solution, expand: Expander, states: Numbers) -> None:
    game, source = solution.game, solution.source
    wanted, begin = [states], 0
    while begin < len(states):
        batch = expand(states, begin, len(states))
        wanted.append(np.unique(batch.children[: batch.starts[batch.size]]))
        begin += batch.size
    every = np.unique(np.concatenate(wanted))
    columns: list[NDArray[np.int32]] = []
    there = np.zeros(len(every), np.bool_)
    for first in range(0, len(every), _GAMES):
        known = source.lookup(every[first : first + _GAMES].tolist())
        there[first : first + _GAMES] = [one is not None for one in known]
        rows = [(one.value, -1 if one.plies is None else one.plies) for one in known if one is not None]
        columns.append(np.array(rows, np.int32).reshape(-1, 2))
    for state in states[~there[every.searchsorted(states)]].tolist():
        report.fault(f"{board_of(game, state)}: play reaches it, but it is not stored")
    if not there.any():
        return
    values, plies = np.ascontiguousarray(np.concatenate(columns).T)
    # How soon a position can be reached is not to be told from some games.
    table = table_of(every[there], values, plies, np.zeros(len(values), np.int32))
    found = Found(np.ones(len(values), np.uint8), np.zeros(len(values), np.uint8))
    states = states[there[every.searchsorted(states)]]
    places, begin = table.states.searchsorted(states), 0
    missing, nothing, faults = np.empty(0, np.int64), np.empty(0, np.int64), np.empty((SHOWN, 3), np.int64)
    while begin < len(states):
        batch = expand(states, begin, len(states))
        missing = np.empty(batch.starts[batch.size], np.int64)
        _, lacks, wrongs = keyed_kernels.judge(
            table, found, places[begin : begin + batch.size], batch.size, batch.kinds, batch.utilities, batch.starts,
            batch.children, 0, bool(source.facts["can_repeat"]), game.endless, nothing, missing, faults,
        )  # fmt: skip
        for state in np.unique(missing[:lacks]).tolist():
            report.fault(f"{board_of(game, state)}: play reaches it, but it is not stored")
        for at, value, plies_ in faults[:wrongs].tolist():
            report.fault(told_of_state(game, table, found, 0, at, value, plies_))
        report.more += max(0, wrongs - len(faults))
        begin += batch.size
