"""Line 9: what is there already, what is taken out, and one name for one column."""

import json
import sqlite3
from pathlib import Path

from tests.first_hour.conftest import Typed


def test_what_is_there_already_is_no_error(typed: Typed, folder: Path) -> None:
    """It says so, and leaves it as it is."""
    before = (folder / "zermelo.db").read_bytes()
    done = typed("zermelo build")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout
        == "mnk:3,3,3 is in zermelo.db already: ask it with `zermelo query`, or build it again with --force\n"
    )
    assert (folder / "zermelo.db").read_bytes() == before


def test_remove_gives_the_space_back(typed: Typed, folder: Path) -> None:
    """What else is there stays, and answers."""
    assert typed("zermelo build -g nim:1,2").returncode == 0
    size = (folder / "zermelo.db").stat().st_size
    done = typed("zermelo remove -g tictactoe")
    assert (done.returncode, done.stdout, done.stderr) == (0, "mnk:3,3,3 is no longer in zermelo.db\n", "")
    assert (folder / "zermelo.db").stat().st_size < size / 3
    assert "MAX wins" in typed("zermelo query -g nim:1,2").stdout
    with sqlite3.connect(folder / "zermelo.db") as database:
        assert database.execute("select distinct solution_id from positions").fetchall() == [(2,)]
    database.close()
    again = typed("zermelo remove")
    assert (again.returncode, again.stdout, again.stderr.count("\n")) == (2, "", 1)
    assert "does not hold mnk:3,3,3" in again.stderr
    assert typed("zermelo remove --db nowhere.db").returncode == 2
    assert not (folder / "nowhere.db").exists()


def test_remove_needs_no_rules(typed: Typed, folder: Path) -> None:
    """A game whose rules are lost can still be taken out by its name."""
    with sqlite3.connect(folder / "zermelo.db") as database:
        database.execute("update solutions set game = 'lost:1,2'")
    database.close()
    assert "is damaged" in typed("zermelo list").stderr  # its name is not as it was written: it can go all the same
    assert typed("zermelo remove -g lost:1,2").returncode == 0
    assert typed("zermelo list --format json").stdout == ""


def test_a_position_is_called_position_everywhere(typed: Typed) -> None:
    """In every export, in what is found, in answers and in the view."""
    assert typed("zermelo export --ply 0").stdout.startswith("position,ply,")
    for line in ("export --ply 0 --format jsonl", "find --limit 1 --format json", "query --format json"):
        row = json.loads(typed(f"zermelo {line}").stdout)
        assert row["position"] and "board" not in row, line
