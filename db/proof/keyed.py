"""Proves a packed solution of a game of whole numbers by the game's own compiled verbs, which are its rules.

All states are held in memory. From the start on, ply by ply, everything that play reaches is looked up among them and held to
its successors. Whether play can come back to a position is found by setting aside positions from which it cannot.
"""

import random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.db.keyed import Keyed
from zermelo.db.proof import keyed_kernels as kernels
from zermelo.db.proof.keyed_kernels import OVER, Found, Table
from zermelo.db.proof.keyed_table import NEED, Stored, board_of, load, plies_of, rules_of, told
from zermelo.db.proof.memory import room_for
from zermelo.db.proof.report import SHOWN, Report, check_counts, check_figures, check_rows
from zermelo.db.query import Solution
from zermelo.solver.errors import ZermeloError
from zermelo.solver.game import Game
from zermelo.solver.packed.estimate import processors
from zermelo.solver.packed.threads import Threads
from zermelo.solver.progress import Progress

Places = NDArray[np.int64]
_STEP = 1 << 14
"""Positions that a thread takes at a time."""
_AT_ONCE = 1 << 20
"""Positions that are counted together."""
_LOOKED_UP = 64
"""States that are looked up together: so few that each is asked for by itself."""
_WALKS, _LONG = 20, 5000
"""How often, and for how many moves, play is tried at random to see it come back."""


def prove_keyed(solution: Solution, memory: int | None, progress: Progress | None) -> Report:
    """Prove a solution that lies in blocks of states right."""
    game, source = solution.game, solution.source
    assert isinstance(source, Keyed)
    report = Report(game.spec)
    room_for(game.spec, NEED * max(1, source.facts["positions"]), memory)
    stored = load(report, source, progress)
    if stored is None:
        return report
    return _Proof(report, solution, stored, progress).run()


