"""Long work shows on a terminal what it does: line 11 of the first hour. Nothing here waits for a clock to be right."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.first_hour.conftest import Typed
from tests.first_hour.test_words import ROOT, on_a_terminal

pytestmark = pytest.mark.slow

SLOW = """
from zermelo import Game
import time

class Slow(Game):
    "One move that takes three seconds to be made, more than a person is kept waiting for without a sign."
    initial = "begin"
    def to_move(self, state): return "MAX"
    def actions(self, state): return ["wait"] if state == "begin" else []
    def result(self, state, action):
        time.sleep(3)
        return "end"
    def is_terminal(self, state): return state == "end"
    def utility(self, state, player): return 1 if player == "MAX" else -1
"""


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("search --compare -g figure:two-ply", "multiplayer: 7 of 8 searches ["),
        ("search XO./.X./..O", "searching with minimax ["),
        ("tree XO./.X./..O -o tree.svg", "nodes ["),
        ("tree -g figure:two-ply --algorithm alphabeta --frames slides", "pictures ["),
        ("trace XO./.X./..O -o trace.txt", "searching ["),
        ("map -o map.svg", "boards ["),
        ("map --numbered --side O --paper a3 --pages -o map.pdf", "boards ["),
        ("remove", "taking mnk:3,3,3 out ["),
        ("db upgrade", "upgrading ["),
    ],
)
def test_what_can_take_long_can_show_it(line: str, shown: str, typed: Typed) -> None:
    """When it is asked to; off a terminal it says nothing otherwise."""
    done = typed(f"zermelo {line} --progress")
    assert done.returncode == 0, done.stderr
    assert shown in done.stderr
    if line != "remove":
        forced = " --force" if " -o " in line or "--frames" in line else ""
        assert typed(f"zermelo {line}{forced}").stderr == ""


@pytest.mark.parametrize(
    "line",
    [
        "search",
        *(
            pytest.param(line, marks=pytest.mark.slow)
            for line in ("search --compare", "tree --depth 1", "trace -o trace.txt")
        ),
    ],
)
def test_a_wait_is_never_silent_on_a_terminal(line: str, folder: Path) -> None:
    """Rules that sleep longer than the patience: what is being done is there before they are back."""
    (folder / "slow.py").write_text(SLOW)
    words, _, rest = line.partition(" ")
    printed = on_a_terminal(folder, words, "-g", "slow.py:Slow", *shlex.split(rest))
    shown, _, _ = printed.partition("[00:0")
    assert shown != printed
    assert re.search(r"(searching|minimax)[^\n]*$", shown)


def test_a_short_search_shows_no_bar(folder: Path) -> None:
    """Nothing flickers where the answer is there at once."""
    assert "searching with" not in on_a_terminal(folder, "search", "XOX/OO./.X.")


def test_it_is_no_part_of_what_is_printed(folder: Path) -> None:
    """The standard output is the answer alone."""
    command = [sys.executable, "-m", "zermelo", "search", "XOX/OO./.X.", "--progress"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert "Move: c2" in done.stdout
    assert "searching" not in done.stdout
