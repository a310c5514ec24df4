"""Writes solutions: a build is seen whole or not at all, whatever happens while it runs."""

import contextlib
import hashlib
import time
import traceback
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from db import schema
from db.engine import engine_for, first_line, insert_rows, sqlite_error, sqlite_path
from db.lock import only_builder
from db.models import Block, Count, Position, Solution
from solver.census import Census, take_census
from solver.errors import BusyError, GameError, OperationError, SolutionExistsError
from solver.exhaustive import Entries, solve
from solver.game import Action, Game, State
from solver.packed import LayerProgress, choose_layout, is_board
from solver.zero_sum import two_players, utility_for_max

Row = tuple[int, str, int, int, int, str | None]
"""A row of `positions`: solution, board, ply, value from MAX's side, plies, best move."""


class Built(NamedTuple):
    """What a build made. The value is MAX's."""

    game: str
    value: int
    plies: int
    positions: int
    classes: int
    digest: str
    seconds: float


def build(
    db: str,
    game: Game[State, Action],
    *,
    layout: str | None = None,
    symmetry: bool = False,
    force: bool = False,
    jobs: int | None = None,
    progress: LayerProgress | None = None,
) -> Built:
    """Solve `game` and store every position in the database `db`, which is made if it is not there.

    The layout is the one that suits the game unless one is named. With `symmetry` one position of each
    class is stored in rows; readers answer the same. A solution that is there already is replaced only
    with `force`, and answers until the new one is complete. A packed build takes up what an earlier one
    left, and runs on `jobs` processors, by default all.
    """
    two_players(game)
    if choose_layout(game, layout, symmetry=symmetry) == "packed":
        from db.pack import build_packed

        assert is_board(game)
        return build_packed(db, game, force=force, jobs=jobs, progress=progress)
    started = time.perf_counter()
    engine = engine_for(db)
    try:
        with explained(db):
            solution_id = announce(engine, db, game.spec, layout="rows", symmetry=symmetry, force=force)
            try:
                with engine.begin() as connection:
                    _claim(connection, db, game.spec, solution_id)
                    entries = solve(game, progress=progress)
                    facts = _write(connection, solution_id, game, entries, symmetry=symmetry)
            except BaseException as error:
                # A cursor that the traceback keeps alive would keep the write lock too.
                traceback.clear_frames(error.__traceback__)
                _withdraw(engine, solution_id)
                raise
    finally:
        engine.dispose()
    return Built(game.spec, *facts, time.perf_counter() - started)


def upgrade(db: str) -> tuple[str | None, str]:
    """Bring the database to the newest schema: the revisions before and after."""
    engine = engine_for(db)
    try:
        with explained(db), engine.begin() as connection:
            return schema.upgrade(connection, db)
    finally:
        engine.dispose()


def announce(engine: Engine, db: str, game: str, *, layout: str, symmetry: bool = False, force: bool) -> int:
    """Put down that the game is being built, so that readers who find nothing else can say so.

    Where a packed build was stopped, the next takes up its row and all that belongs to it.
    """
    ours = version("zermelo")
    with engine.begin() as connection:
        schema.upgrade(connection, db)
        # A builder at work holds a lock on its row; one that was killed holds none, and its row can go.
        columns = (Solution.id, Solution.status, Solution.layout, Solution.zermelo_version)
        there = connection.execute(select(*columns).where(Solution.game == game).with_for_update(nowait=True)).all()
        if not force and any(row.status == "complete" for row in there):
            raise SolutionExistsError(
                f"database {db!r} holds {game} already: ask it with `zermelo query`, or build it again with --force"
            )
        stopped = [row for row in there if row.status == "building"]
        if layout == "packed" and [(row.layout, row.zermelo_version) for row in stopped] == [("packed", ours)]:
            return int(stopped[0].id)
        if layout == "rows" and any(row.layout == "packed" for row in stopped):
            with only_builder(db, game):  # or it was not stopped at all
                pass
        remove(connection, [row.id for row in stopped])
        added = connection.execute(
            insert(Solution).values(
                game=game,
                layout=layout,
                symmetry=symmetry,
                status="building",
                zermelo_version=ours,
                started_at=now(),
            )
        )
        assert added.inserted_primary_key is not None
        return int(added.inserted_primary_key[0])


def _claim(connection: Connection, db: str, game: str, solution_id: int) -> None:
    mine = select(Solution.id).where(Solution.id == solution_id).with_for_update()
    if connection.scalar(mine) is None:
        raise BusyError(f"another build of {game} in {db!r} took over: wait for it to finish")


