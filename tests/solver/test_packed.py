"""The packed engine against the row engine, which it shares no solving code with, and against published facts."""

import os
import random
from collections import Counter
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from zermelo.db.layouts import choose_layout
from zermelo.solver.census import take_census
from zermelo.solver.errors import GameError, MissingPackageError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import knows, require
from zermelo.solver.packed.blocks import outcome, place_of, states_from
from zermelo.solver.packed.estimate import block_counts, refusal
from zermelo.solver.packed.estimate import places_of as places_in
from zermelo.solver.packed.groups import Groups
from zermelo.solver.packed.many import cells_of, places_of
from zermelo.solver.packed.regions import group_of
from zermelo.solver.packed.solve import solved_groups
from zermelo.solver.packed.tables import order_of
from zermelo.solver.packed.tasks import Kept
from zermelo.solver.packed.work import Solved


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
    """What has few positions in rows, what has many packed, unless something else is wanted."""
    assert choose_layout(load("mnk:4,3,3")) == "rows"
    assert choose_layout(load("mnk:13,1,3")) == "packed"
    assert choose_layout(load("connect:4,4,4")) == "packed"
    assert choose_layout(load("mnk:5,5,1")) == "rows", "26 positions, where blocks have 20,479,891,915 places"
    assert choose_layout(load("connect:1,30,3")) == "rows", "one way to play"
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
