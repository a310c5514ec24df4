"""The layouts in which solutions are stored. Each is a package that writes and reads, and knows nothing of the others."""

from importlib import import_module
from typing import Any, NamedTuple, Protocol

from zermelo.db.readers import Reader
from zermelo.db.source import Source
from zermelo.solver.engines import Engine, engine_for, engines
from zermelo.solver.errors import DatabaseError, GameError, quoted
from zermelo.solver.game import Game
from zermelo.solver.progress import Progress

LAYOUTS = {
    "rows": "zermelo.db.rows",
    "packed": "zermelo.db.packed",
}
"""Where each layout is."""


class Built(NamedTuple):
    """What a build made. The value is MAX's."""

    game: str
    value: int
    plies: int | None
    positions: int
    classes: int
    digest: str
    seconds: float


class Layout(Protocol):
    """What a package of `LAYOUTS` offers."""

    def build_with(
        self,
        engine: Engine,
        db: str,
        game: Game[Any, Any],
        *,
        symmetry: bool = ...,
        force: bool = ...,
        jobs: int | None = ...,
        memory: int | None = ...,
        progress: Progress | None = ...,
    ) -> Built:
        """Store what the engine solves: readers see all of it or nothing."""

    def open_source(self, reader: Reader, db: str, game: Game[Any, Any]) -> Source:
        """The stored solution of the game, open for reading."""


def layout_of(name: str, db: str) -> Layout:
    """The layout that the database `db` names."""
    if name not in LAYOUTS:
        raise DatabaseError(f"a solution in {db!r} has the layout {quoted(name)}, which is not known here", db=db)
    layout: Layout = import_module(LAYOUTS[name])
    return layout


def choose_layout(game: Game[Any, Any], wanted: str | None = None, *, symmetry: bool = False) -> str:
    """The layout in which a game is stored: the one that is wanted, or else what the first engine for it says.

    >>> from zermelo.solver.games import load
    >>> choose_layout(load("mnk:4,3,3")), choose_layout(load("mnk:4,4,4")), choose_layout(load("mnk:4,3,3"), "packed")
    ('rows', 'packed', 'packed')
    """
    if wanted is None:
        suited = (engine.suits(game) for engine in engines())
        return "rows" if symmetry else next(layout for layout in suited if layout is not None)
    if wanted == "packed" and symmetry:
        raise GameError(
            f"game {game.spec!r} cannot be packed with symmetry: one position of each class is stored in rows"
        )
    engine_for(game, wanted)  # which refuses what no engine solves for it
    return wanted
