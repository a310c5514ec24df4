"""Positions of a board game in a `.ztb` file: grouped by which cells are taken, a byte a way to colour the stones.

A byte is 0 for a draw. For a win of X's it is one more than the number of cells still empty when the game ends, for one
of O's the negative of that, and -128 stands for what is no position of the game. So a best move leads to a position with
the same byte.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

from db.source import Block, Entry, HasBlocks, Known, Plies, Row, Source
from db.tablebase.container import Chunk, Container, Table
from solver.board import Board
from solver.errors import GameError
from solver.game import Game

if TYPE_CHECKING:
    from solver.exhaustive import Progress

FAMILIES = ("mnk", "connect")
"""The games stored so: stones stay where they are put, X begins, and only a full board is a draw."""
IMPOSSIBLE = -128
_CHUNK_SIZE = 1 << 16
_BATCH = 1000
_SMALL = 1 << 14
"""Up to so many positions are all unpacked, once a few of them have been asked for."""
_FEW = 100
_REMEMBERED = 1 << 17
"""At most so many positions are kept in memory."""


def blocks_of(source: Source, game: Game[Any, Any], progress: "Progress | None" = None) -> Iterator[Block]:
    """The blocks of a solution that is stored in whatever way."""
    board: Board = game.board  # type: ignore[attr-defined]
    if isinstance(source, HasBlocks):
        for block in source.blocks():
            yield block
            if progress:
                progress(block[0], 1 << board.cells)
        return
    for occupancy in range(1 << board.cells):
        spread = _spread(occupancy)
        if any(symmetry(spread) < spread for symmetry in game.symmetries):
            continue
        states = [spread + colouring for colouring in _colourings(spread)]
        codes: list[int] = []
        for first in range(0, len(states), _BATCH):
            known = source.lookup(states[first : first + _BATCH])
            codes += [_encode(one, board.cells, game.spec) for one in known]
        if any(code != IMPOSSIBLE for code in codes):
            yield occupancy, bytes([code & 255 for code in codes])
        if progress:
            progress(occupancy, 1 << board.cells)
    if progress:
        progress(1 << board.cells, 1 << board.cells)


def _encode(known: Known | None, cells: int, game: str) -> int:
    if known is None:
        return IMPOSSIBLE
    left = cells - known.ply - known.plies
    if (known.value == 0 and left == 0) or (known.value in (1, -1) and left >= 0):
        return known.value * (left + 1)
    raise GameError(f"a position of {game} has the value {known.value} in {known.plies} plies: no byte stands for that")


def pack(blocks: Iterable[Block]) -> Iterator[Chunk]:
    """Chunks of neighbouring blocks: how many, the steps from each occupancy to the next, and the bytes."""
    pending: list[Block] = []
    size = 0
    for block in blocks:
        pending.append(block)
        size += len(block[1])
        if size >= _CHUNK_SIZE:
            yield _chunk(pending)
            pending, size = [], 0
    if pending:
        yield _chunk(pending)


def _chunk(blocks: Sequence[Block]) -> Chunk:
    before = 0
    directory = bytearray(_varint(len(blocks)))
    for occupancy, _ in blocks:
        directory += _varint(occupancy - before)
        before = occupancy
    return Chunk(blocks[0][0], bytes(directory) + b"".join(data for _, data in blocks))


class BoardTable(Table):
    """Reads positions of a board game from a `.ztb` file; see `Source`."""

    by_class = False

    def __init__(self, container: Container, game: Game[Any, Any], facts: dict[str, Any]) -> None:
        super().__init__(container, game, facts)
        self.board: Board = game.board  # type: ignore[attr-defined]
        self._stones = self.board.stones
        self.firsts: list[int] = container.firsts
        self._length = len(self.board.format(0))
        self.small = facts["positions"] <= _SMALL
        self._entries: dict[int, Entry] = {}
        self.asked = 0
        """How many positions have been asked for so far, so that what only pays for many is not made for a few."""
        self.unpacked = lru_cache(maxsize=32)(self._unpack)
        self._placed = lru_cache(maxsize=4096)(self._place)

    def find(self, text: str) -> Entry | None:
        """The entry of the position written exactly so, None if there is none or it is written otherwise."""
        if len(text) != self._length:
            return None
        try:
            state = int(text[::-1].translate(_DIGITS), 4)
        except ValueError:
            return None
        return self.probe(state) if self.board.format(state) == text else None

    def probe(self, state: Any) -> Entry | None:
        entry = self._entries.get(state)
        if entry is None:
            entry = self._work_out(state)
            if entry is not None and len(self._entries) < _REMEMBERED:
                self._entries[state] = entry
        return entry

    def _work_out(self, state: int) -> Entry | None:
        code_of = self._code_of(1)
        code = code_of(state)
        if code is None:
            return None
        value, plies = self._decode(state, code)
        if not plies:
            return Entry(value, plies, None)
        game = self._game
        for action in game.actions(state):
            if code_of(game.result(state, action)) == code:
                return Entry(value, plies, game.format_action(action))
        raise self._container.damaged(f"no move from {game.format(state)} keeps its value")

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        code_of = self._code_of(len(states))
        found: list[Known | None] = []
        for state in states:
            code = code_of(state)
            found.append(None if code is None else Known(state.bit_count(), *self._decode(state, code)))
        return found

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        board_of = self._game.format
        first, last = plies or (0, self.board.cells)
        states: Iterable[int] = (
            state
            for chunk in range(len(self.firsts))
            for state, _ in self._expand(chunk)
            if first <= state.bit_count() <= last
        )
        if self.facts["positions"] <= _REMEMBERED:
            states = sorted(states, key=board_of)  # as from a database
        for state in states:
            entry = self.probe(state)
            assert entry is not None
            yield Row(board_of(state), state.bit_count(), *entry)

    def blocks(self, stones: int | None = None) -> Iterator[Block]:
        """The blocks as they are stored."""
        for number in range(len(self.firsts)):
            places, data = self._unpack(number)
            for occupancy, offset in places.items():
                taken = occupancy.bit_count()
                if stones in (None, taken):
                    yield occupancy, data[offset : offset + comb(taken, taken // 2)]

    def _decode(self, state: int, code: int) -> tuple[int, int]:
        """Value and plies; a state has as many bits set as it has stones."""
        left = self.board.cells - state.bit_count()
        return (code > 0) - (code < 0), left if not code else left + 1 - abs(code)

    def _code_of(self, count: int) -> Callable[[int], int | None]:
        """What tells the byte of a position: a small solution is unpacked, but not for a few."""
        self.asked += count
        return self._codes.get if self.small and self.asked > _FEW else self._read

    @cached_property
    def _codes(self) -> dict[int, int]:
        return {state: code for number in range(len(self.firsts)) for state, code in self._expand(number)}

    def _expand(self, number: int) -> Iterator[tuple[int, int]]:
        """Every position that the chunk tells of, its images under the symmetries too, once each."""
        places, data = self.unpacked(number)
        for occupancy, offset in places.items():
            spread = _spread(occupancy)
            states = [spread + colouring for colouring in _colourings(spread)]
            codes = [code - 256 if code > 127 else code for code in data[offset : offset + len(states)]]
            # One symmetry for each different image of the occupancy.
            for symmetry in {symmetry(spread): symmetry for symmetry in self._game.symmetries}.values():
                yield from (
                    (symmetry(state), code) for state, code in zip(states, codes, strict=True) if code != IMPOSSIBLE
                )

    def _read(self, state: int) -> int | None:
        """The byte of one position, from the chunk that it is in."""
        place = self._placed((state | state >> 1) & self._stones)
        if place is None:
            return None
        symmetry, number, offset, bits = place
        second = symmetry(state) >> 1
        rank = chosen = 0
        for index, bit in enumerate(bits):
            if second & bit:
                chosen += 1
                rank += comb(index, chosen)
        if chosen != len(bits) // 2:
            return None
        code = self.unpacked(number)[1][offset + rank]
        return None if code == IMPOSSIBLE & 255 else code - 256 if code > 127 else code

    def _place(self, spread: int) -> tuple[Any, int, int, list[int]] | None:
        """Where the block for an occupancy is, the symmetry that leads to it, and the stones' bits there."""
        image, symmetry = min(
            ((symmetry(spread), symmetry) for symmetry in self._game.symmetries), key=lambda it: it[0]
        )
        occupancy = int(f"{image:b}"[::-2][::-1], 2)
        number = bisect_right(self.firsts, occupancy) - 1
        offset = self.unpacked(number)[0].get(occupancy) if number >= 0 else None
        return None if offset is None else (symmetry, number, offset, _bits(image))

    def cell_maps(self) -> list[list[int]]:
        """Where each symmetry takes each cell."""
        cells = range(self.board.cells)
        return [
            [(symmetry(1 << 2 * cell).bit_length() - 1) // 2 for cell in cells] for symmetry in self._game.symmetries
        ]

    def _unpack(self, number: int) -> tuple[dict[int, int], bytes]:
        """The offset of each occupancy's block in the chunk, and the chunk."""
        data = self._container.chunk(number)
        count, at = _read_varint(data, 0)
        occupancies = []
        occupancy = 0
        for _ in range(count):
            step, at = _read_varint(data, at)
            occupancy += step
            occupancies.append(occupancy)
        places = {}
        for occupancy in occupancies:
            places[occupancy] = at
            stones = occupancy.bit_count()
            at += comb(stones, stones // 2)
        return places, data


def _spread(occupancy: int) -> int:
    """The state with a stone of X in each taken cell: a cell has one bit in an occupancy and two in a state."""
    return int(f"{occupancy:b}", 4)


def _bits(spread: int) -> list[int]:
    return [1 << shift for shift in range(0, spread.bit_length(), 2) if spread >> shift & 1]


def _colourings(spread: int) -> list[int]:
    """What turns O's share of the stones from X's into O's, in the order of the bytes: colexicographic."""
    bits = _bits(spread)
    return sorted(map(sum, combinations(bits, len(bits) // 2)))


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while data[at] > 127:
        number |= (data[at] & 127) << shift
        shift += 7
        at += 1
    return number | data[at] << shift, at + 1


_DIGITS = str.maketrans(".XO", "012", "/")
