"""A stored solution gone through by compiled code: its positions as arrays, with what their moves come to.

`find` and `export` both go this way where a solution lies in blocks, of either codec and in a database or a tablebase.
Every position is held to the positions after it, as it is where one is asked for: what does not follow is never told.
"""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

from zermelo.db.keyed import Keyed
from zermelo.db.query import Solution
from zermelo.db.source import HasBlocks, entry_from_successors
from zermelo.solver.packed import knows

if TYPE_CHECKING:
    import numpy as np

    from zermelo.db.positions import Selection
    from zermelo.solver.progress import Progress

    Array = np.ndarray[Any, Any]

FEW = 10_000
"""Positions up to which plain Python has gone through them before compiled code is loaded."""


class Batch(NamedTuple):
    """Positions, an item of each array for one. Values are MAX's."""

    states: "Array"
    ply: "Array"
    value: "Array"
    plies: "Array"
    """-1 where play need not end."""
    turn: "Array"
    """The number of the player to move, 2 where the game is over."""
    moves: "Array"
    """How many there are."""
    holding: "Array"
    """How many keep the value: none where the side to move has lost."""
    losing: "Array"
    """After how many the side to move has lost."""
    optimal: "Array"
    """The best moves; `Sweep.best_moves` reads it."""

    def take(self, wanted: "Array") -> "Batch":
        """Those at some places, or where it is true."""
        return Batch(*(column[wanted] for column in self))


class Sweep(Protocol):
    """What goes through a stored solution of one kind."""

    def batches(self, selection: "Selection", progress: "Progress | None" = None) -> Iterator[Batch]:
        """The wanted positions, a batch at a time; of classes there may be more than the first, see `first_of_class`."""

    def first_of_class(self, states: "Array") -> "Array":
        """Which of those that came from a selection of classes are the first of their class."""

    def keys(self, states: "Array") -> Iterable[Any]:
        """What positions sort by as their texts do."""

    def texts(self, states: "Array") -> "Array | list[str]":
        """The positions' texts: a list of them, or a row of bytes for each."""

    def best_moves(self, batch: Batch) -> "tuple[Array, list[list[Any]]]":
        """For each position the number of its set of best moves, and the sets that there are, in the game's order."""


def sweep_of(solution: Solution) -> Sweep | None:
    """What goes through the solution, None where it is small or kept so that it is gone through one by one."""
    source, game = solution.source, solution.game
    if not is_swept(solution):
        return None
    if isinstance(source, HasBlocks) and knows(game):
        from zermelo.db.arrays.boards import BoardSweep

        return BoardSweep(solution, source, game)
    if isinstance(source, Keyed):
        from zermelo.db.arrays.keyed import KeyedSweep

        return KeyedSweep(solution, source)
    return None


def is_swept(solution: Solution) -> bool:
    """Whether compiled code goes through the solution."""
    source, game = solution.source, solution.game
    if source.facts["positions"] <= FEW or find_spec("numba") is None:
        return False
    return knows(game) if isinstance(source, HasBlocks) else game.compiled and isinstance(source, Keyed)


def refuse(solution: Solution, blocks: HasBlocks | Keyed, state: int, started: Any) -> NoReturn:
    """Raise the error about a position that does not follow from those after it, as asking for it does."""
    source, game = solution.source, solution.game
    entry_from_successors(source, game, state)
    blocks.end_reading(started)
    raise source.damaged(f"what is stored of {game.format(state)!r} does not follow from the positions after it")


def check_count(solution: Solution, found: int, total: int) -> None:
    """Refuse a solution that has lost a block."""
    if found != total:
        raise solution.source.damaged(f"its blocks have {found:,} positions instead of {total:,}")
