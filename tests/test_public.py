"""What `import zermelo` gives: every name, its type, and nothing loaded before it is used."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import zermelo
from tests.games import Piles
from zermelo.solver import errors

ROOT = Path(__file__).parent.parent
PUBLIC = ROOT / "zermelo" / "__init__.py"
FUNCTIONS = {"build", "verify", "export"}
"""What is defined in the package itself."""
ONLY_FOR_TYPES = {"os", "contextlib", "Any", "Progress"}


def typed() -> dict[str, str]:
    """The names that a type checker sees, each with where it comes from."""
    (block,) = (node for node in ast.parse(PUBLIC.read_text()).body if isinstance(node, ast.If) and _is_flag(node.test))
    names: dict[str, str] = {}
    for node in block.body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: f"{node.module}:{alias.name}" for alias in node.names}
    return {name: place for name, place in names.items() if name not in ONLY_FOR_TYPES}


def _is_flag(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def all_errors() -> set[str]:
    return {name for name, found in vars(errors).items() if isinstance(found, type) and issubclass(found, Exception)}


def test_names_places_and_types_agree() -> None:
    """What is listed, what is loaded and what a type checker sees are the same names from the same places."""
    places = {**zermelo._PLACES, **{name: f"zermelo.solver.errors:{name}" for name in all_errors()}}
    assert typed() == places
    assert set(zermelo.__all__) == places.keys() | FUNCTIONS
    assert len(set(zermelo.__all__)) == len(zermelo.__all__)


def test_every_name_is_there_and_listed() -> None:
    for name in zermelo.__all__:
        assert getattr(zermelo, name) is not None
        assert name in dir(zermelo)
    assert zermelo.__version__[0].isdigit()
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        zermelo.opne  # type: ignore[attr-defined]  # noqa: B018


def test_the_import_loads_nothing_heavy() -> None:
    """A look-up starts as quickly as before: the package and the place for what draws, and nothing more."""
    code = "import sys; before = set(sys.modules); import zermelo; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["zermelo", "zermelo.solver", "zermelo.solver.shown"]


SCRIPT = """\
from pathlib import Path
from typing import assert_type

import zermelo

with zermelo.open(Path("zermelo.db"), "tictactoe") as solution:
    assert_type(solution, zermelo.Solution)
    assert_type(solution["..."], zermelo.Entry)
    assert_type(solution.get("..."), zermelo.Entry | None)
    assert_type(list(solution), list[str])
    assert_type(solution.answer("..."), zermelo.Answer)
    assert_type(solution.moves("...")[0], zermelo.Move)
    assert_type(solution.moves("...")[0].value, int)
assert_type(zermelo.build("tictactoe", db="x.db"), zermelo.Built)
assert_type(zermelo.solve("nim:3,4,5"), zermelo.Solution)
assert_type(zermelo.search("tictactoe", algorithm="alphabeta"), zermelo.SearchResult)
assert_type(zermelo.search().move, str)
assert_type(zermelo.load("tictactoe").rules, str)
assert_type(zermelo.check("tictactoe"), zermelo.Verdict)
assert_type(zermelo.verify(solution), zermelo.Report)
assert_type(zermelo.__version__, str)
zermelo.export(solution, Path("x.csv"), plies=(0, 2))
try:
    pass
except zermelo.UnknownPositionError as error:
    assert_type(error, zermelo.UnknownPositionError)
zermelo.opne
zermelo.build("tictactoe", "x.db")
"""


@pytest.mark.slow
def test_a_type_checker_sees_the_types(tmp_path: Path) -> None:
    """`mypy --strict` on a user's script: `assert_type` fails for Any, and the two mistakes at its end are found."""
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "script.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    problems = [line for line in done.stdout.splitlines() if line.startswith("script.py") and ": error:" in line]
    assert len(problems) == 2, done.stdout + done.stderr
    assert 'has no attribute "opne"' in problems[0]
    assert "Too many positional arguments" in problems[1]


GIVEN: list[Callable[[Path], Any]] = [str, lambda path: path]


@pytest.mark.parametrize("as_given", GIVEN, ids=["text", "path"])
def test_a_database_is_a_text_or_a_path(tmp_path: Path, as_given: Callable[[Path], Any]) -> None:
    """Through all functions that take one, from building to a file that is opened again."""
    db, file = as_given(tmp_path / "games.db"), as_given(tmp_path / "game.ztb")
    assert zermelo.build("mnk:3,2,2", db=db).game == "mnk:3,2,2"
    with zermelo.open(db, "mnk:3,2,2") as solution:
        entries = {board: solution[board] for board in solution}
    zermelo.export(db, file, "mnk:3,2,2")
    with zermelo.open(file) as tablebase:
        assert {board: tablebase[board] for board in tablebase} == entries
        zermelo.export(tablebase, as_given(tmp_path / "game.jsonl"))
    assert len((tmp_path / "game.jsonl").read_text().splitlines()) == len(entries)
    assert not zermelo.verify(db, "mnk:3,2,2").faults
    assert not zermelo.verify(file).faults


def test_a_game_is_a_name_or_an_object(tmp_path: Path) -> None:
    """Everywhere, one's own too."""
    game = Piles(3, 2)
    solution = zermelo.solve(game)
    assert zermelo.load(game) is game
    assert zermelo.check(game).failures == []
    assert zermelo.build(game, db=tmp_path / "own.db").value == zermelo.search(game).value
    with zermelo.open(tmp_path / "own.db", game) as stored:
        assert {board: stored[board] for board in stored} == {board: solution[board] for board in solution}
    with pytest.raises(zermelo.GameError, match=r"give one of them, such as Piles\(\)"):
        zermelo.check(Piles)  # type: ignore[arg-type]
    del game.spec
    with pytest.raises(zermelo.GameError, match=r"lacks .*\bspec\b"):
        zermelo.solve(game)


def test_an_export_is_whole_or_not_there(tmp_path: Path) -> None:
    solution = zermelo.solve("mnk:3,2,2")
    path = tmp_path / "game.csv"
    with pytest.raises(zermelo.GameError):
        zermelo.export(solution, path, to_move="Z")
    assert list(tmp_path.iterdir()) == []
    zermelo.export(solution, path, plies=(0, 1), classes=True)
    first = path.read_bytes()
    with pytest.raises(zermelo.OutputExistsError):
        zermelo.export(solution, path)
    assert path.read_bytes() == first
    zermelo.export(solution, path, force=True)
    assert len(path.read_text().splitlines()) == 1 + len(solution)
    zermelo.export(solution, tmp_path / "page", format="html")
    assert b"<html" in (tmp_path / "page").read_bytes()
    for wrong in ({"path": tmp_path / "game.xlsx"}, {"path": path, "format": "xlsx"}):
        with pytest.raises(zermelo.FormatError, match="csv, jsonl, parquet, ztb, html"):
            zermelo.export(solution, **wrong)


def test_so_much_only_when_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    solution = zermelo.solve("mnk:3,2,2")
    monkeypatch.setattr("zermelo.db.verify.MOST", 5)
    monkeypatch.setattr("zermelo.db.export.MOST", 5)
    with pytest.raises(zermelo.AmountError):
        zermelo.verify(solution)
    with pytest.raises(zermelo.AmountError):
        zermelo.export(solution, tmp_path / "game.csv")
    assert not zermelo.verify(solution, yes=True).faults
    assert not zermelo.verify(solution, sample=20, seed=1).faults
    zermelo.export(solution, tmp_path / "game.csv", yes=True)
