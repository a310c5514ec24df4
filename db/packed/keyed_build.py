"""Writes solutions of games of whole numbers: all is solved first, and then stored block by block.

What is stored while the solution is not complete is seen by nobody, and the next build clears it away. The digest is the
SHA-256 of every position in the order of the states: state, value, and plies and one more, 0 where play need not end, as
numbers of 8, 4 and 4 bytes with the lowest byte first.
"""

import contextlib
import hashlib
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy import Engine as SqlEngine
from sqlalchemy.exc import DBAPIError

from zermelo.db.checksum import sealed
from zermelo.db.engine import insert_rows, sql_engine
from zermelo.db.layouts import Built
from zermelo.db.lock import only_builder
from zermelo.db.models import BlockRecord, CountRecord, SolutionRecord
from zermelo.db.store import announce, complete, explained, remove
from zermelo.solver.engines import Engine
from zermelo.solver.errors import BusyError
from zermelo.solver.game import Game
from zermelo.solver.packed import require
from zermelo.solver.packed.estimate import processors
from zermelo.solver.progress import Progress

if TYPE_CHECKING:
    from zermelo.solver.compiled.retrograde import Solved

LEVEL = 3
_AHEAD = 8
"""Blocks for each thread that are compressed before they are asked for."""
_COMMIT = 1 << 26
"""Compressed bytes that one transaction holds."""
_PATIENCE = 600.0
"""Seconds that a transaction waits for another program's to end: minutes of work lie behind it."""
_HASHED = 1 << 18
"""Positions that are hashed at a time."""

Record = tuple[int, int, int, bytes]
"""A row of `blocks`: solution, number, layer (0), data."""


def build_keyed(
    engine: Engine,
    db: str,
    game: Game[Any, Any],
    *,
    symmetry: bool = False,
    force: bool = False,
    jobs: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Built:
    """Store what the engine solves; see `store.build`."""
    require("numpy", "numba", "zstandard")
    assert not symmetry
    from zermelo.solver.compiled.tally import count

    started = time.perf_counter()
    jobs = jobs or processors()
    sql = sql_engine(db, _PATIENCE)
    try:
        with explained(db), only_builder(db, game.spec):
            solution_id = announce(sql, db, game, layout="packed", codec="keyed", force=force)
            try:
                _clear(sql, solution_id)
                [solved] = engine.groups(game, layout="packed", jobs=jobs, memory=memory, progress=progress)
                counted = count(solved, game.symmetries)
                with ThreadPoolExecutor(jobs) as pool:
                    digest = pool.submit(_digest, solved)
                    for rows in _transactions(_rows(pool, jobs, solution_id, solved, progress)):
                        with sql.begin() as connection:
                            _claim(connection, db, game.spec, solution_id)
                            insert_rows(connection, BlockRecord, rows)
                    facts = {
                        **_start(game, solved),
                        "positions": len(solved.states),
                        "classes": sum(tally.classes for tally in counted.counts.values()),
                        "digest": digest.result(),
                    }
                with sql.begin() as connection:
                    _claim(connection, db, game.spec, solution_id)
                    counts = [
                        {"solution_id": solution_id, **category._asdict(), **tally._asdict()}
                        for category, tally in counted.counts.items()
                    ]
                    connection.execute(insert(CountRecord), counts)
                    movers = {"mover_wins": counted.mover_wins, "mover_losses": counted.mover_losses}
                    complete(
                        connection,
                        solution_id,
                        game.spec,
                        **facts,
                        **movers,
                        longest=counted.longest,
                        can_repeat=solved.can_repeat,
                    )
            except BaseException:
                # Whatever stopped the build is what must be told, not that tidying up after it failed too.
                with contextlib.suppress(DBAPIError), sql.begin() as connection:
                    remove(connection, [solution_id])
                raise
    finally:
        sql.dispose()
    return Built(game.spec, **facts, seconds=time.perf_counter() - started)


def _clear(sql: SqlEngine, solution_id: int) -> None:
    """Take away what a build that was killed left."""
    with sql.begin() as connection:
        if connection.scalar(select(func.count()).where(BlockRecord.solution_id == solution_id)):
            connection.execute(delete(BlockRecord).where(BlockRecord.solution_id == solution_id))


def _claim(connection: Connection, db: str, game: str, solution_id: int) -> None:
    mine = select(SolutionRecord.id).where(SolutionRecord.id == solution_id).with_for_update()
    if connection.scalar(mine) is None:
        raise BusyError(f"another build of {game} in {db!r} has taken over: wait for it to finish", db=db)


def _start(game: Game[Any, Any], solved: "Solved") -> dict[str, Any]:
    """What is known of the start."""
    at = int(solved.states.searchsorted(game.initial))
    plies = int(solved.plies[at])
    return {"value": int(solved.values[solved.ranks[at]]), "plies": None if plies == solved.no_plies else plies}


def _digest(solved: "Solved") -> str:
    import numpy as np

    digest = hashlib.sha256()
    for begin in range(0, len(solved.states), _HASHED):
        here = slice(begin, begin + _HASHED)
        records = np.empty(len(solved.states[here]), [("state", "<i8"), ("value", "<i4"), ("plies", "<u4")])
        plies = solved.plies[here]
        records["state"], records["value"] = solved.states[here], solved.values[solved.ranks[here]]
        records["plies"] = np.where(plies == solved.no_plies, 0, plies.astype(np.int64) + 1)
        digest.update(records.data)
    return digest.hexdigest()


def _rows(
    pool: ThreadPoolExecutor, jobs: int, solution_id: int, solved: "Solved", progress: Progress | None
) -> Iterator[Record]:
    """The rows in order, packed in the pool's threads a little ahead of being asked for."""
    from zermelo.solver.compiled.blocks import SIZE

    total = len(solved.states)
    running: deque[Future[Record]] = deque()
    done = 0
    try:
        for begin in range(0, total, SIZE):
            running.append(pool.submit(_row, solution_id, solved, begin, min(begin + SIZE, total)))
            if len(running) > _AHEAD * jobs:
                yield running.popleft().result()
                done += SIZE
                if progress:
                    progress(done, total, "storing")
        while running:
            yield running.popleft().result()
        if progress:
            progress(total, total, "storing")
    finally:
        for future in running:
            future.cancel()


def _row(solution_id: int, solved: "Solved", begin: int, end: int) -> Record:
    from zstandard import ZstdCompressor

    from zermelo.solver.compiled.blocks import pack

    number, data = pack(solved, begin, end)
    # A copy, because what is compressed keeps hold of the room that it could have taken.
    packed = bytes(memoryview(ZstdCompressor(level=LEVEL, write_checksum=True).compress(data)))
    return solution_id, number, 0, sealed(solution_id, number, packed)


def _transactions(rows: Iterator[Record]) -> Iterator[list[Record]]:
    """The rows in portions for a transaction each."""
    waiting: list[Record] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += len(row[3])
        if size > _COMMIT:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting
