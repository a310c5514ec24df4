"""Which schema a database has, and how it gets the newest: the only user of Alembic, which takes long to import."""

from typing import TYPE_CHECKING

from solver.errors import DatabaseError

if TYPE_CHECKING:
    from sqlalchemy import Connection

REVISIONS = ("0001",)
"""Every revision in `migrations/versions`, oldest first. A test holds it to them."""
NEWEST = REVISIONS[-1]


def check(db: str, revision: str | None) -> None:
    """Refuse to read a database whose schema is not the newest, and say what to do."""
    if revision == NEWEST:
        return
    if revision is None:
        raise DatabaseError(
            f"database {db!r} holds no solutions of Zermelo's: make one with `zermelo build`, or name another with --db"
        )
    if revision in REVISIONS:
        raise DatabaseError(
            f"database {db!r} has the older schema {revision}: bring it to {NEWEST} with `zermelo db upgrade`"
        )
    raise DatabaseError(
        f"database {db!r} has schema {revision}, newer than {NEWEST}: read it with a newer Zermelo, `pip install --upgrade zermelo`"
    )


def current(connection: "Connection", db: str) -> str | None:
    """The revision of the database, None where there are no tables yet; other programs' tables are refused."""
    from sqlalchemy import inspect, text

    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables and "solutions" in tables:
        revision: str | None = connection.execute(text("select version_num from alembic_version")).scalar()
        return revision
    if tables:
        raise DatabaseError(
            f"database {db!r} belongs to another program (it has a table {tables[0]!r}): name another with --db"
        )
    return None


def upgrade(connection: "Connection", db: str) -> tuple[str | None, str]:
    """Bring the database to the newest schema, in the transaction of `connection`: the revisions before and after."""
    before = current(connection, db)
    if before != NEWEST:
        if before is not None and before not in REVISIONS:
            check(db, before)
        from alembic import command
        from alembic.config import Config

        import migrations

        config = Config()
        # Alembic's configuration takes % for the start of a name to fill in.
        config.set_main_option("script_location", migrations.__path__[0].replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return before, NEWEST
