"""A board with rules of its own is not the board it inherits from: it is solved by its own rules, under its own name."""

from pathlib import Path
from typing import Any

import pytest

from tests.games import MakerBreaker
from zermelo.db.layouts import choose_layout
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import open_tablebase, write_tablebase
from zermelo.solver.engines import engine_for
from zermelo.solver.errors import GameError, MissingSolutionError
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.solver.search import Settings, search


@pytest.mark.parametrize(
    ("width", "height", "k"),
    [(3, 3, 2), *(pytest.param(*board, marks=pytest.mark.slow) for board in ((3, 3, 3), (4, 3, 3)))],
)
def test_maker_breaker_is_solved_by_its_own_rules(width: int, height: int, k: int, tmp_path: Path) -> None:
    """Stored values are alpha-beta's, which asks nothing but the verbs, and none is a draw."""
    game = MakerBreaker(width, height, k)
    path = str(tmp_path / "zermelo.db")
    assert build(path, game).game == f"maker-breaker:{width},{height},{k}"
    alphabeta = Settings("alphabeta", table=True)
    with open_solution(path, game) as solution:
        rows = list(solution.source.rows())
        assert {row.value for row in rows} <= {-1, 1}
        for row in rows[:: 1 if width * height < 10 else 199]:  # of the larger board some: each is searched anew
            state = game.parse(row.board)
            value = game.utility(state, "X") if game.is_terminal(state) else search(game, state, alphabeta).value
            assert value == row.value, row.board
    with pytest.raises(MissingSolutionError):
        open_solution(path, f"mnk:{width},{height},{k}")


def test_maker_breaker_on_a_board_that_is_packed_as_mnk() -> None:
    """On 4x4 the kernels would answer with tic-tac-toe's draw; no engine packs it, and its value is a win."""
    game = MakerBreaker(4, 4, 3)
    assert choose_layout(MNK(4, 4, 3)) == "packed"
    assert choose_layout(game) == "rows"
    with pytest.raises(GameError, match="'maker-breaker:4,4,3' cannot be packed"):
        choose_layout(game, "packed")
    with pytest.raises(GameError, match="cannot be packed"):
        engine_for(game, "packed")
    assert search(game, game.initial, Settings("alphabeta", table=True)).value == 1


def test_a_tablebase_of_own_rules_holds_rows(tmp_path: Path) -> None:
    """No byte of a k-in-a-row block stands for a loss on a full board."""
    game = MakerBreaker(3, 3, 3)
    path = str(tmp_path / "zermelo.db")
    build(path, game)
    with open_solution(path, game) as solution, (tmp_path / "own.ztb").open("wb") as stream:
        write_tablebase(stream, solution)
        expected = list(solution.source.rows())
    with open_tablebase(str(tmp_path / "own.ztb"), game) as tablebase:
        assert list(tablebase.source.rows()) == expected


def borrowed() -> Any:
    class Impostor(MakerBreaker):
        family = "mnk"

    return Impostor(3, 3, 3)


def test_the_name_of_a_built_in_game_is_not_for_others(tictactoe_db: Path, tmp_path: Path) -> None:
    """Stored as mnk:3,3,3, its answers would pass for tic-tac-toe's; asked as that, it would get those."""
    words = "'mnk:3,3,3' is the name of a built-in game, and .*Impostor is not that game: give it a spec of its own"
    with pytest.raises(GameError, match=words):
        build(str(tmp_path / "zermelo.db"), borrowed())
    with pytest.raises(GameError, match=words):
        open_solution(str(tictactoe_db), borrowed())
    with open_solution(str(tictactoe_db), load("tictactoe")) as solution, (tmp_path / "t.ztb").open("wb") as stream:
        write_tablebase(stream, solution)
    with pytest.raises(GameError, match=words):
        open_tablebase(str(tmp_path / "t.ztb"), borrowed())
    assert not (tmp_path / "zermelo.db").exists()


def test_on_the_command_line(zermelo: Any, tmp_path: Path) -> None:
    """One line, exit 2."""
    (tmp_path / "mine.py").write_text(
        "from zermelo.solver.games.mnk import MNK\nclass Mine(MNK):\n    '''Mine.'''\ngame = Mine(3, 3, 3)\n"
    )
    done = zermelo("build", "-g", "mine:game")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("zermelo: 'mnk:3,3,3' is the name of a built-in game, and Mine is not that game")
    assert done.stderr.count("\n") == 1
