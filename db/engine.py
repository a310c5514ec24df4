"""From a path or a URL to something that can be read or written; everything that only SQLite needs is here."""

import contextlib
import os
import sqlite3
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from zermelo.solver.errors import (
    BusyError,
    DamagedError,
    DatabaseError,
    EmptyDatabaseError,
    ForeignDatabaseError,
    MissingDatabaseError,
    MissingPackageError,
    MissingTablebaseError,
    OperationError,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_ROWS_A_STATEMENT = 64
_POSTGRESQL = ("postgresql", "postgres")
"""The two names that people give it."""
_IN_URI = str.maketrans({"%": "%25", "?": "%3f", "#": "%23"})
"""What SQLite asks to be written otherwise in a file's URI; urllib would take longer to import than to open the file."""

READ_TIMEOUT = 60.0
"""Seconds that a reader waits for a writer: it need only wait while a finished build is moved into the file."""
WRITE_TIMEOUT = 5.0
"""Seconds that a writer waits for another, which may be at work for hours."""
COMMIT_TIMEOUT = 600.0
"""Seconds that a finished build waits for readers to let go."""


def sqlite_path(db: str) -> str | None:
    """The file that `db` names, or None where it is the URL of a server's database.

    >>> sqlite_path("zermelo.db"), sqlite_path("sqlite:///some/where.db"), sqlite_path("postgresql://host/name")
    ('zermelo.db', 'some/where.db', None)
    """
    scheme, separator, rest = db.partition("://")
    if not separator:
        path = db
    elif scheme.partition("+")[0] == "sqlite":
        path = rest[1:].partition("?")[0] if rest.startswith("/") else ""
    else:
        return None
    if not path or path == ":memory:":
        raise DatabaseError(
            f"database {db!r} names no file: give a path such as zermelo.db, or a URL such as sqlite:///zermelo.db",
            db=db,
        )
    return path


def tablebase_path(db: str) -> str | None:
    """The file that `db` names if that is a tablebase: by its first bytes, or by its name where no database starts so."""
    path = None if "://" in db else db
    if path is None or not os.path.isfile(path):
        return None
    if not os.path.getsize(path):
        return path if path.endswith(".ztb") else None
    if is_database(path):
        return None
    try:
        with open(path, "rb") as file:
            start = file.read(7)
    except OSError as error:
        raise OperationError(f"{path!r} cannot be read: {error.strerror}") from error
    return path if start == b"\x89ZTB\r\n\x1a" or path.endswith(".ztb") else None


_HEADER = 100
"""Bytes that every database of SQLite's begins with; of a file of one byte it thinks that it is empty."""


def is_database(path: str) -> bool:
    """Whether the file `path` is a SQLite database. Asks SQLite, waits for no lock and leaves nothing behind.

    A file that is opened and closed past SQLite would take every lock on it away from this process.
    """
    if os.path.getsize(path) < _HEADER:
        return False
    connection = sqlite3.connect(f"{_uri(path, 'ro')}&immutable=1", uri=True)
    try:
        connection.execute("pragma schema_version").fetchall()
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_NOTADB
    except UnicodeDecodeError:  # in what SQLite says of a damaged one
        return True
    finally:
        connection.close()
    return True


def open_sqlite(path: str) -> sqlite3.Connection:
    """A read-only connection to the SQLite file `path`. Creates nothing."""
    if not os.path.exists(path):
        if path.endswith(".ztb"):
            raise MissingTablebaseError(f"there is no tablebase {path!r}", db=path)
        raise MissingDatabaseError(f"there is no database {path!r}", db=path)
    if os.path.isdir(path):
        raise DatabaseError(f"{path!r} is a directory: name the database file in it", db=path)
    try:
        if not os.path.getsize(path):
            raise EmptyDatabaseError(f"{path!r} is an empty file", db=path)
        connection = _read(path, "ro")
        if connection.execute("pragma journal_mode").fetchone() == ("wal",):
            # Somebody else's setting: only who may write takes the files away again that SQLite then needs beside this one.
            with contextlib.closing(connection):
                connection = _read(path, "rw")
            connection.execute("pragma query_only = on").fetchall()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CANTOPEN and os.access(path, os.R_OK):
            raise OperationError(
                f"{path!r} cannot be read where nothing can be written ({error}): its journal is a WAL, so read a copy, or"
                " set `pragma journal_mode = delete` in it where it can be written"
            ) from error
        if not is_half_written(error):
            raise sqlite_error(path, error) from error
        _roll_back(path)
        connection = _connect(path, "ro")
    except (OSError, UnicodeDecodeError) as error:
        raise sqlite_error(path, error) from error
    return connection


def _read(path: str, mode: str) -> sqlite3.Connection:
    """A connection that has read something, or is closed again."""
    connection = _connect(path, mode)
    try:
        connection.execute("select 1 from sqlite_master").fetchall()
    except (sqlite3.Error, UnicodeDecodeError):
        connection.close()
        raise
    return connection


def is_half_written(error: sqlite3.Error) -> bool:
    """Whether a reader met what a killed build left half-moved into the file."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY_ROLLBACK


def _uri(path: str, mode: str) -> str:
    return f"file:{os.path.abspath(path).translate(_IN_URI)}?mode={mode}"


def _connect(path: str, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        _uri(path, mode),
        uri=True,
        timeout=READ_TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
    )


def _roll_back(path: str) -> None:
    """Undo what a killed build left half-moved into the file: SQLite does it itself when it may write."""
    try:
        _read(path, "rw").close()
    except sqlite3.Error as error:
        raise OperationError(
            f"{path!r} was left half-written by a build that was killed, and cannot be repaired here ({error}):"
            " open it once where it can be written"
        ) from error


def sqlite_error(path: str, error: Exception) -> Exception:
    """The error to show for what went wrong with the SQLite file `path`."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if code is not None else None
    if primary == sqlite3.SQLITE_NOTADB:
        return ForeignDatabaseError(f"{path!r} is not a database", db=path)
    # What SQLite says of a damaged schema may quote it, and then not be text.
    if primary == sqlite3.SQLITE_CORRUPT or isinstance(error, UnicodeDecodeError):
        return DamagedError(
            f"{path!r} is damaged ({error}): restore it from a copy, or remove it and build it again", db=path
        )
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BusyError(f"{path!r} is in use by another program: wait for it to finish, then try again", db=path)
    if primary == sqlite3.SQLITE_FULL:
        return OperationError(f"there is no room left for {path!r}: what it held before is unharmed")
    return OperationError(f"{path!r} cannot be used: {error}")


def sql_engine(db: str, patience: float | None = None) -> "Engine":
    """An engine for the database `db`; on SQLite its transactions take the write lock, and roll back schema changes too.

    `patience` is how many seconds a transaction waits for another's to end, `WRITE_TIMEOUT` where nothing is said.
    """
    from sqlalchemy import NullPool, create_engine, event, make_url
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    path = sqlite_path(db)
    if path is None:
        try:
            url = make_url(db)
            # The driver that the extra installs, whatever SQLAlchemy's own choice is.
            return create_engine(url.set(drivername="postgresql+psycopg") if url.drivername in _POSTGRESQL else url)
        except (ArgumentError, NoSuchModuleError, ValueError) as error:
            raise DatabaseError(f"database {db!r} is not a URL that can be used: {first_line(error)}", db=db) from error
        except ModuleNotFoundError as error:
            needs = f"database {db!r} needs the Python package {error.name}"
            if error.name == "psycopg":
                raise MissingPackageError(
                    f"{needs}, of the extra 'postgresql'", package=error.name, extra="postgresql"
                ) from error
            raise DatabaseError(f"{needs}: install it", db=db) from error
    if os.path.isdir(path):
        raise DatabaseError(f"{path!r} is a directory: name the database file in it", db=path)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise DatabaseError(f"the folder of {path!r} does not exist: make {folder!r} first", db=path)

    timeout = WRITE_TIMEOUT if patience is None else patience
    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(path, timeout=timeout, isolation_level=None),
        poolclass=NullPool,
    )

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        # Without spilling, nothing reaches the file before the commit, so readers go on until then.
        connection.execute("pragma cache_spill = off")

    @event.listens_for(engine, "begin")
    def begin(connection: "Connection") -> None:
        connection.exec_driver_sql(f"pragma busy_timeout = {WRITE_TIMEOUT * 1000:.0f}")
        connection.exec_driver_sql("begin immediate")

    @event.listens_for(engine, "commit")
    def commit(connection: "Connection") -> None:
        # What may have taken hours waits longer for readers to let go than a beginner for its turn.
        connection.exec_driver_sql(f"pragma busy_timeout = {COMMIT_TIMEOUT * 1000:.0f}")

    return engine


