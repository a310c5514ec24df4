"""Writes packed solutions layer by layer, so that a build that was stopped goes on where it was.

A layer is stored in a few transactions, its counts and the digest so far in the last of them: the layer is there once
its last row is. The digest is a chain over the layers from the full board down, each link the SHA-256 of the link
before and the layer's bytes in the order of the occupancies, so that it depends on nothing but the solution.
"""

import contextlib
import hashlib
import os
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, delete, func, select, update

from db.catalogue import list_solutions
from db.engine import engine_for, insert_rows, sqlite_path
from db.lock import only_builder
from db.models import Block, Count, Solution
from db.packed import PART, row_number
from db.readers import open_reader
from db.store import Built, announce, complete, explained
from solver.errors import BusyError, OperationError, ZermeloError
from solver.games.mnk import MNK
from solver.packed import LayerProgress, require
from solver.packed.blocks import outcome
from solver.packed.estimate import processors, refusal

if TYPE_CHECKING:
    from solver.packed.layers import Layer, Layers

LEVEL = 3
_BATCH = 1 << 22
"""Bytes that one thread compresses at a time."""
_COMMIT = 1 << 27
"""Compressed bytes that one transaction holds: they are in memory until it ends."""
_AHEAD = 8
"""Batches that are compressed before they are asked for."""
_PATIENCE = 600.0
"""Seconds that a transaction waits for another program's to end: hours of work may lie behind it."""
_AT_ONCE = 500
"""Rows asked for in one statement."""

Row = tuple[int, int, int, bytes]
"""A row of `blocks`: solution, number, layer, data."""


def build_packed(
    db: str, game: MNK, *, force: bool = False, jobs: int | None = None, progress: LayerProgress | None = None
) -> Built:
    """Solve `game` and store it in blocks, or go on where an earlier build of it was stopped; see `store.build`."""
    require("numpy", "numba", "zstandard")
    from solver.packed.layers import Layers

    started = time.perf_counter()
    jobs = jobs or processors()
    _check_room(db, game, force=force)
    engine = engine_for(db, _PATIENCE)
    try:
        with explained(db), only_builder(db, game.spec), ThreadPoolExecutor(jobs) as pool:
            solution_id = announce(engine, db, game.spec, layout="packed", force=force)
            layers = Layers(game)
            last = _take_up(engine, solution_id, layers)
            for layer in layers.solve(above=last, jobs=jobs, progress=progress):
                _store(engine, pool, db, game, solution_id, layer)
                last = layer
            assert last is not None
            start = outcome(int(last.values[0]), layers.cells, 0)
            assert start is not None
            with engine.begin() as connection:
                facts = _sums(connection, solution_id)
                complete(connection, solution_id, game.spec, value=start[0], plies=start[1], **facts)
    finally:
        engine.dispose()
    return Built(game.spec, *start, **facts, seconds=time.perf_counter() - started)


def _check_room(db: str, game: MNK, *, force: bool) -> None:
    """Refuse what the machine has no room for."""
    path = sqlite_path(db)
    folder = None if path is None else os.path.dirname(os.path.abspath(path))
    there = _statuses(db, game)
    if "complete" in there and not force:
        return  # and it will be refused for that
    # What an earlier build has stored needs no more room, and how much is left can't be told so easily.
    why = refusal(game, None if "building" in there else folder)
    if why:
        raise OperationError(f"{why}: build a smaller board, or this one on a larger machine")


def _statuses(db: str, game: MNK) -> set[str]:
    try:
        with contextlib.closing(open_reader(db)) as reader:
            return {facts["status"] for facts in list_solutions(reader) if facts["game"] == game.spec}
    except ZermeloError:
        return set()


def _sums(connection: Connection, solution_id: int) -> dict[str, Any]:
    counted = select(func.sum(Count.positions), func.sum(Count.classes)).where(Count.solution_id == solution_id)
    positions, classes = connection.execute(counted).one()
    digest = connection.scalar(select(Solution.digest).where(Solution.id == solution_id))
    return {"positions": int(positions), "classes": int(classes), "digest": digest}


def _store(engine: Engine, pool: ThreadPoolExecutor, db: str, game: MNK, solution_id: int, layer: "Layer") -> None:
    """Store one layer, and put down that it is there."""
    with engine.connect() as connection:
        before = connection.scalar(select(Solution.digest).where(Solution.id == solution_id))
    digest = pool.submit(_link, before, layer)
    for rows, is_last in _transactions(_compressed(pool, solution_id, layer)):
        with engine.begin() as connection:
            mine = update(Solution).where(Solution.id == solution_id)
            if not connection.execute(mine.values(digest=digest.result() if is_last else before)).rowcount:
                raise BusyError(f"another build of {game.spec} in {db!r} took over: wait for it to finish")
            insert_rows(connection, Block, rows)
            if is_last:
                insert_rows(connection, Count, _counts(solution_id, layer, game.board.cells))


