"""What the README shows is what happens: its commands are run and its Python is a doctest."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cli
from db.store import build
from solver.games import load

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a newcomer is after the first command: an empty folder with zermelo.db in it."""
    monkeypatch.chdir(tmp_path)
    build("zermelo.db", load("tictactoe"))
    return tmp_path


def examples() -> list[tuple[str, str]]:
    """Every command of the README's console blocks, with the output that is shown for it."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            found.append((command, output))
    return found


def without_times(text: str) -> str:
    """Seconds and dates differ from run to run."""
    text = re.sub(r"\d+\.\d{2,3} s\b", "N s", text)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "DATE", text).rstrip()


def test_the_readme_has_examples() -> None:
    """At least five things to try."""
    assert len(examples()) >= 5


def test_the_commands_of_the_readme_print_what_it_shows(folder: Path) -> None:
    """In order, in one folder, as a newcomer would."""
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    program = bin_folder / "zermelo"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m cli "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    for command, output in examples():
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
        assert without_times(done.stdout + done.stderr) == without_times(output), command
    shutil.rmtree(bin_folder)


def test_the_python_of_the_readme(folder: Path) -> None:
    """Three lines that work when pasted."""
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 3
    assert result.failed == 0


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_is_in_the_readme(command: str) -> None:
    """What is not written down is not found."""
    assert re.search(rf"^\| .*`zermelo {command}\b", README, re.MULTILINE)


def test_the_map_of_the_code_is_complete() -> None:
    """Every module is on the README's map, and everything on the map is there."""
    tree = re.search(r"## Architecture.*?```\n(.*?)```", README, re.DOTALL)
    assert tree
    drawn = set()
    folders: list[str] = []
    for line in tree[1].splitlines():
        indent, name = re.match(r"( *)(\S+)", line).groups()  # type: ignore[union-attr]
        folders = folders[: len(indent) // 2]
        path = "/".join([*folders, name.rstrip("/")])
        if name.endswith("/"):
            folders.append(name.rstrip("/"))
        drawn.add(path)
        assert (ROOT / path).exists(), path
    modules = {
        str(path.relative_to(ROOT))
        for room in ("commands", "solver", "db", "web", "bench")
        for path in (ROOT / room).rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py")
    }
    assert modules <= drawn, modules - drawn
