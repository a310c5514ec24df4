"""What a build is said to take beside what it then takes; time is measured in `bench`, never in a test."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.measure import cost_of
from bench.results.pages import kept
from tests.conftest import Zermelo
from zermelo.db.query import open_solution
from zermelo.db.rows.estimate import RowsEstimate, estimate_rows
from zermelo.solver.games import load
from zermelo.solver.packed import knows
from zermelo.solver.packed.calibrate import disk_of
from zermelo.solver.packed.groups import groups_of
from zermelo.views.estimate import estimate_line

UNITS = {"kB": 1e3, "MB": 1e6, "GB": 1e9}
WITHIN = 0.3


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["mnk:5,4,3", "mnk:5,4,4", "connect:5,5,4", "connect:6,4,4", "dodgem:4"])
def test_memory_and_disk_are_what_was_said(spec: str, tmp_path: Path) -> None:
    """Within 30% of the peak of the process and of the size of the file; positions to the last one where they are said."""
    path = tmp_path / "zermelo.db"
    command = [sys.executable, "-m", "zermelo", "build", "-g", spec, "--db", str(path), "--no-progress"]
    line = subprocess.run([*command, "--dry-run"], capture_output=True, text=True, check=True).stdout
    said = re.fullmatch(
        rf"{spec}: ([\d,]+) (places to fill|positions), about ([\d.]+) (.B) of memory, ([\d.]+) (.B) on the disk, .*\n",
        line,
    )
    assert said, line
    assert float(said[3]) * UNITS[said[4]] == pytest.approx(cost_of(*command).memory, rel=WITHIN)
    assert float(said[5]) * UNITS[said[6]] == pytest.approx(path.stat().st_size, rel=WITHIN)
    if said[2] == "positions":
        with open_solution(str(path), spec) as solution:
            assert len(solution) == int(said[1].replace(",", ""))


@pytest.mark.parametrize(
    "spec", ["connect:19,1,4", "connect:21,1,3", "connect:11,2,4", "connect:12,2,3,misere", "connect:8,3,3,misere"]
)
def test_disk_is_about_what_was_taken(spec: str) -> None:
    """What is said decides what is refused: the kept figures tell what a row, low boards and a misere board took."""
    game = load(spec)
    assert knows(game)
    assert disk_of(groups_of(game)) == pytest.approx(kept("connect")[spec]["size"], rel=WITHIN)


def test_what_is_not_known_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """More positions than can be counted in a moment, here at once: at least so many, and nothing of time or room."""
    monkeypatch.setattr("zermelo.db.rows.estimate._PATIENCE", -1.0)
    line = estimate_line(load("tictactoe"), packed=False)
    assert line == "mnk:3,3,3: more than 1,000 positions; how many there are is known once they are found"


def test_rows_are_counted() -> None:
    """The number is that of the result."""
    found = estimate_rows(load("connect:3,3,3"))
    assert isinstance(found, RowsEstimate)
    assert found.positions == 694


def test_one_position_of_each_class_takes_less(zermelo: Zermelo) -> None:
    """How many classes there are is not counted, so the disk is said as what it takes at most."""
    assert ", at most " in zermelo("build", "--symmetry", "--dry-run").stdout
