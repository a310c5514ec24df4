"""Which solutions a database holds."""

import contextlib
from typing import TYPE_CHECKING, Any

from db.engine import tablebase_path
from db.readers import Reader, open_reader
from solver.errors import BusyError, MissingSolutionError

if TYPE_CHECKING:
    from solver.census import Category, Tally

_COLUMNS = (
    "id", "game", "layout", "symmetry", "status", "value", "plies", "positions", "classes", "games", "tree_nodes",
    "digest", "zermelo_version", "started_at", "finished_at",
)  # fmt: skip
_COUNTS = "select ply, terminal, value, positions, classes from counts where solution_id = :solution order by 1, 2, 3"


def solutions_in(db: str) -> list[dict[str, Any]]:
    """The facts of every solution in `db`, a path, a SQLAlchemy URL or a tablebase file."""
    path = tablebase_path(db)
    if path is None:
        with contextlib.closing(open_reader(db)) as reader:
            return list_solutions(reader)
    from db.tablebase import read_facts
    from db.tablebase.container import Container

    with contextlib.closing(Container(path)) as container:
        return [read_facts(container)]


def list_solutions(reader: Reader) -> list[dict[str, Any]]:
    """The facts of every solution in the database, in the order of their games' names."""
    rows = reader.rows(f"select {', '.join(_COLUMNS)} from solutions order by game, status")
    return [_plain(dict(zip(_COLUMNS, row, strict=True))) for row in rows]


def find_solution(reader: Reader, db: str, game: str, layout: str | None = None) -> dict[str, Any]:
    """The facts of the complete solution of `game`, which whoever can read only one layout wants in that one."""
    of_game = {facts["status"]: facts for facts in list_solutions(reader) if facts["game"] == game}
    if "complete" in of_game:
        if layout not in (None, of_game["complete"]["layout"]):
            raise BusyError(f"{game} in {db!r} was built again in another layout meanwhile: open it again")
        return of_game["complete"]
    if of_game:
        raise BusyError(
            f"{game} is being built in {db!r}: wait for it to finish, or if it was stopped, run `zermelo build` again"
        )
    raise MissingSolutionError(
        f"database {db!r} does not hold {game}: add it with `zermelo build -g {game}`, or see `zermelo list`"
    )


def read_counts(reader: Reader, solution_id: int) -> "dict[Category, Tally]":
    """A solution's positions and classes by ply, whether the game is over, and value."""
    from solver.census import Category, Tally

    rows = reader.rows(_COUNTS, {"solution": solution_id})
    return {Category(ply, bool(terminal), value): Tally(*tally) for ply, terminal, value, *tally in rows}


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    """The values of a row of `solutions` as they are the same from every database."""
    for name in ("games", "tree_nodes"):
        facts[name] = None if facts[name] is None else int(facts[name])
    for name in ("started_at", "finished_at"):
        facts[name] = None if facts[name] is None else str(facts[name])[:19]
    facts["symmetry"] = bool(facts["symmetry"])
    return facts
