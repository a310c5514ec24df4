"""What the tests of databases and tablebases share."""

from pathlib import Path

import pytest

from zermelo.db.query import open_solution
from zermelo.db.tablebase import write_tablebase


@pytest.fixture(scope="session")
def tictactoe(tictactoe_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tic-tac-toe's tablebase, only to be read."""
    path = tmp_path_factory.mktemp("tablebase") / "tictactoe.ztb"
    with open_solution(str(tictactoe_db)) as solution, path.open("wb") as stream:
        write_tablebase(stream, solution)
    return path
