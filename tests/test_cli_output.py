"""-o of every command that writes a file: whole or not at all, and never in the place of something else."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Zermelo

ROOT = Path(__file__).parent.parent
ENDINGS = {"export": "csv", "map": "svg", "tree": "txt", "trace": "txt"}
WRITERS = [["export"], ["map"], ["tree", "--depth", "1"], ["trace", "XOX/OO./.X."]]

each_writer = pytest.mark.parametrize("command", WRITERS, ids=lambda command: command[0])


@each_writer
class TestOutput:
    """export, map, tree and trace write files in one way."""

    def test_a_file_needs_force_to_be_replaced(self, command: list[str], folder: Path, zermelo: Zermelo) -> None:
        """Nothing is lost by a slip, and what is written is what is printed."""
        mine = f"mine.{ENDINGS[command[0]]}"
        (folder / mine).write_text("mine")
        done = zermelo(*command, "-o", mine)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"zermelo: '{mine}' already exists: overwrite it with --force, or name another file\n"
        assert (folder / mine).read_text() == "mine"
        assert zermelo(*command, "-o", mine, "--force").returncode == 0
        assert (folder / mine).read_text() == zermelo(*command).stdout
        assert sorted(os.listdir(folder)) == [mine, "zermelo.db"]

    def test_a_database_is_never_replaced(self, command: list[str], folder: Path, zermelo: Zermelo) -> None:
        """Not even with --force and through a link."""
        before = (folder / "zermelo.db").read_bytes()
        link = f"link.{ENDINGS[command[0]]}"
        (folder / link).symlink_to("zermelo.db")
        done = zermelo(*command, "-o", link, "--force")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"zermelo: '{link}' is a database, which is never overwritten: name another file\n"
        assert (folder / "zermelo.db").read_bytes() == before
        assert sorted(os.listdir(folder)) == [link, "zermelo.db"]

    def test_a_fifo_is_never_replaced(self, command: list[str], folder: Path, zermelo: Zermelo) -> None:
        """Nor waited for."""
        os.mkfifo(folder / "pipe")
        done = zermelo(*command, "-o", "pipe", "--force")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "zermelo: 'pipe' is not a file but a pipe: name a file, or - for standard output\n"
        assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)

    @pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no /dev/null here")
    def test_a_device_is_never_replaced(self, command: list[str], folder: Path, zermelo: Zermelo) -> None:
        """Whoever is root included; a link to one stands for any device, so that a failing test does no harm."""
        (folder / "null").symlink_to("/dev/null")
        done = zermelo(*command, "-o", "null", "--force")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "zermelo: 'null' is not a file but a device: name a file, or - for standard output\n"
        assert (folder / "null").is_symlink()

    def test_a_closed_standard_output(self, command: list[str], folder: Path) -> None:
        """One line that says what to do."""
        done = shell(f"{' '.join(command)} >&-", folder)
        assert (done.returncode, done.stderr) == (1, "zermelo: standard output is closed: name a file with -o\n")

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
    def test_a_full_standard_output(self, command: list[str], folder: Path) -> None:
        """One line too, and nothing from Python's own end."""
        done = shell(f"{' '.join(command)} > /dev/full", folder)
        assert done.returncode == 1
        assert done.stderr == "zermelo: there is no room left for 'standard output': make some, or write elsewhere\n"


def shell(command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m zermelo {command}"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_leaves_no_part(number: signal.Signals, folder: Path) -> None:
    """A trace of hours that is stopped: nothing half-written is left, and the old file is as it was."""
    (folder / "trace.txt").write_text("old")

    def heed() -> None:
        signal.signal(number, signal.SIG_DFL)

    program = subprocess.Popen(
        [sys.executable, "-m", "zermelo", "trace", "-g", "mnk:5,4,4", "-o", "trace.txt", "--force"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=heed,
        stderr=subprocess.PIPE,
    )
    wait_until(lambda: any(path.stat().st_size for path in folder.glob(".*.part")))
    program.send_signal(number)
    _, told = program.communicate(timeout=120)
    expected = (1, b"zermelo: interrupted\n") if number == signal.SIGINT else (-number, b"")
    assert (program.returncode, told) == expected
    assert sorted(os.listdir(folder)) == ["trace.txt", "zermelo.db"]
    assert (folder / "trace.txt").read_text() == "old"


def wait_until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.02)