def first_line(error: object) -> str:
    """What a driver says, without its advice."""
    return (str(error).strip().splitlines() or ["no reason given"])[0]


def insert_rows(connection: "Connection", model: Any, rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows of plain values, given in the order of the table's columns."""
    columns = [column.name for column in model.__table__.columns]
    if connection.dialect.name != "sqlite":
        from sqlalchemy import insert

        connection.execute(insert(model), [dict(zip(columns, row, strict=True)) for row in rows])
        return
    # Many rows a statement, straight to the driver: a quarter of the time that a dictionary a row takes.
    # Who is refused a row gives all of the transaction up: to undo one statement alone, SQLite would note every page.
    head = f"insert or fail into {model.__tablename__} ({', '.join(columns)}) values "
    one = f"({', '.join('?' * len(columns))})"
    whole = len(rows) - len(rows) % _ROWS_A_STATEMENT
    batches = [tuple(chain(*rows[i : i + _ROWS_A_STATEMENT])) for i in range(0, whole, _ROWS_A_STATEMENT)]
    if batches:
        connection.exec_driver_sql(head + ", ".join([one] * _ROWS_A_STATEMENT), batches)
    if rows[whole:]:
        connection.exec_driver_sql(head + one, [tuple(row) for row in rows[whole:]])
