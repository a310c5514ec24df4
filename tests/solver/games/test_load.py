"""Games of the user's own: found by module and attribute or by entry point, and refused with the reason."""

import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

from zermelo.solver.errors import ActionError, GameError, PositionError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load

COUNTDOWN = """
from zermelo.solver.game import Game

class Countdown(Game):
    initial = (7, "MAX")
    def to_move(self, state): return state[1]
    def actions(self, state): return [take for take in (1, 2) if take <= state[0]]
    def result(self, state, action): return state[0] - action, "MIN" if state[1] == "MAX" else "MAX"
    def is_terminal(self, state): return state[0] == 0
    def utility(self, state, player): return -1 if player == state[1] else 1

game = Countdown()
made = lambda: Countdown()
number = 5

class Mute:
    initial = 0

class Half(Game):
    initial = 0
    def to_move(self, state): return "MAX"

class Listed(Countdown):
    initial = [7]

class Picky(Countdown):
    def __init__(self, size): self.initial = (size, "MAX")

def from_params(params):
    return Picky(int(params or 3))
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module in the current directory, which is not on the path."""
    (tmp_path / "countdown.py").write_text(COUNTDOWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    monkeypatch.delitem(sys.modules, "countdown", raising=False)
    return "countdown"


@pytest.mark.parametrize("attribute", ["game", "Countdown", "made"])
def test_a_game_a_class_or_a_function_that_makes_one(attribute: str, module: str) -> None:
    """All three, from the current directory, and named as they were asked for."""
    game = load(f"{module}:{attribute}")
    assert solve(game)[game.initial][0] == 1
    if attribute == "Countdown":
        assert game.spec == "countdown:Countdown"


def test_the_defaults_are_inverses(module: str) -> None:
    """Notation, for states and actions that Python can write."""
    game = load(f"{module}:game")
    for state in solve(game):
        assert game.parse(game.format(state)) == state
        for action in game.actions(state):
            assert game.parse_action(game.format_action(action)) == action
    assert game.players == ("MAX", "MIN")
    assert game.draw(game.initial) == "(7, 'MAX')"
    for wrong in ("", "7", "(7, 'MAX'", "[7]", "__import__('os')", "{}"):
        with pytest.raises(PositionError, match=r"write it as the start is written, \(7, 'MAX'\)"):
            game.parse(wrong)
    with pytest.raises(ActionError, match="write it as the first move at the start is written, 1"):
        game.parse_action("(1,")


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("nothing", "'countdown:nothing' cannot be found: the module 'countdown' has no 'nothing'"),
        ("number", "names 5: it must be a game"),
        ("Mute", "lacks players, .*to_move.*: add what is missing, and inherit the rest from zermelo.solver.game.Game"),
        ("Half", "lacks actions, result, is_terminal, utility: add what is missing$"),
        ("Listed", r"starts in \[7\], which cannot be hashed"),
        ("Picky", "cannot be made: TypeError: .*'size'"),
    ],
)
def test_what_is_no_game(attribute: str, message: str, module: str) -> None:
    """The message says what is missing."""
    with pytest.raises(GameError, match=message):
        load(f"{module}:{attribute}")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1 / 0", "'broken', which cannot be imported: ZeroDivisionError: division by zero"),
        ("def", "'broken', which cannot be imported: SyntaxError: "),
        ("import nowhere_at_all", "cannot be imported: ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("raise ValueError('two\\nlines')", "cannot be imported: ValueError: two lines"),
    ],
)
def test_a_module_that_does_not_import(source: str, message: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that names the module and the error."""
    Path("broken.py").write_text(source)
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    with pytest.raises(GameError, match=message) as caught:
        load("broken:game")
    assert "\n" not in str(caught.value)


def test_installed_packages_register_games(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry point is a game, or takes what follows the colon as the built-in families do."""
    monkeypatch.syspath_prepend(".")
    points = [
        EntryPoint("down", "countdown:from_params", "zermelo.games"),
        EntryPoint("seven", "countdown:game", "zermelo.games"),
        EntryPoint("gone", "countdown:absent", "zermelo.games"),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **wanted: EntryPoints(points).select(**wanted))
    assert load("down:4").initial == (4, "MAX")
    assert load("down").initial == (3, "MAX")
    assert load("down:4").spec == "down:4"
    assert load("seven").initial == (7, "MAX")
    with pytest.raises(GameError, match="'gone' is registered as countdown:absent, which cannot be imported"):
        load("gone")
    with pytest.raises(GameError, match="cannot be made"):
        load("down:x")


def test_built_in_games_ask_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking for entry points takes longer than a look-up."""

    def never(**_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("importlib.metadata.entry_points", never)
    for name in ("tictactoe", "mnk:4,3,3", "nim:1", "figure:two-ply"):
        load(name)


def test_an_unknown_name_says_which_games_there_are() -> None:
    """And how to name one's own."""
    with pytest.raises(GameError, match=r"there is no game 'chess': the games are tictactoe, .*module:attribute"):
        load("chess")


def test_the_middle_is_the_guess_of_a_game_that_knows_its_bounds(module: str) -> None:
    """Strictly between them, so that no guess passes for a proof."""
    game = load(f"{module}:Countdown")
    assert game.evaluate(game.initial) == 0
    game.bounds = (0, 10)
    assert game.evaluate(game.initial) == 5
