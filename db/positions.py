"""Every position of a stored solution with all its moves, one after the other in constant memory."""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from zermelo.db.query import Solution
from zermelo.db.source import Known, Plies, Row, agreed_entry
from zermelo.solver.errors import GameError
from zermelo.solver.preference import is_best
from zermelo.solver.progress import Progress

MOST = 20_000_000
"""Positions that are gone through one by one without being asked for expressly."""
_AT_ONCE = 200
"""Positions whose moves are looked up together: a look-up alone costs more than the positions it is for."""


class Selection(NamedTuple):
    """Which positions are wanted; the value is MAX's."""

    plies: Plies = None
    """The first and the last ply, both included."""
    value: int | None = None
    to_move: str | None = None
    classes: bool = False
    """One position of each class: the one whose board sorts first."""


EVERYTHING = Selection()


class Reply(NamedTuple):
    """A legal move and what the position after it is worth to MAX."""

    move: str
    value: int
    plies: int | None


class Position(NamedTuple):
    """A position, its entry and its moves in the game's own order. The value is MAX's."""

    board: str
    ply: int
    to_move: str | None
    terminal: bool
    value: int
    plies: int | None
    best_move: str | None
    moves: list[Reply]

    @property
    def optimal_moves(self) -> list[str]:
        """The moves that share the best value and plies."""
        own = self.value, self.plies
        return [move for move, value, plies in self.moves if is_best(own, (value, plies))]


def count(solution: Solution, selection: Selection = EVERYTHING) -> int:
    """How many positions are wanted, at the most: whose turn it is is not counted."""
    first, last = selection.plies or (0, sys.maxsize)
    return sum(
        tally.classes if selection.classes else tally.positions
        for category, tally in solution.source.counts().items()
        if first <= category.ply <= last and selection.value in (None, category.value)
    )


def check_player(solution: Solution, selection: Selection) -> None:
    """Refuse a selection of a player's positions whom the game does not have."""
    players = solution.game.players
    if selection.to_move is not None and selection.to_move not in players:
        raise GameError(f"game {solution.game.spec!r} has no player {selection.to_move!r}: name {' or '.join(players)}")


def positions(
    solution: Solution, selection: Selection = EVERYTHING, progress: Progress | None = None
) -> Iterator[Position]:
    """The wanted positions; in the order of their boards where a row a position is stored."""
    check_player(solution, selection)
    candidates = _candidates(solution, selection, progress)
    while batch := list(islice(candidates, _AT_ONCE)):
        yield from _with_moves(solution, batch)


def positions_of(solution: Solution, states: Sequence[Any]) -> Iterator[Position]:
    """The positions that these states are, which the solution must have."""
    for begin in range(0, len(states), _AT_ONCE):
        some = states[begin : begin + _AT_ONCE]
        batch: list[tuple[Any, Known, Row | None]] = []
        for state, known in zip(some, solution.source.lookup(some), strict=True):
            if known is None:
                raise solution.source.damaged(f"it has no entry of {solution.game.format(state)!r}")
            batch.append((state, known, None))
        yield from _with_moves(solution, batch)


def _candidates(
    solution: Solution, selection: Selection, progress: Progress | None
) -> Iterator[tuple[Any, Known, Row | None]]:
    """The states that are wanted, what is known of each, and the row that tells it, which may be that of its class."""
    game, source = solution.game, solution.source
    total = count(solution, Selection(selection.plies, classes=source.by_class)) if progress else None
    done = 0
    for done, row in enumerate(source.rows(selection.plies), 1):
        if progress and not done % 1024:
            progress(done, total)
        if selection.value not in (None, row.value):
            continue
        state = game.parse(row.board)
        if selection.to_move is not None and (game.is_terminal(state) or game.to_move(state) != selection.to_move):
            continue
        images = {symmetry(state): None for symmetry in game.symmetries} if source.by_class or selection.classes else {}
        known = Known(row.ply, row.value, row.plies)
        if source.by_class and not selection.classes:
            yield from ((image, known, row) for image in images)
        elif source.by_class or not selection.classes or row.board == min(map(game.format, images)):
            yield state, known, row
    if progress:
        progress(done, done)


def _with_moves(solution: Solution, batch: list[tuple[Any, Known, Row | None]]) -> Iterator[Position]:
    game = solution.game
    actions = [[] if game.is_terminal(state) else list(game.actions(state)) for state, *_ in batch]
    children = [game.result(state, action) for (state, *_), its in zip(batch, actions, strict=True) for action in its]
    known = iter(zip(children, solution.source.lookup(children), strict=True))
    for (state, own, row), its in zip(batch, actions, strict=True):
        board = game.format(state)
        after = list(islice(known, len(its)))
        below, outcomes = [child for child, _ in after], [outcome for _, outcome in after]
        entry = agreed_entry(solution.source, game, state, own, its, below, outcomes)
        # The row may be that of another position of the class, with that one's best move.
        if row is not None and board == row.board and row.best_move != entry.best_move:
            raise solution.source.damaged(f"the best move stored of {board!r} is none of the best")
        moves = [
            Reply(game.format_action(action), outcome.value, outcome.plies)
            for action, outcome in zip(its, filter(None, outcomes), strict=True)
        ]
        to_move = game.to_move(state) if its else None
        yield Position(board, own.ply, to_move, not its, *entry, moves)
