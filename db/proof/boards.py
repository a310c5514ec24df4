"""Proves a packed solution of a board, group by group, within the memory that there is.

All blocks are unpacked into a temporary file first, group after group (see `solver.packed.regions`). Then groups are gone
through from the empty board up. A position is reached if a move leads to it from one that is reached, and in which the
rules let play go on; its byte is then what the rules say, or the best of its successors' bytes.
Everything else must be marked as no position. A group is held to those with one stone less and one more, one after the other.
"""

import hashlib
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.db.digests import digest_of_layers
from zermelo.db.packed.source import PART
from zermelo.db.proof import board_kernels as kernels
from zermelo.db.proof.board_kernels import Item
from zermelo.db.proof.board_rules import NOTHING_YET, UNKNOWN, UNREACHABLE
from zermelo.db.proof.board_scratch import Scratch
from zermelo.db.proof.board_tables import Layout, first_lowest, rules_of
from zermelo.db.proof.memory import room_for
from zermelo.db.proof.report import SHOWN, Report, check_counts, check_figures, check_rows
from zermelo.db.query import Solution
from zermelo.db.source import Block, HasBlocks
from zermelo.solver.errors import OperationError, ZermeloError, size_text
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.blocks import outcome, states_from
from zermelo.solver.packed.estimate import processors
from zermelo.solver.packed.threads import Threads
from zermelo.solver.progress import Progress
from zermelo.solver.scratch import ScratchFile

_WORK = 1 << 20
"""Places that one call of a kernel goes through: some hundredths of a second, so that it can be stopped."""
_RUN = 1 << 16
"""Places of one block that a call goes through at the most: their colourings stay in the processor's cache."""
_LOOKED_UP = 1 << 15
"""Positions that are looked up together."""


class Fault(NamedTuple):
    """A byte that is not right."""

    stones: int
    occupancy: int
    place: int
    byte: int
    right: int


class Judged(NamedTuple):
    """What came out of a group."""

    number: int
    digest: bytes
    faults: list[Fault]
    """The first of them."""
    more: int
    positions: NDArray[np.int64]
    """How many positions have each byte, from -128 up."""
    classes: NDArray[np.int64]
    picked: tuple[Any, Any, Any]
    """A position of each stored row: the cells that are taken, MIN's, and the byte."""


def prove_board(solution: Solution, memory: int | None, progress: Progress | None) -> Report:
    """Prove a solution that lies in blocks right."""
    game, source = solution.game, solution.source
    assert isinstance(game, MNK) and isinstance(source, HasBlocks)
    report = Report(game.spec)
    # What a file says of itself is no ground to make much for a larger game: its first blocks are looked at before.
    first = first_lowest(rules_of(game))
    list(_matching(report, game, takewhile(lambda block: block[0] <= first[-1], source.blocks()), first))
    if report.faults:
        return report
    layout = Layout(game)
    room = room_for(game.spec, max(map(layout.need_of, range(len(layout)))), memory)
    with ScratchFile() as values, ScratchFile() as going_on:
        scratch = Scratch(layout, values, going_on)
        if not _unpack(report, game, source, layout, scratch, progress):
            return report
        judged = sorted(_judge(layout, scratch, room, progress), key=lambda one: one.number)
    faults = sorted((fault for one in judged for fault in one.faults), key=lambda one: (-one.stones, one))
    for fault in faults[:SHOWN]:
        report.fault(told(game, next(states_from(fault.occupancy, fault.place)), fault.byte, fault.right))
    report.more += len(faults) - len(report.faults) + sum(one.more for one in judged)
    if not report.faults:
        _look_up(report, source, judged, layout.places, progress)
    digest = hashlib.sha256(b"".join(one.digest for one in judged)).hexdigest()
    stored = source.facts["digest"]
    if stored != digest and stored != digest_of_layers(source, layout.cells):
        report.fault(f"the digest is {digest}, and {stored} is stored")
    check_rows(report, source, layout.count_parts(PART))
    _check_counts(report, solution, layout, judged)
    return report


