"""Going through whole blocks, compiled: every position of some sets of taken cells, and what its moves come to.

The bytes of a layer's blocks and of the next layer's are all that is needed; see `blocks` for what they say. A set of taken
cells need not stand for its class: its positions are then looked up under a symmetry, as `kernels` looks up children.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.games.mnk import MNK
from zermelo.solver.kernel import kernel
from zermelo.solver.packed.blocks import UNREACHABLE
from zermelo.solver.packed.cells import ONE, Array, bit_in, half_images, image, place_in, representative, stones_of
from zermelo.solver.packed.kernels import is_open
from zermelo.solver.packed.tables import Order, Rules


class Pool(NamedTuple):
    """Blocks of one layer: their occupancies in ascending order, and their bytes one after the other."""

    occupancies: Array
    values: Array


class Swept(NamedTuple):
    """Positions in the order of their taken cells and colourings, those that cannot occur among them."""

    states: Array
    codes: Array
    """The positions' bytes."""
    over: Array
    optimal: Array
    """The cells of the best moves, a bit each."""
    moves: Array
    holding: Array
    """Moves that keep the value, as long as the side to move has not lost."""
    losing: Array
    """Moves after which the side to move has lost."""
    wrong: Array
    """Whether the byte does not follow from the rules and the bytes of the positions after it."""


def sweep(
    taken: NDArray[np.uint32],
    halves: tuple[int, int],
    rules: Rules,
    order: Order,
    below: Order,
    own: Pool,
    children: Pool,
) -> Swept:
    """What the moves come to from the positions with these cells taken, all in one layer.

    Of the colourings those are looked at whose high half is in the range `halves`.
    """
    size = len(taken) * int(order.high_start[halves[1]] - order.high_start[halves[0]])
    kinds = (np.int64, np.int8, np.bool_, np.uint32, np.int32, np.int32, np.int32, np.bool_)
    swept = Swept(*(np.zeros(size, kind) for kind in kinds))
    _sweep(taken, *halves, rules, order, below, own, children, swept)
    return swept


@kernel
def _sweep(
    taken: Array, first: int, last: int, rules: Rules, order: Order, below: Order, own: Pool, children: Pool, out: Swept
) -> None:
    stones = np.empty(rules.cells, np.int64)
    bits = np.empty(rules.cells, np.uint32)
    low = np.empty(len(order.low), np.uint32)
    high = np.empty(len(order.high_ones), np.uint32)
    codes = np.empty(order.high_start[last] - order.high_start[first], np.int8)
    of_max = order.stones % 2 == 0
    sign = 1 if of_max else -1
    for index in range(len(taken)):
        cells = taken[index]
        begin, end = index * len(codes), (index + 1) * len(codes)
        stones_of(cells, rules.cells, stones)
        for stone in range(order.stones):
            bits[stone] = ONE << np.uint32(stones[stone])
        half_images(bits, np.uint32(0), order, low, high)
        _put_states(cells, low, high, order, first, last, out.states[begin:end])
        _fetch(cells, -1, stones, rules, order, order, own, first, last, bits, low, high, out.codes[begin:end])
        _mark_ends(cells, rules, order, begin, end, out)
        for cell in range(rules.cells):
            if not is_open(cells, cell, rules):
                continue
            _fetch(cells, cell, stones, rules, order, below, children, first, last, bits, low, high, codes)
            for i in range(len(codes)):
                here = out.codes[begin + i]
                if here == UNREACHABLE or out.over[begin + i]:
                    continue
                code = codes[i]
                out.moves[begin + i] += 1
                if code == here:
                    out.optimal[begin + i] |= ONE << np.uint32(cell)
                elif code == UNREACHABLE or (code > here) == of_max:
                    out.wrong[begin + i] = True
                if code * sign < 0:
                    out.losing[begin + i] += 1
                elif here * sign >= 0 and np.sign(code) == np.sign(here):
                    out.holding[begin + i] += 1
        for i in range(begin, end):
            if out.codes[i] != UNREACHABLE and not out.over[i] and out.optimal[i] == 0:
                out.wrong[i] = True


@kernel
def _fetch(
    taken: Any,
    cell: int,
    stones: Array,
    rules: Rules,
    order: Order,
    below: Order,
    pool: Pool,
    first: int,
    last: int,
    bits: Array,
    low: Array,
    high: Array,
    codes: Array,
) -> None:
    """The bytes of all colourings, with a stone on `cell` added by the side to move, or none where it is -1."""
    cells = taken if cell < 0 else taken | ONE << np.uint32(cell)
    stands, symmetry = representative(cells, rules.images)
    found = place_in(pool.occupancies, stands)
    if found == len(pool.occupancies) or pool.occupancies[found] != stands:
        codes[:] = UNREACHABLE
        return
    block = pool.values[found * below.size : (found + 1) * below.size]
    permutation = rules.permutations[symmetry]
    for stone in range(order.stones):
        bits[stone] = bit_in(stands, permutation[stones[stone]])
    extra = bit_in(stands, permutation[cell]) if cell >= 0 and order.stones % 2 else np.uint32(0)
    half_images(bits, extra, order, low, high)
    shift = np.uint32(below.low_bits)
    mask = (ONE << shift) - ONE
    at = 0
    for half in range(first, last):
        ones = order.high_ones[half]
        if ones < 0:
            continue
        for i in range(order.low_start[ones], order.low_start[ones + 1]):
            colouring = low[i] | high[half]
            codes[at] = block[below.low_rank[colouring & mask] + below.high_rank[colouring >> shift]]
            at += 1


