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
        state = game.initial
        for _ in range(stones):
            state = game.result(state, chance.choice(game.actions(state)))
        occupancies.add(place_of(game, state)[0])
        moves = game.actions(state)
        children |= {place_of(game, game.result(state, move))[0] for move in moves}
        edges += order.size * len(moves)
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
