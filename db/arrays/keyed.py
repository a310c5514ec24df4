"""Sorted states gone through block by block, in constant memory: the rules say what follows, compiled as they are written."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo.db.arrays import Batch, check_count, refuse
from zermelo.db.keyed import Keyed
from zermelo.db.positions import Selection, count
from zermelo.db.query import Solution
from zermelo.db.source import endless_of
from zermelo.solver.compiled.blocks import Arrays, unpack_arrays
from zermelo.solver.compiled.engine import expander_of
from zermelo.solver.compiled.kernels import FIRST, OVER
from zermelo.solver.compiled.sweep import Outcomes, weigh
from zermelo.solver.progress import Progress

Array = np.ndarray[Any, Any]

_KEPT = 1 << 24
"""States whose blocks are kept, about 300 MB: what neighbouring positions lead to is in the same few."""


class KeyedSweep:
    """Goes through blocks of the codec `keyed`; see `Sweep`."""

    def __init__(self, solution: Solution, source: Keyed) -> None:
        self._solution, self._source, self._game = solution, source, solution.game
        self._expander = expander_of(self._game)
        self._endless = endless_of(source, self._game)
        self._numbers = np.array(source.numbers(), np.int64)
        blocks = _KEPT * len(self._numbers) // max(_KEPT, source.facts["positions"])
        self._kept = lru_cache(maxsize=blocks)(self._read)

    def batches(self, selection: Selection, progress: Progress | None = None) -> Iterator[Batch]:
        started = self._source.facts["id"]
        total = count(self._solution, Selection(selection.plies))
        turn = None if selection.to_move is None else self._game.players.index(selection.to_move)
        done = 0
        for number, data in self._source.packed_blocks():
            block = self._unpacked(number, data)
            if selection.plies is not None:
                first, last = selection.plies
                block = Arrays(*(column[(first <= block.ply) & (block.ply <= last)] for column in block))
            done += len(block.states)
            if selection.value is not None:
                block = Arrays(*(column[block.values == selection.value] for column in block))
            for batch in self._expanded(block, started):
                yield batch if turn is None else batch.take(batch.turn == turn)
            if progress:
                progress(done, total)
        check_count(self._solution, done, total)

    def _expanded(self, block: Arrays, started: Any) -> Iterator[Batch]:
        begin = 0
        while begin < len(block.states):
            found = self._expander(block.states, begin, len(block.states), actions=True)
            here = slice(begin, begin + found.size)
            own = Outcomes(block.values[here], block.plies[here])
            after, known = self._outcomes(found.children[: found.starts[found.size]])
            weighed = weigh(found, own, after, known, self._endless)
            if weighed.wrong.any():
                refuse(self._solution, self._source, int(block.states[here][weighed.wrong][0]), started)
            kinds = found.kinds[: found.size]
            turn = np.where(kinds >= OVER, len(self._game.players), np.where(kinds == FIRST, 0, 1)).astype(np.int8)
            yield Batch(block.states[here], block.ply[here], *own, turn, *weighed[:4])
            begin += found.size

    def _outcomes(self, states: Array) -> tuple[Outcomes, Array]:
        """What is stored of each state, and whether anything is."""
        order = np.argsort(states)
        states = states[order]
        places = np.searchsorted(self._numbers, states, side="right") - 1
        values, plies = np.zeros(len(states), np.int32), np.zeros(len(states), np.int32)
        known = np.zeros(len(states), np.bool_)
        for begin, end in pairwise([*np.flatnonzero(np.diff(places, prepend=-2)).tolist(), len(states)]):
            block = self._kept(int(self._numbers[places[begin]])) if begin < end and places[begin] >= 0 else None
            if block is not None:
                wanted, members = states[begin:end], order[begin:end]
                at = np.minimum(np.searchsorted(block.states, wanted), len(block.states) - 1)
                values[members], plies[members] = block.values[at], block.plies[at]
                known[members] = block.states[at] == wanted
        return Outcomes(values, plies), known

    def _read(self, number: int) -> Arrays | None:
        data = self._source.packed_block(number)
        return None if data is None else self._unpacked(number, data)

    def _unpacked(self, number: int, data: bytes) -> Arrays:
        try:
            return unpack_arrays(number, data)
        except ValueError as error:
            raise self._source.damaged(f"block {number} is not as it was written: {error}") from None

    def first_of_class(self, states: Array) -> Array:
        game = self._game
        if len(game.symmetries) == 1:
            return np.ones(len(states), np.bool_)
        first = (
            game.format(state) == min(game.format(symmetry(state)) for symmetry in game.symmetries)
            for state in states.tolist()
        )
        return np.fromiter(first, np.bool_, len(states))

    def keys(self, states: Array) -> Sequence[str]:
        return self.texts(states)

    def texts(self, states: Array) -> list[str]:
        return list(map(self._game.format, states.tolist()))

    def best_moves(self, batch: Batch) -> tuple[Array, list[list[int]]]:
        sets: dict[tuple[int, ...], int] = {}
        which = [sets.setdefault(tuple(row[1 : 1 + row[0]]), len(sets)) for row in batch.optimal.tolist()]
        return np.array(which, np.int64), list(map(list, sets))
