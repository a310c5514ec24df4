"""What the tests share: a tic-tac-toe database built once, and the program run as a process."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.fuzz import SCALE
from tests.starter import ROOT, Starter, start_anew
from zermelo.db.store import build
from zermelo.solver.games import load

# Whatever else the machine has to do is no fault of what is tested; and a run that fails, fails again. Others are
# tried where the fuzzers make all their inputs.
settings.register_profile("patient", deadline=None, derandomize=SCALE < 1, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# The program is started hundreds of times: what Python compiled of it is kept, whatever the environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# And what it prints is buffered, as it is for those who use it.
os.environ.pop("PYTHONUNBUFFERED", None)

Zermelo = Callable[..., "subprocess.CompletedProcess[str]"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what is in this folder itself, which has little compiled.

    The second of two workers begins in the middle, with what solves: so the first finds compiled what it comes to later,
    where otherwise both would compile the same at the same time.
    """
    items.sort(key=lambda item: item.path.parent != ROOT / "tests")


def heed_interrupts() -> None:
    """For a process that is to be interrupted: one that a script starts in the background ignores Ctrl-C otherwise."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def without_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the developer has set for using Zermelo does not reach the tests."""
    for name in [name for name in os.environ if name.startswith("ZERMELO_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def tictactoe_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with tic-tac-toe in it, only to be read."""
    path = tmp_path_factory.mktemp("shared") / "zermelo.db"
    build(str(path), load("tictactoe"))
    return path


@pytest.fixture
def folder(tictactoe_db: Path, tmp_path: Path) -> Path:
    """Where the program runs: with a database of tic-tac-toe in it."""
    shutil.copy(tictactoe_db, tmp_path / "zermelo.db")
    return tmp_path


@pytest.fixture(scope="session")
def starter() -> Iterator[Starter]:
    """What the program is forked from."""
    started = Starter()
    yield started
    started.close()


@pytest.fixture
def zermelo(tmp_path: Path, starter: Starter) -> Zermelo:
    """The program as a user runs it, in an empty folder."""

    def typed(
        *arguments: str, stdin: str | bytes = "", env: dict[str, str] | None = None
    ) -> "subprocess.CompletedProcess[str]":
        given = stdin.encode() if isinstance(stdin, str) else stdin
        variables = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
        # Python heeds its own variables only when it begins.
        begins = "PYTHONIOENCODING" in variables or any(name.startswith("PYTHON") for name in env or ())
        run = start_anew if begins else starter.run
        return run(arguments, tmp_path, variables, given)

    return typed
