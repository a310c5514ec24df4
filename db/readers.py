"""Two ways to read the same tables: the standard library for a SQLite file, SQLAlchemy for a server.

Importing SQLAlchemy takes longer than everything else that a look-up needs, so a file is read without it.
"""

import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from db import schema
from db.engine import engine_for, first_line, is_half_written, open_sqlite, sqlite_error, sqlite_path
from solver.errors import OperationError, ZermeloError

Rows = Sequence[Sequence[Any]]


class Reader(Protocol):
    """Reads with SQL that every database understands, parameters written ``:name``."""

    text_order: str
    """What makes a database compare texts by their code points, written after a column's name."""

    def rows(self, sql: str, parameters: Mapping[str, object] = ...) -> Rows: ...

    def has_table(self, name: str) -> bool: ...

    def close(self) -> None: ...


class SqliteReader:
    """Reads a SQLite file, read-only."""

    text_order = ""

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection = open_sqlite(path)

    def rows(self, sql: str, parameters: Mapping[str, object] = {}) -> Rows:
        try:
            try:
                return self._connection.execute(sql, parameters).fetchall()
            except sqlite3.OperationalError as error:
                if not is_half_written(error):
                    raise
            # A build was killed while this reader was open: opening the file again undoes what it left.
            self._connection.close()
            self._connection = open_sqlite(self._path)
            return self._connection.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise sqlite_error(self._path, error) from error

    def has_table(self, name: str) -> bool:
        return bool(self.rows("select 1 from sqlite_master where type = 'table' and name = :name", {"name": name}))

    def close(self) -> None:
        self._connection.close()


class ServerReader:
    """Reads a server's database through SQLAlchemy."""

    def __init__(self, url: str) -> None:
        from sqlalchemy import text
        from sqlalchemy.exc import SQLAlchemyError

        self._url = url
        self._text = text
        self._error = SQLAlchemyError
        self.text_order = ' collate "C"' if url.startswith("postgresql") else ""
        self._engine = engine_for(url).execution_options(isolation_level="AUTOCOMMIT")
        try:
            self._connection = self._engine.connect()
        except SQLAlchemyError as error:
            raise self._explained(error) from error

    def rows(self, sql: str, parameters: Mapping[str, object] = {}) -> Rows:
        try:
            return self._connection.execute(self._text(sql), parameters).all()
        except self._error as error:
            raise self._explained(error) from error

    def has_table(self, name: str) -> bool:
        from sqlalchemy import inspect

        try:
            return inspect(self._connection).has_table(name)
        except self._error as error:
            raise self._explained(error) from error

    def close(self) -> None:
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
    ours = reader.has_table("solutions") and reader.has_table("alembic_version")
    rows = reader.rows("select version_num from alembic_version") if ours else []
    return rows[0][0] if rows else None
