"""Imports go one way, by the names as they are installed: cli -> commands -> web -> views -> db -> solver.

The tools that only one place may know stay there, and neither layout knows the other. That the check sees what it
should is proved on a copy of the house, with wrong imports of every kind put into it.
"""

import ast
import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("solver", "db", "views", "web", "commands", "cli")
"""From the ground up: a room knows itself and those before it."""
BY_FIRST_NAME = {*ROOMS, "migrations", "tests", "bench"}
"""What is at the top level of the repository, and not of what is installed."""
FORBIDDEN = {
    "solver": {"click", "tqdm", "sqlalchemy", "alembic", "sqlite3"},
    "db": {"click", "tqdm", "alembic"},
    "views": {"click", "tqdm", "sqlalchemy", "alembic", "sqlite3"},
    "web": {"click", "tqdm", "sqlalchemy", "alembic", "sqlite3"},
    "migrations": {"click", "tqdm"},
    "commands": {"fastapi", "uvicorn", "sqlalchemy", "alembic", "sqlite3"},
    "cli": {"sqlalchemy", "alembic", "sqlite3", "tqdm"},
}
"""Other people's packages that a room does not know."""
UPGRADES = "zermelo.db.schema"
"""The one module of its room that knows Alembic and the migrations."""
_MODULE = re.compile(rf"zermelo\.({'|'.join(ROOMS)}|migrations)(\.\w+)*\.?(:\w+)?")
"""A text that names a module of ours: a registry holds them, to be imported when they are needed."""
LAYOUTS = ("zermelo.db.rows", "zermelo.db.packed")


def modules_in(house: Path) -> dict[str, Path]:
    """Every module of the package, by the name that it is installed under; the rooms are links."""
    found = {}
    for folder, _, files in os.walk(house / "zermelo", followlinks=True):
        for file in files:
            if file.endswith(".py"):
                path = Path(folder) / file
                found[".".join(path.relative_to(house).with_suffix("").parts)] = path
    return found


@cache
def imported(name: str, text: str) -> frozenset[str]:
    """The modules that a module imports, at its top or anywhere within, and those that its texts name to be imported."""
    return frozenset(_imported(name.rpartition(".")[0], text))


