"""A real server: the same build, the same answers, through SQLAlchemy."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from tests.conftest import Zermelo
from tests.db.test_threads import ask_at_once
from zermelo.db.query import open_solution
from zermelo.db.readers import read_revision
from zermelo.db.schema import NEWEST
from zermelo.db.store import build
from zermelo.db.verify import verify
from zermelo.solver.errors import BusyError, MissingSolutionError, OperationError, SolutionExistsError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.web.shelf import Shelf

pytestmark = pytest.mark.slow
GAME = MNK(3, 3, 3)
PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server of our own in a temporary folder, reached through a socket there; gone afterwards."""
    if not PROGRAMS:
        pytest.skip("no PostgreSQL server is installed")
    # The server refuses to run as root.
    owner = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    folder = tempfile.mkdtemp(prefix="zermelo-pg-")
    os.chown(folder, owner.pw_uid, owner.pw_gid)

    def run(program: str, *arguments: str) -> None:
        identity = {"user": owner.pw_uid, "group": owner.pw_gid} if os.geteuid() == 0 else {}
        subprocess.run([str(PROGRAMS[-1] / program), *arguments], check=True, cwd=folder, **identity)  # type: ignore[call-overload]

    run("initdb", "-D", f"{folder}/data", "-U", "zermelo", "--auth=trust", "--no-sync")
    run(
        "pg_ctl",
        "-D",
        f"{folder}/data",
        "-w",
        "-t",
        "600",
        "-l",
        f"{folder}/log",
        "-o",
        f"-c listen_addresses='' -k {folder}",
        "start",
    )
    try:
        yield f"postgresql+psycopg://zermelo@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop")
        shutil.rmtree(folder)


def test_build_and_every_answer(server: str, zermelo: Zermelo) -> None:
    """All 5,478 entries, the rebuild, the command line, and what is refused."""
    with pytest.raises(OperationError, match=r"cannot be read|cannot be used"):
        open_solution(server.replace("/postgres?", "/nosuch?"))
    digest = build(server, GAME).digest
    assert read_revision(server) == NEWEST
    with open_solution(server) as solution:
        for state, (value, plies, action) in solve(GAME).items():
            best_move = None if action is None else GAME.format_action(action)
            assert solution.probe(GAME.format(state)) == (value, plies, best_move)
        boards = [row.board for row in solution.source.rows()]
        assert boards == sorted(boards), "by code points, whatever the server's language"
        assert not verify(solution).faults
        assert solution.source.facts["games"] == 255168
        assert sum(tally.classes for tally in solution.source.counts().values()) == 765
        with pytest.raises(SolutionExistsError):
            build(server, GAME)
        assert build(server, GAME, force=True, symmetry=True).digest == digest
        assert solution.probe("XO./.X./..O") == (1, 3, "a2")
    with pytest.raises(MissingSolutionError):
        open_solution(server, "mnk:4,3,3")
    shown = zermelo("query", "--db", server, "XO./.X./..O")
    assert "Best move: a2." in shown.stdout
    assert zermelo("list", "--db", server).stdout.startswith("game ")


def test_a_builder_at_work_keeps_others_out(server: str) -> None:
    """The row that says 'building' is locked while its builder lives, and free once it is gone."""
    engine = create_engine(server)
    with engine.begin() as connection:
        connection.execute(
            text(
                "insert into solutions (game, layout, symmetry, status, zermelo_version, started_at)"
                " values ('mnk:2,2,2', 'rows', false, 'building', '0', '2020-01-01')"
            )
        )
    with engine.begin() as connection:
        connection.execute(text("select id from solutions where game = 'mnk:2,2,2' for update"))
        with pytest.raises(BusyError):
            build(server, MNK(2, 2, 2))
    with pytest.raises(BusyError, match="is being built"):
        open_solution(server, "mnk:2,2,2")
    assert build(server, MNK(2, 2, 2)).value == 1
    engine.dispose()


def test_a_game_that_comes_back_on_a_server(server: str) -> None:
    """Plies that are null are null there too."""
    game = load("morris:three")
    digest = build(server, game, symmetry=True).digest
    with open_solution(server, game) as solution:
        assert solution.probe("X../.../...:O") == (0, None, "b1")
        assert not verify(solution).faults
        assert (solution.source.facts["digest"], solution.source.facts["can_repeat"]) == (digest, True)


def test_the_shelf_of_the_web_on_a_server(server: str) -> None:
    """Eight threads share its connection, before and after the solution is built again."""
    build(server, GAME, force=True)
    with contextlib.closing(Shelf(server)) as shelf:

        def ask(_number: int) -> int | None:
            with shelf.solution("mnk:3,3,3") as solution:
                return solution.answer("XO./.X./..O").plies

        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(ask, range(100))) == {3}
            build(server, GAME, force=True, symmetry=True)
            assert set(pool.map(ask, range(100))) == {3}
        assert "mnk:3,3,3" in [game["game"] for game in shelf.games()]


READING = {
    "query": ("query", "XO./.X./..O", "--line"),
    "stats": ("stats",),
    "find": ("find", "--trickiest"),
    "find first": ("find", "--only-move", "--ply", "4..9"),
    "csv": ("export", "--format", "csv"),
    "csv of the ends": ("export", "--format", "csv", "--ply", "9"),
    "jsonl": ("export", "--format", "jsonl"),
    "parquet": ("export", "-o", "t.parquet"),
    "tablebase": ("export", "-o", "t.ztb"),
    "page": ("export", "-o", "t.html"),
    "map": ("map", "--side", "O"),
    "verify": ("verify",),
    "sample": ("verify", "--sample", "200"),
    "play": ("play", "--stored"),
}
"""Every command that reads a solution."""


@pytest.mark.parametrize("options", [{}, {"symmetry": True}, {"layout": "packed"}], ids=["rows", "by class", "packed"])
def test_every_command_that_reads(options: dict[str, Any], server: str, tmp_path: Path, zermelo: Zermelo) -> None:
    """Each says of a solution on a server what it says of the same in a file."""
    file = str(tmp_path / "zermelo.db")
    for db in (file, server):
        build(db, GAME, force=True, **options)
    said: dict[str, tuple[int, str, str, bytes]] = {}
    for db in (file, server):
        for name, command in READING.items():
            done = zermelo(*command, "--db", db, stdin="b2\nquit\n")
            output = tmp_path / command[2] if "-o" in command else None
            assert done.returncode == 0, (name, done.stderr)
            told = (done.returncode, done.stdout.replace(db, "DB"), done.stderr, output.read_bytes() if output else b"")
            if output:
                output.unlink()
            if db == file:
                said[name] = told
            else:
                assert told == said[name], name


def test_threads_share_a_solution_on_a_server(server: str) -> None:
    """One connection, eight threads."""
    for layout in ("rows", "packed"):
        build(server, GAME, force=True, layout=layout)
        with open_solution(server) as solution:
            assert ask_at_once(solution, 4000) == []
