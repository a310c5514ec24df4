"""What is printed and written of a run, and that a missed target is an error."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench import __main__ as program
from bench import boards, report, rows, run, scaling
from bench.boards import Solved
from bench.measure import Line, Spread
from bench.rows import Cell, Row

DOCS = Path(__file__).parents[2] / "docs"
LINE = Line("look-up / bare SELECT", 2e-6, 1e-6, target=1.5)
ROW = Row(
    "solve", "seconds", [Cell("Zermelo", Spread(0.02, 0.019, 0.021)), Cell("other", Spread(0.05, 0.05, 0.05), "partly")]
)
NONE = Row("store", "seconds", [Cell("Zermelo", Spread(0.1, 0.1, 0.1)), Cell("other", None, "no store")])
BOARDS = [
    Solved("Zermelo", "mnk:3,3,3", 5478, Spread(0.02, 0.02, 0.02)),
    Solved("other", "mnk:3,3,3", 4520, Spread(0.1, 0.1, 0.1)),
    Solved("Zermelo", "mnk:4,3,3", 111_973, Spread(0.4, 0.4, 0.4)),
    Solved("other", "mnk:4,3,3", None, None, "over 2 s"),
]


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures that are there at once."""
    monkeypatch.setattr(run, "lines", lambda **_: iter([LINE]))
    monkeypatch.setattr(run, "knowledge", lambda **_: {"Zermelo": "all", "other": "value"})
    monkeypatch.setattr(rows, "rows", lambda *_, **__: iter([ROW, NONE]))
    monkeypatch.setattr(boards, "solutions", lambda *_, **__: iter(BOARDS))


def test_a_missed_target_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """So that a slowdown is seen before it lands; a noisy machine is given slack."""
    assert program.main(["--quick"]) == 1
    printed = capsys.readouterr()
    assert "2.00   1.50  look-up / bare SELECT MISSED" in printed.out
    assert printed.err == "missed: look-up / bare SELECT\n"
    assert program.main(["--quick", "--slack", "2"]) == 0


def test_a_run_is_kept_as_json(tmp_path: Path) -> None:
    """With the machine's kind and the versions, and nothing that says whose machine it is."""
    program.main(["--json", str(tmp_path / "run.json")])
    kept = json.loads((tmp_path / "run.json").read_text())
    assert kept["lines"][0]["ratio"] == 2.0
    assert kept["rows"][1]["cells"][1] == {"contestant": "other", "figure": None, "says": "no store"}
    assert {"cpu", "python", "load"} <= kept["machine"].keys()
    assert "zermelo" in kept["versions"]


@pytest.mark.slow
def test_a_report_keeps_what_was_written_by_hand(tmp_path: Path) -> None:
    """Only what is between the marks is made anew."""
    pytest.importorskip("matplotlib")
    page = tmp_path / "benchmarks.md"
    page.write_text("Before.\n<!-- figures -->\nold\n<!-- end of figures -->\nAfter.\n")
    program.main(["--report", str(tmp_path)])
    text = page.read_text()
    assert text.startswith("Before.\n<!-- figures -->\n")
    assert text.endswith("<!-- end of figures -->\nAfter.\n")
    assert "old\n" not in text
    assert "| solve | **20.0 ms (19.0 ms to 21.0 ms)** | 50.0 ms; partly |" in text
    assert "| store | **100.0 ms** | (no store) |" in text
    assert "| `mnk:3,3,3` | 5,478 | 20.0 ms | 100.0 ms; 4,520 |" in text
    assert "| `mnk:4,3,3` | 111,973 | 400.0 ms | (over 2 s) |" in text
    assert "2.00 | 1.50 **missed** |" in text
    plot = (tmp_path / "benchmarks.svg").read_text()
    assert "positions solved" in plot
    assert "Zermelo" in plot


def test_the_page_shows_the_run_that_is_kept_beside_it() -> None:
    """No figure was written by hand."""
    found: dict[str, Any] = json.loads((DOCS / "benchmarks.json").read_text())
    page = (DOCS / "benchmarks.md").read_text()
    assert report.tables(found) in page
    assert not found["quick"]


def test_larger_boards_are_worked_out_of_what_is_kept() -> None:
    figures: dict[str, Any] = json.loads((DOCS / scaling.FIGURES).read_text())
    assert scaling.tables(figures) in (DOCS / scaling.PAGE).read_text()


def test_make_it_fast_shows_the_run_that_is_kept_beside_it() -> None:
    """Its times, and the one line that changes the game that was measured."""
    found: dict[str, Any] = json.loads((DOCS / "compiled.json").read_text())
    page = (DOCS / "your-own-game.md").read_text()
    plain, alone = found["lines"]
    assert not plain["missed"] and not alone["missed"]
    assert f"| without the line | {plain['baseline']:.1f} |\n| with it | {plain['ours']:.2f} |\n" in page
    assert f"| a program written for Dodgem alone, with Numba | {alone['baseline']:.2f} |\n" in page
    changed = page.partition("```diff\n")[2].partition("```")[0]
    after = [line[1:] for line in changed.splitlines()]
    source = (DOCS.parent / "bench" / "own_dodgem.py").read_text().splitlines()
    assert [line for line in after if line] == [line for line in source if line in after and line]