def _write(
    connection: Connection,
    solution_id: int,
    game: Game[State, Action],
    entries: Entries[State, Action],
    *,
    symmetry: bool,
) -> tuple[int, int, int, int, str]:
    """Store the entries and complete the solution."""
    census = take_census(game, entries)
    for category in census.counts:
        if type(category.value) is not int:
            raise GameError(f"game {game.spec!r} has the utility {category.value!r}: a stored value is a whole number")
    utility = utility_for_max(game)
    for state in census.plies:
        if entries[state][2] is None:
            utility(state)  # which refuses what is not zero-sum
    rows = _rows(solution_id, game, entries, census)
    digest = digest_of(rows)
    if symmetry:
        kept = {min(game.format(move(state)) for move in game.symmetries) for state in census.plies}
        rows = [row for row in rows if row[1] in kept]
    insert_rows(connection, Position, rows)
    connection.execute(
        insert(Count),
        [
            {"solution_id": solution_id, **category._asdict(), **tally._asdict()}
            for category, tally in census.counts.items()
        ],
    )
    value, plies, _ = entries[game.initial]
    classes = len(census.plies)
    complete(
        connection,
        solution_id,
        game.spec,
        value=value,
        plies=plies,
        positions=len(entries),
        classes=classes,
        # Text, because the number of games outgrows every integer column soon after 5x4.
        games=str(census.games),
        tree_nodes=str(census.tree_nodes),
        digest=digest,
    )
    return value, plies, len(entries), classes, digest


def complete(connection: Connection, solution_id: int, game: str, **facts: object) -> None:
    """Put the solution in the place of the one before."""
    before = select(Solution.id).where(Solution.game == game, Solution.status == "complete")
    remove(connection, connection.scalars(before).all())
    values = {"status": "complete", "finished_at": now(), **facts}
    connection.execute(update(Solution).where(Solution.id == solution_id).values(values))


def _rows(
    solution_id: int, game: Game[State, Action], entries: Entries[State, Action], census: Census[State]
) -> list[Row]:
    """The rows of `positions` in board order."""
    board_of, ply_of, representatives = game.format, census.plies, census.representatives
    actions = {action for _, _, action in entries.values() if action is not None}
    names: dict[Action | None, str | None] = {action: game.format_action(action) for action in actions}
    names[None] = None
    rows = [
        (solution_id, board_of(state), ply_of[representatives[state]], value, plies, names[action])
        for state, (value, plies, action) in entries.items()
    ]
    rows.sort(key=itemgetter(1))
    return rows


def digest_of(rows: Iterable[Row]) -> str:
    """SHA-256 over the entries in board order: the same for the same solution on every machine, with symmetry or without.

    >>> digest_of([(1, "X../.../...", 1, 0, 8, "b2")])[:8]
    '6d65d855'
    """
    text = "".join([f"{board} {value} {plies} {best_move or '-'}\n" for _, board, _, value, plies, best_move in rows])
    return hashlib.sha256(text.encode()).hexdigest()


def remove(connection: Connection, solution_ids: Iterable[int]) -> None:
    """Take solutions out, and all that belongs to them."""
    for solution_id in solution_ids:
        for table in (Position, Block, Count):
            connection.execute(delete(table).where(table.solution_id == solution_id))
        connection.execute(delete(Solution).where(Solution.id == solution_id))


def _withdraw(engine: Engine, solution_id: int) -> None:
    # Whatever stopped the build is what must be told, not that tidying up after it failed too.
    with contextlib.suppress(DBAPIError), engine.begin() as connection:
        remove(connection, [solution_id])


@contextlib.contextmanager
def explained(db: str) -> Iterator[None]:
    """Turn the database driver's errors into ours."""
    try:
        yield
    except DBAPIError as error:
        path = sqlite_path(db)
        if path is not None and isinstance(error.orig, Exception):
            raise sqlite_error(path, error.orig) from error
        reason = first_line(error.orig)
        # A row that another build has locked, or has put down in the same moment.
        if getattr(error.orig, "sqlstate", None) in ("55P03", "23505"):
            raise BusyError(f"another build is at work in {db!r}: wait for it to finish ({reason})") from error
        raise OperationError(f"database {db!r} cannot be used: {reason}") from error


def now() -> datetime:
    """The time to put down."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)
