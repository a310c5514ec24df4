"""What sources have in common that keep states of whole numbers in order, in blocks; see `solver.compiled.blocks`."""

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from zermelo.db.source import Entry, Known, Plies, Row, agreed_entry, entry_from_successors, find_each
from zermelo.solver.compiled.blocks import Columns, unpack
from zermelo.solver.errors import GameError, ZermeloError
from zermelo.solver.game import Game

_AT_ONCE = 512
"""Positions whose successors are looked up together."""


class Keyed:
    """Finds states in their blocks; where the blocks are, who inherits this says. See `Source`."""

    by_class = False
    facts: dict[str, Any]
    _game: Game[Any, Any]

    @abstractmethod
    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        """What is stored of each position: `found_in` the blocks, each of them read once."""

    @abstractmethod
    def packed_blocks(self) -> Iterator[tuple[int, bytes]]:
        """The number and the bytes of each block, the lowest states first, in constant memory."""

    @abstractmethod
    def numbers(self) -> Sequence[int]:
        """The numbers of all blocks in ascending order: a block's is its lowest state."""

    @abstractmethod
    def packed_block(self, number: int) -> bytes | None:
        """The bytes of one block, None where there is none."""

    @abstractmethod
    def end_reading(self, solution: Any) -> None:
        """Raise `BusyError` if the solution is no longer the one with this `id` in its facts."""

    @abstractmethod
    def damaged(self, how: str) -> ZermeloError:
        """The error to raise where what is stored cannot be right."""

    @abstractmethod
    def counts(self) -> Any:
        """Positions and classes by ply, whether the game is over, and value."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the file or the server."""

    def _unpacked(self, number: int, data: bytes) -> Columns:
        try:
            return unpack(number, data)
        except ValueError as error:
            raise self.damaged(f"block {number} is not as it was written: {error}") from None

    def probe(self, state: Any) -> Entry | None:
        return entry_from_successors(self, self._game, state)

    def find_many(self, texts: Sequence[str]) -> list[Entry | None]:
        return find_each(self, self._game, texts)

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        known = (
            (state, Known(*block.known(at)))
            for block in (self._unpacked(number, data) for number, data in self.packed_blocks())
            for at, state in enumerate(block.states)
            if plies is None or plies[0] <= block.ply[at] <= plies[1]
        )
        while some := list(islice(known, _AT_ONCE)):
            yield from self._with_best_moves(some)

    def _with_best_moves(self, some: Sequence[tuple[Any, Known]]) -> Iterator[Row]:
        game = self._game
        actions = [[] if game.is_terminal(state) else list(game.actions(state)) for state, _ in some]
        children = [
            [game.result(state, move) for move in moves] for (state, _), moves in zip(some, actions, strict=True)
        ]
        successors = iter(self.lookup([child for below in children for child in below]))
        for (state, own), moves, below in zip(some, actions, children, strict=True):
            after = list(islice(successors, len(below)))
            entry = agreed_entry(self, game, state, own, moves, below, after)
            yield Row(game.format(state), own.ply, *entry)


def in_runs(numbers: Sequence[int], states: Sequence[int]) -> dict[int, list[int]]:
    """By the place in `numbers`, which ascend, of the block that each state must be in: which of the states these are.

    >>> in_runs([10, 20, 30], [25, 5, 10, 29])
    {0: [2], 1: [0, 3]}
    """
    members: dict[int, list[int]] = {}
    for i, state in enumerate(states):
        members.setdefault(bisect_right(numbers, state) - 1, []).append(i)
    members.pop(-1, None)
    return dict(sorted(members.items()))


def found_in(blocks: Iterable[tuple[Columns | None, Sequence[int]]], states: Sequence[int]) -> list[Known | None]:
    """What is known of states, from blocks that each come with which of the states must be in them."""
    found: list[Known | None] = [None] * len(states)
    for block, members in blocks:
        if block is None:
            continue
        for i in members:
            at = bisect_left(block.states, states[i])
            if at < len(block.states) and block.states[at] == states[i]:
                found[i] = Known(*block.known(at))
    return found


def require_whole_numbers(game: Game[Any, Any], where: str) -> None:
    """Refuse rules whose states are no numbers: then these are not the rules that the solution was made with."""
    if type(game.initial) is not int:
        raise GameError(f"{game.spec} is kept in {where} by whole numbers, and the states of these rules are none")
