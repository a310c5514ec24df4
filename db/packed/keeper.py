"""Keeps the groups of a board that is being built: its blocks, compressed, and a record of each group that is stored.

A group is stored in one transaction, and its record with it, so that it is there whole or not at all. Records are rows of
`blocks` with numbers below 0, which no reader asks for; they hold the group's digest and counts, and go when the solution
is complete. Its digest is the SHA-256 of the groups' digests in the order of their numbers, each that of the group's bytes in
the order of the occupancies: it does not depend on the order of solving.
"""

import contextlib
import hashlib
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, delete, select
from sqlalchemy import Engine as SqlEngine
from sqlalchemy.exc import IntegrityError

from zermelo.db.checksum import opened, sealed
from zermelo.db.engine import insert_rows, sql_engine, sqlite_path
from zermelo.db.models import BlockRecord, CountRecord, SolutionRecord
from zermelo.db.packed.source import parts_of, row_number
from zermelo.db.readers import Reader, open_reader
from zermelo.solver.errors import BusyError, DamagedSolutionError
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import knows
from zermelo.solver.packed.blocks import outcome

if TYPE_CHECKING:
    from zermelo.solver.packed.groups import Groups
    from zermelo.solver.packed.work import Solved, Values

LEVEL = 3
_COMMIT = 1 << 28
"""Compressed bytes that one transaction holds, about: they are in memory until it ends."""
_READ = 1 << 24
"""Bytes of blocks that one statement asks for, about."""
_ROWS_A_STATEMENT = 500
_DIGEST = 32


class Packed(NamedTuple):
    """A group as it is stored."""

    number: int
    stones: int
    rows: list[tuple[int, bytes]]
    """The numbers of its rows, and what they hold."""
    record: bytes
    """Its digest and counts."""


