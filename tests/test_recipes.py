"""The recipes of CONTRIBUTING.md, followed to the letter: one new file and one line in a registry each."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Zermelo
from tests.test_architecture import wrong_imports

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
RECIPES = {
    title: re.findall(r"```(?:python|toml)\n# (.*?)\n(.*?)```", text, re.DOTALL)
    for title, text in re.findall(
        r"^### (.*?)\n(.*?)(?=^### |\Z)", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL | re.MULTILINE
    )
}
"""By title, the places and what goes there."""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of everything, to add to."""
    house = tmp_path / "house"
    ignored = shutil.ignore_patterns("__pycache__")
    for room in ("zermelo", "solver", "db", "views", "web", "commands", "migrations"):
        shutil.copytree(ROOT / room, house / room, symlinks=True, ignore=ignored)
    shutil.copy(ROOT / "cli.py", house)
    return house


def follow(title: str, house: Path) -> None:
    """Add the file and the line of a recipe."""
    (file, text), (registry, line) = RECIPES[title][:2]
    assert not (house / file).exists()
    (house / file).write_text(text)
    place, _, name = registry.partition(", in ")
    assert line.count("\n") == 1
    before = (house / place).read_text()
    assert len(re.findall(rf"^{name} = {{\n", before, re.MULTILINE)) == 1
    # At the end of the registry: what comes first there may be the default.
    end = before.index("\n}\n", before.index(f"\n{name} = {{\n")) + 1
    (house / place).write_text(before[:end] + line + before[end:])


def test_every_recipe_is_there() -> None:
    """For all that can be added."""
    assert list(RECIPES) == ["A game", "A search", "An export format", "A command", "An engine", "A layout"]


@pytest.mark.parametrize(
    ("title", "commands", "shown"),
    [
        (
            "A game",
            ["build -g countdown:7", "verify -g countdown:7", "query -g countdown:7"],
            "MAX to move: MAX wins in 5 plies. Best move: 1.",
        ),
        (
            "A game",
            ["games"],
            "countdown:N, such as countdown:7\n  Take one or two from a pile; whoever takes the last wins.\n",
        ),
        ("A search", ["search --algorithm hasty"], "Move: a1.\nhasty: 1 nodes, 1 leaves"),
        ("A search", ["search --compare XOX/OO./.X."], "\nhasty "),
        ("A search", ["search --help"], "multiplayer|hasty]"),
        ("A search", ["trace --algorithm hasty"], "HASTY-SEARCH returns a1: value 0 for X"),
        ("A search", ["tree --algorithm hasty", "tree --help"], "multiplayer|hasty]"),
        ("An export format", ["build", "export --format txt --ply 0"], ".../.../...\n"),
        ("An export format", ["build", "export -o boards.txt", "export --help"], "|txt|"),
        ("A command", ["start -g mnk:4,3,3"], "3 . . . .\n"),
        ("A command", ["--help"], "  start       Draw the position in which a game begins.\n"),
    ],
)
def test_a_recipe(title: str, commands: list[str], shown: str, house: Path, zermelo: Zermelo) -> None:
    """Nothing else has to be changed, and it is there in the help and wherever its kind is used."""
    follow(title, house)
    assert wrong_imports(house) == []
    for command in commands:
        done = zermelo(*command.split(), env={"PYTHONPATH": str(house)})
        assert done.returncode == 0, done.stderr
    assert shown in done.stdout


@pytest.mark.slow
def test_a_game_from_an_installed_distribution(tmp_path: Path, zermelo: Zermelo) -> None:
    """The recipe's file and the recipe's entry point, built and installed by pip; then the game has a name like ours."""
    (_, source), _, (_, project) = RECIPES["A game"]
    package = tmp_path / "package"
    package.mkdir()
    (package / "countdown.py").write_text(source)
    (package / "pyproject.toml").write_text(project)
    site = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", site, package], check=True)
    shutil.rmtree(package)
    environment = {"PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])}

    def run(*arguments: str) -> str:
        done = zermelo(*arguments, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("build", "-g", "countdown:7").startswith("countdown:7: MAX wins in 5 plies\n14 positions in 14 classes")
    answer = json.loads(run("query", "-g", "countdown:7", "(6, 'MIN')", "--format", "json"))
    assert (answer["game"], answer["value"], answer["plies"], answer["to_move"]) == ("countdown:7", 1, 4, "MIN")
    assert "are right:" in run("verify", "-g", "countdown:7")
    assert "countdown:7: 14 positions tried" in run("check", "-g", "countdown:7")
    run("export", "-g", "countdown:7", "-o", "countdown.ztb")
    assert "are right:" in run("verify", "--db", "countdown.ztb")

    # Its own words where it is asked wrongly, its name among the games, and nothing of it where it is not installed.
    refused = zermelo("build", "-g", "countdown:x", env=environment)
    assert (refused.returncode, refused.stderr) == (
        2,
        "zermelo: countdown is played with one pile, not 'x': write countdown:7\n",
    )
    assert ", countdown, " in zermelo("build", "-g", "chess", env=environment).stderr
    assert zermelo("build", "-g", "countdown:7").returncode == 2
