"""Two ways to read the same tables: the standard library for a SQLite file, SQLAlchemy for a server.

Importing SQLAlchemy takes longer than everything else that a look-up needs, so a file is read without it.
"""

import contextlib
import os
import sqlite3
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.db import schema
from zermelo.db.engine import first_line, is_half_written, open_sqlite, sql_engine, sqlite_error, sqlite_path
from zermelo.solver.errors import OperationError, ZermeloError

if TYPE_CHECKING:
    from sqlalchemy import Connection

Rows = Sequence[Sequence[Any]]


class Reader(Protocol):
    """Reads with SQL that every database understands, parameters written ``:name``. Threads may share it."""

    text_order: str
    """What makes a database compare texts by their code points, written after a column's name."""

    def rows(self, sql: str, parameters: Mapping[str, object] = ...) -> Rows: ...

    def has_tables(self, *names: str) -> bool: ...

    def close(self) -> None: ...


class _Shared:
    """What lets threads share a reader, and a child process go on with one: a lock, and a connection anew after a fork."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._inherited: list[Any] = []
        _OPEN.add(self)

    def reopen(self) -> Any:
        """Open the connection anew; the one before, which is given back, is left as it is."""
        raise NotImplementedError

    def after_fork(self) -> None:
        """Use nothing of the parent's: its connection must not even be closed here."""
        self._inherited.append(self.reopen())


_OPEN: "weakref.WeakSet[_Shared]" = weakref.WeakSet()
_held: list[_Shared] = []
"""The readers whose locks are held while the process forks: no thread is then within SQLite or a driver."""


def _before_fork() -> None:
    for reader in sorted(_OPEN, key=id):
        reader.lock.acquire()
        _held.append(reader)


def _after_fork(in_child: bool) -> None:
    while _held:
        reader = _held.pop()
        if in_child:
            with contextlib.suppress(ZermeloError):  # which the next question comes by again
                reader.after_fork()
        reader.lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=lambda: _after_fork(in_child=False),
        after_in_child=lambda: _after_fork(in_child=True),
    )


class SqliteReader(_Shared):
    """Reads a SQLite file, read-only."""

    text_order = ""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        with self.lock:
            self._connection = open_sqlite(path)

    def rows(self, sql: str, parameters: Mapping[str, object] = {}) -> Rows:
        try:
            with self.lock:
                try:
                    return self._connection.execute(sql, parameters).fetchall()
                except sqlite3.OperationalError as error:
                    if not is_half_written(error):
                        raise
                # A build was killed while this reader was open: opening the file again undoes what it left.
                self.reopen().close()
                return self._connection.execute(sql, parameters).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise sqlite_error(self._path, error) from error

    def reopen(self) -> sqlite3.Connection:
        before, self._connection = self._connection, open_sqlite(self._path)
        return before

    def has_tables(self, *names: str) -> bool:
        found = self.rows("select name from sqlite_master where type = 'table'")
        return {*names} <= {name for (name,) in found}

    def close(self) -> None:
        _OPEN.discard(self)
        with self.lock:
            self._connection.close()


class ServerReader(_Shared):
    """Reads a server's database through SQLAlchemy."""

    def __init__(self, url: str) -> None:
        from sqlalchemy import text
        from sqlalchemy.exc import SQLAlchemyError

        super().__init__()
        self._url = url
        self._text = text
        self._error = SQLAlchemyError
        self.text_order = ' collate "C"' if url.startswith("postgres") else ""
        self._engine = sql_engine(url).execution_options(isolation_level="AUTOCOMMIT")
        self._connection = self._connect()

    def _connect(self) -> "Connection":
        try:
            return self._engine.connect()
        except self._error as error:
            raise self._explained(error) from error

    def rows(self, sql: str, parameters: Mapping[str, object] = {}) -> Rows:
        try:
            with self.lock:
                return self._connection.execute(self._text(sql), parameters).all()
        except self._error as error:
            raise self._explained(error) from error

    def reopen(self) -> "Connection":
        self._engine.dispose(close=False)
        before, self._connection = self._connection, self._connect()
        return before

    def has_tables(self, *names: str) -> bool:
        from sqlalchemy import inspect

        try:
            with self.lock:
                return {*names} <= {*inspect(self._connection).get_table_names()}
        except self._error as error:
            raise self._explained(error) from error

    def close(self) -> None:
        _OPEN.discard(self)
        with self.lock:
            self._connection.close()
            self._engine.dispose()

    def _explained(self, error: Exception) -> OperationError:
        return OperationError(f"database {self._url!r} cannot be read: {first_line(getattr(error, 'orig', error))}")


def open_reader(db: str) -> Reader:
    """A reader of the database `db`, a path or a URL, which must have the newest schema."""
    reader = _open(db)
    try:
        schema.check(db, _revision(reader))
    except ZermeloError:
        reader.close()
        raise
    return reader


def read_revision(db: str) -> str | None:
    """The revision of the database's schema, None where it has no tables of ours."""
    with contextlib.closing(_open(db)) as reader:
        return _revision(reader)


def _open(db: str) -> Reader:
    path = sqlite_path(db)
    return ServerReader(db) if path is None else SqliteReader(path)


def _revision(reader: Reader) -> str | None:
    ours = reader.has_tables("solutions", "alembic_version")
    rows = reader.rows("select version_num from alembic_version") if ours else []
    return rows[0][0] if rows else None