def _link(before: str | None, layer: "Layer") -> str:
    """The digest with one more layer."""
    digest = hashlib.sha256(bytes.fromhex(before or ""))
    digest.update(layer.values.data)
    return digest.hexdigest()


def _transactions(batches: Iterable[list[Row]]) -> Iterator[tuple[list[Row], bool]]:
    """The rows in portions for a transaction each, and which is the last."""
    waiting: list[Row] = []
    size = 0
    for rows in batches:
        if size > _COMMIT:
            yield waiting, False
            waiting, size = [], 0
        waiting += rows
        size += sum(len(data) for _, _, _, data in rows)
    yield waiting, True


def _compressed(pool: ThreadPoolExecutor, solution_id: int, layer: "Layer") -> Iterator[list[Row]]:
    """The rows of a layer in order, compressed in the pool's threads a little ahead of being asked for."""
    step = max(1, _BATCH // layer.size)
    running: deque[Future[list[Row]]] = deque()
    try:
        for begin in range(0, len(layer.occupancies), step):
            running.append(pool.submit(_compress, solution_id, layer, begin, begin + step))
            if len(running) > _AHEAD:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        for future in running:
            future.cancel()


def _compress(solution_id: int, layer: "Layer", begin: int, end: int) -> list[Row]:
    from zstandard import ZstdCompressor

    compress = ZstdCompressor(level=LEVEL).compress
    rows = []
    for index, occupancy in enumerate(layer.occupancies[begin:end].tolist(), begin):
        offset = index * layer.size
        for part, (first, last) in enumerate(_parts(layer.size)):
            # A copy, because what is compressed keeps hold of the room that it could have taken.
            data = bytes(memoryview(compress(layer.values[offset + first : offset + last].data)))
            rows.append((solution_id, row_number(occupancy, part), layer.stones, data))
    return rows


def _parts(size: int) -> list[tuple[int, int]]:
    """Where each part of a block starts and ends.

    >>> _parts(PART + 1) == [(0, PART), (PART, PART + 1)]
    True
    """
    return [(first, min(first + PART, size)) for first in range(0, size, PART)]


def _counts(solution_id: int, layer: "Layer", cells: int) -> list[tuple[int, int, bool, int, int, int]]:
    """The rows of `counts` of a layer: solution, ply, terminal, value, positions, classes."""
    positions: Counter[tuple[bool, int]] = Counter()
    classes: Counter[tuple[bool, int]] = Counter()
    for index in layer.positions.nonzero()[0].tolist():
        known = outcome(index - 128, cells, layer.stones)
        assert known is not None
        value, plies = known
        positions[not plies, value] += int(layer.positions[index])
        classes[not plies, value] += int(layer.classes[index])
    return [(solution_id, layer.stones, *key, positions[key], classes[key]) for key in sorted(positions)]


def _take_up(engine: Engine, solution_id: int, layers: "Layers") -> "Layer | None":
    """The last layer that an earlier build finished, with what it left unfinished cleared away."""
    with engine.begin() as connection:
        stones = layers.cells + 1
        while stones and _is_stored(connection, solution_id, _numbers(layers, stones - 1)[-1]):
            stones -= 1
        if stones:
            unfinished = _numbers(layers, stones - 1)
            if _is_stored(connection, solution_id, unfinished[0]):
                these = delete(Block).where(Block.solution_id == solution_id)
                for some in _some(unfinished):
                    connection.execute(these.where(Block.occupancy.in_(some)))
        return _read(connection, solution_id, layers, stones) if stones <= layers.cells else None


def _numbers(layers: "Layers", stones: int) -> list[int]:
    """What the rows of a layer are stored under, in order."""
    parts = range(len(_parts(layers.orders[stones].size)))
    return [row_number(occupancy, part) for occupancy in layers.occupancies[stones].tolist() for part in parts]


def _some(numbers: list[int]) -> Iterator[list[int]]:
    return (numbers[first : first + _AT_ONCE] for first in range(0, len(numbers), _AT_ONCE))


def _is_stored(connection: Connection, solution_id: int, number: int) -> bool:
    row = select(Block.layer).where(Block.solution_id == solution_id, Block.occupancy == number)
    return connection.scalar(row) is not None


def _read(connection: Connection, solution_id: int, layers: "Layers", stones: int) -> "Layer":
    """A layer as it was stored."""
    import numpy as np
    from zstandard import ZstdDecompressor

    from solver.packed.layers import Layer

    unpack = ZstdDecompressor().decompress
    values = np.empty(layers.sizes[stones], dtype=np.int8)
    numbers = _numbers(layers, stones)
    end = 0
    for some in _some(numbers):
        rows = select(Block.occupancy, Block.data).where(Block.solution_id == solution_id, Block.occupancy.in_(some))
        found = {row.occupancy: row.data for row in connection.execute(rows)}
        for number in some:
            part = np.frombuffer(unpack(found[number]), dtype=np.int8)
            values[end : end + len(part)] = part
            end += len(part)
    counts = np.zeros(256, dtype=np.int64)
    return Layer(stones, layers.occupancies[stones], layers.orders[stones].size, values, counts, counts)
