"""A user's own Dodgem, compiled, beside plain Python and beside a program written for Dodgem alone: ``python -m bench.compiled``.

All three solve 4x4 Dodgem on one processor, and find value, plies and ply of every position. Times are the processor's, compiling aside. What is measured is kept in
docs/compiled.json, from which docs/your-own-game.md has its times.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numba
import numpy as np

from bench import run
from bench.measure import Line
from bench.own_dodgem import Dodgem
from zermelo.solver import exhaustive
from zermelo.solver.compiled.engine import solve

KEPT = Path(__file__).parent.parent / "docs" / "compiled.json"
Array = Any
_WIN, _LOSS = 1, -1


@numba.njit(cache=True)
def _moves(x: int, o: int, turn: int, size: int, children: Array) -> int:
    """The positions after each move of Dodgem, as states of `Dodgem`; how many."""
    cells, count = size * size, 0
    own = o if turn else x
    for cell in range(cells):
        if own >> cell & 1:
            row, column = cell // size, cell % size
            for way in range(3):
                if turn:
                    y, z = (row - 1, column) if way == 0 else (row, column - 1) if way == 1 else (row, column + 1)
                else:
                    y, z = (row, column + 1) if way == 0 else (row - 1, column) if way == 1 else (row + 1, column)
                rest = own ^ 1 << cell
                if not (way == 0 and (y < 0 or z == size)):
                    if y < 0 or y == size or z < 0 or z == size or (x | o) >> y * size + z & 1:
                        continue
                    rest |= 1 << y * size + z
                children[count] = ((x << cells | rest) << 1) if turn else ((rest << cells | o) << 1 | 1)
                count += 1
    return count


@numba.njit(cache=True)
def _find(table: Array, states: Array, key: int, count: int) -> int:
    """Where a key is among the states, or `count`, where it is then put."""
    mask = len(table) - 1
    slot = (key * 0x9E3779B97F4A7C1 >> 17) & mask
    while table[slot] >= 0:
        if states[table[slot]] == key:
            return int(table[slot])
        slot = slot + 1 & mask
    table[slot] = count
    return count


def by_hand(size: int, room: int) -> tuple[Array, ...]:
    """All positions of Dodgem, in order: value, plies (-1 where play need not end) and ply of each.

    `room` is a power of two above their number.
    """
    states, *known = _by_hand(size, room)
    order = np.argsort(states)
    return tuple(each[order] for each in (states, *known))


@numba.njit(cache=True)
def _by_hand(size: int, room: int) -> tuple[Array, Array, Array, Array]:
    cells = size * size
    full = (1 << cells) - 1
    states, table = np.empty(room, np.int64), np.full(2 * room, -1, np.int32)
    x = o = 0
    for i in range(size - 1):
        x |= 1 << i * size
        o |= 1 << (size - 1) * size + i + 1
    states[0] = (x << cells | o) << 1
    count = _find(table, states, states[0], 0) + 1
    targets, starts = np.empty(8 * room, np.int32), np.zeros(room + 1, np.int32)
    values, left, arrivals = np.zeros(room, np.int8), np.zeros(room, np.int16), np.zeros(room + 1, np.int32)
    children = np.empty(4 * size, np.int64)
    queue = np.empty(room, np.int32)
    plies, ply = np.full(room, -1, np.int16), np.zeros(room, np.uint8)
    edges = waiting = at = 0
    while at < count:
        state = states[at]
        turn, x, o = state & 1, state >> 1 + cells, state >> 1 & full
        moves = _moves(x, o, turn, size, children) if x and o else 0
        if not moves:
            values[at] = _WIN if not x or (o and not turn) else _LOSS
            plies[at] = 0
            queue[waiting] = at
            waiting += 1
        left[at] = moves
        for i in range(moves):
            found = _find(table, states, children[i], count)
            if found == count:
                states[count] = children[i]
                ply[count] = ply[at] + 1
                count += 1
            targets[edges] = found
            arrivals[found + 1] += 1
            edges += 1
        at += 1
        starts[at] = edges
    origins = np.empty(edges, np.int32)
    for i in range(count):
        arrivals[i + 1] += arrivals[i]
    ends = arrivals.copy()
    for i in range(count):
        for edge in range(starts[i], starts[i + 1]):
            origins[ends[targets[edge]]] = i
            ends[targets[edge]] += 1
    at = 0
    while at < waiting:
        place = queue[at]
        at += 1
        for edge in range(arrivals[place], arrivals[place + 1]):
            before = origins[edge]
            if values[before]:
                continue
            left[before] -= 1
            if (values[place] == _WIN) == (states[before] & 1 == 0) or left[before] == 0:
                values[before] = values[place]
                plies[before] = plies[place] + 1
                queue[waiting] = before
                waiting += 1
    return states[:count], values[:count], plies[:count], ply[:count]


def lines(rounds: int) -> Iterator[Line]:
    """A fraction of plain Python's time, and at most three times that of the program for Dodgem alone."""
    game = Dodgem(4)
    solve(game)
    by_hand(4, 1 << 19)
    ours = median(_seconds(lambda: solve(game)) for _ in range(min(rounds, 5)))
    own = median(_seconds(lambda: by_hand(4, 1 << 19)) for _ in range(min(rounds, 5)))
    plain = _seconds(lambda: exhaustive.solve(game))
    yield Line("own Dodgem 4x4 compiled / in plain Python", ours, plain, target=1 / 20)
    yield Line("own Dodgem 4x4 compiled / a program for it alone", ours, own, target=3.0)


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def main() -> None:
    found = [run.line_as_dict(line, slack=1.0) for line in lines(5)]
    for line in found:
        print(f"{line['name']}: {line['ours']:.2f} s / {line['baseline']:.2f} s = {line['ratio']:.3f}")
    run.write(KEPT, {"machine": run.machine(), "versions": run.versions(), "lines": found})


if __name__ == "__main__":
    main()
