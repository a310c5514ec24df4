"""Every command through the real program: what it prints, where, and how it ends."""

import csv
import io
import json
import os
import pty
import shutil
import subprocess
import sys
import termios
from pathlib import Path

import click
import pytest

from tests.conftest import Zermelo
from tests.starter import ROOT, Starter, start_anew
from zermelo import cli


def commands(group: click.Group, prefix: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every command there is, those of groups too."""
    found = []
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        found.append((*prefix, name))
        if isinstance(command, click.Group):
            found += commands(command, (*prefix, name))
    return found


@pytest.mark.parametrize("command", [(), *commands(cli.main)], ids=" ".join)
def test_every_command_has_help_with_an_example(command: tuple[str, ...], zermelo: Zermelo) -> None:
    """What it does, and a line to copy."""
    shown = zermelo(*command, "--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "Example:" in shown.stdout
    assert f"zermelo {' '.join(command)}".strip() in shown.stdout.split("Example:")[1]


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["query", "--format", "json"], b""),
        (["query", "-"], b"XO./.X./..O\n\xff\n"),
        (["play", "--seed", "1"], b"b2\nquit\n"),
        (["list", "--db", "none.db"], b""),
        (["search", "-g", "own:Own"], b""),
        (["export", "--format", "csv"], b""),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_fork_is_as_good_as_a_process_of_its_own(
    arguments: list[str], stdin: bytes, folder: Path, starter: Starter
) -> None:
    """What the tests of the program rely on: the same answer, to the byte."""
    (folder / "own.py").write_text("import click, nosuch\n")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    forked, fresh = (run(arguments, folder, env, stdin) for run in (starter.run, start_anew))
    assert vars(forked) == vars(fresh)


def test_the_version(zermelo: Zermelo) -> None:
    """One line that a bug report can quote."""
    assert zermelo("--version").stdout.startswith("zermelo 0.")


def test_build_query_list_stats(zermelo: Zermelo, tmp_path: Path) -> None:
    """The whole main path in an empty folder, with nothing but defaults."""
    built = zermelo("build")
    assert (built.returncode, built.stderr) == (0, "")
    value, size, where = built.stdout.splitlines()
    assert value == "mnk:3,3,3: draw in 9 plies"
    assert size.startswith("5,478 positions in 765 classes, built in ")
    assert where == "stored in zermelo.db"
    assert [path.name for path in tmp_path.iterdir()] == ["zermelo.db"]

    asked = zermelo("query", "XO./.X./..O")
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout == (
        "  a b c\n"
        "1 X O .\n"
        "2 . X .\n"
        "3 . . O\n"
        "\n"
        "X to move: X wins in 3 plies. Best move: a2.\n"
        "  a2  X wins in 2 plies  traps 0 of 4  *\n"
        "  a3  X wins in 2 plies  traps 0 of 4  *\n"
        "  c1  draw in 4 plies    traps 3 of 4\n"
        "  c2  draw in 4 plies    traps 3 of 4\n"
        "  b3  draw in 4 plies    traps 0 of 4\n"
    )

    listed = json.loads(zermelo("list", "--format", "json").stdout)
    assert (listed["game"], listed["status"], listed["positions"], listed["classes"]) == (
        "mnk:3,3,3",
        "complete",
        5478,
        765,
    )
    assert "mnk:3,3,3  complete" in zermelo("list").stdout
    assert "255,168 games, 549,946 nodes in the whole game tree" in zermelo("stats").stdout
    assert zermelo("db", "current").stdout == "0004 (newest)\n"
    assert zermelo("db", "upgrade").stdout == "zermelo.db has the newest schema already: 0004\n"
    shutil.copy(Path(__file__).parent / "data" / "schema_0001.db", tmp_path / "old.db")
    upgraded = zermelo("db", "upgrade", "--db", "old.db").stdout.splitlines()
    assert upgraded[0] == "old.db upgraded from 0001 to 0004"
    assert [line[:8] for line in upgraded[1:4]] == ["  0002: ", "  0003: ", "  0004: "]  # and what that brought
    assert [line.split()[0] for line in upgraded[4:]] == [
        "connect:3,3,3",
        "mnk:3,3,3",
        "nim:1,2,3",
    ]  # what lacks checksums

    again = zermelo("build")
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout == (
        "mnk:3,3,3 is in zermelo.db already: ask it with `zermelo query`, or build it again with --force\n"
    )
    assert zermelo("build", "--force", "--symmetry").returncode == 0
    assert zermelo("query", "XO./.X./..O").stdout == asked.stdout


def test_where_and_what_come_from_options_or_the_environment(zermelo: Zermelo, tmp_path: Path) -> None:
    """An option is stronger than a variable, a variable than the default."""
    variables = {"ZERMELO_DB": "boards.db", "ZERMELO_GAME": "mnk:2,2,2"}
    assert zermelo("build", env=variables).stdout.startswith("mnk:2,2,2: X wins in 3 plies\n")
    assert (tmp_path / "boards.db").exists()
    assert zermelo("build", "-g", "mnk:3,2,2", "--db", "other.db", env=variables).stdout.startswith("mnk:3,2,2: X wins")
    assert (tmp_path / "other.db").exists()
    assert zermelo("build", "--db", "sqlite:///url.db", "-g", "mnk:2,1,1").returncode == 0
    assert zermelo("query", "--db", "url.db", "-g", "mnk:2,1,1", "..").returncode == 0


def test_query_as_json(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """One object a line, in the order asked."""
    asked = zermelo("query", "--db", str(tictactoe_db), "--format", "json", "XO./.X./..O", "XXX/OO./...")
    first, second = map(json.loads, asked.stdout.splitlines())
    assert list(first) == ["game", "position", "ply", "to_move", "terminal", "value", "plies", "best_move", "moves"]
    assert (first["position"], first["to_move"], first["value"], first["best_move"]) == ("XO./.X./..O", "X", 1, "a2")
    move = {"move": "a2", "position": "XO./XX./..O", "value": 1, "plies": 2, "optimal": True, "traps": 0, "replies": 4}
    assert first["moves"][0] == move
    assert (second["terminal"], second["to_move"], second["best_move"], second["moves"]) == (True, None, None, [])


def test_query_as_csv(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """A header and a row a position; what is null is empty."""
    asked = zermelo("query", "--db", str(tictactoe_db), "--format", "csv", "XO./.X./..O", "XXX/OO./...")
    rows = list(csv.DictReader(io.StringIO(asked.stdout)))
    assert rows[0] == {
        "game": "mnk:3,3,3", "position": "XO./.X./..O", "ply": "4", "to_move": "X", "terminal": "0",
        "value": "1", "plies": "3", "best_move": "a2", "optimal_moves": "a2 a3",
    }  # fmt: skip
    assert (rows[1]["to_move"], rows[1]["terminal"], rows[1]["best_move"], rows[1]["optimal_moves"]) == (
        "",
        "1",
        "",
        "",
    )


def test_query_from_standard_input(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """A bad line is told with its number, the rest is answered, and the exit code says that something was wrong."""
    lines = b"XO./.X./..O\nnonsense\n\nXXX/OOO/...\n\xff\xfe\n.../.../...\n"
    asked = zermelo("query", "--db", str(tictactoe_db), "--format", "json", "-", stdin=lines)
    assert [json.loads(line)["position"] for line in asked.stdout.splitlines()] == ["XO./.X./..O", ".../.../..."]
    assert asked.returncode == 2
    complaints = asked.stderr.splitlines()
    assert [complaint.split(":")[1] for complaint in complaints] == [" line 2", " line 4", " line 5"]
    assert "'nonsense' has 'n' at character 1" in complaints[0]


def test_query_after_moves(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """Played from the start, by cell names or numbers, with spaces or commas."""
    for moves in ("b2 a1 c3", "4,0,8", "B2, A1, C3"):
        asked = zermelo("query", "--db", str(tictactoe_db), "--format", "json", "--moves", moves)
        assert json.loads(asked.stdout)["position"] == "O../.X./..X"
    assert "The game is over: X wins." in zermelo("query", "--db", str(tictactoe_db), "XXX/OO./...").stdout
    assert (
        json.loads(zermelo("query", "--db", str(tictactoe_db), "--format", "json").stdout)["position"] == ".../.../..."
    )


def test_positions_that_begin_with_a_dash(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """A dash is an empty cell, but a mistyped option is still told."""
    asked = zermelo("query", "--db", str(tictactoe_db), "--format", "json", "--x/---/---", "-x-/-o-/---")
    assert [json.loads(line)["position"] for line in asked.stdout.splitlines()] == ["..X/.../...", ".X./.O./..."]
    wrong = zermelo("query", "--db", str(tictactoe_db), "--fromat", "json")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "zermelo: No such option '--fromat'. Did you mean '--format'?\n"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["query", "X.O"], 2, "position 'X.O' has 3 cells"),
        (["query", "XX./.../..."], 2, "X has 2 and O has 0 stones"),
        (["query", "XXX/OOO/..."], 2, "X has a line"),
        (["query", "--moves", "b2 b2"], 2, "move 2, 'b2', is not possible"),
        (["query", "--moves", "a1 a2 b1 b2 c1 c2"], 2, "comes after the end of the game"),
        (["query", "--moves", "j9"], 2, "'j9' is not a cell of this board"),
        (["query", "-g", "chess"], 2, "there is no game 'chess'"),
        (["query", "-g", "mnk:4,3,3"], 2, "does not hold mnk:4,3,3"),
        (["query", "--format", "xml"], 2, "'xml' is not one of"),
        (["stats", "-g", "mnk:9,9,9"], 2, "width times height is from 1 to 25"),
        (["build", "-g", "mnk:3,3"], 2, "is not of the form"),
        (["build", "extra"], 2, "extra"),
        (["nosuch"], 2, "No such command 'nosuch'"),
        (["build", "-g", f"mnk:{'9' * 5000},3,3"], 2, "is not of the form"),
        (["query", "--moves", "9" * 5000], 2, "is not a cell of this board"),
        (["query", "X" * 100_000], 2, "has 100000 cells"),
        (["build", "--db", "nosuch://me:secret@host/name"], 2, "nosuch://me:***@host/name"),
    ],
)  # fmt: skip
def test_wrong_requests(arguments: list[str], code: int, words: str, zermelo: Zermelo, tictactoe_db: Path) -> None:
    """One line on stderr that names the input, nothing on stdout, exit 2; long input is shortened."""
    asked = zermelo(*arguments, env={"ZERMELO_DB": str(tictactoe_db)})
    assert (asked.returncode, asked.stdout) == (code, "")
    assert words in asked.stderr
    assert asked.stderr.startswith("zermelo: ")
    assert asked.stderr.count("\n") == 1
    assert len(asked.stderr) < 400


@pytest.mark.parametrize("arguments", [[], ["db"]])
def test_without_a_command_the_help_is_shown(arguments: list[str], zermelo: Zermelo) -> None:
    """The first thing that a newcomer types."""
    asked = zermelo(*arguments)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout == zermelo(*arguments, "--help").stdout


@pytest.mark.parametrize(
    ("redirection", "code", "words"),
    [
        ("query -- .../.../... > /dev/full", 1, "zermelo: the output cannot be written: No space left on device"),
        ("> /dev/full", 1, "zermelo: the output cannot be written: No space left on device"),
        ("stats > /dev/full", 1, "zermelo: the output cannot be written: No space left on device"),
        ("query - <&-", 2, "zermelo: standard input is closed"),
        ("build --force 2>&-", 0, ""),
    ],
)
def test_streams_that_are_full_or_closed(redirection: str, code: int, words: str, tmp_path: Path) -> None:
    """One line or a quiet end, never a traceback."""
    from zermelo.db.store import build
    from zermelo.solver.games import load

    build(str(tmp_path / "zermelo.db"), load("tictactoe"))
    program = f"cd {tmp_path} && PYTHONPATH={Path(cli.__file__).parent} {sys.executable} -m zermelo {redirection}"
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True)
    assert done.returncode == code
    assert done.stderr.startswith(words)
    assert done.stderr.count("\n") <= 1


def test_databases_that_cannot_be_read(zermelo: Zermelo, tmp_path: Path) -> None:
    """Each command that reads says it in one line and makes nothing."""
    (tmp_path / "empty.db").touch()
    (tmp_path / "letter.txt").write_text("Dear reader, " * 500)
    readers = (["query"], ["list"], ["stats"], ["db", "current"], ["db", "upgrade"])
    for db, words, some in (
        ("none.db", "there is no database", readers),
        (".", "is a directory", readers[::2]),
        ("empty.db", "is an empty file", readers),
        ("letter.txt", "is not a database", readers[1::2]),
    ):
        for command in some:
            asked = zermelo(*command, "--db", db)
            assert (asked.returncode, asked.stdout) == (2, ""), (command, db)
            assert words in asked.stderr
            assert asked.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.db", "letter.txt"]
    assert (tmp_path / "empty.db").stat().st_size == 0


def test_a_reader_that_stops_listening(tictactoe_db: Path) -> None:
    """`| head` ends quietly."""
    program = f"{sys.executable} -m zermelo query --db {tictactoe_db} --format json - | head -1"
    positions = "X../.../...\n" * 5000
    done = subprocess.run(["bash", "-c", program], input=positions, capture_output=True, text=True)
    assert json.loads(done.stdout)["position"] == "X../.../..."
    assert done.stderr == ""


def test_the_bar_is_for_terminals(tmp_path: Path, zermelo: Zermelo) -> None:
    """On a terminal a bar is drawn on stderr; elsewhere only when asked for."""
    command = [sys.executable, "-m", "zermelo", "build", "--db", str(tmp_path / "a.db")]
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 80))
    done = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=end)
    os.close(end)
    drawn = b""
    while True:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # the other end was closed
            break
        if not chunk:
            break
        drawn += chunk
    os.close(terminal)
    stdout, _ = done.communicate()
    assert done.returncode == 0
    assert b"positions" in drawn
    assert stdout.startswith(b"mnk:3,3,3: draw in 9 plies\n")
    assert zermelo("build").stderr == ""
    assert "positions" in zermelo("build", "--force", "--progress").stderr


def test_stats_as_csv(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """A row a ply, with the columns that json has."""
    rows = list(csv.DictReader(io.StringIO(zermelo("stats", "--db", str(tictactoe_db), "--format", "csv").stdout)))
    assert len(rows) == 10
    assert rows[2] == {
        "ply": "2", "positions": "72", "classes": "12", "terminal": "0", "terminal_classes": "0", "x_wins": "48",
        "draws": "24", "o_wins": "0", "x_wins_classes": "7", "draws_classes": "5", "o_wins_classes": "0",
    }  # fmt: skip


def test_the_list_of_an_empty_database(zermelo: Zermelo, tmp_path: Path) -> None:
    """Tables without a solution: nothing to list, and how to add one."""
    from zermelo.db.store import upgrade

    upgrade(str(tmp_path / "zermelo.db"))
    listed = zermelo("list")
    assert (listed.returncode, listed.stdout) == (0, "")
    assert "holds no solution yet" in listed.stderr


def test_query_imports_only_what_it_needs(tictactoe_db: Path) -> None:
    """Start-up time is a feature."""
    for arguments in ("['--help']", f"['query', '--db', {str(tictactoe_db)!r}, 'XO./.X./..O']"):
        program = (
            "import sys, cli\n"
            f"try: cli.main({arguments})\n"
            "except SystemExit: pass\n"
            "heavy = {'sqlalchemy', 'alembic', 'tqdm', 'numpy', 'importlib.metadata', 'asyncio'} & set(sys.modules)\n"
            "assert not heavy, heavy\n"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
