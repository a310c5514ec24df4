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
from zermelo.solver.errors import ClosedError, OperationError, ZermeloError

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


_MOST = 8
"""Connections of one reader: so many threads read at the same time, and one more waits for the first of them."""


class _Shared:
    """What lets threads share a reader, and a child process go on with one: a connection for each thread that is reading.

    What is not in use is kept for the next; after a fork, the child opens its own.
    """

    def __init__(self) -> None:
        self.lock = threading.Condition(threading.Lock())
        self._idle: list[Any] = []
        self._busy = 0
        self._closed = self._forking = False
        self._inherited: list[Any] = []
        _OPEN.add(self)

    def connect(self) -> Any:
        """Open a connection."""
        raise NotImplementedError

    def take(self) -> Any:
        """A connection that nobody else uses until it is given back."""
        with self.lock:
            while self._busy >= _MOST or self._forking:
                self.lock.wait()
            if self._closed:
                raise ClosedError("what is closed cannot be read: open it again")
            self._busy += 1
            if self._idle:
                return self._idle.pop()
        try:
            return self.connect()
        except BaseException:
            self.give(None)
            raise

    def give(self, connection: Any) -> None:
        """Give a connection back, None where there is none any more."""
        with self.lock:
            self._busy -= 1
            if connection is not None and self._closed:
                connection.close()
            elif connection is not None:
                self._idle.append(connection)
            self.lock.notify_all()

    def close(self) -> None:
        """Close what is not in use now; what is in use is closed when it is given back."""
        with self.lock:
            self._closed = True
            for connection in self._idle:
                connection.close()
            self._idle.clear()
        _OPEN.discard(self)

    def before_fork(self) -> None:
        """Wait until no thread is within SQLite or a driver, and keep all of them out until `after_fork`."""
        self.lock.acquire()
        self._forking = True
        while self._busy:
            self.lock.wait()

    def after_fork(self, in_child: bool) -> None:
        """Let threads read again; a child uses nothing of its parent's, and must not even close its connections."""
        if in_child:
            self._inherited += self._idle
            self._idle = []
        self._forking = False
        self.lock.notify_all()
        self.lock.release()


_OPEN: "weakref.WeakSet[_Shared]" = weakref.WeakSet()
_held: list[_Shared] = []
"""The readers that no thread uses while the process forks."""


def _before_fork() -> None:
    for reader in sorted(_OPEN, key=id):
        reader.before_fork()
        _held.append(reader)


def _after_fork(in_child: bool) -> None:
    while _held:
        _held.pop().after_fork(in_child)


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
        self.give(self.take())  # so that a file that cannot be read is told at once

    def rows(self, sql: str, parameters: Mapping[str, object] = {}) -> Rows:
        connection = self.take()
        try:
            try:
                return connection.execute(sql, parameters).fetchall()  # type: ignore[no-any-return]
            except sqlite3.OperationalError as error:
                if not is_half_written(error):
                    raise
            # A build was killed while this reader was open: opening the file again undoes what it left.
            connection.close()
            connection = None
            connection = self.connect()
            return connection.execute(sql, parameters).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise sqlite_error(self._path, error) from error
        finally:
            self.give(connection)

    def connect(self) -> sqlite3.Connection:
        return open_sqlite(self._path)

    def has_tables(self, *names: str) -> bool:
        found = self.rows("select name from sqlite_master where type = 'table'")
        return {*names} <= {name for (name,) in found}


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
        self.give(self.take())  # so that a server that does not answer is told at once

    def connect(self) -> "Connection":
        try:
            return self._engine.connect()
        except self._error as error:
            raise self._explained(error) from error

    def rows(self, sql: str, parameters: Mapping[str, object] = {}) -> Rows:
        connection = self.take()
        try:
            return connection.execute(self._text(sql), parameters).all()  # type: ignore[no-any-return]
        except self._error as error:
            raise self._explained(error) from error
        finally:
            self.give(connection)

    def after_fork(self, in_child: bool) -> None:
        if in_child:
            self._engine.dispose(close=False)
        super().after_fork(in_child)

    def has_tables(self, *names: str) -> bool:
        from sqlalchemy import inspect

        connection = self.take()
        try:
            return {*names} <= {*inspect(connection).get_table_names()}
        except self._error as error:
            raise self._explained(error) from error
        finally:
            self.give(connection)

    def close(self) -> None:
        super().close()
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
