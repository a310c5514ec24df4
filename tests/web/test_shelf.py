"""Solutions shared between threads: few files, right answers, whatever happens to the database meanwhile."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import write_tablebase
from zermelo.solver.errors import MissingDatabaseError, MissingSolutionError
from zermelo.solver.games import load
from zermelo.web.shelf import Shelf


@pytest.fixture
def shelf(tictactoe_db: Path) -> Iterator[Shelf]:
    with closing(Shelf(str(tictactoe_db))) as shelf:
        yield shelf


def test_only_what_the_database_holds_is_looked_for(shelf: Shelf) -> None:
    """A name that came over the network must not make anything be imported."""
    for name in ("mnk:4,3,3", "os:system", "", "../zermelo.db", "a" * 200):
        with pytest.raises(MissingSolutionError, match="there is no game"), shelf.solution(name):
            pass


def test_threads_share_one_solution(tmp_path: Path) -> None:
    """Eight at once, while the solution is built again under them: every answer is right, and nothing stays open."""
    path = tmp_path / "zermelo.db"
    build(str(path), load("tictactoe"))
    open_before = len(os.listdir("/proc/self/fd"))
    with closing(Shelf(str(path))) as shelf:

        def ask(_number: int) -> set[tuple[int | None, str | None]]:
            found = set()
            for _ in range(200):
                with shelf.solution("mnk:3,3,3") as solution:
                    answer = solution.answer("XO./.X./..O")
                    found.add((answer.plies, answer.best_move))
            return found

        with ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(ask, number) for number in range(8)]
            build(str(path), load("tictactoe"), force=True, symmetry=True)
            assert all(future.result() == {(3, "a2")} for future in asked)
        assert len(os.listdir("/proc/self/fd")) <= open_before + 8  # a connection for each thread, and no more
    assert len(os.listdir("/proc/self/fd")) <= open_before


def test_many_games_do_not_keep_many_files_open(tmp_path: Path) -> None:
    """The ones used longest ago are closed, and opened again when asked for."""
    path = tmp_path / "zermelo.db"
    games = [f"mnk:{width},{height},{k}" for width in (1, 2, 3, 4) for height in (1, 2) for k in range(1, width + 1)]
    for game in games:
        build(str(path), load(game))
    open_before = len(os.listdir("/proc/self/fd"))
    with closing(Shelf(str(path))) as shelf:
        for game in [*games, *games]:
            with shelf.solution(game) as solution:
                assert solution.game.spec == game
                assert solution.answer(solution.game.format(solution.game.initial)).ply == 0
            assert len(os.listdir("/proc/self/fd")) <= open_before + 16
        assert [game["game"] for game in shelf.games()] == sorted(games)


def test_a_database_that_goes_and_comes_back(tmp_path: Path) -> None:
    """Told while it is gone, answered once it is back."""
    path = tmp_path / "zermelo.db"
    build(str(path), load("mnk:2,1,1"))
    with closing(Shelf(str(path))) as shelf:
        assert [game["game"] for game in shelf.games()] == ["mnk:2,1,1"]
        path.unlink()
        with pytest.raises(MissingDatabaseError):
            shelf.games()
        build(str(path), load("mnk:2,2,2"))
        assert [game["game"] for game in shelf.games()] == ["mnk:2,2,2"]


def test_a_tablebase_is_served_too(tictactoe_db: Path, tmp_path: Path) -> None:
    """A file of another kind, the same answers."""
    path = tmp_path / "tictactoe.ztb"
    with open_solution(str(tictactoe_db)) as solution, open(path, "wb") as stream:
        write_tablebase(stream, solution)
        right = solution.answer("XO./.X./..O")
    with closing(Shelf(str(path))) as shelf:
        assert [game["game"] for game in shelf.games()] == ["mnk:3,3,3"]
        with shelf.solution("mnk:3,3,3") as solution:
            assert solution.answer("XO./.X./..O") == right
