"""The package as it is installed: in an environment of its own, run from folders of other people's."""

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OTHERS = ("db", "solver", "web", "views", "commands", "cli", "migrations", "tests", "bench", "queue", "csv", "sqlite3")
"""What an application may call its own modules: as our rooms are called, and as the standard library's are."""
GAME = """
from helper import START
from zermelo.solver.game import Game


class Countdown(Game[tuple[int, str], int]):
    initial = START

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [take for take in (1, 2) if take <= state[0]]

    def result(self, state, action):
        return state[0] - action, "MIN" if state[1] == "MAX" else "MAX"

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        from later import LOSS  # what a verb imports when it runs is found, too

        return LOSS if player == state[1] else -LOSS


game = Countdown()
"""

Run = Callable[..., str]


def runner(folder: Path, *program: str | Path, env: dict[str, str] | None = None) -> Run:
    """The program in the folder; what it prints, once it has ended well."""

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [*program, *arguments], cwd=folder, env={**os.environ, **(env or {})}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def application(tmp_path: Path) -> Path:
    """A folder with an application's own modules, none of which is to be imported by us, and a game of its own."""
    folder = tmp_path / "application"
    folder.mkdir()
    for name in OTHERS:
        (folder / f"{name}.py").write_text(f"raise AssertionError('the application has its own {name}')\n")
    (folder / "mygame.py").write_text(GAME)
    (folder / "helper.py").write_text('START = (7, "MAX")\n')
    (folder / "later.py").write_text("LOSS = -1\n")
    return folder


GAMES = {"tictactoe": ("mnk:3,3,3", ".../.../...", 0), "mygame:game": ("mygame:game", "(7, 'MAX')", 1)}
"""How each is listed, where it begins, and what that is worth."""


def use_everything(zermelo: Run, *games: str) -> None:
    """Each command on each of the games."""
    for game in games:
        listed, start, value = GAMES[game]
        assert "positions" in zermelo("build", "-g", game)
        answer = json.loads(zermelo("query", "-g", game, start, "--format", "json"))
        assert answer["value"] == value
        assert "are right:" in zermelo("verify", "-g", game)
        for format_ in ("csv", "jsonl", "ztb", "html"):
            zermelo("export", "-g", game, "-o", f"out.{format_}", "--force")
        assert "are right:" in zermelo("verify", "--db", "out.ztb", "-g", game)
        assert "every position" in zermelo("check", "-g", game)
        assert zermelo("stats", "-g", game)
        for command in ("search", "trace", "tree"):
            assert zermelo(command, "-g", game, "--depth", "1")
        assert listed in zermelo("list")
    assert "(newest)" in zermelo("db", "current")


@pytest.mark.slow
@pytest.mark.parametrize("game", [pytest.param("tictactoe", marks=pytest.mark.slow), "mygame:game"])
def test_an_applications_own_modules_disturb_nothing(game: str, application: Path) -> None:
    """`python -m` puts the current folder first on the path, before the standard library."""
    use_everything(runner(application, sys.executable, "-m", "zermelo", env={"PYTHONPATH": str(ROOT)}), game)


@pytest.mark.parametrize("name", ["queue", "click"])
def test_a_game_that_hides_behind_another_module(name: str, application: Path) -> None:
    """Python's own and an installed one keep their names; whoever gave one to a file is told so."""
    (application / f"{name}.py").write_text(GAME)
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", "check", "-g", f"{name}:game"],
        cwd=application, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"zermelo: game '{name}:game' names the module '{name}', which Python finds in ")
    assert line.endswith(f"{name}.py: give your own file another name")


