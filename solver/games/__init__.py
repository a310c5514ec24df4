"""The games that can be named: ``NAME[:PARAMS]`` in, a game out."""

import sys
from importlib import import_module
from typing import Any

from solver.errors import GameError, quoted
from solver.game import Game

_MAKERS = {
    "mnk": ("solver.games.mnk", "from_params"),
    "connect": ("solver.games.connect", "from_params"),
    "nim": ("solver.games.nim", "from_params"),
    "figure": ("solver.games.tree", "from_params"),
    "tree": ("solver.games.tree", "from_file"),
}
"""Where each family of games is made: a module, and the function in it that takes what follows the colon."""
_SHORT = {"tictactoe": "mnk:3,3,3"}

_FOREIGN: dict[str, str] = {}
"""The file of each game that is not ours, and the name it was loaded by."""

_OWN_VERBS = ("to_move", "actions", "result", "is_terminal", "utility")
"""What `Game` itself cannot do for the games that inherit from it."""


def load(name: str) -> Game[Any, Any]:
    """The game that `name` stands for.

    >>> load("tictactoe").spec
    'mnk:3,3,3'
    """
    family, colon, params = _SHORT.get(name, name).partition(":")
    if family in _MAKERS:
        module, function = _MAKERS[family]
        game: Game[Any, Any] = getattr(import_module(module), function)(params)
        return game
    from importlib.metadata import entry_points  # slow, and only other people's games need it

    registered = entry_points(group="zermelo.games")
    for entry_point in registered.select(name=family):
        try:
            found = entry_point.load()
        except Exception as error:
            raise GameError(
                f"game {quoted(name)} is registered as {entry_point.value}, {_does_not_load(error)}"
            ) from error
        return _checked(name, found if _is_game(found) and not params else _call(name, found, params))
    if colon and all(part.isidentifier() for part in [*family.split("."), *params.split(".")]):
        found = _attribute(name, family, params)
        return _checked(name, found if _is_game(found) else _call(name, found))
    known = ", ".join([*_SHORT, *(f"{maker}:..." for maker in _MAKERS), *sorted(registered.names)])
    raise GameError(f"there is no game {quoted(name)}: the games are {known}, and module:attribute for one of your own")


def _attribute(name: str, module: str, attribute: str) -> Any:
    """What `attribute` of `module` is, the module looked for in the current directory too."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = import_module(module)
    except Exception as error:
        raise GameError(f"game {quoted(name)} names the module {quoted(module)}, {_does_not_load(error)}") from error
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise GameError(
                f"game {quoted(name)} names nothing: the module {quoted(module)} has no {quoted(attribute)}"
            )
        found = getattr(found, part)
    return found


def _does_not_load(error: Exception) -> str:
    return f"which does not import: {type(error).__name__}: {' '.join(str(error).split())}"


def _is_game(found: Any) -> bool:
    return not isinstance(found, type) and hasattr(found, "initial")


def _call(name: str, make: Any, *params: str) -> Any:
    """The game that a class or a function makes."""
    if not callable(make):
        raise GameError(f"game {quoted(name)} names {make!r}: it must be a game, or a class or function that makes one")
    try:
        return make(*params)
    except GameError:
        raise
    except Exception as error:
        raise GameError(f"game {quoted(name)} cannot be made: {type(error).__name__}: {error}") from error


def _checked(name: str, game: Any) -> Game[Any, Any]:
    """`game` itself, once it is known to have everything that a game needs."""
    if not hasattr(game, "spec"):
        game.spec = name
    missing = [verb for verb in _OWN_VERBS if getattr(type(game), verb, None) is getattr(Game, verb)]
    missing += [part for part in [*vars(Game), *Game.__annotations__] if part[0] != "_" and not hasattr(game, part)]
    if missing:
        hint = "" if Game in type(game).__mro__ else ", and inherit the rest from solver.game.Game"
        raise GameError(f"game {quoted(name)} lacks {', '.join(dict.fromkeys(missing))}: add what is missing{hint}")
    try:
        hash(game.initial)
    except TypeError:
        raise GameError(
            f"game {quoted(name)} starts in {game.initial!r}, which cannot be hashed: build states of tuples, texts and numbers"
        ) from None
    _FOREIGN[getattr(sys.modules.get(type(game).__module__), "__file__", None) or ""] = name
    found: Game[Any, Any] = game
    return found


def blame(error: Exception) -> GameError | None:
    """What to say of an error that came out of somebody's own game, None where it is ours."""
    place, step = None, error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if file in _FOREIGN:
            place = file, step.tb_lineno
        step = step.tb_next
    if place is None:
        return None
    what = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return GameError(
        f"the rules of {_FOREIGN[place[0]]!r} failed at {place[0]}:{place[1]}, {what}: test them with `zermelo check`"
    )
