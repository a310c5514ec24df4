"""The states of a game of whole numbers out of their blocks, for the proof; `solver.compiled.blocks` says how they lie there."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.db.keyed import Keyed
from zermelo.db.proof import report as words
from zermelo.db.proof.keyed_kernels import ENDLESS, NEVER, OVER, Found, Table, first_of_class
from zermelo.db.proof.report import Report, in_plies
from zermelo.solver.compiled.agreement import require_agreement
from zermelo.solver.compiled.blocks import MOST
from zermelo.solver.compiled.engine import expander_of
from zermelo.solver.compiled.expansion import Expander
from zermelo.solver.game import Game
from zermelo.solver.images import are_lowest
from zermelo.solver.progress import Progress

NEED = 44
"""Bytes that the proof takes for each position, at the most."""
_LARGEST = 2**31 - 2
"""Values and plies have 32 bits."""
_SAMPLE = 10_000


def rules_of(game: Game[Any, Any]) -> Expander:
    """The game's own verbs, compiled, once they have been held to the plain ones at the start."""
    expander = expander_of(game)
    require_agreement(expander, [game.initial])
    return expander


class Stored(NamedTuple):
    """All that is stored of the positions."""

    table: Table
    firsts: NDArray[np.int64]
    """Where each block begins."""
    digest: str

    def is_first(self, game: Game[Any, Any]) -> NDArray[np.bool_]:
        """Which states are the lowest of their class."""
        states, symmetries = self.table.states, game.symmetries
        found = np.ones(len(states), np.bool_)
        if len(symmetries) == 1:
            return found
        images = _images(symmetries)
        sample = states[:: max(1, len(states) // _SAMPLE)]
        # Most symmetries take each bit to a place of its own. Then the classes have all states together.
        if _agree(symmetries, images, sample) and first_of_class(states, images, found) == len(states):
            return found
        return are_lowest(symmetries, states)


def load(report: Report, source: Keyed, progress: Progress | None) -> Stored | None:
    """Everything that is stored, or None once the report says why it cannot be right."""
    total = source.facts["positions"]
    states = np.empty(total, np.int64)
    values, plies, ply = (np.empty(total, np.int32) for _ in range(3))
    firsts, done, last = [], 0, -1
    digest = hashlib.sha256()
    for number, data in source.packed_blocks():
        try:
            block = columns_of(number, data)
        except ValueError as error:
            raise source.damaged(f"block {number} is not as it was written: {error}") from None
        count = len(block.states)
        if block.states[0] <= last:
            report.fault(f"block {number}: its states are not above those of the block before it")
            return None
        if done + count > total:
            report.fault(f"more positions are stored than the {total:,} that are counted")
            return None
        here = slice(done, done + count)
        states[here], values[here], plies[here], ply[here] = block
        firsts.append(done)
        digest.update(_records(block))
        done, last = done + count, int(block.states[-1])
        if progress:
            progress(done, total, "reading")
    if not done:
        report.fault("no position is stored")
        return None
    columns = (column[:done] for column in (states, values, plies, ply))
    return Stored(table_of(*columns), np.array(firsts, np.int64), digest.hexdigest())


class Block(NamedTuple):
    """The columns of a block; plies are -1 where play need not end."""

    states: NDArray[np.int64]
    values: NDArray[np.int64]
    plies: NDArray[np.int64]
    ply: NDArray[np.int64]


def columns_of(number: int, data: bytes) -> Block:
    """The block with this number; raises ValueError where the bytes are not those of one.

    >>> [column.tolist() for column in columns_of(40, bytes([2, 0, 0, 0, 1, 1, 1, 1, 0, 7, 2, 1, 4, 0, 2, 3]))]
    [[40, 47], [1, -1], [3, -1], [2, 3]]
    """
    head = np.frombuffer(data[:8], np.uint8)
    if len(head) < 8 or not ((head[4:] >= 1) & (head[4:] <= 8)).all():
        raise ValueError("it has no head")
    count = int.from_bytes(data[:4], "little")
    widths = head[4:].tolist()
    if not 0 < count <= MOST or len(data) != 8 + count * sum(widths):
        raise ValueError("it has another length than its head says")
    columns, at = [], 8
    for width in widths:
        planes = np.frombuffer(data, np.uint8, count * width, at).reshape(width, count)
        columns.append(sum(planes[plane].astype(np.uint64) << np.uint64(8 * plane) for plane in range(width)))
        at += count * width
    steps, values, plies, ply = columns
    states = np.cumsum(steps, dtype=np.uint64) + np.uint64(number)
    if steps[0] or not steps[1:].all() or states.max() >= 2**63 or (np.diff(states.astype(np.int64)) <= 0).any():
        raise ValueError("its states do not ascend")
    if max(int(column.max()) for column in (values // np.uint64(2), plies, ply)) > _LARGEST:
        raise ValueError("it has a number that is too large")
    half = (values + np.uint64(1) >> np.uint64(1)).astype(np.int64)
    signed = np.where(values % np.uint64(2) == 1, -half, half)
    return Block(states.astype(np.int64), signed, plies.astype(np.int64) - 1, ply.astype(np.int64))


def _records(block: Block) -> Any:
    """What the digest is made of: state, value, and plies and one more, as numbers of 8, 4 and 4 bytes."""
    records = np.empty(len(block.states), [("state", "<i8"), ("value", "<i4"), ("plies", "<u4")])
    records["state"], records["value"], records["plies"] = block.states, block.values, block.plies + 1
    return records.data


def table_of(
    states: NDArray[np.int64], values: NDArray[np.int32], plies: NDArray[np.int32], ply: NDArray[np.int32]
) -> Table:
    """What is stored, with where to begin to look for a state."""
    low, high = int(states[0]), int(states[-1])
    shift = max(0, (high - low).bit_length() - max(1, len(states).bit_length() - 2))
    buckets = np.arange((high - low >> shift) + 1, dtype=np.int64)
    starts = np.append(states.searchsorted(buckets * (1 << shift) + low), len(states))
    return Table(states, values, plies, ply, low, shift, starts)


def _images(symmetries: Sequence[Callable[[int], int]]) -> NDArray[np.int64]:
    """For each symmetry and byte of a state, where its bits go; -1 where the symmetry says nothing."""
    images = np.zeros((len(symmetries), 8, 256), np.int64)
    for number, turn in enumerate(symmetries):
        for byte in range(8):
            for bits in range(256 if byte < 7 else 128):
                try:
                    images[number, byte, bits] = turn(bits << 8 * byte)
                except Exception:
                    images[number, byte, bits] = -1
    return images


def _agree(symmetries: Sequence[Callable[[int], int]], images: NDArray[np.int64], states: NDArray[np.int64]) -> bool:
    """Whether the images are those that the symmetries make of the states."""
    for number, turn in enumerate(symmetries):
        moved = np.zeros_like(states)
        for byte in range(8):
            moved |= images[number, byte][states >> 8 * byte & 255]
        if moved.tolist() != [turn(state) for state in states.tolist()]:
            return False
    return True


def board_of(game: Game[Any, Any], state: int) -> str:
    """A state as the game writes it, if it is one that the rules know."""
    try:
        return game.format(state)
    except Exception:
        return f"state {state}"


def plies_of(left: int) -> int | None:
    """Plies as they are told of, None where play need not end."""
    return None if left == ENDLESS else words.NEVER if left == NEVER else left


def told(game: Game[Any, Any], table: Table, found: Found, ply: int, at: int, value: int, plies: int) -> str:
    """What is wrong with what is stored of a position."""
    board = board_of(game, int(table.states[at]))
    if table.ply[at] != ply:
        return f"{board}: stored is ply {table.ply[at]}; play reaches it at {ply}"
    stored, right = (int(table.values[at]), int(table.plies[at])), (value, plies)
    kept, wanted = (f"value {one} {in_plies(plies_of(left))}" for one, left in (stored, right))
    why = "the rules give" if found.kinds[at] >= OVER else "its successors give"
    return f"{board}: stored is {kept}; {why} {wanted}"
