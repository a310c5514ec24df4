"""The schema comes from migrations alone, agrees with the models, and old databases can be upgraded."""

import shutil
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import migrations
from db import open_solution, schema
from db.engine import engine_for
from db.models import Base
from db.readers import read_revision
from db.store import upgrade

OLD = sorted(Path(__file__).parent.parent.glob("data/schema_*.db"))


def test_models_and_migrations_agree(tmp_path: Path) -> None:
    """Alembic finds nothing to change between a migrated database and the models."""
    engine = engine_for(str(tmp_path / "new.db"))
    with engine.begin() as connection:
        schema.upgrade(connection, "new.db")
        differences = compare_metadata(MigrationContext.configure(connection), Base.metadata)
    engine.dispose()
    assert differences == []


def test_the_known_revisions_are_those_of_the_migrations() -> None:
    """The list that readers check against without importing Alembic."""
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0].replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config).walk_revisions()
    assert tuple(script.revision for script in scripts)[::-1] == schema.REVISIONS


def test_an_old_database_is_kept_for_every_revision() -> None:
    """Whoever adds a revision adds a database of it."""
    assert [path.stem.removeprefix("schema_") for path in OLD] == list(schema.REVISIONS)


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
def test_old_databases_upgrade_and_answer(old: Path, tmp_path: Path) -> None:
    """What an earlier version stored is still answered after the upgrade."""
    path = tmp_path / "old.db"
    shutil.copy(old, path)
    before, after = upgrade(str(path))
    assert (before, after) == (old.stem.removeprefix("schema_"), schema.NEWEST)
    assert read_revision(str(path)) == schema.NEWEST
    with open_solution(str(path)) as solution:
        assert solution.probe("XO./.X./..O") == (1, 3, "a2")
        assert solution.source.facts["positions"] == 5478


def test_an_older_schema_says_how_to_upgrade() -> None:
    """The exact command, for a revision between the first and the newest."""
    with pytest.raises(ValueError, match="has the older schema 0001: bring it to 0002 with `zermelo db upgrade`"):
        _check_as_if_newest("0001", ("0001", "0002"))


def _check_as_if_newest(revision: str, revisions: tuple[str, ...]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "REVISIONS", revisions)
        patch.setattr(schema, "NEWEST", revisions[-1])
        schema.check("some.db", revision)


def test_a_migration_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """DDL is part of the transaction: a failure half-way rolls the tables back."""
    path = tmp_path / "new.db"
    engine = engine_for(str(path))
    with pytest.raises(ZeroDivisionError), engine.begin() as connection:
        schema.upgrade(connection, "new.db")
        raise ZeroDivisionError
    engine.dispose()
    assert read_revision_or_none(path) is None
    upgrade(str(path))
    assert read_revision(str(path)) == schema.NEWEST


def read_revision_or_none(path: Path) -> str | None:
    """None also where the file has not a byte yet."""
    return read_revision(str(path)) if path.exists() and path.stat().st_size else None


def test_a_percent_sign_in_the_path(tmp_path: Path) -> None:
    """Configuration files and URIs both treat it specially."""
    folder = tmp_path / "100% #1?"
    folder.mkdir()
    path = str(folder / "a%20b.db")
    upgrade(path)
    assert read_revision(path) == schema.NEWEST
