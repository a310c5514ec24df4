"""What the moves of many positions come to, compiled: see `expansion` for where the moves come from."""

from typing import Any, NamedTuple

import numpy as np

from zermelo.solver.compiled.expansion import Batch
from zermelo.solver.compiled.kernels import FIRST, OVER
from zermelo.solver.kernel import kernel

Array = Any


class Outcomes(NamedTuple):
    """Values from MAX's side and plies, -1 where play need not end."""

    values: Array
    plies: Array


class Weighed(NamedTuple):
    """An item for each position."""

    moves: Array
    holding: Array
    """Moves that keep the value, as long as the side to move has not lost."""
    losing: Array
    """Moves after which the side to move has lost."""
    optimal: Array
    """How many best actions there are, and these."""
    wrong: Array
    """Whether the value or the plies do not follow from the rules and the positions after it."""


def weigh(batch: Batch, own: Outcomes, after: Outcomes, known: Array, endless: int | None) -> Weighed:
    """What the moves come to from the positions of a batch; `after` has the outcomes of its children, where `known`.

    `endless` is what play without an end is worth to MAX, None where play cannot come back to a position.
    """
    size = batch.size
    widest = int(np.diff(batch.starts[: size + 1]).max(initial=0))
    weighed = Weighed(
        *(np.zeros(size, np.int32) for _ in range(3)), np.zeros((size, 1 + widest), np.int64), np.zeros(size, np.bool_)
    )
    moves = (batch.kinds, batch.utilities, batch.starts, batch.actions)
    _weigh(*moves, own, after, known, endless is not None, endless or 0, weighed)
    return weighed


@kernel
def _weigh(
    kinds: Array,
    utilities: Array,
    starts: Array,
    actions: Array,
    own: Outcomes,
    after: Outcomes,
    known: Array,
    can_repeat: bool,
    endless: int,
    out: Weighed,
) -> None:
    for i in range(len(out.moves)):
        value, plies = own.values[i], own.plies[i]
        if kinds[i] >= OVER:
            out.wrong[i] = value != utilities[i] or plies != 0
            continue
        is_max = kinds[i] == FIRST
        sign = 1 if is_max else -1
        best_gain, best_time, right_plies = np.int64(0), np.int64(0), np.int64(0)
        for move in range(starts[i], starts[i + 1]):
            if not known[move]:
                out.wrong[i] = True
                break
            then, left = np.int64(after.values[move]), np.int64(after.plies[move])
            gain, time = then * sign, np.int64(0)
            endless_after = left < 0 or (can_repeat and then == endless)
            if not endless_after:
                hurries = (then > endless) == is_max if can_repeat else gain >= 0
                time = left if hurries else -left
            if move == starts[i] or gain > best_gain or (gain == best_gain and time < best_time):
                best_gain, best_time = gain, time
                right_plies = -1 if endless_after else left + 1
            if then == value and (plies < 0 or left == plies - 1):
                out.optimal[i, 0] += 1
                out.optimal[i, out.optimal[i, 0]] = actions[move]
            if gain < 0:
                out.losing[i] += 1
            elif then == value:
                out.holding[i] += 1
            out.moves[i] += 1
        unending = can_repeat and value == endless
        if best_gain * sign != value or right_plies != plies or (plies < 0) != unending:
            out.wrong[i] = True
