"""One damaged row of the list of solutions: the others are listed, asked and served, and the damaged one is named."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Zermelo
from zermelo import build
from zermelo.db.catalogue import solutions_in, survey
from zermelo.db.query import open_solution
from zermelo.solver.errors import DamagedError, DamagedSolutionError
from zermelo.web.shelf import Shelf

OLD = Path(__file__).parent / "data" / "schema_0003.db"


@pytest.fixture
def damaged(folder: Path) -> Path:
    """Tic-tac-toe and two games of nim, whose numbers of positions are wrong: in one by its checksum, in one by its kind."""
    for game in ("nim:1,2", "nim:2,2"):
        build(game, db=folder / "zermelo.db")
    with closing(sqlite3.connect(folder / "zermelo.db", isolation_level=None)) as connection:
        connection.execute("update solutions set positions = positions + 1 where game = 'nim:1,2'")
        connection.execute("update solutions set positions = 'many' where game = 'nim:2,2'")
    return folder


def test_the_others_are_listed(damaged: Path, zermelo: Zermelo) -> None:
    done = zermelo("list", "--format", "json")
    assert done.returncode == 1
    assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == ["mnk:3,3,3"]
    first, second = done.stderr.splitlines()
    assert first.startswith("zermelo: nim:1,2 in 'zermelo.db' is damaged") and first.endswith("-g nim:1,2 --force`")
    assert second.startswith(
        "zermelo: 'zermelo.db' is damaged (its list of solutions has 'many' as positions of 'nim:2,2')"
    )


def test_the_others_are_asked_and_served(damaged: Path) -> None:
    db = str(damaged / "zermelo.db")
    with open_solution(db) as solution:
        assert solution.probe("XO./.X./..O").value == 1
    for game in ("nim:1,2", "nim:2,2"):
        with pytest.raises(DamagedError):
            open_solution(db, game)
    with pytest.raises(DamagedError):
        solutions_in(db)
    shelf = Shelf(db)
    assert [game["game"] for game in shelf.games()] == ["mnk:3,3,3"]
    with shelf.solution("tictactoe") as solution:
        assert len(solution) == 5478
    with pytest.raises(DamagedSolutionError, match="nim:1,2"), shelf.solution("nim:1,2"):
        pass
    shelf.close()


def test_a_name_that_has_changed_is_not_a_game_that_is_missing(damaged: Path, zermelo: Zermelo) -> None:
    """It is found by its bytes, and these are damaged."""
    with closing(sqlite3.connect(damaged / "zermelo.db", isolation_level=None)) as connection:
        connection.execute("update solutions set game = 'mnk:3,3,2' where game = 'mnk:3,3,3'")
    done = zermelo("query")
    assert done.returncode == 1 and "mnk:3,3,2 in 'zermelo.db' is damaged" in done.stderr


def test_the_damaged_one_can_be_taken_out(damaged: Path, zermelo: Zermelo) -> None:
    for game in ("nim:1,2", "nim:2,2"):
        assert zermelo("remove", "-g", game).returncode == 0
    assert zermelo("list").returncode == 0


def test_an_upgrade_says_what_has_no_checksums(tmp_path: Path, zermelo: Zermelo) -> None:
    """And no longer once it is built again."""
    shutil.copy(OLD, tmp_path / "zermelo.db")
    done = zermelo("db", "upgrade")
    game = survey(done_db := tmp_path / "zermelo.db")[0][0]["game"]
    assert f"  {game} was stored without checksums: to have them, build it again with --force\n" in done.stdout
    build(game, db=done_db, force=True)
    assert f"{game} was stored" not in zermelo("db", "upgrade").stdout
