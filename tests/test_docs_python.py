"""The reference for Python and the notebook: every example is run, and shows what the page shows."""

import doctest
import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import zermelo
from tests.test_docs import ROOT

PAGE = ROOT / "docs" / "python.md"
TOUR = ROOT / "docs" / "tour.ipynb"


def test_the_page_shows_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (result.failed, result.attempted > 40) == (0, True)


@pytest.mark.parametrize("name", zermelo.__all__)
def test_the_page_has_every_name(name: str) -> None:
    """What is not written down is not found."""
    assert re.search(rf"`{name}\b|zermelo\.{name}\b", PAGE.read_text())


def tour() -> Any:
    return nbformat.read(TOUR, as_version=4)  # type: ignore[no-untyped-call]


def outputs(notebook: Any) -> list[list[Any]]:
    """What each code cell shows, without the time that it took; what it prints is one text, in however many parts it came."""
    shown: list[list[Any]] = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            shown.append([])
            for output in cell.outputs:
                one = _timeless(output.get("data") or output.get("text") or output)
                if isinstance(one, str) and shown[-1] and isinstance(shown[-1][-1], str):
                    shown[-1][-1] += one
                else:
                    shown[-1].append(one)
    return shown


def _timeless(output: Any) -> Any:
    if isinstance(output, str):
        return re.sub(r"seconds=[\d.e-]+", "seconds=...", output)
    return {kind: _timeless(data) for kind, data in output.items()}


@pytest.mark.slow
def test_the_notebook_shows_what_it_showed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run from top to bottom in an empty folder: no error, and the same texts and pictures."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    kept, run = tour(), tour()
    NotebookClient(run, timeout=600, startup_timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert outputs(run) == outputs(kept), "run it again with `jupyter execute --inplace docs/tour.ipynb`"
    kinds = {kind for cell in outputs(run) for output in cell if isinstance(output, dict) for kind in output}
    assert {"text/html", "image/svg+xml"} <= kinds
