"""The packed engine against the row engine, which it shares no solving code with, and against published facts."""

import random
from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.census import take_census
from solver.errors import GameError, MissingPackageError
from solver.exhaustive import solve
from solver.games import load
from solver.games.mnk import MNK
from solver.packed import choose_layout, is_board, require
from solver.packed.blocks import outcome, place_of, states_from
from solver.packed.estimate import block_counts, needs_of, refusal
from solver.packed.layers import Layer, Layers
from solver.packed.many import places_of
from solver.packed.tables import order_of


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


def packed(game: MNK, jobs: int = 1) -> tuple[Layers, dict[int, Layer]]:
    layers = Layers(game)
    return layers, {layer.stones: layer for layer in layers.solve(jobs=jobs)}


def check_agreement(spec: str) -> None:
    """The same value and plies for every position, no position more or fewer, and the same counts."""
    game = load(spec)
    assert isinstance(game, MNK)
    cells = game.board.cells
    entries = solve(game)
    layers, solved = packed(game)
    places = [
        {int(occupancy): index for index, occupancy in enumerate(layers.occupancies[stones])}
        for stones in range(cells + 1)
    ]
    for state, (value, plies, _) in entries.items():
        occupancy, place = place_of(game, state)
        layer = solved[state.bit_count()]
        index = places[layer.stones][occupancy] * layer.size + place
        assert outcome(int(layer.values[index]), cells, layer.stones) == (value, plies), game.format(state)

    positions: Counter[tuple[int, bool, int]] = Counter()
    classes: Counter[tuple[int, bool, int]] = Counter()
    for stones, layer in solved.items():
        for byte in range(-127, 128):
            found = outcome(byte, cells, stones)
            if layer.positions[byte + 128] and found:
                positions[stones, found[1] == 0, found[0]] += int(layer.positions[byte + 128])
                classes[stones, found[1] == 0, found[0]] += int(layer.classes[byte + 128])
    counts = take_census(game, entries).counts
    assert positions == {category: tally.positions for category, tally in counts.items()}
    assert classes == {category: tally.classes for category, tally in counts.items()}


@pytest.mark.parametrize(
    "spec",
    [
        "mnk:1,1,1", "mnk:3,1,1", "mnk:3,3,3", "mnk:3,3,3,misere", "mnk:4,2,2", "mnk:3,4,3", "mnk:10,1,3",
        "connect:3,3,3", "connect:3,3,3,misere", "connect:1,4,2", "connect:4,1,2", "connect:4,3,3", "connect:3,4,4,misere",
    ],
)  # fmt: skip
def test_agrees_with_the_row_engine(spec: str) -> None:
    """A square, a rectangle either way up, a line, a column, both rules, with and without gravity."""
    check_agreement(spec)


@pytest.mark.slow
@pytest.mark.parametrize("spec", boards(12))
def test_agrees_with_the_row_engine_on_every_board_up_to_12_cells(spec: str) -> None:
    """Two engines that share no code agree on everything they both solve."""
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
    _, solved = packed(game, jobs=2)
    assert sum(int(layer.positions.sum()) for layer in solved.values()) == positions
    if classes is not None:
        assert sum(int(layer.classes.sum()) for layer in solved.values()) == classes
    if start is not None:
        assert outcome(int(solved[0].values[0]), game.board.cells, 0) == start


def test_solving_in_pieces_and_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks cut into parts, several jobs, and a start from a layer in the middle give the same bytes."""
    for spec in ("mnk:4,3,3", "connect:4,3,3"):
        game = load(spec)
        assert isinstance(game, MNK)
        layers, whole = packed(game)
        with monkeypatch.context() as patch:
            patch.setattr("solver.packed.layers._WORK", 200)
            cut = list(layers.solve(jobs=3))
            rest = list(layers.solve(above=cut[4]))
        assert [layer.stones for layer in rest] == list(range(7, -1, -1))
        for layer in [*cut, *rest]:
            assert (layer.values == whole[layer.stones].values).all()
            assert (layer.positions == whole[layer.stones].positions).all()
            assert (layer.classes == whole[layer.stones].classes).all()


def test_progress_ends_with_everything_done() -> None:
    """What the bar is drawn from: never back, and all in the end; with gravity both passes count."""
    for spec, passes in (("mnk:3,3,3", 1), ("connect:3,3,3", 2)):
        game = load(spec)
        assert isinstance(game, MNK)
        seen: list[tuple[int, int | None, str]] = []

        def tell(done: int, total: int | None, stage: str = "", seen: list[Any] = seen) -> None:
            seen.append((done, total, stage))

        for _ in Layers(game).solve(progress=tell):
            pass
        assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
        everything = passes * needs_of(game).positions
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
    for occupancies in Layers(game).occupancies:
        for occupancy in occupancies.tolist():
            states = list(states_from(occupancy, 0, game.board.cells))
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
    layers = Layers(game)
    assert block_counts(game) == [len(occupancies) for occupancies in layers.occupancies]
    assert needs_of(game).positions == sum(layers.sizes)


def test_what_the_machine_has_no_room_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With figures, for memory and for the disk."""
    game = MNK(5, 5, 4)
    monkeypatch.setattr("solver.packed.estimate.free_memory", lambda: 2_000_000_000)
    assert refusal(game, None) == "mnk:5,5,4 takes 7.6 GB of memory, and 2.0 GB is free"
    monkeypatch.setattr("solver.packed.estimate.free_memory", lambda: None)
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10**9}))
    assert str(refusal(game, "/some")).endswith(" on the disk, and 1.0 GB is free in '/some'")
    assert refusal(MNK(4, 4, 4), "/some") is None


def test_layouts() -> None:
    """Small boards in rows, large ones packed, unless something else is wanted."""
    assert choose_layout(load("mnk:4,3,3")) == "rows"
    assert choose_layout(load("mnk:13,1,3")) == "packed"
    assert choose_layout(load("connect:4,4,4")) == "packed"
    assert choose_layout(load("mnk:4,4,4"), "rows") == "rows"
    assert choose_layout(load("mnk:4,4,4"), symmetry=True) == "rows"
    with pytest.raises(GameError, match="--symmetry"):
        choose_layout(load("mnk:4,4,4"), "packed", symmetry=True)


def test_a_missing_package_is_named() -> None:
    """One line, with what to install."""
    with pytest.raises(MissingPackageError, match=r"needs no_such_package: .*`pip install zermelo\[fast\]`"):
        require("zlib", "no_such_package")


@pytest.mark.parametrize("spec", ["mnk:3,3,3", "mnk:5,4,4", "mnk:5,5,4", "connect:5,6,4", "connect:4,3,3"])
def test_many_places_are_those_of_each(spec: str) -> None:
    """NumPy finds positions where plain Python does, on boards of up to 60 bits too."""
    game, chance = load(spec), random.Random(1)
    assert is_board(game)
    states = []
    for _ in range(30):
        state = game.initial
        while not game.is_terminal(state):
            state = game.result(state, chance.choice(game.actions(state)))
            states.append(state)
    occupancies, places = places_of(game, np.array(states, dtype=np.int64))
    assert list(zip(occupancies.tolist(), places.tolist(), strict=True)) == [place_of(game, state) for state in states]
