"""A board's blocks gone through layer by layer, in constant memory: the blocks at hand, and those that their moves lead to."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from zermelo.db.arrays import Batch, check_count, refuse
from zermelo.db.positions import Selection, count
from zermelo.db.query import Solution
from zermelo.db.source import Block, HasBlocks
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.blocks import UNREACHABLE
from zermelo.solver.packed.many import moves_in_order, outcomes
from zermelo.solver.packed.sweep import (
    Pool,
    Swept,
    put_children,
    put_images,
    put_text_keys,
    put_texts,
    state_images,
    sweep,
    to_first_of_class,
)
from zermelo.solver.packed.tables import Order, order_of, rules_of
from zermelo.solver.progress import Progress

Array = np.ndarray[Any, Any]

_IN_ORDER = 1 << 17
"""Up to so many positions come in the order of their texts, as from a row a position."""
_AT_ONCE = 1 << 17
"""Positions in a batch, about."""
_READ = 1 << 20
"""Bytes of blocks that are read together, about."""
_KEPT = 1 << 27
"""Bytes of the next layer's blocks that are kept, in case that another block leads there."""


class BoardSweep:
    """Goes through blocks of the codec `board`; see `Sweep`."""

    def __init__(self, solution: Solution, source: HasBlocks, game: MNK) -> None:
        self._solution, self._stored, self._game = solution, source, game
        self._rules = rules_of(game)
        self._state_images = state_images(game)
        self._cells = game.board.cells

    def batches(self, selection: Selection, progress: Progress | None = None) -> Iterator[Batch]:
        if self._solution.source.facts["positions"] > _IN_ORDER:
            yield from self._layers(selection, progress)
        elif parts := list(self._layers(selection, progress)):
            whole = Batch(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
            yield whole.take(np.argsort(self.keys(whole.states)))

    def _layers(self, selection: Selection, progress: Progress | None) -> Iterator[Batch]:
        started = self._solution.source.facts["id"]
        first, last = selection.plies or (0, self._cells)
        last = min(last, self._cells)
        total = count(self._solution, Selection((first, last)))
        players = self._game.players
        done = 0
        for stones in range(first, last + 1):
            if selection.to_move not in (None, players[stones % 2]):
                done += count(self._solution, Selection((stones, stones)))
                continue
            for batch, stands_for in self._layer(stones, started, selection.classes):
                done += stands_for
                wanted = np.ones(len(batch.states), np.bool_)
                if selection.value is not None:
                    wanted &= batch.value == selection.value
                if selection.to_move is not None:
                    wanted &= batch.turn < len(players)
                yield batch if wanted.all() else batch.take(wanted)
                if progress:
                    progress(done, total)
        self._stored.end_reading(started)
        check_count(self._solution, done, total)
        if progress:
            progress(done, total)

    def _layer(self, stones: int, started: Any, classes: bool) -> Iterator[tuple[Batch, int]]:
        """The positions with so many stones, or one of each class, and how many each batch of them stands for."""
        order, below = order_of(stones), order_of(min(stones + 1, self._cells))
        keep = lru_cache(maxsize=_KEPT // below.size + 1)(self._stored.block)
        for blocks in _together(self._stored.blocks(stones), _READ):
            own = _pool(blocks)
            room = np.empty(len(own.occupancies) * self._cells, np.uint32)
            reached = np.unique(room[: put_children(own.occupancies, self._rules, room)]).tolist()
            children = _pool([(child, block) for child in reached if (block := keep(child)) is not None])
            images = np.empty((len(own.occupancies), len(self._game.permutations)), np.uint32)
            put_images(own.occupancies, self._rules, images)
            images.sort(axis=1)
            different = np.diff(images, axis=1, prepend=images[:, :1] ^ 1) != 0
            taken = own.occupancies if classes else images[different]
            weights = different.sum(axis=1) if classes else np.ones(len(taken), np.int64)
            some = max(1, _AT_ONCE // order.size)
            for begin in range(0, len(taken), some):
                these = slice(begin, begin + some)
                for halves in _parts(order):
                    swept = sweep(taken[these], halves, self._rules, order, below, own, children)
                    if swept.wrong.any():
                        refuse(self._solution, self._stored, int(swept.states[swept.wrong][0]), started)
                    reachable = swept.codes != UNREACHABLE
                    each = reachable.reshape(len(taken[these]), -1).sum(axis=1)
                    yield self._batch(swept, reachable, stones, classes), int(each @ weights[these])

    def _batch(self, swept: Swept, reachable: Array, stones: int, classes: bool) -> Batch:
        there = Swept(*(column[reachable] for column in swept)) if not reachable.all() else swept
        value, plies = (column.astype(np.int32) for column in outcomes(there.codes, self._cells, stones))
        turn = np.where(there.over, len(self._game.players), stones % 2).astype(np.int8)
        ply = np.full(len(value), stones, np.int32)
        batch = Batch(
            there.states, ply, value, plies, turn, there.moves, there.holding, there.losing, there.optimal
        )  # fmt: skip
        if not classes:
            return batch
        kept = np.empty(len(value), np.bool_)
        to_first_of_class(batch.states, batch.optimal, self._cells, self._state_images, self._rules.images, kept)
        return batch.take(kept)

    def first_of_class(self, states: Array) -> Array:
        return np.ones(len(states), np.bool_)

    def keys(self, states: Array) -> Array:
        keys = np.empty(len(states), np.int64)
        put_text_keys(states, self._cells, keys)
        return keys

    def texts(self, states: Array) -> Array:
        blank = np.frombuffer(self._game.format(0).encode(), np.uint8)
        texts = np.empty((len(states), len(blank)), np.uint8)
        put_texts(states, blank, np.frombuffer(b".XO.", np.uint8), texts)
        return texts

    def best_moves(self, batch: Batch) -> tuple[Array, list[list[int]]]:
        masks, which = np.unique(batch.optimal, return_inverse=True)
        in_order = moves_in_order(self._game)
        return which, [[cell for cell in in_order if mask >> cell & 1] for mask in masks.tolist()]


def _together(blocks: Iterator[Block], size: int) -> Iterator[list[Block]]:
    """The blocks in lists of about `size` bytes."""
    pending: list[Block] = []
    held = 0
    for block in blocks:
        pending.append(block)
        held += len(block[1])
        if held >= size:
            yield pending
            pending, held = [], 0
    if pending:
        yield pending


def _pool(blocks: Sequence[Block]) -> Pool:
    occupancies = np.array([occupancy for occupancy, _ in blocks], np.uint32)
    return Pool(occupancies, np.frombuffer(b"".join([data for _, data in blocks]), np.int8))


def _parts(order: Order) -> Iterator[tuple[int, int]]:
    """Ranges of high halves with about `_AT_ONCE` colourings each."""
    first = 0
    while first < len(order.high_ones):
        last = int(np.searchsorted(order.high_start, order.high_start[first] + _AT_ONCE, side="right")) - 1
        last = min(max(last, first + 1), len(order.high_ones))
        yield first, last
        first = last
