"""Imports go one way: cli -> commands -> web -> db -> solver; and the tools that only one place may know stay there."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = [
    ROOT / "cli.py",
    *(path for room in ("commands", "solver", "db", "web", "migrations") for path in (ROOT / room).rglob("*.py")),
]
FORBIDDEN = {
    "solver": {"db", "web", "cli", "commands", "migrations", "click", "tqdm", "sqlalchemy", "alembic", "sqlite3"},
    "db": {"web", "cli", "commands", "click", "tqdm"},
    "web": {"cli", "commands", "migrations", "click", "tqdm", "sqlalchemy", "alembic", "sqlite3"},
    "migrations": {"web", "cli", "click", "tqdm", "solver"},
    "commands": {"cli", "fastapi", "uvicorn", "sqlalchemy", "alembic", "sqlite3"},
    "cli.py": {"sqlalchemy", "alembic", "sqlite3", "tqdm"},
}


def imported(path: Path) -> set[str]:
    """The packages that a file imports, at its top or anywhere within."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    """A room knows only what lies below it."""
    room = path.relative_to(ROOT).parts[0]
    assert not imported(path) & FORBIDDEN[room]
    if "alembic" in imported(path):
        assert room == "migrations" or path.name == "schema.py"


def test_files_fit_in_one_reading() -> None:
    """A file tells one story."""
    long = {str(path.relative_to(ROOT)): count for path in FILES if (count := len(path.read_text().splitlines())) > 350}
    assert not long
