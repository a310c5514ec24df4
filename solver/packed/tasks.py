"""What a worker of a cluster does: some groups from what others made of those that they need."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, Self

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

    @classmethod
    def of(cls, values: Values, positions: NDArray[np.int64], classes: NDArray[np.int64]) -> Self:
        """What is sent of a group with these bytes and counts."""
        return cls(ZstdCompressor(level=_LEVEL).compress(values.data), positions, classes)

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


def solve(
    _make_keeper: object,
    spec: str,
    numbers: tuple[int, ...],
    children: list[dict[int, Sent]],
    reached: list[dict[int, Reached]],
) -> dict[int, Sent]:
    """Solve groups from what others made of their children."""
    groups = groups_named(spec)
    below = {child: sent for some in children for child, sent in some.items()}
    occurring = {number: found for some in reached for number, found in some.items()}

    def made(number: int) -> Sent:
        inputs = (
            (region, child, _KEPT.values(spec, child, below[child].values)) for region, child in groups.children(number)
        )
        found = solve_group(groups, number, inputs, occurring[number].reached if reached else NO_BITS)
        _KEPT.values(spec, number, lambda: found.values)
        return Sent.of(found.values, found.positions, found.classes)

    return {number: made(number) for number in numbers}


def store(
    make_keeper: Callable[[], SharedKeeper], spec: str, numbers: tuple[int, ...], solved: dict[int, Sent]
) -> list[Any]:
    """Store groups that were solved if that can be done there, or else pack them for who can."""
    keeper, groups = make_keeper(), groups_named(spec)

    def packed(number: int, sent: Sent) -> Any:
        stones = groups.stones[number]
        size, occupancies = groups.orders[stones].size, groups.occupancies[number]
        values = _KEPT.values(spec, number, sent.values)
        return keeper.pack(Solved(number, stones, occupancies, size, values, sent.positions, sent.classes))

    every = [packed(number, solved[number]) for number in numbers]
    if not keeper.is_shared:
        return every
    for one in every:
        keeper.write_once(one)
    return [None] * len(every)


def reach(
    _make_keeper: object, spec: str, numbers: tuple[int, ...], parents: list[dict[int, Reached]]
) -> dict[int, Reached]:
    """Find what can occur in groups."""
    groups = groups_named(spec)
    above = {parent: found for some in parents for parent, found in some.items()}

    def reached(number: int) -> Reached:
        inputs = ((region, parent, above[parent].open) for region, parent in groups.parents(number))
        return reach_group(groups, number, inputs)

    return {number: reached(number) for number in numbers}


def prepare(make_keeper: Callable[[], SharedKeeper], spec: str) -> None:
    """Have ready what every task needs: a worker may have to wait for its first one."""
    make_keeper()
    groups_named(spec)


def read(keeper: Keeper, number: int) -> dict[int, Sent]:
    """A group that is stored, for those that need it."""
    return {number: Sent.of(keeper.read(number), _NONE, _NONE)}


def read_there(make_keeper: Callable[[], SharedKeeper], _spec: str, numbers: tuple[int]) -> dict[int, Sent]:
    """The same, read by a worker."""
    return read(make_keeper(), *numbers)


@lru_cache(maxsize=2)
def groups_named(spec: str) -> Groups:
    """The groups of a board, listed once by each worker."""
    game = load(spec)
    assert knows(game)
    return Groups(game)
