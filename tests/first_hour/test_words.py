"""Line 10: help in groups, suggestions, colour, completion, an introduction, and the other name of PostgreSQL."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Zermelo
from tests.first_hour.conftest import Typed
from zermelo import cli

ROOT = Path(__file__).parent.parent.parent


def test_help_is_in_groups_of_whole_lines(typed: Typed) -> None:
    """A heading before each group, and each summary a whole sentence on one line of 80 columns."""
    text = typed("zermelo --help").stdout
    commands = text[text.index("Solve games") :]
    assert [line for line in commands.splitlines() if line.endswith(":")] == [
        f"{words}:" for words in cli.HEADINGS.values()
    ]
    summaries = re.findall(r"^  (\w+) +(.*)$", commands, re.MULTILINE)
    assert [name for name, _ in summaries] == list(cli.COMMANDS)
    assert all(summary.endswith(".") and "..." not in summary for _, summary in summaries), summaries
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("zermelo qery", "No such command 'qery': did you mean query? The commands are build, "),
        ("zermelo search --dept 3", "No such option '--dept'. Did you mean '--depth'?"),
        ("zermelo stats --fromat json", "No such option '--fromat'. Did you mean '--format'?"),
        ("zermelo search -g tictacto", "there is no game 'tictacto': did you mean tictactoe? The games are "),
        ("zermelo search -g mkn:4,3,3", "there is no game 'mkn:4,3,3': did you mean mnk:4,3,3? The games are "),
    ],
)
def test_did_you_mean(line: str, message: str, typed: Typed) -> None:
    """For commands, options and games; in one line."""
    done = typed(line)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


def on_a_terminal(folder: Path, *arguments: str, **variables: str) -> str:
    """What the program prints on a terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **variables}
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo", *arguments],
        cwd=folder,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        printed = b""
        while True:
            try:
                read = os.read(ours, 1 << 16)
            except OSError:  # how Linux says that nobody has the other end any more
                break
            if not read:
                break
            printed += read
        process.wait()
    os.close(ours)
    return printed.decode().replace("\r\n", "\n")


def test_colour_on_a_terminal(folder: Path, typed: Typed) -> None:
    """Stones, outcomes and best moves; nothing of it where NO_COLOR says so, or the output is no terminal."""
    plain = typed("zermelo query XO./.X./..O").stdout
    assert "\x1b" not in plain
    coloured = on_a_terminal(folder, "query", "XO./.X./..O", NO_COLOR="")
    assert "\x1b[94mX\x1b[0m \x1b[93mO\x1b[0m ." in coloured
    assert "  \x1b[1;92ma2\x1b[0m  \x1b[94mX wins\x1b[0m in 2 plies  traps 0 of 4  \x1b[1;92m*\x1b[0m" in coloured
    assert "Best move: \x1b[1;92ma2\x1b[0m." in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert on_a_terminal(folder, "query", "XO./.X./..O", NO_COLOR="1") == plain


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, typed: Typed) -> None:
    """A script for each shell."""
    done = typed(f"zermelo completion {shell}")
    assert done.returncode == 0
    assert "_zermelo_completion" in done.stdout
    assert f"_ZERMELO_COMPLETE={shell}_complete" in done.stdout


def test_completion_completes(zermelo: Zermelo) -> None:
    """What the script asks the program: commands, options and games."""
    for words, expected in {
        "zermelo que": "plain,query",
        "zermelo tree --num": "plain,--numbering",
        "zermelo tree -g tic": "plain,tictactoe",
        "zermelo nosuch ": "",
    }.items():
        asked = {"_ZERMELO_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        done = zermelo(env=asked)
        assert done.stderr == ""
        assert expected in done.stdout.splitlines() or not expected


def test_play_introduces_its_commands(zermelo: Zermelo, folder: Path) -> None:
    """Before the first move, and without giving the best one away."""
    done = zermelo("play", "XO./.X./..O", stdin="quit\n")
    assert done.stdout.startswith(
        "You play X. Type a move, such as c1, hint to see what every move leads to, undo to take a move back, or quit.\n"
    )
    assert zermelo("play", "--side", "both", stdin="").stdout.startswith(
        "X and O take turns. Type a move, such as a1, "
    )


def test_postgres_is_postgresql(typed: Typed) -> None:
    """The name that hosting services use: the driver answers, not a lack of one."""
    done = typed("zermelo list --db postgres://nobody:secret@127.0.0.1:9/none")
    assert done.returncode == 1
    assert "Can't load plugin" not in done.stderr and "secret" not in done.stderr
    assert "127.0.0.1" in done.stderr