def _imported(package: str, text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module or ""
            if source != "zermelo":
                yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__") and node.args:
            first = node.args[0].values[0] if isinstance(node.args[0], ast.JoinedStr) else node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield resolve_name(first.value, package) if first.value.startswith(".") else first.value
        elif isinstance(node, ast.Constant) and _MODULE.fullmatch(str(node.value)):
            yield str(node.value).partition(":")[0]


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def room_of(name: str) -> str:
    """The room of a module of ours, empty at the front door, which is `zermelo` itself."""
    room = name.split(".")[1:2]
    return room[0] if room and room[0] in (*ROOMS, "migrations") else ""


def wrong_imports(house: Path) -> list[str]:
    """Each import that goes against the one way, and why."""
    return [
        f"{name} imports {other}: {why}"
        for name, path in modules_in(house).items()
        for other in sorted(imported(name, path.read_text()))
        if (why := _wrong(name, other))
    ]


def _wrong(name: str, other: str) -> str:
    room, top = room_of(name), other.partition(".")[0]
    if top in BY_FIRST_NAME:
        return f"what is installed is called zermelo.{top}, or is not installed"
    if top != "zermelo":
        forbidden = top in FORBIDDEN.get(room, ()) and (name, top) != (UPGRADES, "alembic")
        return f"{room} knows nothing of {top}" if forbidden else ""
    target = room_of(other)
    if not room:  # the front door leads everywhere
        return ""
    if not target:
        return "the front door is for users"
    if target == "migrations":
        return "" if room == "migrations" or name == UPGRADES else "only db.schema upgrades"
    if room == "migrations":
        return "" if target == "db" else "a migration knows the tables alone"
    if ROOMS.index(target) > ROOMS.index(room):
        return f"{room} lies below {target}"
    for one, another in (LAYOUTS, LAYOUTS[::-1]):
        if f"{name}.".startswith(f"{one}.") and f"{other}.".startswith(f"{another}."):
            return "one layout knows nothing of the other"
    return ""


def test_imports_go_one_way() -> None:
    """A room knows only what lies below it."""
    assert set(map(room_of, modules_in(ROOT))) == {"", "migrations", *ROOMS}
    assert wrong_imports(ROOT) == []


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The house, to be spoilt."""
    house = tmp_path_factory.mktemp("house")
    for room in ("zermelo", "migrations", *ROOMS[:-1]):
        shutil.copytree(ROOT / room, house / room, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "cli.py", house)
    return house


@pytest.mark.parametrize(
    ("file", "line", "seen"),
    [
        # Each room, one floor up.
        ("solver/game.py", "import zermelo.db.query", "zermelo.db.query: solver lies below db"),
        ("db/query.py", "from zermelo.views import show", "zermelo.views.show: db lies below views"),
        ("views/__init__.py", "from zermelo.web.api import make", "zermelo.web.api: views lies below web"),
        (
            "web/__init__.py",
            "import zermelo.commands.shared as shared",
            "zermelo.commands.shared: web lies below commands",
        ),
        ("commands/ask.py", "from zermelo.cli import main", "zermelo.cli: commands lies below cli"),
        # And from the cellar to the roof.
        ("solver/packed/__init__.py", "import zermelo.cli", "zermelo.cli: solver lies below cli"),
        # Every way to write an import.
        ("db/query.py", "def f():\n    import zermelo.web.api", "zermelo.web.api: db lies below web"),
        ("db/query.py", "if False:\n    from zermelo import views", "zermelo.views: db lies below views"),
        ("db/query.py", "from ..views import show", "zermelo.views.show: db lies below views"),
        ("db/export/__init__.py", "from ...views.show import table", "zermelo.views.show: db lies below views"),
        ("solver/search/minimax.py", "from ... import db", "zermelo.db: solver lies below db"),
        ("solver/game.py", 'import importlib\nimportlib.import_module("zermelo.db.query")', "zermelo.db.query: solver"),
        ("solver/game.py", '__import__("zermelo.db")', "zermelo.db: solver lies below db"),
        ("db/query.py", 'import_module("..views", __package__)', "zermelo.views: db lies below views"),
        ("db/query.py", 'NAME = "show"\nimport_module(f"zermelo.views.{NAME}")', "zermelo.views.: db lies below views"),
        ("db/query.py", 'LATER = {"show": "zermelo.views.show:table"}', "zermelo.views.show: db lies below views"),
        # The names of the repository are not those of what is installed.
        ("db/query.py", "import solver.game", "solver.game: what is installed is called zermelo.solver"),
        ("db/query.py", 'import_module(f"db.export.{NAME}_format")', "db.export.: what is installed is called"),
        ("web/__init__.py", "from tests.games import Piles", "tests.games: what is installed is called"),
        ("commands/ask.py", "import bench", "bench: what is installed is called"),
        ("zermelo/__main__.py", "import cli", "cli: what is installed is called zermelo.cli"),
        ("db/query.py", "import zermelo", "zermelo: the front door is for users"),
        ("views/__init__.py", "from zermelo import open", "zermelo.open: the front door is for users"),
        # The two layouts, the schema, and other people's tools.
        (
            "db/rows/__init__.py",
            "from zermelo.db.packed.read import PackedSource",
            "zermelo.db.packed.read: one layout",
        ),
        (
            "db/packed/__init__.py",
            "from ..rows import read",
            "zermelo.db.rows.read: one layout knows nothing of the other",
        ),
        ("db/query.py", "from zermelo import migrations", "zermelo.migrations: only db.schema upgrades"),
        ("migrations/env.py", "import zermelo.solver.game", "zermelo.solver.game: a migration knows the tables alone"),
        ("db/query.py", "from alembic import command", "alembic: db knows nothing of alembic"),
        ("solver/game.py", "import sqlite3", "sqlite3: solver knows nothing of sqlite3"),
        ("views/__init__.py", "import click", "click: views knows nothing of click"),
    ],
)
def test_a_wrong_import_is_seen(file: str, line: str, seen: str, copy: Path) -> None:
    """Wherever it is and however it is written, and nothing else is blamed for it."""
    path = copy / file
    before = path.read_text()
    try:
        path.write_text(f"{before}\n\n{line}\n")
        blamed = wrong_imports(copy)
    finally:
        path.write_text(before)
    module = ".".join((Path("zermelo") / Path(file.removeprefix("zermelo/"))).with_suffix("").parts)
    assert any(found.startswith(f"{module} imports {seen}") for found in blamed), blamed
    assert all(found.startswith(f"{module} imports ") for found in blamed)
    assert wrong_imports(copy) == []


def test_files_fit_in_one_reading() -> None:
    """A file tells one story."""
    counts = {name: len(path.read_text().splitlines()) for name, path in modules_in(ROOT).items()}
    assert not {name: count for name, count in counts.items() if count > 350}
