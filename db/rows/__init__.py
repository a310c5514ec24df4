"""The layout `rows`: a row a position, or a row a class of positions."""

from typing import TYPE_CHECKING, Any

from zermelo.db.rows.source import RowSource

if TYPE_CHECKING:
    from zermelo.db.layouts import Built
    from zermelo.db.readers import Reader
    from zermelo.solver.engines import Engine
    from zermelo.solver.game import Game


def open_source(reader: "Reader", db: str, game: "Game[Any, Any]") -> RowSource:
    """The stored solution of the game, open for reading."""
    return RowSource(reader, db, game)


def build_with(engine: "Engine", db: str, game: "Game[Any, Any]", **options: Any) -> "Built":
    """Store what the engine solves; see `Layout`."""
    from zermelo.db.rows.build import build_rows  # SQLAlchemy takes long to import

    return build_rows(engine, db, game, **options)
