"""Many positions at once: an array of texts in, an array of entries out. Only this needs NumPy to answer."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zermelo.db.source import HasBlocks, Source
from zermelo.solver.errors import IncompleteSolutionError, MissingPackageError, PositionError
from zermelo.solver.games.mnk import MNK

if TYPE_CHECKING:
    from zermelo.db.query import Solution

try:
    import numpy as np
except ModuleNotFoundError as missing:
    raise MissingPackageError(
        "probe_many needs the Python package numpy, of the extra 'fast'", package="numpy", extra="fast"
    ) from missing

from zermelo.solver.packed import knows
from zermelo.solver.packed.blocks import UNREACHABLE, spread
from zermelo.solver.packed.many import best_cells, outcomes

Array = np.ndarray[Any, Any]

_DENSE_CELLS = 12  # a table of half a million entries
_AT_ONCE = 1 << 14  # positions whose intermediate numbers stay in the processor's cache
_CHARACTERS = 128
_BAD = 1 << 62  # set in the number of a text that is no board
_SECOND = 32  # where O's stones start in it; the taken cells are below
_CELLS = (1 << 30) - 1


def probe_many(solution: "Solution", positions: Array) -> Array:
    """The entries of `positions`, an array of texts; see `Solution.probe_many`."""
    texts = np.asarray(positions)
    if texts.dtype.kind not in "US":
        raise PositionError(
            f"an array of {texts.dtype} holds no positions: give one of texts, such as numpy.array(['X.O/.X./..O'])"
        )
    source, game = solution.source, solution.game
    flat = np.ascontiguousarray(texts).reshape(-1)
    if not isinstance(source, HasBlocks) or not knows(game) or not len(flat):
        entries = _from_texts(source, flat)
    elif game.board.cells <= _DENSE_CELLS and source.asked + len(flat) >= source.facts["positions"]:
        entries = _from_table(flat, *_dense(source, game))
    else:
        source.asked += len(flat)
        numbers = _numbers(flat, *_bit_shares(game), np.bitwise_or)
        entries = _from_blocks(source, game, numbers & _CELLS, numbers >> _SECOND & _CELLS, numbers >= _BAD)
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
def _dense(source: HasBlocks, game: MNK) -> tuple[Array, Array]:
    """The entry of every board in the order of their numbers in base 3, and each character's share of the number."""
    cells = game.board.cells
    unknown = 3**cells
    shares = _shares(game, unknown, lambda cell: (0, 3**cell, 2 * 3**cell)).astype(np.int32)
    numbers = np.arange(unknown + 1)
    taken, second = np.zeros_like(numbers), np.zeros_like(numbers)
    for cell in range(cells):
        digit = numbers // 3**cell % 3
        taken |= (digit > 0).astype(np.int64) << cell
        second |= (digit == 2).astype(np.int64) << cell
    return _from_blocks(source, game, taken, second, numbers == unknown), shares


def _bit_shares(game: MNK) -> tuple[Array, int]:
    return _shares(game, _BAD, lambda cell: (0, 1 << cell, 1 << cell | 1 << cell + _SECOND)), _BAD


def _shares(game: MNK, bad: int, of_cell: Any) -> Array:
    """A row for each place in a board's text, with the share of every character there; `bad` is that of wrong ones."""
    blank = game.board.format(0)
    shares = np.full((len(blank), _CHARACTERS), bad, np.int64)
    cell = 0
    for place, character in enumerate(blank):
        if character == "/":
            shares[place, ord("/")] = 0
        else:
            shares[place, [ord(mark) for mark in ".XO"]] = of_cell(cell)
            cell += 1
    return shares


def _from_blocks(source: HasBlocks, game: MNK, taken: Array, second: Array, bad: Array) -> Array:
    """The entries of boards, from their taken cells and those of O's stones."""
    board = game.board
    entries = _unknown(len(taken), len(board.name_of(board.cells - 1)))
    stones = np.bitwise_count(taken).astype(np.int64)
    codes = np.full(len(taken), UNREACHABLE, np.int8)
    possible = np.flatnonzero(~bad & (np.bitwise_count(second) == stones // 2))
    codes[possible] = source.codes(taken[possible], second[possible])

    known = np.flatnonzero(codes != UNREACHABLE)
    entries["known"][known] = True
    entries["value"][known], entries["plies"][known] = outcomes(codes[known], board.cells, stones[known])

    unfinished = known[entries["plies"][known] > 0]
    best = best_cells(game, taken[unfinished], second[unfinished], codes[unfinished], source.codes)
    if (best < 0).any():
        first = unfinished[best < 0][0]
        of_o = int(second[first])
        position = board.format(spread(int(taken[first]) ^ of_o) | spread(of_o) << 1)
        raise IncompleteSolutionError(
            f"in the solution of {game.spec} no move from {position!r} keeps its value",
            game=game.spec,
            position=position,
        )
    names = np.array([board.name_of(cell) for cell in range(board.cells)])
    entries["best_move"][unfinished] = names[best]
    return entries


def _from_texts(source: Source, texts: Array) -> Array:
    found = source.find_many(
        [text.decode("ascii", "replace") if isinstance(text, bytes) else str(text) for text in texts]
    )
    entries = _unknown(len(texts), max((len(entry.best_move or "") for entry in found if entry), default=1))
    for i, entry in enumerate(found):
        if entry is not None:
            entries[i] = (True, entry.value, -1 if entry.plies is None else entry.plies, entry.best_move or "")
    return entries


def _unknown(length: int, move_length: int) -> Array:
    dtype = np.dtype([("known", "?"), ("value", "i4"), ("plies", "i4"), ("best_move", f"U{max(move_length, 1)}")])
    entries = np.zeros(length, dtype)
    entries["value"] = np.iinfo(np.int32).min
    entries["plies"] = -1
    return entries
