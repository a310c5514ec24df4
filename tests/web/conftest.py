"""A real server on the loopback, as `zermelo serve` starts it, over a database with a few games, and a real browser."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser

from tests.web.browser import launched
from zermelo.db.store import build
from zermelo.solver.games import load
from zermelo.solver.games.tree import read_tree

ROOT = Path(__file__).parent.parent.parent
ODD = "tree:../odd#1?/a%2Fb.json"
"""A game whose name has all that addresses stumble over."""
GAMES = (
    "mnk:3,3,3", "mnk:4,3,3", "mnk:3,3,3,misere", "connect:3,3,3", "nim:1,2,3", "morris:three", "dodgem:3",
    "figure:two-ply", ODD,
)  # fmt: skip


class Server(NamedTuple):
    address: str
    port: int
    pid: int
    log: Path


@contextlib.contextmanager
def running(db: Path, log: Path, *options: str) -> Iterator[Server]:
    """The server while the block lasts; afterwards it must have ended well and never have shown a traceback."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ZERMELO_")}
    with open(log, "w") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "zermelo", "serve", "--db", str(db), "--port", "0", *options],
            env={**environment, "PYTHONPATH": str(ROOT)},
            cwd=db.parent,
            stderr=stderr,
            stdout=subprocess.DEVNULL,
        )
    try:
        address = ""
        for _ in range(3000):
            address = next((word for word in log.read_text().split() if word.startswith("http://")), "")
            if address or process.poll() is not None:
                break
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
        assert address, log.read_text()
        yield Server(address, urlsplit(address).port or 0, process.pid, log)
        assert process.poll() is None, log.read_text()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(300)
    assert process.returncode == 0
    assert "Traceback" not in log.read_text()


@pytest.fixture(scope="package")
def web_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a few games, only to be read."""
    path = tmp_path_factory.mktemp("web") / "served" / "zermelo.db"
    file = path.parent.parent / "odd#1?" / "a%2Fb.json"
    for made in (path, file):
        made.parent.mkdir()
    file.write_text('{"root": {"name": "A", "moves": {"left": -3, "right": 1}}}')
    for game in GAMES:
        build(str(path), read_tree(file, ODD) if game == ODD else load(game))
    return path


@pytest.fixture(scope="package")
def server(web_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(web_db, tmp_path_factory.mktemp("log") / "server.log", "-g", ODD) as server:
        yield server


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=300, trust_env=False) as client:
        yield client
