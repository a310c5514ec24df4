"""Positions of a board game in a `.ztb` file: grouped by which cells are taken, a byte a way to colour the stones.

A byte is 0 for a draw. For a win of X's it is one more than the number of cells still empty when the game ends, for one
of O's the negative of that, and -128 stands for what is no position of the game. So a best move leads to a position with
the same byte.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, Any

from zermelo.db.source import Block, Entry, HasBlocks, Known, Plies, Row, Source, find_each
from zermelo.db.tablebase.container import Chunk, Container, Table
from zermelo.solver.games.mnk import MNK
from zermelo.solver.once import once
from zermelo.solver.packed.blocks import (
    UNREACHABLE,
    block_of,
    byte_of,
    outcome,
    place_of,
    rank_of,
    size_of,
    spread,
    state_at,
    states_from,
)

if TYPE_CHECKING:
    from zermelo.solver.packed.many import Bytes, Numbers
    from zermelo.solver.progress import Progress

_CHUNK_SIZE = 1 << 16
_STEP = 5
"""As many bytes say which block of a board of 30 cells comes next."""
_BATCH = 1000
_SMALL = 1 << 14
"""Up to so many positions are all unpacked, once a few of them have been asked for."""
_FEW = 100
_REMEMBERED = 1 << 17
"""At most so many positions are kept in memory."""
_KEPT = 1 << 28
"""Bytes of unpacked chunks that are kept at the most, or two chunks."""
_SPARSE = 64
"""Where at most one place in so many is a position, each is worked out by itself; rows with fewer stay rows."""
_POSITION = re.compile(rb"[^\x80]")


def suit(source: Source, game: MNK) -> bool:
    """Whether blocks are a good way to keep the solution: it has them, or its positions do not get lost in them.

    Of a board on which play soon ends they would be nearly empty, and may have gigabytes.
    """
    from zermelo.solver.packed.estimate import places_of

    return isinstance(source, HasBlocks) or places_of(game) <= _SPARSE * source.facts["positions"]


def blocks_of(source: Source, game: MNK, progress: "Progress | None" = None) -> Iterator[Block]:
    """The blocks of a solution that is stored in whatever way."""
    if isinstance(source, HasBlocks):
        for block in source.blocks():
            yield block
            if progress:
                progress(block[0], 1 << game.board.cells)
        return
    total, cells, found = source.facts["positions"], game.board.cells, dict[int, dict[int, int]]()
    for done, row in enumerate(source.rows()):
        state, code = game.parse(row.board), byte_of(row.value, row.plies or 0, cells, row.ply) & 255
        for image in {symmetry(state) for symmetry in game.symmetries} if source.by_class else (state,):
            taken = (image | image >> 1) & game.board.stones
            if all(symmetry(taken) >= taken for symmetry in game.symmetries):
                occupancy, place = place_of(game, image)
                found.setdefault(occupancy, {})[place] = code
        if progress and done % _BATCH == 0:
            progress(done, total)
    # One block at a time: all of them could be far larger than the rows, whose number a file may say wrongly.
    for occupancy in sorted(found):
        codes = bytearray([UNREACHABLE & 255]) * size_of(occupancy)
        for place, code in found.pop(occupancy).items():
            codes[place] = code
        yield occupancy, bytes(codes)
    if progress:
        progress(total, total)


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

    def __init__(self, container: Container, game: MNK, facts: dict[str, Any]) -> None:
        super().__init__(container, game, facts)
        self.board = game.board
        self._rules = game
        self._stones = self.board.stones
        self.firsts: list[int] = container.firsts
        if not all(type(first) is int for first in self.firsts):
            raise container.damaged("its chunks do not begin with blocks of a board")
        self._length = len(self.board.format(0))
        self.small = facts["positions"] <= _SMALL
        self._entries: dict[int, Entry] = {}
        self.asked = 0
        """How many positions have been asked for so far, so that what only pays for many is not made for a few."""
        cells = self.board.cells
        # A chunk is full with its last block, and a step to a block takes no more bytes than a block has at least.
        self._most = 2 * _CHUNK_SIZE * _STEP + comb(cells, cells // 2)
        self.unpacked = lru_cache(maxsize=max(2, min(32, _KEPT // self._most)))(self._unpack)
        self._block_of = lru_cache(maxsize=4096)(self._find_block)

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
        value, plies = self._outcome(state, code)
        if not plies:
            return Entry(value, plies, None)
        game = self._game
        for action in game.actions(state):
            if code_of(game.result(state, action)) == code:
                return Entry(value, plies, game.format_action(action))
        raise self._container.damaged(f"no move from {game.format(state)} keeps its value")

    def find_many(self, texts: Sequence[str]) -> list[Entry | None]:
        if self.small:
            return [self.find(text) for text in texts]
        return find_each(self, self._game, texts)

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        code_of = self._code_of(len(states))
        order: Iterable[int] = range(len(states))
        if code_of == self._read:
            # In the order of the chunks, so that each is unpacked once.
            order = sorted(order, key=lambda i: self._block_of((states[i] | states[i] >> 1) & self._stones)[3])
        found: list[Known | None] = [None] * len(states)
        for i in order:
            code = code_of(states[i])
            if code is not None:
                found[i] = Known(states[i].bit_count(), *self._outcome(states[i], code))
        return found

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        board_of = self._game.format
        first, last = plies or (0, self.board.cells)
        states: Iterable[int] = (state for state, _ in self._positions() if first <= state.bit_count() <= last)
        if self.facts["positions"] <= _REMEMBERED:
            states = sorted(states, key=board_of)  # as from a database
        for state in states:
            entry = self.probe(state)
            if entry is None:
                raise self.damaged(f"it has no entry of {board_of(state)}")
            yield Row(board_of(state), state.bit_count(), *entry)

    def blocks(self, stones: int | None = None) -> Iterator[Block]:
        """The blocks as they are stored."""
        for number in range(len(self.firsts)):
            places, data = self._unpack(number)
            for occupancy, offset in places.items():
                if stones in (None, occupancy.bit_count()):
                    yield occupancy, data[offset : offset + size_of(occupancy)]

    def block(self, occupancy: int) -> bytes | None:
        """One block as it is stored."""
        number = bisect_right(self.firsts, occupancy) - 1
        places, data = self.unpacked(number) if number >= 0 else ({}, b"")
        offset = places.get(occupancy)
        return None if offset is None else data[offset : offset + size_of(occupancy)]

    def codes(self, taken: "Numbers", of_min: "Numbers") -> "Bytes":
        """The bytes of many positions, given as `many` has them."""
        import numpy as np

        from zermelo.solver.packed.many import places_of

        occupancies, ranks = places_of(self._rules, taken, of_min)
        codes = np.full(len(taken), UNREACHABLE, np.int8)
        chunks = np.searchsorted(self.firsts, occupancies, side="right") - 1
        order = np.argsort(chunks, kind="stable")
        starts = np.flatnonzero(np.diff(chunks[order], prepend=-2))
        for start, end in pairwise([*starts.tolist(), len(order)]):
            members = order[start:end]
            chunk = int(chunks[members[0]])
            if chunk >= 0:
                places, data = self.unpacked(chunk)
                there, offsets = np.array(list(places)), np.array(list(places.values()))
                at = np.searchsorted(there, occupancies[members])
                found = there.take(at, mode="clip") == occupancies[members]
                codes[members[found]] = np.frombuffer(data, np.int8)[offsets[at[found]] + ranks[members[found]]]
        return codes

    def _outcome(self, state: int, code: int) -> tuple[int, int]:
        """Value and plies; a state has as many bits set as it has stones."""
        found = outcome(code, self.board.cells, state.bit_count())
        if found is None or not 0 <= found[1] <= self.board.cells - state.bit_count():
            raise self.damaged(f"the byte of {self._game.format(state)} stands for nothing")
        return found

    def _code_of(self, count: int) -> Callable[[int], int | None]:
        """What tells the byte of a position: a small solution is unpacked, but not for a few."""
        self.asked += count
        return self._codes.get if self.small and self.asked > _FEW else self._read

    @once
    def _codes(self) -> dict[int, int]:
        return dict(self._positions())

    def _positions(self) -> Iterator[tuple[int, int]]:
        """Every position with its byte, and no more of them than the head says: others rely on that."""
        every = (one for number in range(len(self.firsts)) for one in self._expand(number))
        yield from self.no_more(every, self.facts["positions"])

    def _expand(self, number: int) -> Iterator[tuple[int, int]]:
        """Every position that the chunk tells of, its images under the symmetries too, once each."""
        places, data = self.unpacked(number)
        for occupancy, offset in places.items():
            # One symmetry for each different image of the occupancy.
            images = {symmetry(spread(occupancy)): symmetry for symmetry in self._game.symmetries}.values()
            for state, code in _positions_in(occupancy, data[offset : offset + size_of(occupancy)]):
                yield from ((symmetry(state), code) for symmetry in images)

    def _read(self, state: int) -> int | None:
        """The byte of one position, from the chunk that it is in."""
        taken = (state | state >> 1) & self._stones
        symmetry, occupancy, bits, number = self._block_of(taken)
        if number < 0 or (state >> 1 & self._stones).bit_count() != taken.bit_count() // 2:
            return None
        places, data = self.unpacked(number)
        offset = places.get(occupancy)
        if offset is None:
            return None
        code = data[offset + rank_of(symmetry(state), bits)]
        return None if code == UNREACHABLE & 255 else code - 256 if code > 127 else code

    def _find_block(self, taken: int) -> tuple[Callable[[int], int], int, Sequence[int], int]:
        """Where the positions with these cells taken are: the symmetry into their block, its occupancy, O's bits, its chunk."""
        symmetry, occupancy, bits = block_of(self._rules, taken)
        return symmetry, occupancy, bits, bisect_right(self.firsts, occupancy) - 1

    def _unpack(self, number: int) -> tuple[dict[int, int], bytes]:
        """The offset of each occupancy's block in the chunk, and the chunk."""
        cells = self.board.cells
        data = self._container.chunk(number, self._most)
        try:
            count, at = _read_varint(data, 0)
            occupancies: list[int] = []
            for _ in range(count):
                step, at = _read_varint(data, at)
                occupancies.append(step + (occupancies[-1] if occupancies else 0))
                if occupancies[-1] >= 1 << cells or (len(occupancies) > 1 and not step):
                    raise ValueError("a block is not of this board, or comes twice")
        except (IndexError, ValueError) as error:
            raise self._container.damaged(f"its chunk {number} does not say which blocks it holds") from error
        places = {}
        for occupancy in occupancies:
            places[occupancy] = at
            at += size_of(occupancy)
        if at != len(data):
            raise self._container.damaged(f"its chunk {number} has {len(data):,} bytes instead of {at:,}")
        return places, data


def _positions_in(occupancy: int, codes: bytes) -> Iterator[tuple[int, int]]:
    """The positions of a block with their bytes; what is none costs next to nothing, since it packs to nothing."""
    none = codes.count(UNREACHABLE & 255)
    if (len(codes) - none) * _SPARSE < len(codes):
        for found in _POSITION.finditer(codes):
            code = codes[found.start()]
            yield state_at(occupancy, found.start()), code - 256 if code > 127 else code
        return
    for state, code in zip(states_from(occupancy), codes, strict=True):
        if code != UNREACHABLE & 255:
            yield state, code - 256 if code > 127 else code


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
        if shift > 63:
            raise ValueError("a number is larger than any can be")
        number |= (data[at] & 127) << shift
        shift += 7
        at += 1
    return number | data[at] << shift, at + 1


_DIGITS = str.maketrans(".XO", "012", "/")