def _matching(
    report: Report, game: MNK, blocks: Iterable[Block], expected: NDArray[np.uint32]
) -> Iterator[tuple[int, bytes]]:
    """The bytes of each block that should be there, after its place among them; what is missing or more is put down."""
    at = 0

    def lacks(occupancy: int) -> None:
        board = game.format(next(states_from(occupancy)))
        report.fault(f"{board}: it is not stored, nor is any position with the same cells taken")

    for occupancy, data in blocks:
        while at < len(expected) and expected[at] < occupancy:
            lacks(int(expected[at]))
            at += 1
        if at == len(expected) or expected[at] != occupancy:
            report.fault(f"block {occupancy} is stored, but play never leads there")
        else:
            yield at, data
            at += 1
    for occupancy in expected[at : at + SHOWN].tolist():
        lacks(occupancy)
    report.more += max(0, len(expected) - at - SHOWN)


def _unpack(
    report: Report, game: MNK, source: HasBlocks, layout: Layout, scratch: Scratch, progress: Progress | None
) -> bool:
    """Write every block to where its group is; whether all are there and no others."""
    folder = tempfile.gettempdir()
    done, free = 0, shutil.disk_usage(folder).free
    for at, data in _matching(report, game, source.blocks(), layout.expected):
        done += len(data)
        if done > free:
            needed, there = size_text(layout.places), size_text(free)
            raise OperationError(f"to prove {game.spec} takes {needed} for a time in {folder!r}, and {there} is free")
        scratch.write_block(int(layout.offsets[at]), data)
        if progress and not at % 1024:
            progress(done, 3 * layout.places, "reading")
    return not report.faults


def _judge(layout: Layout, scratch: Scratch, room: float, progress: Progress | None) -> Iterator[Judged]:
    """Hold every group to those beside it, in threads, from the empty board up."""
    condition = threading.Condition()
    taken, done = 0, layout.places

    def admits(number: int) -> bool:
        nonlocal taken
        if taken and taken + layout.need_of(number) > room:
            return False
        taken += layout.need_of(number)
        return True

    def work(number: int) -> Judged:
        nonlocal taken
        judged = _judge_group(layout, scratch, number, threads.check)
        with condition:
            taken -= layout.need_of(number)
        return judged

    threads = Threads(
        layout.in_order(), lambda number: [parent for _, parent in layout.parents(number)], work,
        jobs=processors(), condition=condition, admits=admits,
    )  # fmt: skip
    for some in threads.results():
        done += sum(layout.sizes[judged.number] for judged in some)
        if progress and some:
            progress(done, 3 * layout.places, f"{layout.stones[some[-1].number]} stones")
        yield from some


