"""The games that can be named: ``NAME[:PARAMS]`` in, a game out."""

import contextlib
import os
import re
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo.solver.blame import asked_as, described, remember
from zermelo.solver.errors import GameError, RulesNeededError, UnknownGameError, quoted
from zermelo.solver.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

GAMES = {
    "mnk": "zermelo.solver.games.mnk:from_params",
    "connect": "zermelo.solver.games.connect:from_params",
    "nim": "zermelo.solver.games.nim:from_params",
    "morris": "zermelo.solver.games.morris:from_params",
    "dodgem": "zermelo.solver.games.dodgem:from_params",
    "quixo": "zermelo.solver.games.quixo:from_params",
    "vanishing": "zermelo.solver.games.vanishing:from_params",
    "hare-and-hounds": "zermelo.solver.games.hare:from_params",
    "fox-and-hounds": "zermelo.solver.games.fox:from_params",
    "hexapawn": "zermelo.solver.games.hexapawn:from_params",
    "notakto": "zermelo.solver.games.notakto:from_params",
    "chomp": "zermelo.solver.games.chomp:from_params",
    "kalah": "zermelo.solver.games.kalah:from_params",
    "figure": "zermelo.solver.games.tree:from_params",
    "tree": "zermelo.solver.games.tree:from_file",
}
"""Where each family of games is made: a module, and the function in it that takes what follows the colon."""
SHORT = {"tictactoe": "mnk:3,3,3"}
"""Names by which people know a game, and its canonical spec."""
_OF_PATHS = ("tree",)
"""The families whose parameters name a file, which only the user may."""

_MOST_PARAMS = 100
"""Characters of parameters that a file may name."""

_OWN_VERBS = ("to_move", "actions", "result", "is_terminal", "utility")
"""What `Game` itself cannot do for the games that inherit from it."""


def load(name: str | Game[Any, Any]) -> Game[Any, Any]:
    """The game that `name` stands for. A game itself is given back, once it is known to have all that a game needs.

    >>> load("tictactoe")
    <MNK mnk:3,3,3>
    >>> load(load("nim:3,4,5"))
    <Nim nim:3,4,5>
    """
    if not isinstance(name, str):
        if isinstance(name, type):
            raise GameError(f"{name.__name__} is a class of games: give one of them, such as {name.__name__}()")
        return _complete(getattr(name, "spec", type(name).__name__), name)
    game = _known(name)
    if game is not None:
        return game
    from zermelo.solver.games.own import make, place_of  # which a game of ours does not need

    if (place := place_of(name)) is not None:
        return _checked(name, make(name, place), place.spec)
    if (game := _listed(name)) is not None:
        return game
    family, colon, params = name.partition(":")
    registered = sorted(_registered().names)
    known = ", ".join([*SHORT, *(f"{maker}:..." for maker in GAMES), *registered])
    meant = _meant(family, [*SHORT, *GAMES, *registered])
    did_you_mean = f"did you mean {meant}{colon}{params}? The" if meant else "the"
    raise UnknownGameError(
        f"there is no game {quoted(name)}: {did_you_mean} games are {known}, and file.py:attribute or module:attribute"
        " for one of your own"
    )


def _meant(word: str, known: Sequence[str]) -> str | None:
    """What is known and much like the word."""
    from difflib import get_close_matches  # only a mistake needs it

    return next(iter(get_close_matches(word.lower(), known, n=1)), None)


def load_stored(name: str, where: str, rules_at: str | None = None) -> Game[Any, Any]:
    """The game that a file or a database names: built in, registered by an installed package, or listed by the user.

    What a file says is data. It never names a module to import or a path to open, as a user may with `load` and with
    ZERMELO_GAMES; `rules_at`, where it says that its rules were found, only tells which of those it means.

    >>> load_stored("mnk:3,3,3", "tablebase 'a.ztb'")
    <MNK mnk:3,3,3>
    >>> load_stored("sys:exit", "tablebase 'a.ztb'")
    Traceback (most recent call last):
    ...
    zermelo.solver.errors.RulesNeededError: tablebase 'a.ztb' holds 'sys:exit', whose rules are neither built in nor installed, and a file cannot bring them
    """
    game = None if name.partition(":")[0] in _OF_PATHS else _known(name)
    game = game or _listed(name, rules_at)
    if game is None:
        found = f" (they were found as {quoted(rules_at)} when it was built)" if rules_at else ""
        raise RulesNeededError(
            f"{where} holds {quoted(name)}, whose rules are neither built in nor installed, and a file cannot bring them{found}",
            game=name,
            rules_at=rules_at or name,
        )
    return game


