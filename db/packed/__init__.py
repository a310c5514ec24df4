"""The layout `packed`: a row a block of positions. How a block finds a position is its codec: `board` or `keyed`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo.db.catalogue import find_solution
from zermelo.solver.errors import DatabaseError, quoted

if TYPE_CHECKING:
    from zermelo.db.layouts import Built
    from zermelo.db.packed.build import Begun
    from zermelo.db.readers import Reader
    from zermelo.db.source import Source
    from zermelo.solver.engines import Engine
    from zermelo.solver.game import Game

CODECS = {
    "board": "zermelo.db.packed.source:PackedSource",
    "keyed": "zermelo.db.packed.keyed_source:KeyedSource",
}
"""What reads each codec: the other's is not imported for a look-up."""


def open_source(reader: "Reader", db: str, game: "Game[Any, Any]") -> "Source":
    """The stored solution of the game, open for reading."""
    codec = find_solution(reader, db, game.spec)["codec"]
    if codec not in CODECS:
        raise DatabaseError(f"a solution in {db!r} has the codec {quoted(str(codec))}, which is not known here", db=db)
    module, _, name = CODECS[codec].partition(":")
    source: Source = getattr(import_module(module), name)(reader, db, game)
    return source


def build_with(engine: "Engine", db: str, game: "Game[Any, Any]", **options: Any) -> "Built":
    """Store what the engine solves; see `Layout`."""
    # SQLAlchemy takes long to import.
    if engine.codec == "keyed":
        from zermelo.db.packed.keyed_build import build_keyed

        return build_keyed(engine, db, game, **options)
    from zermelo.db.packed.build import build_packed

    return build_packed(engine, db, game, **options)


def begun(db: str, game: "Game[Any, Any]") -> "Begun | None":
    """What a build of the game that was stopped has stored, and the next goes on from; None where there is nothing."""
    from zermelo.db.packed import build

    return build.begun(db, game)


def begin_workers(cluster: str) -> None:
    """Begin to start the workers of a cluster that are to run here, if any are: they are ready the sooner."""
    from zermelo.solver.packed.workers import begin

    begin(cluster, "zermelo.db.packed.keeper")
