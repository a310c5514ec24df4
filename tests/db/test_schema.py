"""The schema comes from zermelo.migrations alone, agrees with the models, and old databases can be upgraded."""

import shutil
from functools import cache
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from zermelo import migrations
from zermelo.db import schema
from zermelo.db.catalogue import solutions_in
from zermelo.db.engine import sql_engine
from zermelo.db.memory import solve_in_memory
from zermelo.db.models import Base
from zermelo.db.query import open_solution
from zermelo.db.readers import read_revision
from zermelo.db.stats import statistics
from zermelo.db.store import upgrade
from zermelo.db.verify import verify
from zermelo.solver.errors import OlderSchemaError

OLD = sorted(Path(__file__).parent.parent.glob("data/schema_*.db"))


def test_models_and_migrations_agree(tmp_path: Path) -> None:
    """Alembic finds nothing to change between a migrated database and the models."""
    engine = sql_engine(str(tmp_path / "new.db"))
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
    assert tuple(script.revision for script in scripts)[::-1] == tuple(schema.REVISIONS)


def test_an_old_database_is_kept_for_every_revision() -> None:
    """Whoever adds a revision adds a database of it."""
    assert [path.stem.removeprefix("schema_") for path in OLD] == list(schema.REVISIONS)


solution_of = cache(solve_in_memory)


@pytest.mark.parametrize(
    "old",
    [OLD[0], *(pytest.param(old, marks=pytest.mark.slow) for old in OLD[1:-1]), OLD[-1]],
    ids=lambda path: path.stem,
)
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
    facts = {facts["game"]: facts for facts in solutions_in(path)}
    assert facts.keys() - {"morris:three"} == {"mnk:3,3,3", "connect:3,3,3", "nim:1,2,3"}
    for game, about in facts.items():
        packed = game == "connect:3,3,3"
        assert (about["layout"], about["codec"]) == (("packed", "board") if packed else ("rows", None))
        assert about["can_repeat"] is (game == "morris:three")
        solved = solution_of(game)
        with open_solution(path, game) as solution:
            assert verify(solution).faults == []
            assert statistics(solution, patient=True) == statistics(solved)
            for board in list(solved)[::5]:  # all of them were proved
                assert solution.probe(board) == solved[board]
    assert ("morris:three" in facts) is (before != "0001")


def test_an_older_schema_is_told_from_a_newer_one() -> None:
    """A revision between the first and the newest can be upgraded."""
    with pytest.raises(OlderSchemaError, match="has schema 0001, older than 0002") as caught:
        _check_as_if_newest("0001", ("0001", "0002"))
    assert caught.value.revision == "0001"


def _check_as_if_newest(revision: str, revisions: tuple[str, ...]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "REVISIONS", revisions)
        patch.setattr(schema, "NEWEST", revisions[-1])
        schema.check("some.db", revision)


def test_a_migration_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """DDL is part of the transaction: a failure half-way rolls the tables back."""
    path = tmp_path / "new.db"
    engine = sql_engine(str(path))
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