def _listed(name: str, rules_at: str | None = None) -> Game[Any, Any] | None:
    """The game of this name among those that the user lists in ZERMELO_GAMES, made as it was when it was stored."""
    if not os.environ.get("ZERMELO_GAMES"):
        return None
    from zermelo.solver.games.own import listed, make, place_of

    stored = place_of(rules_at) if rules_at else None
    for place in listed():
        meant = (
            stored is not None
            and (stored.module, stored.attribute) == (place.module, place.attribute)
            # What a file hands to somebody's own code are words and numbers, never a path.
            and (stored.params is None or _is_plain(stored.params))
        )
        chosen = place._replace(params=stored.params) if stored and meant else place
        try:
            game = _checked(chosen.name, make(chosen.name, chosen), chosen.spec)
        except GameError:
            if meant:
                raise
        else:
            if game.spec == name:
                return game
    return None


def _is_plain(params: str) -> bool:
    """Whether these are parameters that a file may hand to rules: words and whole numbers, and not many."""
    return len(params) <= _MOST_PARAMS and all(word == "" or word.isalnum() for word in re.split("[,_-]", params))


def rules_of(game: Game[Any, Any]) -> str | None:
    """Where the rules of somebody's own game were found, without the folder; None for a game of ours.

    >>> rules_of(load("tictactoe")) is None
    True
    """
    name = asked_as(game)
    if name is None:
        return None
    from zermelo.solver.games.own import place_of

    place = place_of(name)
    return None if place is None else place._replace(home=os.path.basename(place.home)).name


def _known(name: str) -> Game[Any, Any] | None:
    """The game of this name that is built in or registered, None where there is none."""
    family, _, params = SHORT.get(name, name).partition(":")
    if family in GAMES:
        module, _, function = GAMES[family].partition(":")
        game: Game[Any, Any] = getattr(import_module(module), function)(params)
        return game
    for entry_point in _registered().select(name=family):
        try:
            found = entry_point.load()
        except (Exception, SystemExit) as error:
            raise GameError(
                f"game {quoted(name)} is registered as {entry_point.value}, which cannot be imported: {described(error)}"
            ) from error
        from zermelo.solver.games.own import call, is_game

        return _checked(name, found if is_game(found) and not params else call(name, found, params), name)
    return None


def _registered() -> "EntryPoints":
    from importlib.metadata import entry_points  # slow, and only other people's games need it

    return entry_points(group="zermelo.games")


def refuse_borrowed_name(game: Game[Any, Any]) -> None:
    """Refuse a game that bears the name of a built-in game and is not that game: its answers would pass for the other's.

    >>> from zermelo.solver.games.mnk import MNK
    >>> class Wild(MNK):
    ...     "Both sides may put down either stone."
    >>> refuse_borrowed_name(Wild(3, 3, 3))
    Traceback (most recent call last):
    ...
    zermelo.solver.errors.GameError: 'mnk:3,3,3' is the name of a built-in game, and Wild is not that game: give it a spec of its own
    """
    family = SHORT.get(game.spec, game.spec).partition(":")[0]
    if family in GAMES and type(game).__module__ != GAMES[family].partition(":")[0]:
        raise GameError(
            f"{quoted(game.spec)} is the name of a built-in game, and {type(game).__qualname__} is not that game:"
            " give it a spec of its own"
        )


def _checked(name: str, game: Any, spec: str) -> Game[Any, Any]:
    """The game that somebody's own code made, called `spec` if it has no name of its own."""
    if not hasattr(game, "spec"):
        with contextlib.suppress(AttributeError, TypeError):  # not every object lets itself be named
            game.spec = spec
    complete = _complete(name, game)
    remember(name, complete)
    return complete


def _complete(name: str, game: Any) -> Game[Any, Any]:
    """`game` itself, once it is known to have everything that a game needs."""
    missing = [verb for verb in _OWN_VERBS if getattr(type(game), verb, None) is getattr(Game, verb)]
    missing += [part for part in [*vars(Game), *Game.__annotations__] if part[0] != "_" and not hasattr(game, part)]
    if missing:
        hint = "" if Game in type(game).__mro__ else ", and inherit the rest from zermelo.solver.game.Game"
        raise GameError(f"game {quoted(name)} lacks {', '.join(dict.fromkeys(missing))}: add what is missing{hint}")
    try:
        hash(game.initial)
    except TypeError:
        raise GameError(
            f"game {quoted(name)} starts in {game.initial!r}, which cannot be hashed: build states of tuples, texts and numbers"
        ) from None
    refuse_borrowed_name(game)
    found: Game[Any, Any] = game
    return found
