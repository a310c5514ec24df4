"""The rows of an export as columns, from a solution that is gone through by arrays."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.db.arrays import Batch, Sweep
from zermelo.db.positions import Selection, check_player
from zermelo.db.query import Solution
from zermelo.solver.game import Game
from zermelo.solver.progress import Progress

Array = np.ndarray[Any, Any]

_ROWS = 1 << 17
"""Rows that come together, at the least: less would not pay in files that keep columns."""


class Coded(NamedTuple):
    """A column of a few texts that come again and again: their numbers, and the texts."""

    which: Array
    texts: list[Any]


class Columns(NamedTuple):
    """Rows of a table, in the order of `COLUMNS`. Values are MAX's."""

    position: Array | list[str]
    """Texts, or a row of bytes for each."""
    ply: Array
    to_move: Coded
    terminal: Array
    value: Array
    plies: Array
    """-1 where play need not end."""
    best_move: Coded
    optimal_moves: Coded


def columns_of(
    solution: Solution, sweep: Sweep, selection: Selection, progress: Progress | None = None
) -> Iterator[Columns]:
    """The wanted positions, very many rows at a time."""
    check_player(solution, selection)
    pending: list[Batch] = []
    for batch in sweep.batches(selection, progress):
        if selection.classes:
            batch = batch.take(sweep.first_of_class(batch.states))
        pending.append(batch)
        if sum(len(one.states) for one in pending) >= _ROWS:
            yield _columns(solution.game, sweep, pending)
            pending = []
    if any(len(one.states) for one in pending):
        yield _columns(solution.game, sweep, pending)


def _columns(game: Game[Any, Any], sweep: Sweep, batches: list[Batch]) -> Columns:
    if batches[0].optimal.ndim > 1:
        widest = max(batch.optimal.shape[1] for batch in batches)
        batches = [
            batch._replace(optimal=np.pad(batch.optimal, ((0, 0), (0, widest - batch.optimal.shape[1]))))
            for batch in batches
        ]
    batch = Batch(*(np.concatenate(columns) for columns in zip(*batches, strict=True)))
    which, sets = sweep.best_moves(batch)
    which = which.astype(np.int32)
    names = [[game.format_action(action) for action in actions] for actions in sets]
    firsts = list(dict.fromkeys(its[0] if its else None for its in names))
    first_of = np.array([firsts.index(its[0] if its else None) for its in names], np.int32)
    return Columns(
        sweep.texts(batch.states),
        batch.ply,
        Coded(batch.turn, [*game.players, None]),
        batch.turn == len(game.players),
        batch.value,
        batch.plies,
        Coded(first_of[which], firsts),
        Coded(which, [" ".join(its) for its in names]),
    )
