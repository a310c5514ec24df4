"""The layout `packed`: a row a block of positions. How a block finds a position is its codec: `board` or `keyed`."""

from typing import TYPE_CHECKING, Any

from zermelo.db.catalogue import find_solution
from zermelo.db.packed.keyed_source import KeyedSource
from zermelo.db.packed.source import PackedSource
from zermelo.solver.errors import DatabaseError, quoted

if TYPE_CHECKING:
    from zermelo.db.layouts import Built
    from zermelo.db.packed.build import Begun
    from zermelo.db.readers import Reader
    from zermelo.db.source import Source
    from zermelo.solver.engines import Engine
    from zermelo.solver.game import Game

CODECS: "dict[str, type[PackedSource] | type[KeyedSource]]" = {"board": PackedSource, "keyed": KeyedSource}
"""What reads each codec."""


def open_source(reader: "Reader", db: str, game: "Game[Any, Any]") -> "Source":
    """The stored solution of the game, open for reading."""
    codec = find_solution(reader, db, game.spec)["codec"]
    if codec not in CODECS:
        raise DatabaseError(f"a solution in {db!r} has the codec {quoted(str(codec))}, which is not known here", db=db)
    return CODECS[codec](reader, db, game)


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
