"""Many positions at once from a tablebase: an array of texts in, an array of entries out. Only this needs NumPy."""

from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, Any

from db.tablebase.boards import IMPOSSIBLE, BoardTable
from solver.errors import MissingPackageError, PositionError

if TYPE_CHECKING:
    from db.tablebase import Tablebase

try:
    import numpy as np
except ModuleNotFoundError as missing:
    raise MissingPackageError("probe_many needs NumPy: install it with `pip install zermelo[fast]`") from missing

Array = np.ndarray[Any, Any]

_DENSE_CELLS = 12  # a table of half a million entries
_AT_ONCE = 1 << 14  # positions whose intermediate numbers stay in the processor's cache
_CHARACTERS = 128
_BAD = 1 << 62  # set in the number of a text that is no board
_SECOND = 32  # where O's stones start in it; the taken cells are below


def probe_many(tablebase: "Tablebase", positions: Array) -> Array:
    """The entries of `positions`, an array of texts; see `Tablebase.probe_many`."""
    texts = np.asarray(positions)
    if texts.dtype.kind not in "US":
        raise PositionError(
            f"an array of {texts.dtype} holds no positions: give one of texts, such as numpy.array(['X.O/.X./..O'])"
        )
    source = tablebase.source
    flat = np.ascontiguousarray(texts).reshape(-1)
    if not isinstance(source, BoardTable) or not len(flat):
        entries = _one_by_one(tablebase, flat)
    elif source.board.cells <= _DENSE_CELLS and source.asked + len(flat) >= source.facts["positions"]:
        entries = _from_table(flat, *_dense(source))
    else:
        source.asked += len(flat)
        numbers = _numbers(flat, *_bit_shares(source), np.bitwise_or)
        entries = _from_blocks(source, numbers & 0x3FFFFFFF, numbers >> _SECOND, numbers >= _BAD)
    return entries.reshape(texts.shape)


def _numbers(texts: Array, shares: Array, bad: int, join: Any) -> Array:
    """What each text's characters come to, each character having its share in the number at its place."""
    characters = texts.view(np.uint8 if texts.dtype.kind == "S" else np.uint32).reshape(len(texts), -1)
    width = len(shares)
    numbers = np.empty(len(texts), shares.dtype)
    for first in range(0, len(texts), _AT_ONCE):
        part = characters[first : first + _AT_ONCE]
        if part.shape[1] < width:
            part = np.pad(part, ((0, 0), (0, width - part.shape[1])))
        number = shares[0].take(part[:, 0], mode="clip")
        for column in range(1, width):
            join(number, shares[column].take(part[:, column], mode="clip"), out=number)
        for column in range(width, part.shape[1]):
            number[part[:, column] != 0] = bad
        numbers[first : first + _AT_ONCE] = number
    return numbers


def _from_table(texts: Array, table: Array, shares: Array) -> Array:
    """The entries that stand in the table at the texts' numbers; its last is that of no position."""
    unknown = len(table) - 1
    numbers = _numbers(texts, shares, unknown, np.add)
    return table.take(np.minimum(numbers, unknown, out=numbers), mode="clip")


@lru_cache(maxsize=4)
def _dense(source: BoardTable) -> tuple[Array, Array]:
    """The entry of every board in the order of their numbers in base 3, and each character's share of the number."""
    cells = source.board.cells
    unknown = 3**cells
    shares = _shares(source, unknown, lambda cell: (0, 3**cell, 2 * 3**cell)).astype(np.int32)
    numbers = np.arange(unknown + 1)
    taken, second = np.zeros_like(numbers), np.zeros_like(numbers)
    for cell in range(cells):
        digit = numbers // 3**cell % 3
        taken |= (digit > 0).astype(np.int64) << cell
        second |= (digit == 2).astype(np.int64) << cell
    return _from_blocks(source, taken, second, numbers == unknown), shares


def _bit_shares(source: BoardTable) -> tuple[Array, int]:
    return _shares(source, _BAD, lambda cell: (0, 1 << cell, 1 << cell | 1 << cell + _SECOND)), _BAD


def _shares(source: BoardTable, bad: int, of_cell: Any) -> Array:
    """A row for each place in a board's text, with the share of every character there; `bad` is that of wrong ones."""
    blank = source.board.format(0)
    shares = np.full((len(blank), _CHARACTERS), bad, np.int64)
    cell = 0
    for place, character in enumerate(blank):
        if character == "/":
            shares[place, ord("/")] = 0
        else:
            shares[place, [ord(mark) for mark in ".XO"]] = of_cell(cell)
            cell += 1
    return shares


