"""What a worker of a cluster does: one group from what others made of those that it needs."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Protocol

from zermelo.solver.games import load
from zermelo.solver.packed import knows
from zermelo.solver.packed.engine import Keeper
from zermelo.solver.packed.groups import Groups
from zermelo.solver.packed.work import NO_BITS, Reached, Values, reach_group, solve_group


class SharedKeeper(Keeper, Protocol):
    """Where solved groups are kept, for those who solve them elsewhere too."""

    def unpack(self, packed: Any) -> Values:
        """The bytes of a group that was packed."""

    def fetch(self, number: int) -> Any:
        """A group that is stored, packed."""

    is_shared: bool
    """Whether the workers of a cluster can store and fetch groups themselves."""

    def write_once(self, packed: Any) -> None:
        """Store a group, if another worker has not done it already."""


class Kept:
    """The groups that a worker had last, as bytes: several others read each, and to unpack one takes as long as to solve it."""

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


def solve(
    make_keeper: Callable[[], SharedKeeper], spec: str, number: int, children: dict[int, Any], reached: Any = None
) -> Any:
    """Solve a group from what others made of its children, and store it if that can be done there."""
    keeper, groups = make_keeper(), groups_named(spec)
    inputs = (
        (region, child, _KEPT.values(spec, child, partial(keeper.unpack, children[child])))
        for region, child in groups.children(number)
    )
    solved = solve_group(groups, number, inputs, NO_BITS if reached is None else reached.reached)
    _KEPT.values(spec, number, lambda: solved.values)
    packed = keeper.pack(solved)
    if keeper.is_shared:
        keeper.write_once(packed)
    return packed


def reach(_make_keeper: object, spec: str, number: int, parents: dict[int, Reached]) -> Reached:
    """Find what can occur in a group."""
    groups = groups_named(spec)
    inputs = ((region, parent, parents[parent].open) for region, parent in groups.parents(number))
    return reach_group(groups, number, inputs)


def prepare(make_keeper: Callable[[], SharedKeeper], spec: str) -> None:
    """Have ready what every task needs: a worker may have to wait for its first one."""
    make_keeper()
    groups_named(spec)


def fetch(make_keeper: Callable[[], SharedKeeper], number: int) -> Any:
    """Read a group that is stored."""
    return make_keeper().fetch(number)


@lru_cache(maxsize=2)
def groups_named(spec: str) -> Groups:
    """The groups of a board, listed once by each worker."""
    game = load(spec)
    assert knows(game)
    return Groups(game)
