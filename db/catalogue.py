"""Which solutions a database holds."""

import contextlib
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.db.checksum import of_values
from zermelo.db.engine import tablebase_path
from zermelo.db.readers import Reader, open_reader
from zermelo.solver.errors import (
    BuildingError,
    BusyError,
    DamagedError,
    DamagedSolutionError,
    MissingSolutionError,
    quoted,
)

if TYPE_CHECKING:
    from zermelo.solver.census import Category, Tally

COLUMNS = (
    "id", "game", "layout", "codec", "can_repeat", "symmetry", "status", "value", "plies", "positions", "classes",
    "games", "tree_nodes", "longest", "mover_wins", "mover_losses", "rules_at", "digest", "zermelo_version", "started_at",
    "finished_at", "counts_checksum", "checksum",
)  # fmt: skip
_KINDS: dict[str, Any] = {
    **dict.fromkeys(
        ("game", "layout", "status", "codec", "digest", "zermelo_version", "rules_at", "games", "tree_nodes"), str
    ),
    **dict.fromkeys(("id", "can_repeat", "symmetry", "value", "plies", "positions", "classes", "longest"), int),
}
_LARGE = ("games", "tree_nodes")
"""Counts that are texts, since no database's integers hold them."""
_DIGITS = 4000
"""Python refuses to read larger numbers."""
_ALL = f"select {', '.join(COLUMNS)} from solutions order by game, status"
_OF_GAME = f"select {', '.join(COLUMNS)} from solutions where game = :game"
_NEEDED = ("id", "game", "layout", "status")
COUNTS = ("ply", "terminal", "value", "positions", "classes")
_COUNTS = f"select {', '.join(COUNTS)} from counts where solution_id = :solution order by 1, 2, 3"


def solutions_in(db: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The facts of every solution in `db`, a path, a SQLAlchemy URL or a tablebase file; raises where any are damaged."""
    solutions, damaged = survey(db)
    if damaged:
        raise damaged[0]
    return solutions


def survey(db: str | os.PathLike[str]) -> tuple[list[dict[str, Any]], list[DamagedError]]:
    """The facts of those solutions in `db` that have them as they were written, and what is wrong with the others'."""
    db = os.fspath(db)
    path = tablebase_path(db)
    if path is None:
        with contextlib.closing(open_reader(db)) as reader:
            return _judged(reader.rows(_ALL), db)
    from zermelo.db.tablebase import read_facts
    from zermelo.db.tablebase.container import Container

    with contextlib.closing(Container(path)) as container:
        return [read_facts(container)], []


def names_in(db: str) -> set[str]:
    """The games of all solutions in a database, damaged ones too: these can be taken out."""
    if tablebase_path(db) is not None:
        return {facts["game"] for facts in solutions_in(db)}
    with contextlib.closing(open_reader(db)) as reader:
        return {name for (name,) in reader.rows("select game from solutions") if isinstance(name, str)}


def without_checksums(db: str) -> list[str]:
    """The games of those solutions that an earlier version stored, before there were checksums."""
    return [facts["game"] for facts in survey(db)[0] if facts["status"] == "complete" and facts["checksum"] is None]


def find_solution(reader: Reader, db: str, game: str, layout: str | None = None) -> dict[str, Any]:
    """The facts of the complete solution of `game`, which whoever can read only one layout wants in that one."""
    solutions, damaged = _judged(reader.rows(_OF_GAME, {"game": game}), db)
    if not solutions:
        # A name is found by its bytes: before a solution is said to be missing, none may have another than was written.
        damaged += _judged(reader.rows(_ALL), db)[1]
    if damaged:
        raise damaged[0]
    of_game = {facts["status"]: facts for facts in solutions}
    if "complete" in of_game:
        if layout not in (None, of_game["complete"]["layout"]):
            raise BusyError(f"{game} in {db!r} has meanwhile been built again in another layout: open it again", db=db)
        return of_game["complete"]
    if of_game:
        raise BuildingError(f"{game} is being built in {db!r}", db=db, game=game)
    raise MissingSolutionError(f"database {db!r} does not hold {game}", db=db, game=game)


def _judged(rows: Iterable[Sequence[Any]], db: str) -> tuple[list[dict[str, Any]], list[DamagedError]]:
    """The facts in rows of `solutions`, and errors for those that are not as they were written.

    An earlier version may have left them without a checksum.
    """
    solutions, damaged = [], []
    for row in rows:
        try:
            facts = plain_facts(row, db)
            if facts["checksum"] is not None and facts["checksum"] != facts_checksum(facts):
                game = facts["game"]
                raise DamagedSolutionError(
                    f"{game} in {db!r} is damaged (its row of `solutions` is not as it was written)",
                    db=db,
                    game=game,
                )
            solutions.append(facts)
        except DamagedError as error:
            damaged.append(error)
    return solutions, damaged


def facts_checksum(facts: dict[str, Any]) -> int:
    """The checksum of all that a row of `solutions` says besides it."""
    return of_values(facts[column] for column in COLUMNS[:-1])


def counts_checksum(rows: Iterable[Sequence[Any]]) -> int:
    """The checksum of all rows of `counts` of a solution, in their order."""
    return of_values((ply, bool(terminal), *tally) for ply, terminal, *tally in rows)


def read_counts(reader: Reader, facts: dict[str, Any]) -> "dict[Category, Tally] | None":
    """A solution's positions and classes by ply, whether the game is over, and value; None where they are damaged."""
    from zermelo.solver.census import Category, Tally

    rows = reader.rows(_COUNTS, {"solution": facts["id"]})
    if rows and facts["counts_checksum"] not in (None, counts_checksum(rows)):
        return None
    return {Category(ply, bool(terminal), value): Tally(*tally) for ply, terminal, value, *tally in rows}


def plain_facts(row: Sequence[Any], db: str) -> dict[str, Any]:
    """The values of a row of `solutions` as they are the same from every database.

    SQLite keeps whatever somebody puts into a column: what is not of its kind is told, not used.
    """
    facts = dict(zip(COLUMNS, row, strict=True))
    for name, kind in _KINDS.items():
        value: Any = facts[name]
        if value is None and name not in _NEEDED:
            continue
        if not isinstance(value, kind) or (name in _LARGE and not (value.isdecimal() and len(value) < _DIGITS)):
            raise DamagedError(
                f"{db!r} is damaged (its list of solutions has {quoted(str(value))} as {name} of"
                f" {quoted(str(facts['game']))}): restore it from a copy, or remove it and build it again",
                db=db,
            )
    for name in _LARGE:
        facts[name] = None if facts[name] is None else int(facts[name])
    for name in ("started_at", "finished_at"):
        facts[name] = None if facts[name] is None else str(facts[name])[:19]
    facts["symmetry"] = bool(facts["symmetry"])
    facts["can_repeat"] = None if facts["can_repeat"] is None else bool(facts["can_repeat"])
    return facts
