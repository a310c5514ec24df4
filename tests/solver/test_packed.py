"""The packed engine against the row engine, which it shares no solving code with, and against published facts."""

import os
import random
import threading
import time
from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from zermelo.db.layouts import choose_layout
from zermelo.solver.census import take_census
from zermelo.solver.errors import GameError, MissingPackageError, OperationError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import knows, require
from zermelo.solver.packed.blocks import outcome, place_of, states_from
from zermelo.solver.packed.estimate import block_counts, refusal
from zermelo.solver.packed.estimate import places_of as places_in
from zermelo.solver.packed.groups import Groups
from zermelo.solver.packed.many import cells_of, places_of
from zermelo.solver.packed.memory import Memory
from zermelo.solver.packed.regions import group_of
from zermelo.solver.packed.solve import in_order, room_for, solved_groups
from zermelo.solver.packed.solve import solve as solve_packed
from zermelo.solver.packed.tables import order_of
from zermelo.solver.packed.tasks import Kept
from zermelo.solver.packed.work import Solved, Values


def boards(cells: int) -> list[str]:
    """Every game of every family on boards up to so many cells, with 2 <= k."""
    return [
        f"{family}:{width},{height},{k}{ending}"
        for family in ("mnk", "connect")
        for width in range(1, cells + 1)
        for height in range(1, cells // width + 1)
        for k in range(2, max(width, height) + 1)
        for ending in ("", ",misere")
    ]


def packed(game: MNK, jobs: int = 1) -> dict[int, Solved]:
    return {solved.number: solved for solved in solved_groups(game, jobs)}


def check_agreement(spec: str) -> None:
    """The same value and plies for every position, no position more or fewer, and the same counts."""
    game = load(spec)
    assert isinstance(game, MNK)
    cells = game.board.cells
    entries = solve(game)
    solved = packed(game)
    regions = Groups(game).regions
    blocks = {int(occupancy): index for group in solved.values() for index, occupancy in enumerate(group.occupancies)}
    for state, (value, plies, _) in entries.items():
        occupancy, place = place_of(game, state)
        group = solved[group_of(regions, occupancy)]
        index = blocks[occupancy] * group.size + place
        assert outcome(int(group.values[index]), cells, group.stones) == (value, plies), game.format(state)

    positions: Counter[tuple[int, bool, int]] = Counter()
    classes: Counter[tuple[int, bool, int]] = Counter()
    for group in solved.values():
        for byte in range(-127, 128):
            found = outcome(byte, cells, group.stones)
            if group.positions[byte + 128] and found:
                positions[group.stones, found[1] == 0, found[0]] += int(group.positions[byte + 128])
                classes[group.stones, found[1] == 0, found[0]] += int(group.classes[byte + 128])
    counts = take_census(game, entries).counts
    assert positions == {category: tally.positions for category, tally in counts.items()}
    assert classes == {category: tally.classes for category, tally in counts.items()}


@pytest.mark.parametrize(
    "spec",
    [
        "mnk:1,1,1", "mnk:3,1,1", "mnk:3,3,3", "mnk:3,3,3,misere", "mnk:4,2,2", "mnk:2,4,3", "mnk:10,1,3",
        pytest.param("mnk:3,4,3", marks=pytest.mark.slow),
        "connect:3,3,3", "connect:3,3,3,misere", "connect:1,4,2", "connect:4,1,2", "connect:4,3,3", "connect:3,4,4,misere",
    ],
)  # fmt: skip
def test_agrees_with_the_row_engine(spec: str) -> None:
    """A square, a rectangle either way up, a line, a column, both rules, with and without gravity."""
    check_agreement(spec)


@pytest.mark.slow
@pytest.mark.parametrize("spec", boards(12 if os.environ.get("ZERMELO_FUZZ") else 9))
def test_agrees_with_the_row_engine_on_every_small_board(spec: str) -> None:
    """Two engines that share no code agree on every board of up to 9 cells, or 12 where there is time for them."""
    check_agreement(spec)


@pytest.mark.parametrize(
    ("spec", "positions", "classes", "start"),
    [
        ("mnk:4,3,3", 111_973, 28_275, (1, 7)),
        ("mnk:4,3,3,misere", 111_973, 28_275, (-1, 11)),
        ("mnk:5,3,4", 3_414_564, None, (0, 15)),
        ("mnk:4,4,4", 9_722_011, 1_217_977, (0, 16)),
        ("connect:4,4,4", 161_029, None, (0, 16)),
        ("connect:4,4,4,misere", 161_029, None, (-1, 13)),
        ("connect:5,4,4", 3_945_711, None, (0, 20)),
        ("connect:4,5,4", 1_706_255, None, None),
    ],
)
def test_published_facts(spec: str, positions: int, classes: int | None, start: tuple[int, int] | None) -> None:
    """Counts and values that other programs found, on boards too large for the row engine to be quick."""
    game = load(spec)
    assert isinstance(game, MNK)
    solved = packed(game, jobs=2)
    assert sum(int(group.positions.sum()) for group in solved.values()) == positions
    if classes is not None:
        assert sum(int(group.classes.sum()) for group in solved.values()) == classes
    if start is not None:
        assert outcome(int(solved[0].values[0]), game.board.cells, 0) == start


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
    assert room_for(game, groups, 10**9) == 10**9 - (296 << 20)
    assert room_for(game, groups, None) == 8 * 10**9
    with pytest.raises(OperationError, match=r"^mnk:4,4,4 takes at least 311 MB of memory, and 100 MB may be used$"):
        room_for(game, groups, 10**8)
    monkeypatch.setattr("zermelo.solver.packed.solve.free_memory", lambda: 100)
    with pytest.raises(OperationError, match=r"takes at least 311 MB of memory, and 0 kB is free$"):
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
        everything = places_in(game)
        assert seen[-1] == (everything, everything, "0 stones")


@settings(max_examples=200)
@given(st.integers(0, 30).flatmap(lambda stones: st.tuples(st.just(stones), st.randoms(use_true_random=False))))
def test_ranks_number_the_colourings_in_order(case: tuple[int, random.Random]) -> None:
    """Two look-ups give the colex rank, for every number of stones there can be."""
    stones, chance = case
    order = order_of(stones)
    chosen = sorted(chance.sample(range(stones), stones // 2))
    colouring = sum(1 << stone for stone in chosen)
    rank = sum(comb(stone, j) for j, stone in enumerate(chosen, 1))
    low = colouring & (1 << order.low_bits) - 1
    assert int(order.low_rank[low]) + int(order.high_rank[colouring >> order.low_bits]) == rank


@pytest.mark.parametrize("spec", ["mnk:3,3,3", "mnk:4,2,3", "connect:3,3,3"])
def test_places_and_states_are_inverses_up_to_symmetry(spec: str) -> None:
    """Every state of every block is found at its own place, or at that of an image of it in the same block."""
    game = load(spec)
    assert isinstance(game, MNK)
    for occupancies in Groups(game).occupancies:
        for occupancy in occupancies.tolist():
            states = list(states_from(occupancy))
            assert len(states) == len(set(states))
            for state in states:
                where, place = place_of(game, state)
                assert where == occupancy
                # Another place in the block is a symmetric position's, with the same byte.
                assert states[place] in [symmetry(state) for symmetry in game.symmetries]


@pytest.mark.parametrize(
    "spec", ["mnk:3,3,3", "mnk:5,2,2", "mnk:1,7,3", "connect:4,3,3", "connect:5,2,2", "connect:1,5,2"]
)
def test_what_is_counted_beforehand_is_what_is_found(spec: str) -> None:
    """The estimate's figures come from polynomials, the engine's from a list."""
    game = load(spec)
    assert isinstance(game, MNK)
    groups = Groups(game)
    found = Counter(dict.fromkeys(range(groups.cells + 1), 0))
    for stones, occupancies in zip(groups.stones, groups.occupancies, strict=True):
        found[stones] += len(occupancies)
    assert block_counts(game) == [found[stones] for stones in range(groups.cells + 1)]
    assert places_in(game) == sum(groups.sizes)


def test_what_the_machine_has_no_room_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With figures for the disk; for memory see `test_memory`."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10**9}))
    assert refusal("game", 2 * 10**9, "/some") == "game takes 2.0 GB on the disk, and 1.0 GB is free in '/some'"
    assert refusal("game", 10**9, "/some") is None
    assert refusal("game", 2 * 10**9, None) is None


def test_layouts() -> None:
    """Small boards in rows, large ones packed, unless something else is wanted."""
    assert choose_layout(load("mnk:4,3,3")) == "rows"
    assert choose_layout(load("mnk:13,1,3")) == "packed"
    assert choose_layout(load("connect:4,4,4")) == "packed"
    assert choose_layout(load("mnk:4,4,4"), "rows") == "rows"
    assert choose_layout(load("mnk:4,4,4"), symmetry=True) == "rows"
    with pytest.raises(GameError, match="cannot be packed with symmetry"):
        choose_layout(load("mnk:4,4,4"), "packed", symmetry=True)


def test_a_missing_package_is_named() -> None:
    """One line, with what to install."""
    with pytest.raises(MissingPackageError, match=r"needs the extra 'fast' \(no_such_package\)"):
        require("zlib", "no_such_package")


@pytest.mark.parametrize("spec", ["mnk:3,3,3", "mnk:5,4,4", "mnk:5,5,4", "connect:5,6,4", "connect:4,3,3"])
def test_many_places_are_those_of_each(spec: str) -> None:
    """NumPy finds positions where plain Python does, on boards of up to 60 bits too."""
    game, chance = load(spec), random.Random(1)
    assert knows(game)
    states = []
    for _ in range(30):
        state = game.initial
        while not game.is_terminal(state):
            state = game.result(state, chance.choice(game.actions(state)))
            states.append(state)
    occupancies, places = places_of(game, *cells_of(np.array(states, dtype=np.int64)))
    assert list(zip(occupancies.tolist(), places.tolist(), strict=True)) == [place_of(game, state) for state in states]


def test_a_worker_keeps_the_groups_that_it_had_last() -> None:
    """Each is unpacked once while there is room, and what was not used for longest goes first."""
    kept = Kept(300)
    unpacked: list[int] = []

    def ask(number: int) -> int:
        def unpack() -> NDArray[np.int8]:
            unpacked.append(number)
            return np.full(100, number, np.int8)

        return int(kept.values("mnk:3,3,3", number, unpack)[0])

    assert [ask(number) for number in (1, 2, 1, 3, 1, 4, 2, 1)] == [1, 2, 1, 3, 1, 4, 2, 1]
    assert unpacked == [1, 2, 3, 4, 2]
