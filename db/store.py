"""Writes solutions: a build is seen whole or not at all, whatever happens while it runs."""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from zermelo.db import schema
from zermelo.db.catalogue import COLUMNS, COUNTS, counts_checksum, facts_checksum, plain_facts
from zermelo.db.engine import first_line, sql_engine, sqlite_error, sqlite_path, tablebase_path
from zermelo.db.layouts import Built, choose_layout, layout_of
from zermelo.db.lock import only_builder
from zermelo.db.models import BlockRecord, CountRecord, PositionRecord, SolutionRecord
from zermelo.db.readers import read_revision
from zermelo.solver.engines import engine_for
from zermelo.solver.errors import (
    BusyError,
    DatabaseError,
    GameError,
    MissingSolutionError,
    OperationError,
    SolutionExistsError,
)
from zermelo.solver.game import Action, Game, State
from zermelo.solver.games import load, rules_of
from zermelo.solver.packed import knows
from zermelo.solver.progress import Progress
from zermelo.solver.zero_sum import two_players


def build(
    db: str | os.PathLike[str],
    game: str | Game[State, Action],
    *,
    layout: str | None = None,
    symmetry: bool = False,
    force: bool = False,
    jobs: int | None = None,
    memory: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Built:
    """Solve `game` and store every position in the database `db`, which is made if it is not there.

    The layout is the one that suits the game unless one is named. With `symmetry` one position of each
    class is stored in rows; readers answer the same. A solution that is there already is replaced only
    with `force`, and answers until the new one is complete. A packed build takes up what an earlier one
    left, and runs on `jobs` processors, by default all. `memory` is how many bytes it may take, by default most of what
    is free. `cluster` is the address of a Dask scheduler whose workers solve it instead, or `local:N` for N workers here.
    """
    db = os.fspath(db)
    if "://" not in db and db.lower().endswith(".ztb"):
        raise DatabaseError(
            f"{db!r} is the name of a tablebase, which is made of a solution in a database: build that first, in a file"
            f" such as {os.path.splitext(db)[0] + '.db'!r}",
            db=db,
        )
    game = load(game)
    two_players(game)
    chosen = choose_layout(game, layout, symmetry=symmetry)
    engine = engine_for(game, chosen)
    if cluster is not None and not (chosen == "packed" and knows(game)):
        raise GameError(f"game {game.spec!r} cannot be solved on a cluster: boards that are stored packed can")
    elsewhere = {} if cluster is None else {"cluster": cluster}
    return layout_of(chosen, db).build_with(
        engine, db, game, symmetry=symmetry, force=force, jobs=jobs, memory=memory, progress=progress, **elsewhere
    )


def upgrade(db: str) -> tuple[str | None, str]:
    """Bring the database to the newest schema: the revisions before and after."""
    engine = sql_engine(db)
    try:
        with explained(db), engine.begin() as connection:
            return schema.upgrade(connection, db)
    finally:
        engine.dispose()


def announce(
    engine: Engine,
    db: str,
    rules: Game[Any, Any],
    *,
    layout: str,
    codec: str | None = None,
    symmetry: bool = False,
    force: bool,
) -> int:
    """Put down that the game is being built, so that readers who find nothing else can say so.

    Where a packed build was stopped, the next with the same codec takes up its row and all that belongs to it.
    """
    game, ours = rules.spec, version("zermelo")
    with engine.begin() as connection:
        schema.upgrade(connection, db)
        # A builder at work holds a lock on its row; one that was killed holds none, and its row can go.
        there = connection.execute(
            select(
                SolutionRecord.id,
                SolutionRecord.status,
                SolutionRecord.layout,
                SolutionRecord.codec,
                SolutionRecord.zermelo_version,
            )
            .where(SolutionRecord.game == game)
            .with_for_update(nowait=True)
        ).all()
        if not force and any(row.status == "complete" for row in there):
            raise SolutionExistsError(f"database {db!r} already holds {game}", db=db, game=game)
        stopped = [row for row in there if row.status == "building"]
        begun = [(row.layout, row.codec, row.zermelo_version) for row in stopped]
        if layout == "packed" and begun == [("packed", codec, ours)]:
            return int(stopped[0].id)
        if layout == "rows" and any(row.layout == "packed" for row in stopped):
            with only_builder(db, game):  # or it was not stopped at all
                pass
        remove(connection, [row.id for row in stopped])
        added = connection.execute(
            insert(SolutionRecord).values(
                game=game,
                layout=layout,
                codec=codec,
                symmetry=symmetry,
                rules_at=rules_of(rules),
                status="building",
                zermelo_version=ours,
                started_at=now(),
            )
        )
        assert added.inserted_primary_key is not None
        return int(added.inserted_primary_key[0])


def complete(connection: Connection, solution_id: int, game: str, **facts: object) -> None:
    """Put the solution in the place of the one before."""
    before = select(SolutionRecord.id).where(SolutionRecord.game == game, SolutionRecord.status == "complete")
    remove(connection, connection.scalars(before).all())
    values = {"status": "complete", "finished_at": now(), **facts}
    mine = update(SolutionRecord).where(SolutionRecord.id == solution_id)
    counts = [getattr(CountRecord, column) for column in COUNTS]
    rows = connection.execute(select(*counts).where(CountRecord.solution_id == solution_id).order_by(*counts[:3])).all()
    connection.execute(mine.values({**values, "counts_checksum": counts_checksum(rows)}))
    stored = select(*(getattr(SolutionRecord, column) for column in COLUMNS)).where(SolutionRecord.id == solution_id)
    connection.execute(mine.values(checksum=facts_checksum(plain_facts(connection.execute(stored).one(), game))))


def remove(connection: Connection, solution_ids: Iterable[int]) -> None:
    """Take solutions out, and all that belongs to them."""
    for solution_id in solution_ids:
        for table in (PositionRecord, BlockRecord, CountRecord):
            connection.execute(delete(table).where(table.solution_id == solution_id))
        connection.execute(delete(SolutionRecord).where(SolutionRecord.id == solution_id))


def take_out(db: str, game: str) -> None:
    """Take the solution of a game out of the database, and what a stopped build of it left; a file gives its space back."""
    if tablebase_path(db) is not None:
        raise DatabaseError(f"{db!r} is a tablebase, which holds one game: remove the file", db=db)
    schema.check(db, read_revision(db))
    engine = sql_engine(db)
    try:
        with explained(db), only_builder(db, game):
            with engine.begin() as connection:
                these = select(SolutionRecord.id).where(SolutionRecord.game == game).with_for_update(nowait=True)
                found = connection.scalars(these).all()
                if not found:
                    raise MissingSolutionError(f"database {db!r} does not hold {game}", db=db, game=game)
                remove(connection, found)
            if (path := sqlite_path(db)) is not None:
                _give_space_back(engine, path)
    finally:
        engine.dispose()


def _give_space_back(engine: Engine, path: str) -> None:
    # Straight to the driver: SQLite does it in no transaction.
    with contextlib.closing(engine.raw_connection()) as connection:
        try:
            connection.cursor().execute("vacuum")
        except sqlite3.Error as error:
            raise sqlite_error(path, error) from error


@contextlib.contextmanager
def explained(db: str) -> Iterator[None]:
    """Turn the database driver's errors into ours."""
    try:
        yield
    except DBAPIError as error:
        path = sqlite_path(db)
        if path is not None and isinstance(error.orig, Exception):
            raise sqlite_error(path, error.orig) from error
        reason = first_line(error.orig)
        # A row that another build has locked, or has put down in the same moment.
        if getattr(error.orig, "sqlstate", None) in ("55P03", "23505"):
            raise BusyError(f"another build is at work in {db!r} ({reason}): wait for it to finish", db=db) from error
        raise OperationError(f"database {db!r} cannot be used: {reason}") from error


def now() -> datetime:
    """The time to put down."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)
