"""Solving a board layer by layer, from the full board down to the empty one.

Two layers are in memory at a time. With gravity, which positions can occur is told by a pass from the empty board up,
whose findings, a bit for each position, wait in a temporary file for the way back.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import pairwise, product
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.games.mnk import MNK
from solver.packed import LayerProgress, kernels
from solver.packed.cells import keep_representatives
from solver.packed.ends import mark_blocks
from solver.packed.tables import Order, Rules, insertions_of, order_of, rules_of

Result = TypeVar("Result")

Item = tuple[int, int, int, int]
"""What one call of a kernel does: blocks from one to before another, high halves from one to before another."""
_WORK = 1 << 25
"""Edges that one call of a kernel looks at: some hundredths of a second, so that it can be stopped."""
_AHEAD = 8
"""Pieces of work that wait for a free thread at the most."""
_UNMARKED = np.zeros(0, dtype=np.uint8)


class Layer(NamedTuple):
    """The solved positions with so many stones."""

    stones: int
    occupancies: NDArray[np.uint32]
    """The representative occupancies, in order."""
    size: int
    """How many bytes of `values` belong to each occupancy."""
    values: NDArray[np.int8]
    """A byte a colouring, see `blocks`."""
    positions: NDArray[np.int64]
    """How many positions that can occur have each byte, from -128 up."""
    classes: NDArray[np.int64]
    """And how many classes they fall into."""


class Layers:
    """The layers of one board: what is in each, and how to go through them."""

    def __init__(self, game: MNK) -> None:
        self.rules = rules_of(game)
        self.cells = self.rules.cells
        self.occupancies = _representatives(game, self.rules)
        self.orders = [order_of(stones) for stones in range(self.cells + 2)]
        self.sizes = [
            len(occupancies) * order.size for occupancies, order in zip(self.occupancies, self.orders, strict=False)
        ]

    def solve(
        self, *, above: Layer | None = None, jobs: int = 1, progress: LayerProgress | None = None
    ) -> Iterator[Layer]:
        """Solve the layers below `above`, or all, those with most stones first."""
        highest = self.cells if above is None else above.stones - 1
        passes = 2 if self.rules.gravity else 1
        solved = sum(self.sizes[highest + 1 :])
        report = _Report(progress, passes * solved, sum(self.sizes) * passes)
        with ThreadPoolExecutor(jobs) as pool, tempfile.TemporaryFile() as scratch:
            reached = self._reach(pool, scratch, highest, report) if self.rules.gravity else lambda _: _UNMARKED
            for stones in range(highest, -1, -1):
                above = self._solve_one(pool, stones, above, reached(stones), report)
                yield above

    def _solve_one(
        self, pool: ThreadPoolExecutor, stones: int, above: Layer | None, reached: NDArray[np.uint8], report: "_Report"
    ) -> Layer:
        order, occupancies = self.orders[stones], self.occupancies[stones]
        values = np.empty(self.sizes[stones], dtype=np.int8)
        child_order = self.orders[stones + 1]
        child_occupancies = occupancies if above is None else above.occupancies
        child_values = values if above is None else above.values
        insertions = insertions_of(order, child_order)

        def work(item: Item) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
            kernels.solve_blocks(
                *item,
                self.rules,
                order,
                child_order,
                insertions,
                occupancies,
                values,
                child_occupancies,
                child_values,
                reached,
            )
            positions, classes = np.zeros(256, dtype=np.int64), np.zeros(256, dtype=np.int64)
            kernels.count_blocks(*item, self.rules, order, occupancies, values, positions, classes)
            return positions, classes

        positions, classes = np.zeros(256, dtype=np.int64), np.zeros(256, dtype=np.int64)
        report.stage = f"{stones} stones"
        for some_positions, some_classes in _in_pool(pool, work, self._items(stones), order, report):
            positions += some_positions
            classes += some_classes
        positions[0] = classes[0] = 0  # what cannot occur
        return Layer(stones, occupancies, order.size, values, positions, classes)

    def _reach(
        self, pool: ThreadPoolExecutor, scratch: Any, highest: int, report: "_Report"
    ) -> Callable[[int], NDArray[np.uint8]]:
        """Find what can occur, up to the layer `highest`; the result tells it of a layer, a bit a position."""
        starts = []
        marks = np.zeros(1, dtype=np.int8)
        for stones in range(highest + 1):
            order, occupancies = self.orders[stones], self.occupancies[stones]
            reached = np.zeros(self.sizes[stones], dtype=np.uint8)
            report.stage = f"reaching {stones} stones"
            if not stones:
                reached[0] = 1
                report.add(1)
            else:
                before = self.orders[stones - 1], occupancies, reached, self.occupancies[stones - 1], marks
                reach = partial(_reach_item, self.rules, order, before)
                for _ in _in_pool(pool, reach, self._items(stones), order, report):
                    pass
            bits = np.packbits(reached, bitorder="little")
            starts.append(scratch.tell())
            bits.tofile(scratch)
            marks = np.empty(self.sizes[stones], dtype=np.int8)
            mark = partial(_mark_item, self.rules, order, (occupancies, marks, bits))
            for _ in _in_pool(pool, mark, self._items(stones), order, None):
                pass

        def read(stones: int) -> NDArray[np.uint8]:
            scratch.seek(starts[stones])
            return np.fromfile(scratch, dtype=np.uint8, count=(self.sizes[stones] + 7) // 8)

        return read

    def _items(self, stones: int) -> Iterator[Item]:
        """A layer cut into pieces of work: some blocks, or where one is too large a part of it."""
        order, blocks = self.orders[stones], len(self.occupancies[stones])
        step = _WORK // (self.cells - stones + 1)
        if order.size <= step:
            for begin in range(0, blocks, step // order.size):
                yield begin, min(begin + step // order.size, blocks), 0, len(order.high_ones)
            return
        halves = len(order.high_ones)
        cuts = {0, halves, *np.searchsorted(order.high_start, range(step, order.size, step)).tolist()}
        for begin in range(blocks):
            yield from ((begin, begin + 1, first, last) for first, last in pairwise(sorted(cuts)))


def _reach_item(rules: Rules, order: Order, arrays: tuple[Any, ...], item: Item) -> None:
    kernels.reach_blocks(*item, rules, order, *arrays)


def _mark_item(rules: Rules, order: Order, arrays: tuple[Any, ...], item: Item) -> None:
    mark_blocks(*item, rules, order, *arrays)


class _Report:
    """Adds up what is done."""

    def __init__(self, progress: LayerProgress | None, done: int, total: int) -> None:
        self.stage = ""
        self._progress = progress
        self._done = done
        self._total = total

    def add(self, positions: int) -> None:
        self._done += positions
        if self._progress:
            self._progress(self._done, self._total, self.stage)


def _in_pool(
    pool: ThreadPoolExecutor,
    work: Callable[[Item], Result],
    items: Iterable[Item],
    order: Order,
    report: _Report | None,
) -> Iterator[Result]:
    """Do every item in the pool's threads, and yield the results as they come; nothing is left behind when stopped."""
    running: dict[Future[Result], int] = {}

    def finished(most: int) -> Iterator[Result]:
        while len(running) > most:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                positions = running.pop(future)
                if report:
                    report.add(positions)
                yield future.result()

    try:
        for item in items:
            begin, end, first, last = item
            positions = (end - begin) * int(order.high_start[last] - order.high_start[first])
            running[pool.submit(work, item)] = positions
            yield from finished(_AHEAD)
        yield from finished(0)
    finally:
        for future in running:
            future.cancel()


def _representatives(game: MNK, rules: Rules) -> list[NDArray[np.uint32]]:
    """The occupancies that stand for their class, by the number of stones, each layer's in order."""
    if game.gravity:
        width, height = game.board.width, game.board.height
        stacks = [
            [sum(1 << (height - 1 - i) * width + column for i in range(n)) for n in range(height + 1)]
            for column in range(width)
        ]
        every = np.array(sorted(map(sum, product(*stacks))), dtype=np.uint32)
    else:
        every = np.arange(1 << rules.cells, dtype=np.uint32)
    keep = np.zeros(len(every), dtype=np.bool_)
    keep_representatives(every, rules.images, keep)
    every = every[keep]
    counts = np.bitwise_count(every)
    return [every[counts == stones] for stones in range(rules.cells + 1)]