class _Proof:
    """A proof at work."""

    def __init__(self, report: Report, solution: Solution, stored: Stored, progress: Progress | None) -> None:
        self._report = report
        self._game: Game[Any, Any] = solution.game
        self._solution = solution
        self._stored = stored
        self._table: Table = stored.table
        self._progress = progress
        self._expand = rules_of(self._game)
        self._total = len(self._table.states)
        self._found = Found(np.zeros(self._total, np.uint8), np.zeros(self._total, np.uint8))
        self._claimed = bool(solution.source.facts["can_repeat"])

    def run(self) -> Report:
        report, game = self._report, self._game
        start = kernels.find(self._table, game.initial)
        if start < 0:
            report.fault(f"{game.format(game.initial)}: play reaches it, but it is not stored")
            return report
        self._go_through(start)
        for at in np.flatnonzero(self._found.reached == 0)[: SHOWN + 1].tolist():
            report.fault(f"{self._board(at)}: it is stored, but play never reaches it")
        report.more += max(0, self._total - int(self._found.reached.sum()) - SHOWN - 1)
        if not report.faults:
            self._look_up()
        digest = self._stored.digest
        if digest != self._solution.source.facts["digest"]:
            report.fault(f"the digest is {digest}, and {self._solution.source.facts['digest']} is stored")
        check_rows(report, self._solution.source, len(self._stored.firsts))
        self._check_counts(start)
        return report

    def _board(self, at: int) -> str:
        return board_of(self._game, int(self._table.states[at]))

    def _go_through(self, start: int) -> None:
        """Hold everything that play reaches to its successors, ply by ply."""
        faults: list[tuple[int, int, int, int]] = []
        missing: set[int] = set()
        more = 0
        places: Places = np.array([start], np.int64)
        self._found.reached[start] = 1
        ply = done = 0
        while len(places):
            reached = []
            for news, lacks, wrongs, count in self._in_threads(places, self._judged(ply), f"ply {ply}", done):
                reached.append(news)
                missing.update(lacks[: max(0, _STEP - len(missing))])
                faults += [(-ply, *wrong) for wrong in wrongs]
                more += count - len(wrongs)
            done += len(places)
            # Threads may come by a position at the same time.
            places = np.unique(np.concatenate(reached))
            ply += 1
        faults.sort()
        for state in sorted(missing):
            self._report.fault(f"{self._game.format(state)}: play reaches it, but it is not stored")
        for before, at, value, plies in faults:
            self._report.fault(told(self._game, self._table, self._found, -before, at, value, plies))
        self._report.more += more

    def _judged(self, ply: int) -> Callable[[Places, Any], tuple[Places, list[int], list[list[int]], int]]:
        def judge(places: Places, batch: Any) -> tuple[Places, list[int], list[list[int]], int]:
            edges = int(batch.starts[batch.size])
            reached, missing = np.empty(edges, np.int64), np.empty(edges, np.int64)
            wrong = np.empty((SHOWN, 3), np.int64)
            news, lacks, wrongs = kernels.judge(
                self._table, self._found, places, batch.size, batch.kinds, batch.utilities, batch.starts, batch.children,
                ply, self._claimed, self._game.endless, reached, missing, wrong,
            )  # fmt: skip
            return reached[:news], missing[:lacks].tolist(), wrong[:wrongs].tolist(), wrongs

        return judge

    def _in_threads(self, places: Places, work: Callable[[Places, Any], Any], stage: str, done: int) -> Iterator[Any]:
        """What `work` makes of the positions at these places and of what the rules say of them, batch by batch."""

        def some(number: int) -> tuple[int, list[Any]]:
            here = places[number * _STEP : (number + 1) * _STEP]
            states = self._table.states[here]
            results, begin = [], 0
            while begin < len(here):
                threads.check()
                batch = self._expand(states, begin, len(here))
                results.append(work(here[begin : begin + batch.size], batch))
                begin += batch.size
            return len(here), results

        threads = Threads(
            range(-(-len(places) // _STEP)), lambda _: (), some, jobs=processors(), condition=threading.Condition()
        )
        for finished in threads.results():
            for count, results in finished:
                done += count
                yield from results
            if self._progress:
                self._progress(min(done, self._total), self._total, stage)

    def _look_up(self) -> None:
        """Look the first and the last state of every block up as whoever asks does: a block out of order is only found by going through all."""
        source, table = self._solution.source, self._table
        firsts = self._stored.firsts
        ends = np.unique(np.concatenate([firsts, np.append(firsts[1:], self._total) - 1]))
        for begin in range(0, len(ends), _LOOKED_UP):
            some = ends[begin : begin + _LOOKED_UP]
            if self._progress:
                self._progress(begin, len(ends), "looking up")
            try:
                found = source.lookup(table.states[some].tolist())
            except ZermeloError as error:
                self._report.fault(str(error))
                continue
            for at, known in zip(some.tolist(), found, strict=True):
                right = int(table.ply[at]), int(table.values[at]), plies_of(int(table.plies[at]))
                if known is None or tuple(known) != right:
                    self._report.fault(f"{self._board(at)}: it is stored, but looking it up finds something else")

    def _can_repeat(self) -> bool:
        """Whether play can come back to a position that it reaches."""
        if self._claimed and _comes_back(self._game):
            return True
        left: Places = np.flatnonzero(self._found.reached)
        # The later a position is reached, the sooner it is known that play does not come back from there.
        left = left[np.argsort(-self._table.ply[left], kind="stable")]
        settled = np.zeros(self._total, np.uint8)

        def settle(places: Places, batch: Any) -> None:
            kernels.settle(self._table, places, batch.size, batch.starts, batch.children, settled)

        while len(left):
            for _ in self._in_threads(left, settle, "coming back", self._total - len(left)):
                pass
            before, left = len(left), left[settled[left] == 0]
            if len(left) == before:
                return True
        return False

    def _check_counts(self, start: int) -> None:
        """Hold every count to what is stored of the positions that play reaches."""
        table, found = self._table, self._found
        values = np.unique(table.values)
        counted: dict[tuple[int, bool, int], tuple[int, int]] = {}
        longest, wins, losses = None, 0, 0
        is_first = self._stored.is_first(self._game)
        for begin in range(0, self._total, _AT_ONCE):
            here = slice(begin, begin + _AT_ONCE)
            reached = found.reached[here] == 1
            over, its = found.kinds[here][reached] >= OVER, table.values[here][reached]
            keys = (table.ply[here][reached].astype(np.int64) * 2 + over) * len(values) + values.searchsorted(its)
            first = is_first[here][reached]
            for key, number, firsts in zip(*_tallied(keys, first), strict=True):
                rest, value = divmod(key, len(values))
                category = rest // 2, bool(rest % 2), int(values[value])
                before = counted.get(category, (0, 0))
                counted[category] = before[0] + number, before[1] + firsts
            decided = its != 0
            won = (its > 0) == (found.kinds[here][reached] % OVER == kernels.FIRST)
            wins += int((won & decided).sum())
            losses += int((~won & decided).sum())
            ending = table.plies[here][reached][decided]
            longest = max(
                [longest, *([int(ending.max())] if len(ending) else [])], key=lambda one: -1 if one is None else one
            )
        check_counts(self._report, self._solution.source, counted)
        positions = int(found.reached.sum())
        figures = {
            "positions": positions,
            "classes": sum(classes for _, classes in counted.values()),
            "value": int(table.values[start]),
            "plies": plies_of(int(table.plies[start])),
            "can_repeat": self._can_repeat(),
            "games": None,
            "tree_nodes": None,
            "longest": longest,
            "mover_wins": wins,
            "mover_losses": losses,
        }
        check_figures(self._report, self._solution.source.facts, figures)
        finished = sum(number for (_, over, _), (number, _) in counted.items() if over)
        self._report.prove(positions, finished)


def _tallied(keys: NDArray[np.int64], first: NDArray[np.bool_]) -> tuple[list[int], list[int], list[int]]:
    """The different keys, how many there are of each, and of how many that is the first of its class."""
    different, places = np.unique(keys, return_inverse=True)
    numbers = np.bincount(places, minlength=len(different))
    firsts = np.bincount(places[first], minlength=len(different))
    return different.tolist(), numbers.tolist(), firsts.tolist()


def _comes_back(game: Game[Any, Any]) -> bool:
    """Whether play at random came back to a position."""
    chance = random.Random(1)
    for _ in range(_WALKS):
        state: Any = game.initial
        seen: set[Any] = set()
        while state not in seen and len(seen) < _LONG and not game.is_terminal(state):
            seen.add(state)
            state = game.result(state, chance.choice(list(game.actions(state))))
        if state in seen:
            return True
    return False
