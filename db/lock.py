"""One builder of a game at a time, for builds that let go of the database between transactions."""

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator

from zermelo.db.engine import sql_engine, sqlite_error, sqlite_path
from zermelo.solver.errors import BusyError


@contextlib.contextmanager
def only_builder(db: str, game: str) -> Iterator[None]:
    """Keep every other builder of the game out of the database until this one is done, or is killed."""
    path = sqlite_path(db)
    locked = _in_server(db, game) if path is None else _beside_file(path, game)
    with locked as mine:
        if not mine:
            raise BusyError(f"another build of {game} is at work in {db!r}: wait for it to finish", db=db)
        yield


@contextlib.contextmanager
def _beside_file(path: str, game: str) -> Iterator[bool]:
    # SQLite's own lock, on an empty file: it ends with the process, and works on every system.
    # A link to the file is the same file.
    lock_path = f"{os.path.realpath(path)}-{re.sub('[^a-z0-9]+', '-', game)}.lock"
    try:
        lock = sqlite3.connect(lock_path, timeout=0, isolation_level=None)
    except sqlite3.Error as error:
        raise sqlite_error(lock_path, error) from error
    with contextlib.closing(lock):
        try:
            lock.execute("pragma journal_mode = memory")
            lock.execute("begin exclusive")
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY:
                raise sqlite_error(lock_path, error) from error
            yield False
            return
        try:
            yield True
        finally:
            os.remove(lock_path)


@contextlib.contextmanager
def _in_server(db: str, game: str) -> Iterator[bool]:
    from sqlalchemy import func, select

    engine = sql_engine(db)
    try:
        with engine.connect() as connection:
            yield bool(connection.scalar(select(func.pg_try_advisory_lock(func.hashtext(game)))))
    finally:
        engine.dispose()