def _judge_group(layout: Layout, scratch: Scratch, number: int, check: Callable[[], None]) -> Judged:
    """Hold a group to those with one stone less and one more."""
    rules, stones, occupancies, size = (
        layout.rules,
        layout.stones[number],
        layout.occupancies[number],
        layout.sizes[number],
    )
    reached = np.full(size, stones == 0, np.uint8)
    for region, parent in layout.parents(number):
        above, going_on = layout.occupancies[parent], scratch.going_on(parent)
        for item in _items(len(above), stones - 1):
            check()
            kernels.mark_moves(rules, item, stones - 1, region, above, going_on, occupancies, reached)
    items = list(_items(len(occupancies), stones))
    best = np.full(size, NOTHING_YET, np.int8)
    for region, child in layout.children(number) if reached.any() else ():
        child_values = scratch.values(child)
        for item in items:
            check()
            kernels.take_successors(
                rules, item, stones, region, occupancies, reached, best, layout.occupancies[child], child_values
            )
        del child_values  # or it would be held while the next one is read
    values = scratch.values(number)
    goes_on = np.zeros(size, np.uint8)
    positions, fixed = np.zeros(256, np.int64), np.zeros((len(rules.permutations) + 1, 256), np.int64)
    faults: list[Fault] = []
    count, places = 0, np.zeros(SHOWN, np.int64)
    for item in items:
        check()
        # What is right takes the place of the best of the successors'.
        found = kernels.judge(
            rules, item, stones, occupancies, values, best, reached, goes_on, positions, fixed, places
        )
        count += found
        for place in places[: min(found, SHOWN - len(faults))].tolist():
            block, rank = divmod(place, size // len(occupancies))
            faults.append(Fault(stones, int(occupancies[block]), rank, int(values[place]), int(best[place])))
    scratch.write_going_on(number, goes_on)
    # Of a class's positions in a block, as many are left as they are as symmetries keep the block (Burnside).
    classes = fixed[1:] // np.arange(1, len(fixed))[:, None]
    picked = kernels.pick(rules, stones, occupancies, values, PART)
    digest = hashlib.sha256(values.data).digest()
    return Judged(number, digest, faults, count - len(faults), positions, classes.sum(axis=0), picked)


def _items(blocks: int, stones: int) -> Iterator[Item]:
    """A group cut into pieces of work: some blocks, or where one is too large a part of it."""
    size = comb(stones, stones // 2)
    step = max(1, _WORK // size)
    for begin in range(0, blocks, step):
        for first in range(0, size, _RUN):
            yield Item(begin, min(begin + step, blocks), first, min(first + _RUN, size))


def _look_up(
    report: Report, source: HasBlocks, judged: Sequence[Judged], places: int, progress: Progress | None
) -> None:
    """Look a position of every row up by its key, as whoever asks does: a row out of order is only found by going through all."""
    taken, of_min, bytes_ = (np.concatenate(column) for column in zip(*(one.picked for one in judged), strict=True))
    order = np.argsort(taken, kind="stable")
    for first in range(0, len(order), _LOOKED_UP):
        some = order[first : first + _LOOKED_UP]
        if progress:
            progress(2 * places + places * first // len(order), 3 * places, "looking up")
        try:
            wrong = np.flatnonzero(source.codes(taken[some], of_min[some]) != bytes_[some])
        except ZermeloError as error:
            report.fault(str(error))
            continue
        for at in wrong.tolist():
            report.fault(f"block {taken[some[at]]} is stored, but looking it up finds something else")
    if progress:
        progress(3 * places, 3 * places, "looking up")


def told(game: MNK, state: int, byte: int, right: int) -> str:
    """What is wrong with a byte."""
    stones, cells, board = state.bit_count(), game.board.cells, game.format(state)
    if byte == UNREACHABLE:
        return f"{board}: play reaches it, but it is not stored"
    if right == UNKNOWN:
        return f"{board}: a position to which it leads is not stored"
    wanted = outcome(right, cells, stones)
    if wanted is None:
        return f"{board}: it is stored, but play never reaches it"
    value, plies = outcome(byte, cells, stones) or wanted
    found = f"value {value} in {plies} plies" if 0 <= plies <= cells - stones else "what stands for nothing"
    why = "its successors give" if wanted[1] else "the rules give"
    return f"{board}: stored is {found}; {why} value {wanted[0]} in {wanted[1]} plies"


def _check_counts(report: Report, solution: Solution, layout: Layout, judged: Sequence[Judged]) -> None:
    counted: dict[tuple[int, bool, int], tuple[int, int]] = {}
    longest: int | None = None
    for one in judged:
        stones = layout.stones[one.number]
        for slot in one.positions.nonzero()[0].tolist():
            known = outcome(slot - 128, layout.cells, stones)
            if known is None:
                continue
            value, plies = known
            before = counted.get((stones, not plies, value), (0, 0))
            counted[stones, not plies, value] = before[0] + int(one.positions[slot]), before[1] + int(one.classes[slot])
            if value:
                longest = max(longest or 0, plies)
    check_counts(report, solution.source, counted)
    positions = sum(number for number, _ in counted.values())
    wins = sum(n for (ply, _, value), (n, _) in counted.items() if value and (value > 0) == (ply % 2 == 0))
    start = outcome(int(np.argmax(judged[0].positions)) - 128, layout.cells, 0) or (None, None)
    figures = {
        "positions": positions,
        "classes": sum(classes for _, classes in counted.values()),
        "value": start[0],
        "plies": start[1],
        "can_repeat": False,
        "games": None,
        "tree_nodes": None,
        "longest": longest,
        "mover_wins": wins,
        "mover_losses": sum(n for (_, _, value), (n, _) in counted.items() if value) - wins,
    }
    check_figures(report, solution.source.facts, figures)
    report.prove(positions, sum(n for (_, finished, _), (n, _) in counted.items() if finished))
