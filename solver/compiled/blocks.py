"""How a solution of whole numbers lies in blocks: runs of neighbouring states with what is known of each.

    count  4 bytes   how many states
    widths 4 bytes   how many bytes an item of each column has, 1 to 8
    then the columns, each as planes: the lowest byte of all items, then the next byte of all, and so on
      steps          from the state before to this one; 0 for the first, which is the block's number
      values         from MAX's side: twice the value, or for a negative one twice its amount less one
      plies          to the end and one more; 0 where play need not end
      ply            the fewest moves from the start

Numbers have their lowest byte first. Planes compress better than items do: the upper ones hold next to nothing.
"""

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from zermelo.solver.compiled.retrograde import Solved

SIZE = 1 << 12
"""States in a block: a position's moves lead to some ten blocks, each of which is unpacked whole to answer it."""
MOST = 1 << 16
"""States in a block that is read, at the most."""
LARGEST = 8 + 32 * MOST
"""Bytes that no block has more of."""
_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}


class Columns(NamedTuple):
    """A block: the states in ascending order, and value, plies (None where play need not end) and ply of each."""

    states: Sequence[int]
    values: Sequence[int]
    plies: Sequence[int]
    """One more than the plies, 0 for None."""
    ply: Sequence[int]

    def compact(self) -> "Columns":
        """The same in a quarter of the room."""
        return self._replace(states=array("q", self.states))

    def known(self, at: int) -> tuple[int, int, int | None]:
        """The ply, the value and the plies of one state."""
        value, left = self.values[at], self.plies[at]
        return self.ply[at], value >> 1 if not value & 1 else -(value + 1 >> 1), left - 1 if left else None


def unpack(number: int, data: bytes) -> Columns:
    """The block with this number; raises ValueError where the bytes are not those of one.

    >>> block = unpack(40, bytes([2, 0, 0, 0, 1, 1, 1, 1, 0, 7, 2, 1, 4, 0, 2, 3]))
    >>> list(block.states), block.known(0), block.known(1)
    ([40, 47], (2, 1, 3), (3, -1, None))
    """
    steps, values, plies, ply = _columns(data)
    states = list(accumulate(steps, initial=number))
    del states[0]
    if states[-1] >= 2**63:
        raise ValueError("its states are larger than any can be")
    return Columns(states, values, plies, ply)


class Arrays(NamedTuple):
    """A block as arrays of whole numbers, with what they stand for."""

    states: Any
    values: Any
    """From MAX's side."""
    plies: Any
    """-1 where play need not end."""
    ply: Any


def unpack_arrays(number: int, data: bytes) -> Arrays:
    """What `unpack` gives, as arrays.

    >>> block = unpack_arrays(40, bytes([2, 0, 0, 0, 1, 1, 1, 1, 0, 7, 2, 1, 4, 0, 2, 3]))
    >>> [column.tolist() for column in block]
    [[40, 47], [1, -1], [3, -1], [2, 3]]
    """
    import numpy as np

    columns = [np.asarray(memoryview(column)) for column in _columns(data)]
    if any(int(column.max()) >= 1 << 32 for column in columns[1:]):
        raise ValueError("a number is larger than any can be")
    steps, values, plies, ply = (column.astype(np.int64) for column in columns)
    states = number + np.cumsum(steps)
    if (states[1:] <= states[:-1]).any():
        raise ValueError("its states do not ascend")
    values = np.where(values & 1, -(values + 1 >> 1), values >> 1)
    return Arrays(states, *(column.astype(np.int32) for column in (values, plies - 1, ply)))


def _columns(data: bytes) -> list[Sequence[int]]:
    """The four columns as they are written."""
    count = int.from_bytes(data[:4], "little")
    widths = data[4:8]
    if not 0 < count <= MOST or len(widths) < 4 or not all(1 <= width <= 8 for width in widths):
        raise ValueError("it has no head")
    if len(data) != 8 + count * sum(widths):
        raise ValueError("it has another length than its head says")
    columns = []
    at = 8
    for width in widths:
        columns.append(_joined(data[at : at + count * width], count, width))
        at += count * width
    if columns[0][0] or _has_zero(data[8 : 8 + count * widths[0]], count):
        raise ValueError("its states do not ascend")
    return columns


def _has_zero(planes: bytes, count: int) -> bool:
    """Whether an item but the first is 0, which is one whose bytes are 0 in all planes."""
    joined = 0
    for begin in range(0, len(planes), count):
        joined |= int.from_bytes(planes[begin : begin + count], "little")
    return 0 in joined.to_bytes(count, "little")[1:]


def _joined(planes: bytes, count: int, width: int) -> Sequence[int]:
    """The items whose planes these are."""
    if width == 1:
        return planes
    room = next(size for size in _CODES if size >= width)
    items = bytearray(count * room)
    for plane in range(width):
        items[plane::room] = planes[plane * count : (plane + 1) * count]
    joined = array(_CODES[room])
    joined.frombytes(items)
    if array("H", [1]).tobytes()[0] == 0:
        joined.byteswap()
    return joined


def pack(solved: "Solved", begin: int, end: int) -> tuple[int, bytes]:
    """The block of the states from `begin` to before `end`: its number, and its bytes."""
    import numpy as np

    states = solved.states[begin:end]
    values = solved.values[solved.ranks[begin:end]]
    plies = solved.plies[begin:end].astype(np.int64) + 1
    plies[plies == solved.no_plies + 1] = 0
    columns = (
        np.diff(states, prepend=states[:1]),
        np.where(values < 0, -2 * values - 1, 2 * values),
        plies,
        solved.ply[begin:end],
    )
    widths, planes = zip(*map(_planes, columns), strict=True)
    return int(states[0]), len(states).to_bytes(4, "little") + bytes(widths) + b"".join(planes)


def _planes(items: Any) -> tuple[int, bytes]:
    """How many bytes an item takes, and the planes."""
    import numpy as np

    width = max(1, (int(items.max()).bit_length() + 7) // 8)
    planes = np.ascontiguousarray(items, "<u8").view(np.uint8).reshape(-1, 8)[:, :width]
    return width, np.ascontiguousarray(planes.T).tobytes()
