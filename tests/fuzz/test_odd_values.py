"""Every column of a database holds something else for once: what is then answered is right, or it is refused in our words."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.fuzz.files import COLUMNS, ODD
from tests.fuzz.test_damage import BOARD, BY_CLASS, KEYED, ROWS, Outcome, facts_of, game_in, made, truth_of
from zermelo.db.query import open_solution
from zermelo.db.stats import statistics

KEYS = {
    "positions": "board",
    "blocks": "occupancy",
    "counts": "ply",
    "solutions": "id",
    "alembic_version": "version_num",
}


def put(path: Path, table: str, column: str, value: object, chance: random.Random) -> bool:
    """Put a value into one row or all rows; whether the table takes it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("pragma ignore_check_constraints = on")
        keys = [key for (key,) in connection.execute(f"select {KEYS[table]} from {table}")]
        one = chance.choice(keys) if keys else None
        where = (f"where {KEYS[table]} = ?", (one,)) if chance.random() < 0.5 else ("", ())
        try:
            connection.execute(f"update or ignore {table} set {column} = ? {where[0]}", (value, *where[1]))
        except sqlite3.Error:
            return False
        return bool(connection.total_changes)


@pytest.mark.slow
@pytest.mark.parametrize("layout", [ROWS, BY_CLASS, BOARD, KEYED])
def test_odd_values(layout: str, tmp_path: Path) -> None:
    """SQLite keeps a text where a number belongs, and whatever else somebody puts there."""
    good, truth, chance = made(layout, tmp_path), truth_of(game_in(layout)), random.Random(13)
    with open_solution(str(good), truth.game) as solution:
        whole = {"facts": facts_of(good), "statistics": statistics(solution)}
    wrong, tried, told = [], 0, 0
    path = tmp_path / "odd.db"
    for table, columns in COLUMNS.items():
        for column in columns:
            for value in ODD:
                path.write_bytes(good.read_bytes())
                if put(path, table, column, value, chance):
                    outcome = Outcome(path, truth, whole, chance)
                    tried, told = tried + 1, told + bool(outcome.told)
                    wrong += [f"{table}.{column} = {value!r}: {what}" for what in outcome.wrong[:2]]
    print(layout, f"{tried} odd values, {told} of them told")
    assert wrong == []
    assert told > tried // 2
