"""What the README and the tour show is what happens: their commands are run and their Python is a doctest."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo import cli
from zermelo.db.store import build
from zermelo.solver.games import load

ROOT = Path(__file__).parent.parent
PAGES = {"README": ROOT / "README.md", "tour": ROOT / "docs" / "tour.md"}
CLAIMS = ROOT / "docs" / "results" / "claims.md"
README = PAGES["README"].read_text()
COMMANDS = (ROOT / "docs" / "commands.md").read_text()
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a newcomer is after the first command: an empty folder with zermelo.db in it."""
    monkeypatch.chdir(tmp_path)
    build("zermelo.db", load("tictactoe"))
    return tmp_path


def examples(page: str) -> list[tuple[str, str]]:
    """Every command of the page's console blocks, with the output that is shown for it."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", {**PAGES, "claims": CLAIMS}[page].read_text(), re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            found.append((command, output))
    return found


def without_times(text: str) -> str:
    """Seconds and dates differ from run to run."""
    text = re.sub(r"\d+\.\d{2,3} s\b", "N s", text)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "DATE", text).rstrip()


def test_the_readme_has_examples() -> None:
    """Two commands, six things to try, and no more than is read in five minutes: 1,200 words."""
    assert len(examples("README")) >= 5
    things = README[README.index("## Six things to try") : README.index("## The code")]
    assert len(re.findall(r"^\*\*", things, re.MULTILINE)) == 6
    assert len(re.findall(r"^pip install ", README, re.MULTILINE)) == 2
    assert len(README.split()) < 1200


@pytest.mark.parametrize(
    "page", ["README", *(pytest.param(page, marks=pytest.mark.slow) for page in ("tour", "claims"))]
)
def test_the_commands_of_the_pages_print_what_they_show(page: str, folder: Path) -> None:
    """In order, in one folder, as a newcomer would."""
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    program = bin_folder / "zermelo"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m zermelo "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    for command, output in examples(page):
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
        assert without_times(done.stdout + done.stderr) == without_times(output), command
    shutil.rmtree(bin_folder)


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_the_pages(page: str, folder: Path) -> None:
    """Three lines that work when pasted."""
    result = doctest.testfile(str(PAGES[page]), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 3
    assert result.failed == 0


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_a_line(command: str) -> None:
    """What is not written down is not found."""
    assert re.search(rf"^\| .*`zermelo {command}\b", COMMANDS, re.MULTILINE)


def test_the_map_of_the_code_is_complete() -> None:
    """Every module is on the map, everything on the map is there, and the README has a line for each folder."""
    tree = re.search(r"```\n(.*?)```", ARCHITECTURE, re.DOTALL)
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
        for room in ("commands", "solver", "db", "views", "web", "bench")
        for path in (ROOT / room).rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py")
    }
    assert modules <= drawn, modules - drawn
    assert all(
        f"`{room}/`" in README
        for room in ("commands", "solver", "db", "views", "web", "zermelo", "migrations", "bench")
    )


def test_the_site_has_every_page() -> None:
    """Each page is in the site's table of contents, and every link of a page leads to another."""
    docs = ROOT / "docs"
    pages = {str(page.relative_to(docs)) for page in docs.rglob("*.md")}
    assert set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)) == pages
    for page in docs.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text()):
            target = (page.parent / link).resolve()
            assert target.exists() and target.is_relative_to(docs), f"{page.name}: {link}"


@pytest.mark.slow
def test_the_site_is_built_without_warnings(tmp_path: Path) -> None:
    """As CI builds it."""
    pytest.importorskip("material")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
    assert (tmp_path / "site" / "tour" / "index.html").exists()


def test_the_citation_names_the_project() -> None:
    """And its version is the one that is installed."""
    import tomllib

    import yaml

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["title"] == "Zermelo" and citation["authors"] == [{"name": "The Zermelo project"}]
    assert citation["version"] == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
