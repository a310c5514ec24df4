"""What every kind of stored solution offers, whether it lies in rows, in blocks or in a file of its own."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from solver.errors import UnknownPositionError
from solver.game import Game
from solver.preference import preference

if TYPE_CHECKING:
    from solver.census import Category, Tally


class Entry(NamedTuple):
    """What is known of a position: value from MAX's side (+1 when X wins), plies to the end, best move."""

    value: int
    plies: int
    best_move: str | None


class Known(NamedTuple):
    """What is stored of a position, its best move aside. The value is MAX's."""

    ply: int
    value: int
    plies: int


class Row(NamedTuple):
    """A position with what is stored of it, as text and numbers. The value is MAX's."""

    board: str
    ply: int
    value: int
    plies: int
    best_move: str | None


Plies = tuple[int, int] | None
"""The first and the last ply that are wanted, both included, or all."""


class Source(Protocol):
    """A stored solution of one game, open for reading."""

    facts: dict[str, Any]
    """The solution's row of `solutions`, as plain values."""

    by_class: bool
    """Whether `rows` has one row for each class, that of the board which sorts first, or one for each position."""

    def probe(self, state: Any) -> Entry | None:
        """The entry of one position, None where the solution has no such position."""

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        """What is stored of each position, all from one look so that they belong together."""

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        """Every stored row, or those of these plies, once each and in constant memory.

        Raises `BusyError` if the solution is replaced meanwhile.
        """

    def counts(self) -> "dict[Category, Tally]":
        """Positions and classes by ply, whether the game is over, and value."""

    def close(self) -> None:
        """Let go of the file or the server."""


Block = tuple[int, bytes]
"""An occupancy of a board, bit c for cell c, and a byte for each way to colour its stones."""


@runtime_checkable
class HasBlocks(Protocol):
    """A source that can hand out its blocks ready-made, one for each class of occupancies."""

    def blocks(self, stones: int | None = None) -> Iterator[Block]:
        """The blocks, or those with so many stones, in ascending order and in constant memory."""


def entry_from_successors(source: Source, game: Game[Any, Any], state: Any) -> Entry | None:
    """The entry of a position of which no best move is stored: the first action that nothing is preferred to."""
    actions = [] if game.is_terminal(state) else game.actions(state)
    own, *successors = source.lookup([state, *(game.result(state, action) for action in actions)])
    if own is None:
        return None
    best: str | None = None
    if actions:
        maximising = game.to_move(state) == game.players[0]
        ranks = []
        for action, successor in zip(actions, successors, strict=True):
            if successor is None:
                raise UnknownPositionError(
                    f"position {game.format(game.result(state, action))!r} is not in the solution of {game.spec}"
                )
            ranks.append(preference(successor.value, successor.plies, maximising))
        best = game.format_action(actions[ranks.index(min(ranks))])
    return Entry(own.value, own.plies, best)