def _from_blocks(source: BoardTable, taken: Array, second: Array, bad: Array) -> Array:
    """The entries of boards too large for a table, from their taken cells and those of O's stones."""
    board = source.board
    entries = _unknown(len(taken), len(board.name_of(board.cells - 1)))
    second = second & 0x3FFFFFFF
    stones, of_second = _count(taken), _count(second)
    codes = np.full(len(taken), IMPOSSIBLE, np.int16)
    possible = np.flatnonzero(~bad & (of_second == stones // 2))
    codes[possible] = _codes(source, taken[possible], second[possible])

    known = np.flatnonzero(codes != IMPOSSIBLE)
    left = board.cells - stones
    entries["known"][known] = True
    entries["value"][known] = np.sign(codes[known])
    entries["plies"][known] = np.where(codes == 0, left, left + 1 - np.abs(codes))[known]

    # The best move is the first after which the byte is the same; fewer and fewer are still without one.
    open_ = known[entries["plies"][known] > 0]
    falling = source.facts["game"].startswith("connect")
    width = board.width
    cells = range(board.cells)
    for cell in sorted(cells, key=lambda cell: cell % width) if falling else cells:
        legal = taken[open_] >> cell & 1 == 0
        if falling and cell + width < board.cells:
            legal &= taken[open_] >> cell + width & 1 == 1
        tried = open_[legal]
        bits = np.where(stones[tried] % 2 == 1, 1 << cell, 0)
        same = _codes(source, taken[tried] | 1 << cell, second[tried] | bits) == codes[tried]
        entries["best_move"][tried[same]] = board.name_of(cell)
        open_ = open_[entries["best_move"][open_] == ""]
    return entries


def _codes(source: BoardTable, taken: Array, second: Array) -> Array:
    """The bytes of boards, -128 for what is no position."""
    smallest, of_second = taken, second
    for table in _symmetry_tables(source):
        image = _permuted(table, taken)
        better = image < smallest
        smallest = np.where(better, image, smallest)
        of_second = np.where(better, _permuted(table, second), of_second)

    cells = source.board.cells
    choose = _binomials(cells)
    rank, index, chosen = (np.zeros(len(taken), np.int64) for _ in range(3))
    for cell in range(cells):
        own = of_second >> cell & 1
        chosen += own
        rank += own * choose[index, chosen]
        index += smallest >> cell & 1

    codes = np.full(len(taken), IMPOSSIBLE, np.int16)
    chunks = np.searchsorted(source.firsts, smallest, side="right") - 1
    order = np.argsort(chunks, kind="stable")
    starts = np.flatnonzero(np.diff(chunks[order], prepend=-2))
    for start, end in pairwise([*starts.tolist(), len(order)]):
        members = order[start:end]
        chunk = int(chunks[members[0]])
        if chunk >= 0:
            occupancies, offsets, data = _chunk(source, chunk)
            at = np.searchsorted(occupancies, smallest[members])
            there = occupancies.take(at, mode="clip") == smallest[members]
            codes[members[there]] = data[offsets[at[there]] + rank[members[there]]]
    return codes


@lru_cache(maxsize=4)
def _binomials(cells: int) -> Array:
    return np.array([[comb(n, k) for k in range(cells + 2)] for n in range(cells + 1)])


@lru_cache(maxsize=64)
def _chunk(source: BoardTable, number: int) -> tuple[Array, Array, Array]:
    """A chunk's occupancies, where the block of each starts, and all bytes."""
    places, data = source.unpacked(number)
    return np.array(list(places)), np.array(list(places.values())), np.frombuffer(data, np.int8)


@lru_cache(maxsize=4)
def _symmetry_tables(source: BoardTable) -> list[Array]:
    """For each symmetry but the identity where eight cells at a time go to: tables of the images of their 256 fillings."""
    tables = []
    for target in source.cell_maps():
        if target == sorted(target):
            continue
        table = np.zeros((-(-len(target) // 8), 256), np.int64)
        for cell, to in enumerate(target):
            filled = np.arange(256) >> cell % 8 & 1
            table[cell // 8] |= filled << to
        tables.append(table)
    return tables


def _permuted(table: Array, cells: Array) -> Array:
    image: Array = table[0].take(cells & 255)
    for eight in range(1, len(table)):
        image |= table[eight].take(cells >> 8 * eight & 255)
    return image


def _count(bits: Array) -> Array:
    """How many bits are set, for up to 32 of them."""
    bits = bits - (bits >> 1 & 0x55555555)
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    count: Array = ((bits + (bits >> 4) & 0x0F0F0F0F) * 0x01010101 >> 24) & 0xFF
    return count


def _one_by_one(tablebase: "Tablebase", texts: Array) -> Array:
    found = [tablebase.get(text.decode("ascii", "replace") if isinstance(text, bytes) else str(text)) for text in texts]
    entries = _unknown(len(texts), max((len(entry.best_move or "") for entry in found if entry), default=1))
    for i, entry in enumerate(found):
        if entry is not None:
            entries[i] = (True, entry.value, entry.plies, entry.best_move or "")
    return entries


def _unknown(length: int, move_length: int) -> Array:
    dtype = np.dtype([("known", "?"), ("value", "i4"), ("plies", "i4"), ("best_move", f"U{max(move_length, 1)}")])
    entries = np.zeros(length, dtype)
    entries["value"] = np.iinfo(np.int32).min
    entries["plies"] = -1
    return entries
