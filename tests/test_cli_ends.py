"""However the program ends, it ends in one line: interrupted, without memory, without a place to print to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Zermelo, heed_interrupts

ROOT = Path(__file__).parent.parent


def run(code: str, folder: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Python with some code, in a folder that has a database."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=heed_interrupts,
    )


INTERRUPTED = """
import os, signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
sys.argv = ["zermelo", "query", "XO./.X./..O"]
from zermelo.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["zermelo.cli", "click", "zermelo.commands.ask", "zermelo.db.query", "sqlite3"])
def test_an_interrupt_while_it_is_imported(module: str, folder: Path) -> None:
    """Ctrl-C comes when it comes."""
    done = run(INTERRUPTED.format(module=module), folder)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "zermelo: interrupted\n")


def test_an_interrupt_while_options_are_read(folder: Path) -> None:
    """Where click would have a line of its own for it."""
    done = run(
        "import os, signal, click\n"
        "from zermelo.cli import main\n"
        "click.Context.scope = lambda *rest, **more: os.kill(os.getpid(), signal.SIGINT)\n"
        "main(['query'])",
        folder,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "zermelo: interrupted\n")


LATE = """
import os, signal, sys, threading
threading._register_atexit(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["zermelo", "query", "XO./.X./..O", "--format", "csv"]
from zermelo.__main__ import main
main()
"""


def test_an_interrupt_while_the_interpreter_ends(folder: Path) -> None:
    """What is done is done: it comes when Python waits for its threads, before anything that was registered for the end."""
    done = run(LATE, folder)
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (0, 2, "")


NO_MEMORY = "zermelo: there is not enough memory for this: close other programs, or do less at once\n"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("MemoryError()", NO_MEMORY),
        ("OSError(12, 'Cannot allocate memory')", NO_MEMORY),
        ('RuntimeError("can\'t start new thread")', NO_MEMORY),
        ("OSError('a library cannot be loaded')", "zermelo: a library cannot be loaded\n"),
        ("OSError(5, 'Input/output error')", "zermelo: the output cannot be written: Input/output error\n"),
    ],
)
def test_what_a_machine_lacks(error: str, told: str, folder: Path) -> None:
    """One line that says what."""
    code = "from zermelo.db import query\nfrom zermelo.cli import main\ndef fails(*rest): raise {}\nquery.open_solution = fails\nmain(['query'])"
    done = run(code.format(error), folder)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


def test_a_mistake_of_ours(folder: Path) -> None:
    """One line too, with the place and how to see more; and then all there is."""
    code = "from zermelo.db import query\nfrom zermelo.cli import main\ndef fails(*rest): 1 / 0\nquery.open_solution = fails\nmain(['query'])"
    done = run(code, folder)
    assert (done.returncode, done.stderr) == (
        1,
        "zermelo: this is a mistake in Zermelo: ZeroDivisionError: division by zero (at <string>:3):"
        " please report it, with what ZERMELO_TRACEBACK=1 shows\n",
    )
    assert "Traceback" in run(code, folder, ZERMELO_TRACEBACK="1").stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["query", "list", "stats", "find", "verify", "search", "check", "db current", "play"]
)
def test_a_closed_standard_output(command: str, folder: Path) -> None:
    """What was asked for cannot be told, which is a failure."""
    done = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m zermelo {command} >&- </dev/null"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    told = "zermelo: standard output is closed: open it, or direct it to a file\n"
    assert (done.returncode, done.stderr) == (1, told)


def test_a_terminal_that_knows_few_characters(folder: Path, zermelo: Zermelo) -> None:
    """What it cannot show is written otherwise."""
    (folder / "greek.json").write_text('{"root": {"name": "A", "moves": {"β": 1}}}', encoding="utf-8")
    done = zermelo("search", "-g", "tree:greek.json", env={"PYTHONIOENCODING": "latin-1"})
    assert (done.returncode, done.stderr) == (0, "")
    assert r"Move: \u03b2." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["export", "--ply", "99999999999999999999"], "'99999999999999999999' is not a range of plies"),
        (["export", "--ply", f"0..{'9' * 5000}"], "is not a range of plies"),
        (["find", "--limit", str(2**63)], "9223372036854775808 is not in the range 1<=x<=1000000000"),
        (["find", "--value", str(-(2**63) - 1)], "is not in the range"),
        (["check", "--limit", str(2**64)], "is not in the range"),
        (["verify", "--sample", str(2**64)], "is not in the range"),
        (["query", "-g", "os:getcwd"], "game 'os:getcwd' lacks "),
        (["search", "-g", "sys:exit"], "game 'sys:exit' cannot be made: SystemExit"),
        (["search", "-g", "antigravity_game:x"], "which cannot be imported"),
        (["list", "--db", "postgresql://host:port/name"], "is not a URL that can be used"),
    ],
)  # fmt: skip
def test_numbers_and_names_beyond_all_bounds(arguments: list[str], told: str, folder: Path, zermelo: Zermelo) -> None:
    """Asked wrongly: one line, exit 2."""
    done = zermelo(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert len(done.stderr) < 600
