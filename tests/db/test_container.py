"""A solution as a container of positions, however it is stored; and what it says when it is closed."""

import tracemalloc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import zermelo
from zermelo.db.memory import MemorySource
from zermelo.db.query import Solution
from zermelo.solver.exhaustive import solve
from zermelo.solver.games.mnk import MNK

GAME = MNK(3, 3, 3)
ENTRIES = {
    GAME.format(state): (value, plies, None if action is None else GAME.format_action(action))
    for state, (value, plies, action) in solve(GAME).items()
}
WAYS = ["rows", "rows by class", "packed", "tablebase", "memory"]


@pytest.fixture(params=WAYS)
def solution(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Solution]:
    """Tic-tac-toe in every way that there is."""
    db = tmp_path / "zermelo.db"
    if request.param == "memory":
        opened = zermelo.solve(GAME)
    else:
        layout = "packed" if request.param == "packed" else None
        zermelo.build(GAME, db=db, layout=layout, symmetry=request.param == "rows by class")
        opened = zermelo.open(db)
    if request.param == "tablebase":
        zermelo.export(opened, tmp_path / "game.ztb")
        opened.close()
        opened = zermelo.open(tmp_path / "game.ztb")
    with opened:
        yield opened


@pytest.mark.slow
def test_it_holds_every_position_once(solution: Solution) -> None:
    """As many as it says, each with its entry, whatever stands for its class."""
    boards = list(solution)
    assert len(boards) == len(solution) == len(ENTRIES)
    assert {board: tuple(solution[board]) for board in boards} == ENTRIES


def test_what_is_in_it(solution: Solution) -> None:
    """A position in any notation that the game reads; a text that is none and another thing are not."""
    assert "X.O/.X./..O" in solution
    assert "x-o.x.--o" in solution
    assert "XXX/OOO/..." not in solution
    assert "" not in solution
    assert 5 not in solution
    with pytest.raises(zermelo.PositionError):
        solution["XXX/OOO/..."]


def test_it_says_what_it_is(solution: Solution) -> None:
    kind = "Tablebase" if solution.source.facts["layout"] == "tablebase" else "Solution"
    assert repr(solution).startswith(f"<{kind} of mnk:3,3,3: 5,478 positions")
    assert repr(solution).endswith("value 0 in 9 plies>")


def test_once_closed_it_says_so(solution: Solution, tmp_path: Path) -> None:
    """To everything that can be asked, in one line, as often as it is; and closing again does no harm."""
    under_way = iter(solution)
    next(under_way)
    solution.close()
    solution.close()
    for ask in (
        lambda: solution["X.O/.X./..O"],
        lambda: solution.get("X.O/.X./..O"),
        lambda: solution.moves("X.O/.X./..O"),
        lambda: solution.line("X.O/.X./..O"),
        lambda: solution.answer("X.O/.X./..O"),
        lambda: "X.O/.X./..O" in solution,
        lambda: len(solution),
        lambda: list(solution),
        lambda: next(under_way),
        lambda: zermelo.verify(solution),
        lambda: zermelo.export(solution, tmp_path / "closed.csv"),
    ):
        with pytest.raises(zermelo.ClosedError, match=r"^the solution of mnk:3,3,3 is closed: open it again"):
            ask()
    assert repr(solution).endswith("of mnk:3,3,3: closed>")
    assert not (tmp_path / "closed.csv").exists()


@pytest.mark.slow
def test_iteration_takes_constant_memory(tmp_path: Path) -> None:
    """111,973 boards of 14 characters take 7 MB as a list; going through them takes a page of rows."""
    db = tmp_path / "zermelo.db"
    zermelo.build("mnk:4,3,3", db=db)
    with zermelo.open(db, "mnk:4,3,3") as solution:
        boards = iter(solution)
        list(islice(boards, 10_000))  # and whatever is imported and remembered on the way
        tracemalloc.start()
        rest = sum(1 for _ in boards)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert rest == 111_973 - 10_000
    assert peak < 6_000_000


def test_a_solution_in_memory_is_the_stored_one(tmp_path: Path) -> None:
    """The same facts, digest and counts, and it refuses what a build refuses."""
    db = tmp_path / "zermelo.db"
    for game in ("mnk:3,3,3", "nim:2,3", "connect:3,3,3,misere"):
        built, solved = zermelo.build(game, db=db), zermelo.solve(game)
        facts = solved.source.facts
        assert built[:6] == tuple(facts[name] for name in ("game", "value", "plies", "positions", "classes", "digest"))
        with zermelo.open(db, game) as stored:
            assert stored.source.counts() == solved.source.counts()
            assert {name: stored.source.facts[name] for name in ("games", "tree_nodes")} == {
                name: facts[name] for name in ("games", "tree_nodes")
            }
            assert list(stored.source.rows((1, 2))) == list(solved.source.rows((1, 2)))
        assert not zermelo.verify(solved).faults
        boards = list(solved)
        assert isinstance(solved.source, MemorySource)
        assert solved.source.find_many([*boards, "no such text"]) == [*map(solved.probe, boards), None]
    for game in ("figure:three-player", "figure:together"):
        with pytest.raises(zermelo.GameError):
            zermelo.solve(game)


def test_solving_in_memory_uses_the_engine_that_suits_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which only how far it is tells: the solution is the same. Small games are solved sooner than they are compiled."""

    def solved() -> tuple[set[str], Solution]:
        stages: set[str] = set()
        solution = zermelo.solve("dodgem:3", progress=lambda _done, _total, stage="": stages.add(stage))
        return stages, solution

    stages, plain = solved()
    assert "compiling" not in stages
    monkeypatch.setattr("zermelo.solver.walk.SMALL", 100)
    stages, compiled = solved()
    assert "compiling" in stages
    assert list(compiled.source.rows()) == list(plain.source.rows())
    told = ("digest", "can_repeat", "longest", "mover_wins", "mover_losses")
    assert [compiled.source.facts[name] for name in told] == [plain.source.facts[name] for name in told]