class Keeper:
    """Stores the groups of one solution and reads them back; see `engine.Keeper`. Threads may share one."""

    def __init__(self, sql: SqlEngine | None, db: str, game: MNK, groups: "Groups", solution_id: int) -> None:
        self._sql = sql
        self.is_shared = sqlite_path(db) is None
        self._db = db
        self._game = game
        self._groups = groups
        self._solution_id = solution_id
        self._reader: Reader | None = None
        # One at a time: a reader would keep a commit waiting, and the other way about.
        self._lock = threading.Lock()

    def stored(self) -> list[int]:
        """The numbers of the groups that are stored."""
        with self._lock:
            return stored_groups(self._open_reader(), self._solution_id)

    def pack(self, solved: "Solved") -> Packed:
        """A group, compressed and hashed."""
        import numpy as np
        from zstandard import ZstdCompressor

        compress = ZstdCompressor(level=LEVEL).compress
        parts = parts_of(solved.size)
        rows = []
        for index, occupancy in enumerate(solved.occupancies.tolist()):
            offset = index * solved.size
            for part, (first, last) in enumerate(parts):
                # A copy, because what is compressed keeps hold of the room that it could have taken.
                data = bytes(memoryview(compress(solved.values[offset + first : offset + last].data)))
                rows.append((row_number(occupancy, part), data))
        counts = np.stack([solved.positions, solved.classes]).astype("<i8")
        digest = hashlib.sha256(solved.values.data).digest()
        return Packed(solved.number, solved.stones, rows, digest + compress(counts.tobytes()))

    def write(self, packed: Sequence[Packed]) -> None:
        """Store groups, each whole, in as few transactions as memory allows."""
        for some in _portions(packed):
            rows = [
                (self._solution_id, number, group.stones, sealed(self._solution_id, number, data))
                for group in some
                for number, data in [*group.rows, (_record_number(group.number), group.record)]
            ]
            rows.sort(key=itemgetter(1))  # in the order of the index, whose pages are then found once each
            assert self._sql is not None
            with contextlib.ExitStack() as until_committed, self._sql.begin() as connection:
                mine = select(SolutionRecord.id).where(SolutionRecord.id == self._solution_id)
                if connection.scalar(mine.with_for_update(read=True)) is None:
                    raise BusyError(
                        f"another build of {self._game.spec} in {self._db!r} has taken over: wait for it to finish",
                        db=self._db,
                    )
                insert_rows(connection, BlockRecord, rows)
                until_committed.enter_context(self._lock)

    def write_once(self, packed: Packed) -> None:
        """Store a group, if another worker has not done it already: one that was taken for lost, and was not."""
        if packed.number in self.stored():
            return
        try:
            self.write([packed])
        except IntegrityError:
            if packed.number not in self.stored():
                raise

    def read(self, number: int) -> "Values":
        """The bytes of a group that is stored."""
        import numpy as np
        from zstandard import ZstdDecompressor, ZstdError

        from zermelo.solver.packed.work import room

        parts = parts_of(self._groups.orders[self._groups.stones[number]].size)
        rows = [
            (row_number(occupancy, part), last - first)
            for occupancy in self._groups.occupancies[number].tolist()
            for part, (first, last) in enumerate(parts)
        ]
        values = room(self._groups.sizes[number])
        decompress = ZstdDecompressor().decompress
        at = 0
        step = max(1, min(_ROWS_A_STATEMENT, _READ // parts[0][1]))
        for begin in range(0, len(rows), step):
            some = rows[begin : begin + step]
            found = self._data([row for row, _ in some])
            for row, size in some:
                try:
                    data = decompress(found.get(row, b""))
                except ZstdError:
                    data = b""
                if len(data) != size:
                    raise self._damaged(row)
                values[at : at + size] = np.frombuffer(data, dtype=np.int8)
                at += size
        return values

    def _damaged(self, number: int) -> DamagedSolutionError:
        spec = self._game.spec
        return DamagedSolutionError(f"block {number} of {spec} in {self._db!r} is damaged", db=self._db, game=spec)

    def _data(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """What those rows hold that there are."""
        names = {f"n{i}": number for i, number in enumerate(numbers)}
        sql = (
            "select occupancy, data from blocks where solution_id = :solution"
            f" and occupancy in ({', '.join(':' + name for name in names)})"
        )
        with self._lock:
            rows = self._open_reader().rows(sql, {"solution": self._solution_id, **names})
        return {number: opened(self._solution_id, number, data) or b"" for number, data in rows}

    def _open_reader(self) -> Reader:
        if self._reader is None:
            self._reader = open_reader(self._db)
        return self._reader

    def clear(self) -> None:
        """Remove all that is stored."""
        assert self._sql is not None
        with self._sql.begin() as connection:
            for table in (BlockRecord, CountRecord):
                connection.execute(delete(table).where(table.solution_id == self._solution_id))

    def conclude(self, connection: Connection) -> dict[str, Any]:
        """The facts of the solution from the records of its groups, whose counts take their place."""
        import numpy as np
        from zstandard import ZstdDecompressor

        records = select(BlockRecord.occupancy, BlockRecord.data).where(
            BlockRecord.solution_id == self._solution_id, BlockRecord.occupancy < 0
        )
        unpack = ZstdDecompressor().decompress
        digests = [b""] * len(self._groups)
        shape = (self._groups.cells + 1, 2, 256)
        counted = np.zeros(shape, dtype=np.int64)
        """By stones: positions and classes with each byte."""
        for row in connection.execute(records):
            number = _record_number(row.occupancy)
            record = opened(self._solution_id, row.occupancy, row.data)
            if record is None:
                raise self._damaged(row.occupancy)
            digests[number] = record[:_DIGEST]
            counted[self._groups.stones[number]] += np.frombuffer(unpack(record[_DIGEST:]), "<i8").reshape(2, 256)
        assert all(digests)
        rows, longest = counts_of(counted, self._groups.cells)
        insert_rows(connection, CountRecord, [(self._solution_id, *row) for row in rows])
        connection.execute(
            delete(BlockRecord).where(BlockRecord.solution_id == self._solution_id, BlockRecord.occupancy < 0)
        )
        wins = sum(positions for ply, _, value, positions, _ in rows if value and (value > 0) == (ply % 2 == 0))
        decided = sum(positions for _, _, value, positions, _ in rows if value)
        return {
            "positions": sum(row[3] for row in rows),
            "classes": sum(row[4] for row in rows),
            "digest": hashlib.sha256(b"".join(digests)).hexdigest(),
            "longest": longest,
            # The side to move: X where the number of stones is even.
            "mover_wins": wins,
            "mover_losses": decided - wins,
        }

    def close(self) -> None:
        """Let go of the database."""
        if self._reader is not None:
            self._reader.close()


@lru_cache(maxsize=2)
def keeper_elsewhere(db: str, spec: str, solution_id: int) -> Keeper:
    """A keeper for a worker of a cluster, which reaches a server's database, but no file of somebody else's."""
    from zermelo.solver.packed.tasks import groups_named

    game = load(spec)
    assert knows(game)
    sql = sql_engine(db) if sqlite_path(db) is None else None
    return Keeper(sql, db, game, groups_named(spec), solution_id)


def stored_groups(reader: Reader, solution_id: int) -> list[int]:
    """The numbers of the groups that are stored of a solution that is being built."""
    sql = "select occupancy from blocks where solution_id = :solution and occupancy < 0"
    return [_record_number(number) for (number,) in reader.rows(sql, {"solution": solution_id})]


def counts_of(counted: Any, cells: int) -> tuple[list[tuple[int, bool, int, int, int]], int | None]:
    """The rows of `counts` (ply, terminal, value, positions, classes), and the most plies of any win or loss."""
    positions: Counter[tuple[int, bool, int]] = Counter()
    classes: Counter[tuple[int, bool, int]] = Counter()
    longest = None
    for stones, index in zip(*(places.tolist() for places in counted[:, 0].nonzero()), strict=True):
        known = outcome(index - 128, cells, stones)
        assert known is not None
        value, plies = known
        positions[stones, not plies, value] += int(counted[stones, 0, index])
        classes[stones, not plies, value] += int(counted[stones, 1, index])
        if value:
            longest = max(plies, longest or 0)
    return [(*key, positions[key], classes[key]) for key in sorted(positions)], longest


def _record_number(number: int) -> int:
    """What the record of a group is stored under, and back.

    >>> _record_number(0), _record_number(_record_number(7))
    (-1, 7)
    """
    return -1 - number


def _portions(packed: Sequence[Packed]) -> Iterator[list[Packed]]:
    """Groups for a transaction each."""
    some: list[Packed] = []
    size = 0
    for group in packed:
        some.append(group)
        size += sum(len(data) for _, data in group.rows)
        if size > _COMMIT:
            yield some
            some, size = [], 0
    if some:
        yield some
