"""Positions worth a look: only moves, long wins, tricky draws."""

from collections.abc import Callable, Iterable, Iterator
from heapq import nsmallest
from itertools import islice
from typing import TYPE_CHECKING, Any

from zermelo.db.arrays import Batch, Sweep, is_swept, sweep_of
from zermelo.db.positions import EVERYTHING, MOST, Position, Selection, check_player, count, positions, positions_of
from zermelo.db.query import Solution
from zermelo.solver.errors import AmountError
from zermelo.solver.progress import Progress

if TYPE_CHECKING:
    import numpy as np

MANY = 500_000_000
"""Positions in blocks that are gone through without being asked for expressly: a board takes a minute for them."""
_TRIED = 4096
"""Positions as good as each other whose texts are compared at a time."""


def find(
    solution: Solution,
    selection: Selection = EVERYTHING,
    *,
    only_move: bool = False,
    sort: str | None = None,
    limit: int = 10,
    progress: Progress | None = None,
) -> list[Position]:
    """At most `limit` of the wanted positions: with `sort` the foremost of all of them, otherwise the first found.

    With `only_move` just those where a single move holds the value and another one does not; sorted by
    `plies` the longest way to the end comes first, by `losing` the most moves that lose: at least one does.
    """
    check_player(solution, selection)
    if (sweep := sweep_of(solution)) is not None:
        batches = sweep.batches(selection, progress)
        found = _found(sweep, batches, selection.classes, only_move=only_move, sort=sort, limit=limit)
        return list(positions_of(solution, found))
    return _found_one_by_one(solution, selection, only_move, sort, limit, progress)


def _found_one_by_one(
    solution: Solution, selection: Selection, only_move: bool, sort: str | None, limit: int, progress: Progress | None
) -> list[Position]:
    maximiser = solution.game.players[0]
    found: Iterator[Position] = positions(solution, selection, progress)
    if only_move:
        found = (one for one in found if len(one.moves) > 1 and len(holding_moves(one, maximiser)) == 1)
    if sort is None:
        return list(islice(found, limit))
    if sort == "losing":
        found = (one for one in found if losing_moves(one, maximiser))
    keys: dict[str, Callable[[Position], Any]] = {
        # Where play need not end, there is no way to the end to be long.
        "plies": lambda position: (position.plies is None, -(position.plies or 0), position.ply, position.board),
        "losing": lambda position: (
            -len(losing_moves(position, maximiser)), len(position.moves), position.ply, position.board,
        ),
    }  # fmt: skip
    return nsmallest(limit, found, key=keys[sort])


def _found(
    sweep: Sweep, batches: Iterator[Batch], classes: bool, *, only_move: bool, sort: str | None, limit: int
) -> list[int]:
    """The states of the same positions, from arrays."""
    best: list[tuple[int, Any, int]] = []
    for batch in batches:
        if only_move:
            batch = batch.take((batch.moves > 1) & (batch.holding == 1))
        if sort == "losing":
            batch = batch.take(batch.losing > 0)
        ranks = _ranks(batch, sort)
        order = ranks.argsort(kind="stable")
        # What is as good as the last so far may still sort before it by its text.
        for begin in range(0, len(order), _TRIED):
            tried = order[begin : begin + _TRIED]
            full = len(best) >= limit
            if full and (sort is None or ranks[tried[0]] > best[-1][0]):
                break
            if full:
                tried = tried[ranks[tried] <= best[-1][0]]
            if classes:
                tried = tried[sweep.first_of_class(batch.states[tried])]
            states = batch.states[tried]
            keys: Iterable[Any] = range(len(best), len(best) + len(tried)) if sort is None else sweep.keys(states)
            best = nsmallest(limit, [*best, *zip(ranks[tried].tolist(), keys, states.tolist(), strict=True)])
        if sort is None and len(best) >= limit:
            break
    return [state for *_, state in best]


def _ranks(batch: Batch, sort: str | None) -> "np.ndarray[Any, Any]":
    """A number for each position, the lowest for the foremost; where they are equal, texts decide."""
    import numpy as np

    ply = batch.ply.astype(np.int64)
    if sort == "plies":
        return np.where(batch.plies < 0, 1 << 31, (1 << 31) - 1 - batch.plies.astype(np.int64)) << 31 | ply
    if sort == "losing":
        # No position of a game that can be solved has a million moves, or a game four million plies.
        return ((1 << 20) - 1 - batch.losing.astype(np.int64)) << 42 | batch.moves.astype(np.int64) << 22 | ply
    return np.zeros(len(ply), np.int64)


def check_amount(solution: Solution, selection: Selection, sort: str | None) -> None:
    """Refuse to sort very many positions; the first that are found are found soon."""
    number = count(solution, Selection(selection.plies))
    if sort is not None and number > (MANY if is_swept(solution) else MOST):
        spec = solution.game.spec
        raise AmountError(f"{spec} has {number:,} positions to go through", game=spec, positions=number, task="find")


def holding_moves(position: Position, maximiser: str) -> list[str]:
    """The moves after which the game is still worth what it was, however long it takes; in a lost position nothing holds."""
    if position.value * _sign(position, maximiser) < 0:
        return []
    return [reply.move for reply in position.moves if reply.value == position.value]


def losing_moves(position: Position, maximiser: str) -> list[str]:
    """The moves after which the side to move has lost."""
    return [reply.move for reply in position.moves if reply.value * _sign(position, maximiser) < 0]


def _sign(position: Position, maximiser: str) -> int:
    return 1 if position.to_move == maximiser else -1


def as_dict(position: Position, maximiser: str) -> dict[str, Any]:
    """The position as plain values, for programs; `moves` is how many there are."""
    return {
        "position": position.board,
        **dict(zip(position._fields[1:], position[1:], strict=True)),
        "moves": len(position.moves),
        "holding_moves": holding_moves(position, maximiser),
        "losing_moves": losing_moves(position, maximiser),
    }
