"""Which games are solved, family by family, the smaller ones first."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.packed import knows
from zermelo.solver.packed.estimate import places_of

HOURS = 2
"""What the estimate may say of one board."""
_CONNECT_CELLS = 30


class Family(NamedTuple):
    """Games of one kind, which share a page."""

    name: str
    title: str
    games: tuple[str, ...]


def families() -> list[Family]:
    """Every family with all its games.

    >>> [(family.name, len(family.games)) for family in families()][:2]
    [('mnk', 112), ('connect', 418)]
    """
    return [
        Family("mnk", "k in a row", _sorted([*_boards("mnk", _rectangles(), range(1, 6)), *_LONG])),
        Family("connect", "k in a row, with gravity", _sorted(_boards("connect", _columns(), (3, 4)))),
        Family(
            "vanishing",
            "k in a row with marks that vanish",
            tuple(f"vanishing:{board}" for board in _VANISHING),
        ),
        Family("morris", "Morris", tuple(f"morris:{kind}" for kind in ("three", "achi", "nine-holes", "five", "six"))),
        Family("dodgem", "Dodgem", ("dodgem:3", "dodgem:4", "dodgem:5")),
        Family("quixo", "Quixo", ("quixo:3", "quixo:4")),
        Family(
            "kalah",
            "Kalah",
            tuple(f"kalah:{houses},{seeds}" for houses, most in _KALAH.items() for seeds in range(1, most + 1)),
        ),
        Family(
            "others",
            "Other games",
            (
                "hare-and-hounds", "fox-and-hounds:4", "fox-and-hounds:6", "hexapawn:3,3", "hexapawn:4,3", "hexapawn:3,4",
                "hexapawn:4,4", "notakto:1", "notakto:2", "chomp:1,1", "chomp:4,3", "chomp:5,5",
            ),
        ),
    ]  # fmt: skip


_LONG = ("mnk:6,4,4", "mnk:8,3,3")
"""Boards that are longer than five, and have no more cells than 5x5."""
_VANISHING = (
    "4,2,3,3", "3,3,3,3", "5,2,3,3", "3,3,3,4", "4,3,3,3", "5,2,3,4", "5,2,4,4", "5,3,3,3", "4,4,3,3", "4,3,3,4", "4,3,4,4",
    "5,4,3,3",
)  # fmt: skip
"""Boards up to 5x5 with three or four in a row, and marks that can lie in up to 60 million ways."""
_KALAH = {1: 6, 2: 6, 3: 5, 4: 3, 5: 1, 6: 1}
"""Seeds at the most for so many houses: what has up to a million positions, and 4,3, which is published and has 4.6 million."""


def family_of(game: str) -> Family:
    """The family that a game is of: that which lists it, or else the first that its name begins like.

    >>> family_of("connect:4,4,4").title
    'k in a row, with gravity'
    """
    every = families()
    kind = game.partition(":")[0]
    listed = [family for family in every if game in family.games]
    alike = [family for family in every if family.name == kind]
    return (listed or alike or every[-1:])[0]


def is_too_long(seconds: float | None) -> bool:
    """Whether a board is left out for what the estimate says of it."""
    return seconds is None or seconds > HOURS * 3600


def estimated(game: Game[Any, Any], others: Mapping[str, float | None]) -> float | None:
    """About how many seconds a build takes here, 0 for what is no board; None where a narrower one takes too long already.

    To list what such a board has would itself take minutes. `others` are the estimates of the narrower ones.
    """
    if not knows(game):
        return 0.0
    from zermelo.solver.packed.calibrate import seconds_of
    from zermelo.solver.packed.estimate import processors
    from zermelo.solver.packed.groups import Groups

    kind, width, rest = re.split("[:,]", game.spec, maxsplit=2)
    if is_too_long(others.get(f"{kind}:{int(width) - 1},{rest}", 0.0)):
        return None
    return round(seconds_of(Groups(game), processors()), 1)


def _rectangles() -> list[tuple[int, int]]:
    """Boards up to 5x5; one that stands is one that lies, turned."""
    return [(width, height) for width, height in product(range(1, 6), repeat=2) if width >= height]


def _columns() -> list[tuple[int, int]]:
    sides = range(1, _CONNECT_CELLS + 1)
    return [(width, height) for width, height in product(sides, sides) if width * height <= _CONNECT_CELLS]


def _boards(kind: str, sides: list[tuple[int, int]], lengths: Any) -> Iterator[str]:
    for (width, height), length, misere in product(sides, lengths, ("", ",misere")):
        if length <= max(width, height):
            yield f"{kind}:{width},{height},{length}{misere}"


def _sorted(games: Iterable[str]) -> tuple[str, ...]:
    """The smaller ones first, so that a run that is stopped has most of them."""

    def size(spec: str) -> int:
        game = load(spec)
        return places_of(game) if knows(game) else 0

    return tuple(sorted(games, key=size))