@kernel
def _put_states(taken: Any, low: Array, high: Array, order: Order, first: int, last: int, states: Array) -> None:
    """The states with these cells taken; `low` and `high` have the cells of MIN's stones."""
    all_of_max = _spread(taken)
    at = 0
    for half in range(first, last):
        ones = order.high_ones[half]
        if ones < 0:
            continue
        for i in range(order.low_start[ones], order.low_start[ones + 1]):
            # A stone of MIN's is one more in its digit than one of MAX's.
            states[at] = all_of_max + _spread(low[i] | high[half])
            at += 1


@kernel
def _spread(cells: Any) -> Any:
    """A set of cells with two bits a cell."""
    bits = np.uint64(cells)
    bits = (bits | bits << np.uint64(16)) & np.uint64(0x0000FFFF0000FFFF)
    bits = (bits | bits << np.uint64(8)) & np.uint64(0x00FF00FF00FF00FF)
    bits = (bits | bits << np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    bits = (bits | bits << np.uint64(2)) & np.uint64(0x3333333333333333)
    return np.int64((bits | bits << np.uint64(1)) & np.uint64(0x5555555555555555))


@kernel
def _mark_ends(taken: Any, rules: Rules, order: Order, begin: int, end: int, out: Swept) -> None:
    """Say which positions are finished, and which have a byte that a finished or an unfinished one cannot have."""
    x_moved = order.stones % 2 == 1
    ended = np.int8(rules.cells + 1 - order.stones)
    if x_moved == rules.misere:
        ended = -ended
    full = order.stones == rules.cells
    # The last mover's stones have their bit, of the two that a cell has, here.
    shift = 0 if x_moved else 1
    lines = rules.lines[rules.lines & taken == rules.lines]
    for i in range(begin, end):
        if out.codes[i] == UNREACHABLE:
            continue
        stones = out.states[i] >> shift
        won = False
        for line in lines:
            wide = _spread(line)
            if stones & wide == wide:
                won = True
        out.over[i] = won or full
        right = ended if won else np.int8(0)
        if out.over[i] and out.codes[i] != right:
            out.wrong[i] = True


def state_images(game: MNK) -> NDArray[np.int64]:
    """Where each symmetry takes each state, four cells at a time."""
    tables = np.zeros((len(game.permutations), 8, 256), np.int64)
    for table, permutation in zip(tables, game.permutations, strict=True):
        for cell, target in enumerate(permutation):
            byte, place = divmod(cell, 4)
            table[byte] |= (np.arange(256) >> 2 * place & 3) << 2 * target
    return tables


@kernel
def to_first_of_class(
    states: Array, optimal: Array, cells: int, state_images: Array, cell_images: Array, keep: Array
) -> None:
    """Turn each position into the one of its class whose text sorts first.

    Of positions of one class with the same cells taken just one is kept.
    """
    for i in range(len(states)):
        state = states[i]
        own = text_key(state, cells)
        least, at, by = own, state, 0
        keep[i] = True
        for symmetry in range(1, len(state_images)):
            other = np.int64(0)
            for byte in range(8):
                other |= state_images[symmetry, byte, state >> 8 * byte & 255]
            key = text_key(other, cells)
            if key < own and ((state | state >> 1) ^ (other | other >> 1)) & 0x5555555555555555 == 0:
                keep[i] = False
                break
            if key < least:
                least, at, by = key, other, symmetry
        states[i] = at
        optimal[i] = image(optimal[i], cell_images[by])


@kernel
def text_key(state: int, cells: int) -> Any:
    """A number by which positions sort as their texts do: the state's bits from the other end, `.` before O before X."""
    bits = np.uint64(state)
    for shift, mask in ((1, 0x5555555555555555), (2, 0x3333333333333333), (4, 0x0F0F0F0F0F0F0F0F),
                        (8, 0x00FF00FF00FF00FF), (16, 0x0000FFFF0000FFFF), (32, 0x00000000FFFFFFFF)):  # fmt: skip
        bits = bits >> np.uint64(shift) & np.uint64(mask) | (bits & np.uint64(mask)) << np.uint64(shift)
    return np.int64(bits >> np.uint64(64 - 2 * cells))


@kernel
def put_text_keys(states: Array, cells: int, keys: Array) -> None:
    """The number of each state."""
    for i in range(len(states)):
        keys[i] = text_key(states[i], cells)


@kernel
def put_texts(states: Array, blank: Array, marks: Array, texts: Array) -> None:
    """The text of each state, over that of the empty board; `marks` has the characters of the two bits of a cell."""
    for i in range(len(states)):
        state = states[i]
        for place in range(len(blank)):
            texts[i, place] = blank[place]
            if blank[place] == marks[0]:
                texts[i, place] = marks[state & 3]
                state >>= 2


@kernel
def put_children(occupancies: Array, rules: Rules, children: Array) -> int:
    """The occupancies of the blocks that moves lead to, some of them more than once; how many."""
    count = 0
    for occupancy in occupancies:
        for cell in range(rules.cells):
            if is_open(occupancy, cell, rules):
                children[count] = representative(occupancy | ONE << np.uint32(cell), rules.images)[0]
                count += 1
    return count


@kernel
def put_images(occupancies: Array, rules: Rules, images: Array) -> None:
    """Where each symmetry takes each occupancy."""
    for i in range(len(occupancies)):
        for symmetry in range(len(rules.images)):
            images[i, symmetry] = image(occupancies[i], rules.images[symmetry])
