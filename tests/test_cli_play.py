"""`zermelo play` and `zermelo map` as a user runs them, in a pipe and at a terminal."""

import os
import pty
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.conftest import Zermelo

ROOT = Path(__file__).parent.parent


def test_a_game_in_a_pipe(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """Boards and moves on stdout, no prompts, nothing on stderr; the end of the input ends the game."""
    done = zermelo("play", "--db", str(tictactoe_db), "--seed", "1", stdin="b2\nfoo\nhint\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "to move: \n" not in done.stdout
    assert "'foo' is not a cell of this board" in done.stdout
    assert done.stdout.endswith("The game is left unfinished.\n")
    again = zermelo("play", "--db", str(tictactoe_db), "--seed", "1", stdin="b2\nfoo\nhint\n")
    assert again.stdout == done.stdout


def test_bytes_that_are_no_text(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """Answered in one line like all else that is no move."""
    done = zermelo("play", "--db", str(tictactoe_db), stdin=b"\xff\xfe\x00\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("is not a cell of this board") == 1


def test_side_start_and_stored_moves(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """O against the stored moves is the same game each time; both sides may be people; any position may be the start."""
    play = ("play", "--db", str(tictactoe_db))
    assert "\nX plays a1.\n" in zermelo(*play, "--side", "o", "--stored").stdout
    both = zermelo(*play, "--side", "both", "-x-/-o-/---", stdin="a1\n8\nquit\n")
    assert both.stdout.endswith("  a b c\n1 X X .\n2 . O .\n3 . . O\nThe game is left unfinished.\n")
    wrong = zermelo(*play, "--side", "Z")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "zermelo: Invalid value: 'Z' is not a player of mnk:3,3,3: say X or O, or both\n"
    nowhere = zermelo(*play, "XXX/OOO/...")
    assert (nowhere.returncode, nowhere.stderr.count("\n")) == (2, 1)
    assert (
        zermelo(*play, "--sied").stderr
        == "zermelo: No such option '--sied'. (Did you mean one of: '--seed', '--side'?)\n"
    )


def test_a_terminal_gets_prompts(tictactoe_db: Path) -> None:
    """Whose turn it is stands before the cursor."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "zermelo", "play", "--db", str(tictactoe_db), "--side", "both"]
    process = subprocess.Popen(command, stdin=follower, stdout=subprocess.PIPE, cwd=ROOT)
    os.close(follower)
    os.write(leader, b"b2\nquit\n")
    output, _ = process.communicate(timeout=300)
    os.close(leader)
    assert process.returncode == 0
    assert b"\nX to move: \n  a b c\n" in output
    assert b"\nO to move: The game is left unfinished.\n" in output


def test_the_map_as_a_file(zermelo: Zermelo, tictactoe_db: Path, tmp_path: Path) -> None:
    """SVG that parses, in a file or on stdout."""
    done = zermelo("map", "--db", str(tictactoe_db), "--side", "O", "-o", "map.svg")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert ElementTree.parse(tmp_path / "map.svg").getroot().tag.endswith("svg")
    assert zermelo("map", "--db", str(tictactoe_db), "--side", "O").stdout == (tmp_path / "map.svg").read_text()
