"""How fast this machine solves, measured on a few blocks of the layer with most to do."""

import random
import time
from math import comb

import numpy as np

from solver.games.mnk import MNK
from solver.packed import kernels
from solver.packed.blocks import place_of
from solver.packed.estimate import block_counts
from solver.packed.tables import insertions_of, order_of, rules_of

_EDGES = 1 << 22


def seconds_an_edge(game: MNK) -> float:
    """Seconds of one processor for one move from one position, over blocks of random occupancies."""
    rules, cells = rules_of(game), game.board.cells
    blocks = block_counts(game)
    work = [blocks[stones] * comb(stones, stones // 2) * (cells - stones) for stones in range(cells)]
    stones = work.index(max(work))
    order, below = order_of(stones), order_of(stones + 1)
    insertions = insertions_of(order, below)
    chance = random.Random(stones)
    occupancies: set[int] = set()
    children: set[int] = set()
    edges = 0
    while edges < _EDGES:
        state = 0
        for _ in range(stones):
            state |= 1 << 2 * chance.choice(_open_cells(game, state))
        occupancies.add(place_of(game, state)[0])
        cells_left = _open_cells(game, state)
        children |= {place_of(game, state | 1 << 2 * cell)[0] for cell in cells_left}
        edges += order.size * len(cells_left)
    parents = np.array(sorted(occupancies), dtype=np.uint32)
    below_parents = np.array(sorted(children), dtype=np.uint32)
    values = np.zeros(len(parents) * order.size, dtype=np.int8)
    child_values = np.zeros(len(children) * below.size, dtype=np.int8)
    reached = np.full(len(values) // 8 + 1, 255, dtype=np.uint8)

    def solve(count: int) -> float:
        started = time.thread_time()
        kernels.solve_blocks(
            0,
            count,
            0,
            len(order.high_ones),
            rules,
            order,
            below,
            insertions,
            parents,
            values,
            below_parents,
            child_values,
            reached,
        )
        return time.thread_time() - started

    solve(1)  # compiles, or loads what was compiled before
    return solve(len(parents)) / edges


def _open_cells(game: MNK, state: int) -> list[int]:
    """Where a stone can go, whether or not the game is over."""
    cells, width = game.board.cells, game.board.width
    taken = [cell >= cells or bool(state >> 2 * cell & 3) for cell in range(cells + width)]
    return [cell for cell in range(cells) if not taken[cell] and (taken[cell + width] or not game.gravity)]
