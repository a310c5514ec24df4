"""Games of the user's own: where a name says that their rules are, and how they are loaded from there.

A name is ``chomp.py:Chomp`` for a file or ``chomp:Chomp`` for a module, and what follows a second colon is handed to the
class or function: ``chomp.py:Chomp:5,4`` calls ``Chomp(5, 4)``.
"""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any, NamedTuple

from zermelo.solver.blame import described
from zermelo.solver.errors import GameError, UnknownGameError, quoted

_PLACE = re.compile(
    r"(?P<home>.+\.py|[^\W\d]\w*(?:\.[^\W\d]\w*)*):(?P<attribute>[^\W\d]\w*(?:\.[^\W\d]\w*)*)(?::(?P<params>.*))?"
)


class Place(NamedTuple):
    """Where rules are."""

    home: str
    """A file's path, which ends with `.py`, or the name of a module."""
    attribute: str
    params: str | None

    @property
    def name(self) -> str:
        """What is typed to name it."""
        return f"{self.home}:{self.attribute}" + ("" if self.params is None else f":{self.params}")

    @property
    def module(self) -> str:
        """The module's name, whether it is named or its file is."""
        return os.path.basename(self.home).removesuffix(".py")

    @property
    def spec(self) -> str:
        """What a game is called that has no name of its own: the same by its file and by its module."""
        return self._replace(home=self.module).name


def place_of(name: str) -> Place | None:
    """Where a name says that the rules are, None where it is not the name of somebody's own game.

    >>> place_of("games/chomp.py:Chomp:5,4")
    Place(home='games/chomp.py', attribute='Chomp', params='5,4')
    >>> place_of("mygames.chomp:Chomp").spec, place_of("chomp:5,4"), place_of("tictactoe")
    ('mygames.chomp:Chomp', None, None)
    """
    found = _PLACE.fullmatch(name)
    return found and Place(**found.groupdict())


def listed() -> Iterator[Place]:
    """The games that the user has named in ZERMELO_GAMES, with spaces between."""
    for name in shlex.split(os.environ.get("ZERMELO_GAMES", "")):
        place = place_of(name)
        if place is None:
            raise GameError(
                f"ZERMELO_GAMES names {quoted(name)}: write file.py:attribute or module:attribute, with spaces between"
            )
        yield place


def make(name: str, place: Place) -> Any:
    """What the user's rules make: a game, if they are right."""
    found = _attribute(name, place)
    if place.params is None:
        return found if is_game(found) else call(name, found)
    return call(name, found, *(_argument(text) for text in place.params.split(",") if place.params))


def _argument(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def _attribute(name: str, place: Place) -> Any:
    """What the attribute is, a module looked for in the current directory too."""
    by_file = place.home.endswith(".py")
    try:
        found: Any = _from_file(name, place) if by_file else _from_module(name, place.home)
    except GameError:
        raise
    except (Exception, SystemExit) as error:
        kind = "file" if by_file else "module"
        unknown = isinstance(error, ModuleNotFoundError) and error.name == place.home.partition(".")[0]
        raise (UnknownGameError if unknown else GameError)(
            f"game {quoted(name)} names the {kind} {quoted(place.home)}, which cannot be imported: {described(error)}"
        ) from error
    for part in place.attribute.split("."):
        if not hasattr(found, part):
            raise UnknownGameError(
                f"game {quoted(name)} cannot be found: {'' if by_file else 'the module '}{quoted(place.home)} has no"
                f" {quoted(place.attribute)}"
            )
        found = getattr(found, part)
    return found


def _from_file(name: str, place: Place) -> ModuleType:
    """The module that a file is; its neighbours can be imported from it."""
    path = os.path.abspath(place.home)
    if not os.path.isfile(path):
        raise UnknownGameError(f"game {quoted(name)} names the file {quoted(place.home)}, and there is none")
    known = sys.modules.get(place.module)
    if known is not None and os.path.realpath(getattr(known, "__file__", None) or "") == os.path.realpath(path):
        return known
    called = place.module if known is None and place.module.isidentifier() else f"_zermelo_{abs(hash(path))}"
    spec = spec_from_file_location(called, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[called] = module_from_spec(spec)
    if os.path.dirname(path) not in sys.path:
        sys.path.append(os.path.dirname(path))  # last, as the current directory
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[called]
        raise
    return module


def _from_module(name: str, module: str) -> ModuleType:
    if "" not in sys.path:
        # Last, so that no file of the user's is taken for one that Python, Zermelo or another package imports later.
        sys.path.append("")
    _refuse_if_hidden(name, module.partition(".")[0])
    return import_module(module)


def _refuse_if_hidden(name: str, module: str) -> None:
    """Refuse a module of the current directory that is called as one of Python's or of an installed package."""
    here = PathFinder.find_spec(module, [""])
    if here is None or here.origin is None:  # a folder without `__init__.py` has no origin
        return
    taken = getattr(import_module(module), "__file__", None)
    if taken is None or os.path.realpath(taken) != os.path.realpath(here.origin):
        raise GameError(
            f"game {quoted(name)} names the module {quoted(module)}, which Python finds in"
            f" {taken or 'itself'} before {here.origin}: give your own file another name"
        )


def is_game(found: Any) -> bool:
    return not isinstance(found, type) and hasattr(found, "initial")


def call(name: str, make: Any, *params: object) -> Any:
    """The game that a class or a function makes."""
    if not callable(make):
        raise GameError(f"game {quoted(name)} names {make!r}: it must be a game, or a class or function that makes one")
    try:
        return make(*params)
    except GameError:
        raise
    except (Exception, SystemExit) as error:
        raise GameError(f"game {quoted(name)} cannot be made: {described(error)}") from error
