"""Tablebases of boards that are stored in rows: in blocks where those are worth it, and in rows where play reaches little."""

from pathlib import Path

import pytest

from tests.db import second_reader
from tests.db.test_tablebase import stored
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import boards, open_tablebase
from zermelo.db.verify import verify, verify_sample
from zermelo.solver.games import load
from zermelo.solver.packed import knows


@pytest.mark.parametrize("spec", ["mnk:3,3,3", "mnk:4,2,3", "connect:3,4,3"])
def test_rows_are_in_the_same_blocks_as_a_packed_solution(spec: str, tmp_path: Path) -> None:
    """Rows of all positions and rows of one of each class alike; nothing is read but the rows."""
    game, found = load(spec), []
    assert knows(game)
    for layout, symmetry in (("rows", False), ("rows", True), ("packed", False)):
        path = str(tmp_path / f"{layout}{symmetry}.db")
        build(path, game, layout=layout, symmetry=symmetry)
        with open_solution(path, spec) as solution:
            blocks = boards.blocks_of(solution.source, game)
            found.append([(occupancy, bytes(data)) for occupancy, data in blocks if set(data) != {0x80}])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    ("spec", "kind"), [("mnk:5,5,1", "rows"), ("connect:1,30,3", "rows"), ("connect:2,7,4", "board")]
)
def test_rows_stay_rows_where_blocks_would_be_nearly_empty(spec: str, kind: str, tmp_path: Path) -> None:
    """Those of 5x5 have 2e10 bytes, and 26 of them would be positions; every command reads either."""
    path = stored(tmp_path, load(spec))
    assert second_reader.read(path)[0]["kind"] == kind
    with open_tablebase(path) as tablebase, open_solution(str(tmp_path / "stored.db"), spec) as solution:
        assert sorted(tablebase.source.rows()) == sorted(solution.source.rows())
        assert verify(tablebase).faults == verify_sample(tablebase, 20, seed=1).faults == []
