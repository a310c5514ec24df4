"""Positions worth a look: only moves, long wins, tricky draws."""

from collections.abc import Callable, Iterator
from heapq import nsmallest
from itertools import islice
from typing import Any

from zermelo.db.positions import EVERYTHING, MOST, Position, Selection, count, positions
from zermelo.db.query import Solution
from zermelo.solver.errors import AmountError
from zermelo.solver.progress import Progress


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
    `plies` the longest way to the end comes first, by `losing` the most moves that lose.
    """
    found: Iterator[Position] = positions(solution, selection, progress)
    if only_move:
        found = (position for position in found if len(position.moves) > 1 and len(holding_moves(position)) == 1)
    if sort is None:
        return list(islice(found, limit))
    maximiser = solution.game.players[0]
    keys: dict[str, Callable[[Position], Any]] = {
        # Where play need not end, there is no way to the end to be long.
        "plies": lambda position: (position.plies is None, -(position.plies or 0), position.ply, position.board),
        "losing": lambda position: (
            -len(losing_moves(position, maximiser)), len(position.moves), position.ply, position.board,
        ),
    }  # fmt: skip
    return nsmallest(limit, found, key=keys[sort])


def check_amount(solution: Solution, selection: Selection, sort: str | None) -> None:
    """Refuse to sort very many positions; the first that are found are found soon."""
    number = count(solution, Selection(selection.plies))
    if sort is not None and number > MOST:
        spec = solution.game.spec
        raise AmountError(f"{spec} has {number:,} positions to go through", game=spec, positions=number, task="find")


def holding_moves(position: Position) -> list[str]:
    """The moves after which the game is still worth what it was, however long it takes."""
    return [reply.move for reply in position.moves if reply.value == position.value]


def losing_moves(position: Position, maximiser: str) -> list[str]:
    """The moves after which the side to move loses."""
    sign = 1 if position.to_move == maximiser else -1
    return [reply.move for reply in position.moves if reply.value * sign < 0]


def as_dict(position: Position, maximiser: str) -> dict[str, Any]:
    """The position as plain values, for programs; `moves` is how many there are."""
    return {
        "position": position.board,
        **dict(zip(position._fields[1:], position[1:], strict=True)),
        "moves": len(position.moves),
        "holding_moves": holding_moves(position),
        "losing_moves": losing_moves(position, maximiser),
    }
