"""What every kind of stored solution offers, whether it lies in rows, in blocks or in a file of its own."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from zermelo.solver.errors import IncompleteSolutionError, PositionError, ZermeloError
from zermelo.solver.game import Game
from zermelo.solver.preference import following

if TYPE_CHECKING:
    from zermelo.solver.census import Category, Tally
    from zermelo.solver.packed.many import Bytes, Numbers


class Entry(NamedTuple):
    """What is known of a position: value from MAX's side (+1 when X wins), plies to the end, best move.

    `plies` is None where play need not end.
    """

    value: int
    plies: int | None
    best_move: str | None


class Known(NamedTuple):
    """What is stored of a position, its best move aside. The value is MAX's."""

    ply: int
    value: int
    plies: int | None


class Row(NamedTuple):
    """A position with what is stored of it, as text and numbers. The value is MAX's."""

    board: str
    ply: int
    value: int
    plies: int | None
    best_move: str | None


def digest_of(rows: Iterable[tuple[str, int, int, int | None, str | None]]) -> str:
    """SHA-256 over the entries in board order: the same for the same solution on every machine, with symmetry or without.

    What is None, plies or a best move, is written as a dash.

    >>> digest_of([Row("X../.../...", 1, 0, 8, "b2")])[:8]
    '6d65d855'
    """
    from hashlib import sha256  # which no look-up needs

    text = "".join(
        [
            f"{board} {value} {'-' if plies is None else plies} {best_move or '-'}\n"
            for board, _, value, plies, best_move in rows
        ]
    )
    return sha256(text.encode()).hexdigest()


Plies = tuple[int, int] | None
"""The first and the last ply that are wanted, both included, or all."""


class Source(Protocol):
    """A stored solution of one game, open for reading."""

    facts: dict[str, Any]
    """The solution's row of `solutions`, as plain values: `can_repeat` says whether play can come back to a position."""

    @property
    def by_class(self) -> bool:
        """Whether `rows` has one row for each class, that of the board which sorts first, or one for each position."""

    def probe(self, state: Any) -> Entry | None:
        """The entry of one position, None where the solution has no such position."""

    def find_many(self, texts: Sequence[str]) -> list[Entry | None]:
        """The entries of positions in exactly the notation that answers show, None for any other text."""

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        """What is stored of each position, all from one look so that they belong together."""

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        """Every stored row, or those of these plies, once each and in constant memory.

        Raises `BusyError` if the solution is replaced meanwhile.
        """

    def counts(self) -> "dict[Category, Tally]":
        """Positions and classes by ply, whether the game is over, and value."""

    def damaged(self, how: str) -> ZermeloError:
        """The error to raise where what is stored cannot be right."""

    def close(self) -> None:
        """Let go of the file or the server."""


Block = tuple[int, bytes]
"""An occupancy of a board, bit c for cell c, and a byte for each way to colour its stones."""


@runtime_checkable
class HasBlocks(Protocol):
    """A source that can hand out its blocks ready-made, one for each class of occupancies."""

    def blocks(self, stones: int | None = None) -> Iterator[Block]:
        """The blocks, or those with so many stones, in ascending order and in constant memory."""

    def block(self, occupancy: int) -> bytes | None:
        """The block of one occupancy, None where there is none."""

    def end_reading(self, solution: Any) -> None:
        """Raise `BusyError` if the solution is no longer the one with this `id` in its facts."""

    asked: int
    """How many positions were asked for so far, so that what only pays for many is not made for a few."""

    def codes(self, taken: "Numbers", of_min: "Numbers") -> "Bytes":
        """The bytes of many positions: see `zermelo.solver.packed.many`."""


def endless_of(source: Source, game: Game[Any, Any]) -> int | None:
    """What play without an end is worth to MAX; None where play cannot come back to a position: see `preference`."""
    return game.endless if source.facts["can_repeat"] else None


@runtime_checkable
class HasStoredRows(Protocol):
    """A source whose rows have checksums of their own."""

    def stored_rows(self, plies: Plies = None) -> Iterator[tuple[Row, bool]]:
        """Every row as it is stored, and whether that is as it was written."""


_AT_ONCE = 512
"""Positions whose successors are looked up together."""


def find_each(source: Source, game: Game[Any, Any], texts: Sequence[str]) -> list[Entry | None]:
    """`Source.find_many` where no best moves are stored."""
    states: dict[str, Any] = {}
    for text in dict.fromkeys(texts):
        with contextlib.suppress(PositionError):
            state = game.parse(text)
            if game.format(state) == text:
                states[text] = state
    wanted = list(states)
    found: dict[str, Entry | None] = {}
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        found |= zip(some, entries_from_successors(source, game, [states[text] for text in some]), strict=True)
    return [found.get(text) for text in texts]


def entry_from_successors(source: Source, game: Game[Any, Any], state: Any) -> Entry | None:
    """The entry of a position of which no best move is stored, None where the solution has no such position."""
    return entries_from_successors(source, game, [state])[0]


def entries_from_successors(source: Source, game: Game[Any, Any], states: Sequence[Any]) -> list[Entry | None]:
    """The entries of positions of which no best moves are stored, from one look."""
    below = {state: expanded(game, state) for state in states}
    known = look_up(source, chain(below, *(children for _, children in below.values())))
    found: dict[Any, Entry | None] = {}
    for state, (actions, children) in below.items():
        own, successors = known[state], [known[child] for child in children]
        found[state] = None if own is None else agreed_entry(source, game, state, own, actions, children, successors)
    return [found[state] for state in states]


def expanded(game: Game[Any, Any], state: Any) -> tuple[Sequence[Any], list[Any]]:
    """The legal actions in a position and the positions that they lead to; none where the game is over."""
    actions = () if game.is_terminal(state) else game.actions(state)
    return actions, [game.result(state, action) for action in actions]


def look_up(source: Source, states: Iterable[Any]) -> dict[Any, Known | None]:
    """What is stored of each position, asked for once however often it comes up."""
    wanted = list(dict.fromkeys(states))
    return dict(zip(wanted, source.lookup(wanted), strict=True))


def agreed_entry(
    source: Source,
    game: Game[Any, Any],
    state: Any,
    own: Known,
    actions: Sequence[Any],
    children: Sequence[Any],
    successors: Sequence[Known | None],
) -> Entry:
    """The entry of a position from what is stored of it and of its successors, once these agree.

    What cannot be, such as a win from which no move leads to a win, is refused as damaged: nobody is told of it.
    """
    endless = endless_of(source, game)
    if actions:
        outcomes = [(known.value, known.plies) for known in successors if known is not None]
        if len(outcomes) < len(actions):
            raise lacks(game, state, children[successors.index(None)])
        right, best = following(outcomes, game.to_move(state) == game.players[0], endless)
        best_move = game.format_action(actions[best])
    else:
        right, best_move = (game.utility(state, game.players[0]), 0), None
    # Without plies, false wins could hold each other up.
    unending = bool(actions) and own.value == endless
    if (own.value, own.plies) != right or (own.plies is None) != unending:
        raise source.damaged(f"what is stored of {game.format(state)!r} does not follow from the positions after it")
    return Entry(own.value, own.plies, best_move)


def lacks(game: Game[Any, Any], state: Any, child: Any) -> IncompleteSolutionError:
    """The error to raise where a position leads to one that is not stored."""
    lacking = game.format(child)
    return IncompleteSolutionError(
        f"the solution of {game.spec} lacks {lacking!r}, to which {game.format(state)!r} leads",
        game=game.spec,
        position=lacking,
    )
