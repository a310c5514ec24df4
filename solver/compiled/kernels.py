"""The inner loops that are the same for every game: they see whole numbers, and what leads to what.

All of them let go of Python's lock, and any number of threads may be in them at once: what several threads write goes
through `atomic`. A call does a part of the work, so that whoever calls can stop between two calls.
"""

from typing import Any

import numpy as np

from zermelo.solver.compiled.atomic import add, fetch, swap
from zermelo.solver.kernel import kernel

Array = Any

EMPTY = -1
"""A slot of the table that holds no state, and a position whose value is not yet known."""
SECOND, FIRST, OVER = 0, 1, 2
"""Kinds of positions: whose turn it is, MIN's or MAX's, and with OVER added where the game is over."""
UNKNOWN = 2**32 - 1
"""A number that is not yet known."""
AHEAD = 16
"""How many look-ups memory is asked for ahead of need: about as many as it can fetch at a time."""


@kernel
def _mixed(key: int) -> int:
    """A number whose lower bits all depend on all bits of the key."""
    mixed = np.uint64(key)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return np.int64(mixed & np.uint64(0x7FFFFFFFFFFFFFFF))


@kernel
def insert(
    table: Array,
    numbers: Array,
    states: Array,
    count: Array,
    limit: int,
    keys: Array,
    begin: int,
    end: int,
    found: Array,
) -> int:
    """Put keys into the table, and those that are new behind the others in `states`; how far it got.

    It stops where a key is negative, and where `limit` states are there: the table must not be full. Where `numbers`
    is not empty it has for each slot which of the states is there, and `found` gets that of each key.
    """
    mask = len(table) - 1
    keeping = len(numbers) > 0
    for i in range(begin, end):
        if i + AHEAD < end:
            later = _mixed(keys[i + AHEAD]) & mask
            fetch(table, later)
            if keeping:
                fetch(numbers, later)
        key = keys[i]
        if key < 0:
            return i
        slot = _mixed(key) & mask
        while True:
            there = table[slot]
            if there == EMPTY:
                if count[0] >= limit:
                    return i
                there = swap(table, slot, EMPTY, key)
                if there == EMPTY:
                    number = add(count, 0, 1)
                    states[number] = key
                    if keeping:
                        numbers[slot] = number
                        found[i] = number
                    break
            if there == key:
                if keeping:
                    number = numbers[slot]
                    while number == UNKNOWN:  # another thread has put the key there, and is about to say
                        number = add(numbers, slot, 0)
                    found[i] = number
                break
            slot = slot + 1 & mask
    return end


@kernel
def reinsert(table: Array, numbers: Array, states: Array, begin: int, end: int) -> None:
    """Put states that are all different into a table that has room for them."""
    mask = len(table) - 1
    for i in range(begin, end):
        if i + AHEAD < end:
            fetch(table, _mixed(states[i + AHEAD]) & mask)
        slot = _mixed(states[i]) & mask
        while table[slot] != EMPTY or swap(table, slot, EMPTY, states[i]) != EMPTY:
            slot = slot + 1 & mask
        if len(numbers):
            numbers[slot] = i


@kernel
def fill_shelves(states: Array, shift: int, shelves: Array, begin: int, end: int) -> None:
    """Where the states start whose upper bits are at least each number: states[0] >> shift is on the first shelf."""
    lowest = states[0] >> shift
    for i in range(begin, end):
        here = (states[i] >> shift) - lowest
        before = (states[i - 1] >> shift) - lowest if i else -1
        for shelf in range(before + 1, here + 1):
            shelves[shelf] = i
    if end == len(states):
        for shelf in range((states[end - 1] >> shift) - lowest + 1, len(shelves)):
            shelves[shelf] = end


@kernel
def find(states: Array, shift: int, shelves: Array, key: int) -> int:
    """Where a key is among the sorted states, in which it must be."""
    shelf = (key >> shift) - (states[0] >> shift)
    low, high = np.int64(shelves[shelf]), np.int64(shelves[shelf + 1])
    while high - low > 1:
        middle = (low + high) >> 1
        if states[middle] <= key:
            low = middle
        else:
            high = middle
    return low


@kernel
def find_all(states: Array, shift: int, shelves: Array, keys: Array, begin: int, end: int, places: Array) -> None:
    """Where each of some keys is among the sorted states; the first one's goes to the start of `places`."""
    lowest = states[0] >> shift
    for i in range(begin, end):
        # First the shelf is asked for, and when it is there, what stands on it.
        if i + 2 * AHEAD < end:
            fetch(shelves, (keys[i + 2 * AHEAD] >> shift) - lowest)
        if i + AHEAD < end:
            fetch(states, shelves[(keys[i + AHEAD] >> shift) - lowest])
        places[i - begin] = find(states, shift, shelves, keys[i])


