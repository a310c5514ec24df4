"""The pages on searching and on one's own game: their files are written, their commands run, their Python is a doctest."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_docs import ROOT, without_times


@pytest.mark.parametrize(
    "name",
    [
        "worked-example",
        pytest.param("searching", marks=pytest.mark.slow),
        pytest.param("your-own-game", marks=pytest.mark.slow),
    ],
)
def test_the_page_shows_what_happens(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, in one folder, as a reader would."""
    page = ROOT / "docs" / f"{name}.md"
    text = page.read_text()
    for file, source in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", text, re.DOTALL):
        (tmp_path / file).write_text(source)
    (tmp_path / "zermelo").write_text(f'#!/bin/sh\nexec {sys.executable} -m zermelo "$@"\n')
    (tmp_path / "zermelo").chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    commands = 0
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            done = subprocess.run(
                ["bash", "-c", command], cwd=tmp_path, env={**os.environ, **path}, capture_output=True, text=True
            )
            shown = without_times(re.sub(r"\d\.\d\d\d s\b", "N s", output))
            printed = without_times(re.sub(r"\d\.\d\d\d s\b", "N s", done.stdout + done.stderr))
            assert [line.rstrip() for line in printed.splitlines()] == shown.splitlines(), command
            commands += 1
    assert commands
    for picture in re.findall(r"\]\((\S+\.svg)\)", text):
        assert (tmp_path / picture).read_text() == (page.parent / picture).read_text(), f"draw {picture} again"
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    result = doctest.testfile(str(page), module_relative=False)
    assert (result.failed, result.attempted > 0) == (0, True)


def test_the_own_game_is_twenty_lines() -> None:
    """As the page promises, blank lines not counted."""
    page = (ROOT / "docs" / "your-own-game.md").read_text()
    source = re.search(r"```python\n# nimble\.py\n(.*?)```", page, re.DOTALL)
    assert source
    assert sum(bool(line.strip()) for line in source[1].splitlines()) <= 20
