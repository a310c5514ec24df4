"""The inner loops of a sample of a board, compiled: random play, and what follows from the successors."""

from typing import Any

import numpy as np

from zermelo.db.proof.board_rules import ONE, UNKNOWN, Array, Rules, better, byte_of_end, has_line, is_free
from zermelo.solver.kernel import kernel


@kernel
def line_bit(rules: Rules, cell: int) -> Any:
    """The bit of a cell on a board with an empty column beside it."""
    return np.int64(1) << (cell // rules.width * (rules.width + 1) + cell % rules.width)


@kernel
def play(rules: Rules, seed: Any, taken: Array, of_min: Array) -> None:
    """Put down one position of each of many games that are played at random, every position of a game as likely."""
    state = seed
    stride = rules.width + 1
    moves = np.empty(rules.cells, np.int64)
    history = np.empty((rules.cells + 1, 2), np.uint32)
    for game in range(len(taken)):
        occupancy, minimum = np.uint32(0), np.uint32(0)
        sides = np.zeros(2, np.int64)
        length = 0
        while True:
            history[length, 0], history[length, 1] = occupancy, minimum
            if length == rules.cells or (length and has_line(sides[(length - 1) % 2], stride, rules.k)):
                break
            count = 0
            for cell in range(rules.cells):
                if is_free(rules, occupancy, cell):
                    moves[count] = cell
                    count += 1
            state, number = _random(state)
            cell = moves[number % np.uint64(count)]
            occupancy |= ONE << np.uint32(cell)
            if length % 2:
                minimum |= ONE << np.uint32(cell)
            sides[length % 2] |= line_bit(rules, cell)
            length += 1
        state, number = _random(state)
        chosen = np.int64(number % np.uint64(length + 1))
        taken[game], of_min[game] = history[chosen, 0], history[chosen, 1]


@kernel
def _random(state: Any) -> Any:
    """The next state of a generator of random numbers (splitmix64), and the number."""
    state += np.uint64(0x9E3779B97F4A7C15)
    number = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ number >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return state, number ^ number >> np.uint64(31)


@kernel
def successors(rules: Rules, stones: int, taken: Array, of_min: Array) -> Any:
    """What all moves from positions with so many stones lead to, and from which each comes."""
    most = len(taken) * (rules.cells - stones)
    owner, child_taken, child_of_min = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    count = 0
    for i in range(len(taken)):
        for cell in range(rules.cells):
            if is_free(rules, np.uint32(taken[i]), cell):
                bit = np.int64(1) << cell
                owner[count], child_taken[count] = i, taken[i] | bit
                child_of_min[count] = of_min[i] | bit if stones % 2 else of_min[i]
                count += 1
    return owner[:count], child_taken[:count], child_of_min[:count]


@kernel
def judge(
    rules: Rules, stones: int, taken: Array, of_min: Array, values: Array, owner: Array, bytes_: Array, best: Array
) -> Any:
    """Put down in `best` what is right of each position, given the bytes of its successors; which bytes are not that.

    A successor that is not stored is a fault too.
    """
    for i in range(len(owner)):
        best[owner[i]] = better(best[owner[i]], bytes_[i], stones % 2 == 0)
    wrong = np.zeros(len(taken), np.bool_)
    for i in range(len(taken)):
        mine = of_min[i] if stones % 2 == 0 else taken[i] ^ of_min[i]
        wide = np.int64(0)
        for cell in range(rules.cells):
            if mine >> cell & 1:
                wide |= line_bit(rules, cell)
        if has_line(wide, rules.width + 1, rules.k):
            best[i] = byte_of_end(rules, stones)
        elif stones == rules.cells:
            best[i] = 0
        wrong[i] = values[i] != best[i] or best[i] == UNKNOWN
    return wrong
