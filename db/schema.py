"""Which schema a database has, and how it gets the newest: the only user of Alembic, which takes long to import."""

from typing import TYPE_CHECKING

from zermelo.solver.errors import EmptyDatabaseError, ForeignDatabaseError, NewerSchemaError, OlderSchemaError

if TYPE_CHECKING:
    from sqlalchemy import Connection

REVISIONS = {
    "0001": "solutions, their counts, and their positions in rows or in packed blocks",
    "0002": "solutions say how they are packed, whether play can come back to a position, and what the side to move has"
    " won and lost; plies may be null, where play need not end",
    "0003": "solutions say where the rules of somebody's own game were found; the view `answers` has every position in rows under its game",
    "0004": "solutions, their counts and their positions have checksums",
}
"""Every revision in `migrations/versions`, oldest first, and what it brings. A test holds it to them."""
NEWEST = list(REVISIONS)[-1]


def check(db: str, revision: str | None) -> None:
    """Refuse to read a database whose schema is not the newest."""
    if revision == NEWEST:
        return
    if revision is None:
        raise EmptyDatabaseError(f"database {db!r} has no tables of Zermelo's", db=db)
    if revision in REVISIONS:
        raise OlderSchemaError(f"database {db!r} has schema {revision}, older than {NEWEST}", db=db, revision=revision)
    raise NewerSchemaError(f"database {db!r} has schema {revision}, newer than {NEWEST}", db=db, revision=revision)


def current(connection: "Connection", db: str) -> str | None:
    """The revision of the database, None where there are no tables yet; other programs' tables are refused."""
    from sqlalchemy import inspect, text

    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables and "solutions" in tables:
        revision: str | None = connection.execute(text("select version_num from alembic_version")).scalar()
        return revision
    if tables:
        raise ForeignDatabaseError(f"database {db!r} belongs to another program (it has a table {tables[0]!r})", db=db)
    return None


def upgrade(connection: "Connection", db: str) -> tuple[str | None, str]:
    """Bring the database to the newest schema, in the transaction of `connection`: the revisions before and after."""
    before = current(connection, db)
    if before != NEWEST:
        if before is not None and before not in REVISIONS:
            check(db, before)
        from alembic import command
        from alembic.config import Config

        from zermelo import migrations

        config = Config()
        # Alembic's configuration takes % for the start of a name to fill in.
        config.set_main_option("script_location", migrations.__path__[0].replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return before, NEWEST
