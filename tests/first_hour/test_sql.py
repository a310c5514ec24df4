"""Line 8: SQL that names the game, uses an index, and is one plain select."""

import re
import sqlite3
from pathlib import Path

from tests.first_hour.conftest import Typed

ROOT = Path(__file__).parent.parent.parent


def test_the_sql_of_the_pages(typed: Typed, folder: Path) -> None:
    """Every select that a page shows answers, and looks nothing through from end to end."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = [sql.strip() for page in pages for sql in re.findall(r"```sql\n(.*?)```", page.read_text(), re.DOTALL)]
    assert any("from answers" in sql for sql in shown) and any("join solutions" in sql for sql in shown)
    assert typed("zermelo build -g mnk:2,2,2").returncode == 0
    database = sqlite3.connect(folder / "zermelo.db")
    for sql in shown:
        assert "game = " in sql, sql
        assert database.execute(sql).fetchall() == [(1, 3, "a2")], sql
        plan = [row[3] for row in database.execute(f"explain query plan {sql}")]
        assert all(step.startswith("SEARCH") for step in plan), plan
    database.close()


def test_the_view_has_finished_solutions_alone(typed: Typed, folder: Path) -> None:
    """Under their games; packed ones have no rows."""
    assert typed("zermelo build -g nim:1,2").returncode == 0
    database = sqlite3.connect(folder / "zermelo.db")
    query = "select game, count(*) from answers group by game order by game"
    assert database.execute(query).fetchall() == [("mnk:3,3,3", 5478), ("nim:1,2", 8)]
    database.execute("update solutions set status = 'building' where game = 'nim:1,2'")
    assert database.execute(query).fetchall() == [("mnk:3,3,3", 5478)]
    columns = [column[0] for column in database.execute("select * from answers limit 0").description]
    assert columns == ["game", "position", "ply", "value", "plies", "best_move"]
    database.close()
