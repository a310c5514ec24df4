"""The compiled engine and the plain one agree on every position of every built-in game that is small enough for the plain one."""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import comb, perm

import pytest

from zermelo.solver import exhaustive
from zermelo.solver.compiled.crew import Crew
from zermelo.solver.compiled.discover import Discovery
from zermelo.solver.compiled.engine import entries_of, expander_of, solve
from zermelo.solver.errors import GameError
from zermelo.solver.game import Game
from zermelo.solver.games import GAMES, load

MOST = 200_000
"""Positions that a game has at the most to be solved here."""
NUMBERS = range(1, 31)
SHARES = {"vanishing": 8}
"""Into how many tests a family's games are shared out: compiling so many takes minutes, and workers are to share it."""


def named(family: str) -> Iterator[str]:
    """Names of the family, those of its smallest games and more; some of them are of no game.

    Left out is what plainly has more than `MOST` positions, because compiling takes longer than counting.
    """
    match family:
        case "morris":
            yield from (f"morris:{kind}" for kind in ("three", "achi", "nine-holes", "five", "six"))
        case "hare-and-hounds":
            yield family
        case "dodgem" | "quixo" | "fox-and-hounds" | "notakto":
            yield from (f"{family}:{size}" for size in NUMBERS)
        case "hexapawn" | "kalah":
            yield from (f"{family}:{first},{second}" for first in NUMBERS for second in NUMBERS)
        case "chomp":  # which is the same on its side; any staircase of squares can be left
            yield from (
                f"chomp:{width},{height}"
                for width in NUMBERS
                for height in range(1, width + 1)
                if comb(width + height, width) <= MOST
            )
        case "vanishing":
            boards = [
                (width, height) for width in range(1, 26) for height in range(1, width + 1) if width * height <= 25
            ]
            yield from (
                f"vanishing:{width},{height},{k},{marks}"
                for width, height in boards
                for k in range(1, width + 1)
                if perm(width * height, 2 * k - 2) <= MOST  # so many orders before anybody can have won
                for marks in range(k, 13)
            )


def games(names: Iterable[str]) -> Iterator[Game[int, int]]:
    """The compiled games of these names with at most `MOST` positions."""
    for name in names:
        try:
            game = load(name)
        except GameError:
            continue
        if game.compiled:
            crew = Crew(name, 1, None, None)
            try:
                if Discovery(expander_of(game), crew, most=MOST).run():
                    yield game
            finally:
                crew.close()


FAMILIES = [family for family in GAMES if any(named(family))]


def test_every_family_of_whole_numbers_is_here() -> None:
    """The others have states that are no numbers, or kernels of their own."""
    assert set(GAMES) - set(FAMILIES) == {"mnk", "connect", "nim", "figure", "tree"}
    assert not any(load(name).compiled for name in ("mnk:3,3,3", "connect:3,3,3", "nim:3,4,5", "figure:two-ply"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "share"), [(family, share) for family in FAMILIES for share in range(SHARES.get(family, 1))]
)
def test_every_position_of_every_game_is_as_the_plain_engine_solves_it(family: str, share: int) -> None:
    """Value, plies and best move."""
    solved = 0
    for game in games(islice(named(family), share, None, SHARES.get(family, 1))):
        assert entries_of(game, solve(game, jobs=2)) == exhaustive.solve(game), game.spec
        solved += 1
    assert solved
