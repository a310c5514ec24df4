"""The games that can be named: ``NAME[:PARAMS]`` in, a game out."""

from importlib import import_module
from typing import Any

from solver.errors import GameError, quoted
from solver.game import Game

_MAKERS = {"mnk": "solver.games.mnk"}
"""Where each family of games is made: the module has a function `from_params`."""
_SHORT = {"tictactoe": "mnk:3,3,3"}


def load(name: str) -> Game[Any, Any]:
    """The game that `name` stands for.

    >>> load("tictactoe").spec
    'mnk:3,3,3'
    """
    family, _, params = _SHORT.get(name, name).partition(":")
    if family not in _MAKERS:
        known = ", ".join([*_SHORT, *(f"{maker}:..." for maker in _MAKERS)])
        raise GameError(f"there is no game {quoted(name)}: the games are {known}")
    game: Game[Any, Any] = import_module(_MAKERS[family]).from_params(params)
    return game