class Environment:
    """An environment with the dependencies, into which the package is put in one way after another."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        self.programs = folder / "bin"
        self.python = self.programs / "python"
        (self.site,) = folder.glob("lib/python*/site-packages")

    def pip(self, *arguments: str | Path) -> None:
        subprocess.run([self.python, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"], check=True)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """With all that the package depends on, and nothing of the package."""
    made = Environment(tmp_path_factory.mktemp("environment") / "env")
    made.pip("install", ROOT)
    made.pip("uninstall", "--yes", "zermelo")
    return made


@pytest.fixture(scope="module")
def built(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("built")
    environment.pip("install", "hatchling")
    subprocess.run(
        [environment.python, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", folder],
        cwd=ROOT, check=True,
    )  # fmt: skip
    return folder


@pytest.mark.slow
class TestInstalled:
    """Built, installed and used."""

    def test_the_wheel(self, environment: Environment, built: Path, application: Path) -> None:
        """It brings one name, and everything works from a folder that has all the others."""
        (wheel,) = built.glob("*.whl")
        names = zipfile.ZipFile(wheel).namelist()
        assert {name.partition("/")[0] for name in names} == {"zermelo", wheel.name.split("-py3")[0] + ".dist-info"}
        files = {
            str(Path("zermelo") / path.relative_to(ROOT))
            for room in ("solver", "db", "views", "web", "commands", "migrations")
            for path in (ROOT / room).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        front = {"zermelo/__init__.py", "zermelo/__main__.py", "zermelo/cli.py", "zermelo/py.typed"}
        assert {name for name in names if name.startswith("zermelo/")} == files | front

        before = {path.name for path in environment.site.iterdir()}
        environment.pip("install", "--no-deps", "--force-reinstall", wheel)
        new = {path.name for path in environment.site.iterdir()} - before
        assert {name for name in new if not name.endswith(".dist-info")} == {"zermelo"}
        use_everything(runner(application, environment.programs / "zermelo"), *GAMES)
        assert "are right:" in runner(application, environment.python, "-m", "zermelo")("verify", "-g", "mygame:game")

    def test_the_sdist(self, environment: Environment, built: Path, application: Path) -> None:
        """It holds files alone, so that it installs where links cannot be made."""
        (sdist,) = built.glob("*.tar.gz")
        with tarfile.open(sdist) as archive:
            members = archive.getmembers()
        assert not [member.name for member in members if not (member.isfile() or member.isdir())]
        names = {member.name.partition("/")[2] for member in members}
        assert {"zermelo/cli.py", "zermelo/db/models.py", "zermelo/migrations/env.py", "pyproject.toml"} <= names
        environment.pip("install", "--no-deps", "--force-reinstall", sdist)
        assert (environment.site / "zermelo" / "cli.py").is_file()
        zermelo = runner(application, environment.programs / "zermelo")
        assert "positions" in zermelo("build", "-g", "mygame:game")
        assert "are right:" in zermelo("verify", "-g", "mygame:game")

    def test_an_editable_installation(self, environment: Environment, tmp_path: Path, application: Path) -> None:
        """What is changed in the checkout is changed in the program."""
        environment.pip("uninstall", "--yes", "zermelo")
        checkout = tmp_path / "checkout"
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
        for name in filter(None, files.stdout.split("\0")):
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_symlink():
                (checkout / name).symlink_to(os.readlink(ROOT / name))
            elif (ROOT / name).exists():
                (checkout / name).write_bytes((ROOT / name).read_bytes())
        environment.pip("install", "--no-deps", "-e", checkout)
        assert not (environment.site / "zermelo").exists()
        zermelo = runner(application, environment.programs / "zermelo")
        assert "positions" in zermelo("build", "-g", "mygame:game")
        cli = checkout / "cli.py"
        cli.write_text(cli.read_text().replace("Solve small two-player games completely", "Changed in the checkout"))
        assert "Changed in the checkout" in zermelo("--help")

    def test_types_are_seen(self, environment: Environment, built: Path, tmp_path: Path) -> None:
        """By a type checker that knows the installed package alone: real types, and wrong calls refused."""
        (wheel,) = built.glob("*.whl")
        environment.pip("install", "--no-deps", "--force-reinstall", wheel)
        (tmp_path / "user.py").write_text(
            "from zermelo.db.query import open_solution\n"
            "from zermelo.solver.game import Game\n"
            "from zermelo.solver.games import load\n"
            "reveal_type(open_solution())\n"
            "reveal_type(open_solution().probe('').value)\n"
            "reveal_type(load('tictactoe').players)\n"
            "def over(game: Game[str, int]) -> bool:\n"
            "    reveal_type(game.is_terminal(game.initial))\n"
            "    return game.is_terminal(5)\n"
        )
        command = [sys.executable, "-m", "mypy", "--strict", f"--python-executable={environment.python}", "user.py"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        said = done.stdout.splitlines()
        revealed = re.findall('Revealed type is "(.*)"', re.sub(r"builtins\.|typing\.", "", done.stdout))
        assert revealed == [
            "zermelo.db.query.Solution",
            "int",
            "Sequence[str]",
            "bool",
        ], said
        assert [line for line in said if ": error: " in line] == [
            'user.py:9: error: Argument 1 to "is_terminal" of "Game" has incompatible type "int"; expected "str"  [arg-type]'
        ]
