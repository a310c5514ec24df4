"""What a worker of a cluster does: one group from what others made of those that it needs."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from zstandard import ZstdCompressor, ZstdDecompressor

from zermelo.solver.games import load
from zermelo.solver.packed import knows
from zermelo.solver.packed.engine import Keeper
from zermelo.solver.packed.groups import Groups
from zermelo.solver.packed.work import NO_BITS, Reached, Solved, Values, reach_group, solve_group

_LEVEL = 1
"""How hard what goes from worker to worker is compressed."""


class SharedKeeper(Keeper, Protocol):
    """Where solved groups are kept, for those who solve them elsewhere too."""

    is_shared: bool
    """Whether the workers of a cluster can store and read groups themselves."""

    def write_once(self, packed: Any) -> None:
        """Store a group, if another worker has not done it already."""


class Sent(NamedTuple):
    """A solved group on its way from worker to worker: all of it in one piece, which is unpacked far sooner than what is stored."""

    compressed: bytes
    positions: NDArray[np.int64]
    classes: NDArray[np.int64]

    def values(self) -> Values:
        """The bytes of the group."""
        return np.frombuffer(ZstdDecompressor().decompress(self.compressed), dtype=np.int8)


class Kept:
    """The groups that a worker had last, as bytes: it stores each that it solved, and several others read it."""

    def __init__(self, most: int) -> None:
        self._room = most
        self._groups: OrderedDict[tuple[str, int], Values] = OrderedDict()
        self._lock = threading.Lock()

    def values(self, spec: str, number: int, make: Callable[[], Values]) -> Values:
        """The bytes of a group, from `make` where they are not kept."""
        key = spec, number
        found = self._groups.get(key)
        if found is None:
            found = make()
        with self._lock:
            replaced = self._groups.pop(key, None)
            self._groups[key] = found
            self._room += (0 if replaced is None else len(replaced)) - len(found)
            while self._room < 0:
                self._room += len(self._groups.popitem(last=False)[1])
        return found


_KEPT = Kept(1 << 29)
_NONE = np.zeros(0, dtype=np.int64)


def solve(_make_keeper: object, spec: str, number: int, children: dict[int, Sent], reached: Reached | None) -> Sent:
    """Solve a group from what others made of its children."""
    groups = groups_named(spec)
    inputs = (
        (region, child, _KEPT.values(spec, child, children[child].values)) for region, child in groups.children(number)
    )
    solved = solve_group(groups, number, inputs, NO_BITS if reached is None else reached.reached)
    _KEPT.values(spec, number, lambda: solved.values)
    return _sent(solved.values, solved.positions, solved.classes)


def store(make_keeper: Callable[[], SharedKeeper], spec: str, number: int, sent: Sent) -> Any:
    """Store a group that was solved if that can be done there, or else pack it for who can."""
    keeper, groups = make_keeper(), groups_named(spec)
    values = _KEPT.values(spec, number, sent.values)
    stones = groups.stones[number]
    size, occupancies = groups.orders[stones].size, groups.occupancies[number]
    packed = keeper.pack(Solved(number, stones, occupancies, size, values, sent.positions, sent.classes))
    if not keeper.is_shared:
        return packed
    keeper.write_once(packed)
    return None


def reach(_make_keeper: object, spec: str, number: int, parents: dict[int, Reached]) -> Reached:
    """Find what can occur in a group."""
    groups = groups_named(spec)
    inputs = ((region, parent, parents[parent].open) for region, parent in groups.parents(number))
    return reach_group(groups, number, inputs)


def prepare(make_keeper: Callable[[], SharedKeeper], spec: str) -> None:
    """Have ready what every task needs: a worker may have to wait for its first one."""
    make_keeper()
    groups_named(spec)


def read(keeper: Keeper, number: int) -> Sent:
    """A group that is stored, for those that need it."""
    return _sent(keeper.read(number), _NONE, _NONE)


def read_there(make_keeper: Callable[[], SharedKeeper], _spec: str, number: int) -> Sent:
    """The same, read by a worker."""
    return read(make_keeper(), number)


def _sent(values: Values, positions: NDArray[np.int64], classes: NDArray[np.int64]) -> Sent:
    return Sent(ZstdCompressor(level=_LEVEL).compress(values.data), positions, classes)


@lru_cache(maxsize=2)
def groups_named(spec: str) -> Groups:
    """The groups of a board, listed once by each worker."""
    game = load(spec)
    assert knows(game)
    return Groups(game)
