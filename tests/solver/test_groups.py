"""How groups of a board are solved: in threads, in pieces, within little memory, and gathered to be stored."""

import random
import threading
import time
from typing import Any

import pytest

from tests.solver.test_packed import packed
from zermelo.solver.errors import MemoryLimitError, OperationError
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.blocks import place_of
from zermelo.solver.packed.estimate import places_of
from zermelo.solver.packed.groups import Groups
from zermelo.solver.packed.memory import Memory
from zermelo.solver.packed.regions import group_of
from zermelo.solver.packed.solve import in_order, room_for
from zermelo.solver.packed.solve import solve as solve_packed
from zermelo.solver.packed.work import Solved, Values


class Shelf:
    """Keeps groups in a dictionary, and says which were read back."""

    def __init__(self, known: dict[int, Solved]) -> None:
        self.groups = dict(known)
        self.read_back: list[int] = []

    def stored(self) -> list[int]:
        return list(self.groups)

    def read(self, number: int) -> Values:
        self.read_back.append(number)
        return self.groups[number].values.copy()

    def pack(self, solved: Solved) -> Solved:
        return solved

    def fill(self, game: MNK, **options: Any) -> "Shelf":
        for some in solve_packed(game, keeper=self, **options):
            self.groups |= {solved.number: solved for solved in some}
        return self


@pytest.mark.parametrize(
    "spec", ["mnk:4,3,3", "connect:4,3,3", pytest.param("mnk:4,4,3,misere", marks=pytest.mark.slow)]
)
def test_solving_in_pieces_threads_and_little_memory_changes_nothing(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks cut into parts, several jobs, room for hardly more than one group, and a start from the middle: the same bytes."""
    game = load(spec)
    assert isinstance(game, MNK)
    whole = packed(game)
    groups = Groups(game)
    middle = {number: whole[number] for number in in_order(groups)[: len(groups) // 3]}
    need = max(
        2 * groups.sizes[number] + max((groups.sizes[child] for _, child in groups.children(number)), default=0)
        for number in range(len(groups))
    )
    monkeypatch.setattr("zermelo.solver.packed.work._WORK", 50)
    cut = Shelf({}).fill(game, jobs=3)
    rest = Shelf(middle).fill(game, jobs=2)
    monkeypatch.setattr("zermelo.solver.packed.solve.room_for", lambda *_: float(need))
    small = Shelf({}).fill(game, jobs=3)
    assert not cut.read_back
    assert set(rest.read_back) <= set(middle)
    assert small.read_back
    for shelf in (cut, rest, small):
        assert shelf.groups.keys() == whole.keys()
        for number, solved in shelf.groups.items():
            assert (solved.values == whole[number].values).all()
            assert (solved.positions == whole[number].positions).all()
            assert (solved.classes == whole[number].classes).all()


def test_groups_are_gathered_to_be_stored_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where storing takes long, many are stored at once; where there is little room, nobody waits for what is only gathered."""
    game = MNK(4, 3, 3)
    groups = Groups(game)

    def store_slowly() -> tuple[int, int]:
        """How many groups are stored, and at how many times."""
        shelf, times = Shelf({}), 0
        for some in solve_packed(game, keeper=shelf, jobs=2):
            time.sleep(0.01)
            shelf.groups |= {solved.number: solved for solved in some}
            times += 1
        return len(shelf.groups), times

    stored, times = store_slowly()
    assert stored == len(groups)
    assert times < len(groups) / 2
    need = max(map(Memory(groups, (), 0, Shelf({}).read, threading.Condition()).need_of, range(len(groups))))
    monkeypatch.setattr("zermelo.solver.packed.solve.room_for", lambda *_: float(need))
    assert store_slowly()[0] == len(groups)


def test_a_group_leads_only_to_its_children() -> None:
    """Every move from every occupancy of a group is into the group that is said, on all kinds of boards."""
    for spec in ("mnk:4,3,3", "mnk:3,3,3", "mnk:7,1,3", "connect:5,2,2", "connect:4,3,3", "mnk:5,4,4"):
        game = load(spec)
        assert isinstance(game, MNK)
        groups, chance = Groups(game), random.Random(spec)
        for _ in range(300):
            state = game.initial
            while not game.is_terminal(state):
                before = group_of(groups.regions, place_of(game, state)[0])
                assert groups.stones[before] == state.bit_count()
                state = game.result(state, chance.choice(game.actions(state)))
                after = group_of(groups.regions, place_of(game, state)[0])
                assert after in [child for _, child in groups.children(before)]
                assert before in [parent for _, parent in groups.parents(after)]


def test_what_goes_wrong_in_a_thread_ends_the_build() -> None:
    """The error comes out where the groups are asked for, and no thread is left."""
    game, threads = MNK(3, 3, 3), threading.active_count()
    shelf = Shelf({})

    def fail(solved: Solved) -> Solved:
        if solved.stones == 4:
            raise ValueError("stop")
        return solved

    shelf.pack = fail  # type: ignore[method-assign]
    with pytest.raises(ValueError, match="stop"):
        shelf.fill(game, jobs=3)
    assert threading.active_count() == threads
    left = Shelf({})
    asked = solve_packed(game, keeper=left, jobs=2)
    next(asked)
    asked.close()  # type: ignore[attr-defined]
    assert threading.active_count() == threads


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the groups may take is what the process may take but for itself; too little is refused with figures."""
    game = MNK(4, 4, 4)
    monkeypatch.setattr("zermelo.solver.packed.solve.resident_memory", lambda: 200 << 20)
    monkeypatch.setattr("zermelo.solver.packed.solve.free_memory", lambda: 10**10)
    groups = Groups(game)
    assert room_for(game, groups, 12 * 10**8) == 11 * 10**8 - (296 << 20)
    assert room_for(game, groups, None) == 8 * 10**9
    with pytest.raises(
        MemoryLimitError, match=r"^mnk:4,4,4 takes at least 339 MB of memory, and 100 MB may be used$"
    ) as refused:
        room_for(game, groups, 10**8)
    assert room_for(game, groups, refused.value.memory) > 0, "what was said to be needed is enough"
    monkeypatch.setattr("zermelo.solver.packed.solve.free_memory", lambda: 100)
    with pytest.raises(OperationError, match=r"takes at least 339 MB of memory, and 0 kB is free$"):
        room_for(game, groups, None)


def test_progress_ends_with_everything_done() -> None:
    """What the bar is drawn from: never back, and all in the end; with gravity each pass is half of it."""
    for spec in ("mnk:3,3,3", "connect:3,3,3"):
        game = load(spec)
        assert isinstance(game, MNK)
        seen: list[tuple[int, int | None, str]] = []

        def tell(done: int, total: int | None, stage: str = "", seen: list[Any] = seen) -> None:
            seen.append((done, total, stage))

        for _ in solve_packed(game, progress=tell):
            pass
        assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
        everything = places_of(game)
        assert seen[-1] == (everything, everything, "0 stones")
