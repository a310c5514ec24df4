"""No password in anything that is printed or raised."""

from pathlib import Path

import pytest

from tests.conftest import Zermelo
from zermelo.solver.errors import DatabaseError, OperationError
from zermelo.solver.texts import shown, without_password

ADDRESSES = [
    "postgresql://me:SECRET@host/name",
    "postgresql://me:SECRET@/name",
    "postgresql://:SECRET@host/name",
    "postgresql://me:SEC@RET@host/name",
    "postgresql://me:SEC RET@host/name",
    "postgresql://me:SEC/RET@host/name",
    "postgresql://me:SEC:RET@host:x/name",
    "postgresql://me:SEC'RET@host/name",
    "postgresql+psycopg://me:SECRET@host:5432/name?connect_timeout=1",
    "postgresql://host/name?user=me&password=SECRET",
    "postgresql:///name?password=SECRET",
    "postgresql://host/name?user=me&sslpassword=SEC RET&sslmode=require",
    "postgresql://me@host/name?PASSWORD=SECRET",
    "nosuch://me:SECRET@host/name",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_loses_its_password(address: str) -> None:
    """In a message, in its quotes, and in an error; what is no secret stays."""
    for text in (address, f"database {address!r} cannot be read: why", str(OperationError(f"{address!r} fails"))):
        told = without_password(text)
        assert "SEC" not in told
        assert "RET" not in told
        assert "***" in told
    assert "SEC" not in str(DatabaseError(f"database {address!r} is not there", db=address))


def test_addresses_without_a_password_are_left_alone() -> None:
    """As are paths, and mails."""
    for text in ("postgresql://me@host:5432/name", "a:b@c", "sqlite:///a.db", "see http://127.0.0.1:8000/ or /docs"):
        assert without_password(text) == text


@pytest.mark.parametrize("command", ["list", "query", "build", "verify"])
def test_commands_print_none(command: str, zermelo: Zermelo) -> None:
    """Where nobody answers, and where the address is none."""
    for address in (
        "postgresql://me:SEC@RET@127.0.0.1:1/name?connect_timeout=1&sslpassword=SECRET",
        "postgresql://me:SECRET@127.0.0.1:port/name",
    ):
        done = zermelo(command, "--db", address)
        assert done.returncode in (1, 2)
        assert "me:***@127.0.0.1" in done.stderr
        assert "SEC" not in done.stderr + done.stdout
        assert "RET" not in done.stderr + done.stdout
        assert done.stderr.count("\n") == 1


def test_nothing_steers_a_terminal(tmp_path: Path, zermelo: Zermelo) -> None:
    """A name in a database that would clear the screen, begin a line or turn the direction of writing is shown escaped."""
    import sqlite3
    from contextlib import closing

    from zermelo.db.store import build

    build(tmp_path / "zermelo.db", "nim:1,2")
    with closing(sqlite3.connect(tmp_path / "zermelo.db")) as connection:
        connection.execute("update solutions set game = ?, checksum = null", ("nim\x1b[2J\n:1\u202e\x9b,2",))
        connection.commit()
    done = zermelo("list")
    assert r"nim\x1b[2J\n:1\u202e\x9b,2" in done.stdout
    assert shown(done.stdout, keep="\n") == done.stdout
    done = zermelo("query", "-g", "nim:\x1b[2J")
    assert shown(done.stderr, keep="\n") == done.stderr
    assert done.returncode == 2
