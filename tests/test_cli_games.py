"""`zermelo games`: every game that can be named, built in, registered or of one's own."""

import json
from pathlib import Path

import pytest

from tests.conftest import Zermelo
from zermelo.solver.families import Named, every_game
from zermelo.solver.games import GAMES, SHORT, load


def test_every_game_is_listed(zermelo: Zermelo) -> None:
    """As JSON, an object a line."""
    shown = zermelo("games", "--format", "json")
    assert (shown.returncode, shown.stderr) == (0, "")
    games = [json.loads(line) for line in shown.stdout.splitlines()]
    assert {game["name"] for game in games} == {*SHORT, *GAMES, "module"}
    assert all(set(game) == {"name", "form", "example", "rules"} for game in games)
    assert [game["form"] for game in games if game["name"] == "morris"] == [
        "morris:three", "morris:achi", "morris:nine-holes", "morris:five", "morris:six",
    ]  # fmt: skip


def test_for_people(zermelo: Zermelo) -> None:
    """The form, an example, and the rules below."""
    shown = zermelo("games").stdout
    assert shown.startswith("tictactoe\n  X and O take turns")
    assert "\nchomp:W,H, such as chomp:4,3\n  Bite off a square" in shown
    assert "\nhare-and-hounds\n  X's three hounds" in shown
    assert "\nmodule:attribute, such as nimble:Nim\n  A game of your own" in shown


@pytest.mark.parametrize("game", [game for game in every_game() if game.name not in ("tree", "module")], ids=str)
def test_the_examples_can_be_played(game: Named) -> None:
    """Each names a game that begins with a move, and the form begins as the example does."""
    assert game.example is not None
    made = load(game.example)
    assert made.actions(made.initial)
    assert game.form.startswith(game.name)
    assert game.example.startswith(game.name)
    assert game.rules == made.rules != ""


def test_registered_games_are_listed_too(tmp_path: Path, zermelo: Zermelo) -> None:
    """One that tells its form, one that tells nothing, a game as such, and one that is broken; the rest goes on."""
    (tmp_path / "site" / "others-1.0.dist-info").mkdir(parents=True)
    (tmp_path / "site" / "others-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: others\nVersion: 1.0\n"
    )
    (tmp_path / "site" / "others-1.0.dist-info" / "entry_points.txt").write_text(
        "[zermelo.games]\ntold = others:told\nmute = others:mute\nready = others:ready\nbroken = others:gone\n"
    )
    (tmp_path / "site" / "others.py").write_text(
        "from zermelo.solver.families import named\n"
        "from zermelo.solver.games.nim import Nim\n\n"
        "@named('told:N', 'told:3')\n"
        "def told(params):\n    'Made of one number.'\n    return Nim(int(params))\n\n"
        "def mute(params):\n    return Nim(1)\n\n"
        "ready = Nim(1, 2)\n"
    )
    root = Path(__file__).parent.parent
    shown = zermelo("games", "--format", "json", env={"PYTHONPATH": f"{tmp_path / 'site'}:{root}"})
    assert (shown.returncode, shown.stderr) == (0, "")
    games = {game["name"]: game for game in map(json.loads, shown.stdout.splitlines())}
    assert (games["told"]["form"], games["told"]["example"]) == ("told:N", "told:3")
    assert (games["mute"]["form"], games["mute"]["example"]) == ("mute:...", None)
    assert (games["ready"]["form"], games["ready"]["example"]) == ("ready", "ready")
    assert "cannot be loaded: AttributeError" in games["broken"]["rules"]
    assert games["told"]["rules"] == games["ready"]["rules"] != ""


@pytest.mark.parametrize(
    "name", ["dodgem:0", "quixo:99", "kalah:-1,3", "vanishing:3,3", "morris:ten", "fox-and-hounds:7"]
)
def test_wrong_parameters_are_one_line(name: str, zermelo: Zermelo) -> None:
    """It names the game as it was asked for; the exit code says that the request was wrong."""
    done = zermelo("build", "-g", name)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("zermelo: ")
    assert f"'{name}'" in done.stderr
