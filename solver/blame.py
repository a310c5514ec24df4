"""Errors that come out of somebody's own rules: what to say of them, and in which line of which file they arose."""

import os
import sys
from typing import Any

from zermelo.solver.errors import RulesError, ZermeloError
from zermelo.solver.game import Game

_OURS = os.path.dirname(os.path.abspath(sys.modules["zermelo"].__file__ or ""))
_TRIED = 200
"""On how many positions rules are tried that are suspected of an error."""

_used: dict[str, Game[Any, Any]] = {}
"""The games that are not ours, by the names they were asked for."""


def remember(name: str, game: Game[Any, Any]) -> None:
    """Have a game looked at when something fails."""
    _used[name] = game


def asked_as(game: Game[Any, Any]) -> str | None:
    """The name that a game was asked for by, None where it is ours."""
    return next((name for name, used in _used.items() if used is game), None)


def files_of(game: object) -> set[str]:
    """The files of a game's class and of those it inherits from that are not ours."""
    modules = [sys.modules.get(kind.__module__) for kind in type(game).__mro__ if kind.__module__ != "builtins"]
    files = {getattr(module, "__file__", None) or "" for module in modules}
    return {file for file in files if file and _is_foreign(file)}


def place_of(error: BaseException, files: set[str] | None = None) -> str:
    """Where an error arose, as `file:line`: the last place within `files`, or else in a file of the user's own.

    Nothing where it arose nowhere there.
    """
    if isinstance(error, SyntaxError) and error.filename and files is None:
        return f"{error.filename}:{error.lineno}"
    place, step = "", error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if file in files if files is not None else _is_foreign(file):
            place = f"{file}:{step.tb_lineno}"
        step = step.tb_next
    return place


def _is_foreign(file: str) -> bool:
    python = file.startswith((os.path.dirname(os.__file__), "<")) and "site-packages" not in file
    return not python and not os.path.abspath(file).startswith(_OURS)


def described(error: BaseException, files: set[str] | None = None) -> str:
    """What went wrong, in one line, and where.

    >>> described(ValueError("two\\nlines"))
    'ValueError: two lines'
    """
    what = f"{type(error).__name__}: {' '.join(str(error).split())}"
    place = place_of(error, files)
    return f"{what} (at {place})" if place else what


def raised_by_rules(error: Exception) -> RulesError | None:
    """What to say of an error that arose in the files of somebody's own game, None where it did not."""
    for name, game in _used.items():
        if place := place_of(error, files_of(game)):
            return RulesError(f"the rules of {name!r} failed at {place}, {described(error, set())}")
    return None


def blame(error: Exception) -> RulesError | None:
    """What to say of an error that came out of somebody's own game, None where it is ours.

    An error may arise in our own code from what the rules gave us. They are blamed for it only if they fail a check.
    """
    if raised := raised_by_rules(error):
        return raised
    from zermelo.solver.check import check_game  # which imports half of what there is

    for name, game in _used.items():
        try:
            failures = check_game(game, _TRIED).failures
        except ZermeloError:
            continue
        if failures:
            first = failures[0]
            return RulesError(f"the rules of {name!r} at {_home(game)} are wrong: {first.position!r} {first.reason}")
    return None


def located(error: RulesError) -> RulesError:
    """An error that we found in somebody's rules, and where those are written."""
    if not _used:
        return error
    return RulesError(f"{error} (the rules are at {_home(list(_used.values())[-1])})")


def _home(game: object) -> str:
    """Where the class of a game is written."""
    from inspect import getsourcefile, getsourcelines

    try:
        return f"{getsourcefile(type(game))}:{getsourcelines(type(game))[1]}"
    except (OSError, TypeError):
        return type(game).__qualname__
