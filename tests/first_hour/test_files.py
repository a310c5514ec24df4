"""Lines 1 and 2: what a file's name ends with is what it holds, and pictures are of a size that people can look at."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.first_hour.conftest import Typed

STARTS = {
    "svg": b"<svg",
    "png": b"\x89PNG",
    "pdf": b"%PDF-",
    "tex": b"% needs",
    "txt": b"MAX",
    "dot": b"digraph",
    "json": b"{",
}


@pytest.mark.parametrize(
    "ending", [pytest.param(ending, marks=[pytest.mark.slow] * (ending == "png")) for ending in STARTS]
)
def test_tree_writes_what_the_name_says(ending: str, typed: Typed, folder: Path) -> None:
    """Whatever the ending; and nothing is overwritten without being asked for."""
    done = typed(f"zermelo tree XOX/OO./.X. -o late.{ending}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    written = (folder / f"late.{ending}").read_bytes()
    assert written.startswith(STARTS[ending])
    again = typed(f"zermelo tree XOX/OO./.X. -o late.{ending}")
    assert again.returncode == 2
    assert "already exists: overwrite it with --force" in again.stderr
    assert typed(f"zermelo tree XOX/OO./.X. -o late.{ending} --force").returncode == 0
    if ending in ("svg", "tex", "txt", "dot", "json"):
        assert (folder / f"late.{ending}").read_bytes() == written


@pytest.mark.parametrize("ending", ["svg", *(pytest.param(other, marks=pytest.mark.slow) for other in ("png", "pdf"))])
@pytest.mark.parametrize("line", ["map", "board XO./.X./..O", "board -g morris:three", "board -g nim:3,4,5"])
def test_maps_and_boards_too(line: str, ending: str, typed: Typed, folder: Path) -> None:
    """A map from the database, and boards from the rules alone."""
    assert typed(f"zermelo {line} -o picture.{ending}").returncode == 0
    assert (folder / f"picture.{ending}").read_bytes().startswith(STARTS[ending])
    if ending == "svg":
        assert ElementTree.parse(folder / "picture.svg").getroot().tag.endswith("svg")
    assert "already exists" in typed(f"zermelo {line} -o picture.{ending}").stderr


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("export -o t.xlsx", ".csv, .jsonl, .parquet, .ztb or .html"),
        ("export -o t.json", ".csv, .jsonl, .parquet, .ztb or .html"),
        ("export -o t.npz", ".csv, .jsonl, .parquet, .ztb or .html"),
        ("export -o t.sqlite", ".csv, .jsonl, .parquet, .ztb or .html"),
        ("map -o map.gif", ".svg, .png or .pdf"),
        ("tree -o tree.doc", ".txt, .svg, .png, .pdf, .tex, .tikz, .dot, .gv or .json"),
        ("trace -o trace.svg", ".txt"),
        ("board -o board.csv", ".txt, .svg, .png or .pdf"),
    ],
)
def test_other_endings_are_refused(line: str, known: str, typed: Typed, folder: Path) -> None:
    """With those that are written, and without a file."""
    before = {file.name for file in folder.iterdir()}
    done = typed(f"zermelo {line}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f", which is not written: end it with {known}\n" in done.stderr
    assert {file.name for file in folder.iterdir()} == before


def test_the_option_wins(typed: Typed, folder: Path) -> None:
    """Who says both means the one that says more."""
    assert typed("zermelo tree --format svg -o picture.xml").returncode == 0
    assert (folder / "picture.xml").read_bytes().startswith(b"<svg")


def test_a_build_is_no_tablebase(typed: Typed, folder: Path) -> None:
    """It says what to do instead, and writes nothing."""
    done = typed("zermelo build --db new.ztb")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "'new.ztb' is the name of a tablebase" in done.stderr and "'new.db'" in done.stderr
    assert not (folder / "new.ztb").exists()


def test_tikz_has_every_node_and_balanced_braces(typed: Typed, folder: Path) -> None:
    """A picture that can be put on a slide."""
    assert (
        typed("zermelo tree XOX/OO./.X. --depth 2 --algorithm alphabeta -o tree.tex --title '100% sure_'").returncode
        == 0
    )
    text = (folder / "tree.tex").read_text()
    plain = typed("zermelo tree XOX/OO./.X. --depth 2 --algorithm alphabeta").stdout
    assert text.count("\\node[max") + text.count("\\node[min") + text.count("\\node[end") == plain.count("\n")
    assert text.count("\\draw[") == plain.count("\n") - 1
    assert "100\\% sure\\_" in text
    unescaped = re.sub(r"\\.", "", text)
    assert unescaped.count("{") == unescaped.count("}")


@pytest.mark.parametrize("format_", ["svg", "png", "pdf", "tikz"])
def test_a_tree_too_large_to_look_at(format_: str, typed: Typed, folder: Path) -> None:
    """Half a million nodes: told before they are drawn, with a depth that can be."""
    done = typed(f"zermelo tree --depth 9 --format {format_} -o tree")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert (
        "the tree of mnk:3,3,3 to depth 9 has more than 1,000 nodes, too many to look at, and fewer to depth 3:"
        in done.stderr
    )
    assert not (folder / "tree").exists()
    assert "fewer to depth 4" in typed("zermelo tree --depth 9 --fold -o tree.svg").stderr


def test_the_named_depth_can_be_drawn(typed: Typed, folder: Path) -> None:
    """And more with --yes, or where alpha-beta leaves little to draw."""
    assert typed("zermelo tree --depth 3 -o three.svg").returncode == 0
    assert (folder / "three.svg").read_text().count('<g class="node">') == 1 + 9 + 72 + 504
    assert typed("zermelo tree XO./.X./..O --depth 5 --algorithm alphabeta -o pruned.svg").returncode == 0


@pytest.mark.slow
def test_os_map_is_legible_on_paper(typed: Typed, folder: Path) -> None:
    """On A3, or with a page for each first move: no stone is smaller than a lower-case letter of 7 point print (1.2 mm)."""
    from pypdf import PdfReader

    assert typed("zermelo map --side O --paper a3 -o a3.svg").returncode == 0
    drawing = ElementTree.parse(folder / "a3.svg").getroot()
    assert (drawing.get("width"), drawing.get("height")) == ("297mm", "420mm")
    stones = [float(use.get("width", "0")) for use in drawing.iter("{http://www.w3.org/2000/svg}use")]
    assert min(stones) >= 1.2
    assert typed("zermelo map --side O --pages -o pages.pdf").returncode == 0
    pages = PdfReader(folder / "pages.pdf").pages
    assert len(pages) == 9
    assert round(float(pages[0].mediabox.width) / 72 * 25.4) == 210
    wrong = typed("zermelo map --side O --pages -o pages.svg")
    assert wrong.returncode == 2 and "write them with -o map.pdf" in wrong.stderr


def test_a_map_too_small_to_read(typed: Typed, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Told before it is drawn, with what is larger."""
    monkeypatch.setattr("zermelo.views.map.SMALLEST", 1.0)
    done = typed("zermelo map --side O -o map.svg")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "too small to read on A4: they are 1." in done.stderr
    assert "choose --paper a3, --pages with a PDF, --numbered, or a smaller game" in done.stderr
    assert not (folder / "map.svg").exists()


@pytest.mark.slow
def test_a_map_of_any_game(typed: Typed, folder: Path) -> None:
    """Not only of boards whose cells are taken: numbered boards, on as many pages as they take."""
    assert typed("zermelo build -g dodgem:3").returncode == 0
    done = typed("zermelo map -g dodgem:3 -o map.svg")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "too many to read on one page: they take 3 pages of A4: choose --pages with a PDF" in done.stderr
    assert typed("zermelo map -g dodgem:3 --pages -o map.pdf").returncode == 0
    assert (folder / "map.pdf").read_bytes().startswith(b"%PDF")