@kernel
def renumber(numbers: Array, places: Array) -> None:
    """Replace numbers by their places."""
    for i in range(len(numbers)):
        if i + AHEAD < len(numbers):
            fetch(places, numbers[i + AHEAD])
        numbers[i] = places[numbers[i]]


@kernel
def count_arrivals(targets: Array, ends: Array) -> None:
    """Count for each position how many moves lead to it, one place up: ends[place + 1]."""
    for i in range(len(targets)):
        if i + AHEAD < len(targets):
            fetch(ends, targets[i + AHEAD] + 1)
        add(ends, targets[i] + 1, 1)


@kernel
def link(places: Array, starts: Array, targets: Array, ends: Array, origins: Array) -> None:
    """Put down for each move where it comes from, in the room of the position that it leads to.

    The i-th of the positions is at places[i]; its moves lead to targets[starts[i]] to before targets[starts[i + 1]].
    """
    for i in range(len(places)):
        for move in range(starts[i], starts[i + 1]):
            if move + 2 * AHEAD < len(targets):
                fetch(ends, targets[move + 2 * AHEAD])
            if move + AHEAD < len(targets):
                fetch(origins, ends[targets[move + AHEAD]])
            origins[add(ends, targets[move], 1)] = places[i]


@kernel
def arrivals(ends: Array, place: int) -> tuple[int, int]:
    """Where the origins of the moves to a position start and end."""
    return np.int64(ends[place - 1]) if place else np.int64(0), np.int64(ends[place])


@kernel
def _fetch_ahead(ends: Array, origins: Array, marks: Array, queue: Array, i: int, end: int) -> None:
    """Ask for what the next positions of the queue will need: where their origins are, those, and what is known of them."""
    if i + 12 < end:
        fetch(ends, queue[i + 12])
    if i + 8 < end:
        fetch(origins, arrivals(ends, queue[i + 8])[0])
    if i + 4 < end:
        low, high = arrivals(ends, queue[i + 4])
        for j in range(low, min(high, low + AHEAD)):
            fetch(marks, origins[j])


@kernel
def peel(ends: Array, origins: Array, open_moves: Array, queue: Array, count: Array, begin: int, end: int) -> None:
    """Take positions of the queue away, and add those that then have no move left to it."""
    for i in range(begin, end):
        _fetch_ahead(ends, origins, open_moves, queue, i, end)
        low, high = arrivals(ends, queue[i])
        for j in range(low, high):
            before = origins[j]
            if add(open_moves, before, -1) == 1:
                queue[add(count, 0, 1)] = before


@kernel
def settle(
    ends: Array,
    origins: Array,
    kinds: Array,
    open_moves: Array,
    ranks: Array,
    plies: Array,
    queue: Array,
    count: Array,
    begin: int,
    end: int,
    hurrying: Array,
    level: int,
) -> None:
    """One step back from settled positions of one value: what leads to them and is settled by it joins the queue.

    A side that is `hurrying` takes the first such move; the other gives in only when all its moves are settled.
    """
    for i in range(begin, end):
        _fetch_ahead(ends, origins, ranks, queue, i, end)
        place = queue[i]
        rank = ranks[place]
        low, high = arrivals(ends, place)
        for j in range(low, high):
            before = origins[j]
            if ranks[before] != EMPTY:
                continue
            if hurrying[kinds[before]]:
                if swap(ranks, before, EMPTY, rank) != EMPTY:
                    continue
            elif add(open_moves, before, -1) != 1:
                continue
            else:
                ranks[before] = rank
            plies[before] = level
            queue[add(count, 0, 1)] = before


@kernel
def choose(
    states: Array,
    shift: int,
    shelves: Array,
    ranks: Array,
    plies: Array,
    first: int,
    count: int,
    starts: Array,
    keys: Array,
    actions: Array,
    best: Array,
) -> None:
    """The first of each position's actions that keeps its value and comes a ply nearer to the end, if it has one."""
    endless = np.iinfo(plies.dtype).max
    for i in range(count):
        own = first + i
        for move in range(starts[i], starts[i + 1]):
            after = find(states, shift, shelves, keys[move])
            if ranks[after] == ranks[own] and (plies[own] == endless or plies[after] + 1 == plies[own]):
                best[i] = actions[move]
                break


@kernel
def count_classes(states: Array, tables: Array, first: Array) -> int:
    """Mark the states that are the lowest of their images under tables of symmetries; how many images those have."""
    images = np.empty(len(tables), np.int64)
    total = 0
    for i in range(len(states)):
        state = states[i]
        lowest = True
        for k in range(len(tables)):
            image = np.int64(0)
            for place in range(8):
                image |= tables[k, place, state >> 8 * place & 255]
            if image < state:
                lowest = False
                break
            images[k] = image
        first[i] = lowest
        if lowest:
            for k in range(len(tables)):
                new = True
                for before in range(k):
                    if images[before] == images[k]:
                        new = False
                        break
                total += new
    return total
