"""A real server on the loopback, as `zermelo serve` starts it, over a database with three games."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from db.store import build
from solver.games import load

ROOT = Path(__file__).parent.parent.parent
GAMES = ("mnk:3,3,3", "mnk:4,3,3", "mnk:3,3,3,misere")


class Server(NamedTuple):
    address: str
    port: int
    pid: int
    log: Path


@contextlib.contextmanager
def running(db: Path, log: Path) -> Iterator[Server]:
    """The server while the block lasts; afterwards it must have ended well and never have shown a traceback."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ZERMELO_")}
    with open(log, "w") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "cli", "serve", "--db", str(db), "--port", "0"],
            env={**environment, "PYTHONPATH": str(ROOT)},
            cwd=db.parent,
            stderr=stderr,
            stdout=subprocess.DEVNULL,
        )
    try:
        address = ""
        for _ in range(300):
            address = next((word for word in log.read_text().split() if word.startswith("http://")), "")
            if address or process.poll() is not None:
                break
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
        assert address, log.read_text()
        yield Server(address, int(address.rstrip("/").rpartition(":")[2]), process.pid, log)
        assert process.poll() is None, log.read_text()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
    assert process.returncode == 0
    assert "Traceback" not in log.read_text()


@pytest.fixture(scope="package")
def web_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three games, only to be read."""
    path = tmp_path_factory.mktemp("web") / "zermelo.db"
    for game in GAMES:
        build(str(path), load(game))
    return path


@pytest.fixture(scope="package")
def server(web_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(web_db, tmp_path_factory.mktemp("log") / "server.log") as server:
        yield server


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=30, trust_env=False) as client:
        yield client
