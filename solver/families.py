"""How families of games are named: the form of a name, an example of it, the numbers in it; and which there are."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from zermelo.solver.errors import GameError, ZermeloError, quoted
from zermelo.solver.games import GAMES, SHORT, load

Make = TypeVar("Make", bound=Callable[[str], Any])


class Named(NamedTuple):
    """A game, or a family of games, that can be named."""

    name: str
    """The game's, or what comes before the colon."""
    form: str
    example: str | None
    """A name of this form; None where nobody gave one."""
    rules: str
    """In one sentence, as far as somebody wrote one."""


def every_game() -> Iterator[Named]:
    """What can be named: short names, built-in families, those that installed packages register, and one's own.

    >>> [(game.form, game.example) for game in every_game()][:2]
    [('tictactoe', 'tictactoe'), ('mnk:W,H,K or mnk:W,H,K,misere', 'mnk:4,3,3')]
    """
    from importlib.metadata import entry_points  # slow, and only other people's games need it

    for name in SHORT:
        yield Named(name, name, name, load(name).rules)
    for name, place in GAMES.items():
        module, _, function = place.partition(":")
        yield from _described(name, getattr(import_module(module), function))
    for entry_point in sorted(entry_points(group="zermelo.games")):
        try:
            yield from _described(entry_point.name, entry_point.load())
        except Exception as error:  # somebody else's code, and no reason to tell of no other game
            yield Named(
                entry_point.name, entry_point.name, None, f"It cannot be loaded: {type(error).__name__}: {error}"
            )
    yield Named(
        "module", "module:attribute", "nimble:Nim",
        "A game of your own: the attribute of a module, in the current directory or installed, that is a game or makes one.",
    )  # fmt: skip


def _described(name: str, made: Any) -> Iterator[Named]:
    """A game, or what makes games, by what it says of itself."""
    if hasattr(made, "initial") and not isinstance(made, type):
        yield Named(name, name, name, made.rules)
        return
    form: str = getattr(made, "form", f"{name}:...")
    examples: tuple[Any, ...] = getattr(made, "examples", (None,))
    for example in examples:
        rules = " ".join((made.__doc__ or "").partition("\n\n")[0].split())
        if example is not None:
            with suppress(ZermeloError):  # an example may be a file that is not here
                rules = load(example).rules
        yield Named(name, example if len(examples) > 1 else form, example, rules)


def named(form: str, *examples: str) -> Callable[[Make], Make]:
    """Tell of a function that makes games which `form` their names have, with an example; with several, they are all there are.

    >>> @named("countdown:N", "countdown:7")
    ... def from_params(params): ...
    >>> from_params.form, from_params.examples
    ('countdown:N', ('countdown:7',))
    """

    def told(make: Make) -> Make:
        vars(make).update(form=form, examples=examples)
        return make

    return told


def whole_numbers(params: str, form: str, example: str) -> list[int]:
    """The numbers that follow the colon, as many as `form` has; anything else is refused.

    >>> whole_numbers("4,3", "kalah:M,N", "kalah:4,3")
    [4, 3]
    >>> whole_numbers("-1,3", "kalah:M,N", "kalah:4,3")
    Traceback (most recent call last):
    ...
    zermelo.solver.errors.GameError: game 'kalah:-1,3' is not of the form kalah:M,N with whole numbers, such as kalah:4,3
    """
    parts = params.split(",")
    if len(parts) != 1 + form.count(",") or not all(
        part.isascii() and part.isdigit() and len(part) < 5 for part in parts
    ):
        name = f"{form.partition(':')[0]}:{params}"
        numbers = "whole numbers" if "," in form else "a whole number"
        raise GameError(f"game {quoted(name)} is not of the form {form} with {numbers}, such as {example}")
    return [int(part) for part in parts]
