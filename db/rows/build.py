"""Writes solutions a row a position, in one transaction that begins before anything is solved."""

import contextlib
import time
import traceback
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, insert, select
from sqlalchemy import Engine as SqlEngine
from sqlalchemy.exc import DBAPIError

from zermelo.db.checksum import of_position
from zermelo.db.engine import insert_rows, sql_engine
from zermelo.db.layouts import Built
from zermelo.db.models import CountRecord, PositionRecord, SolutionRecord
from zermelo.db.source import digest_of
from zermelo.db.store import announce, complete, explained, remove
from zermelo.solver.census import Census, take_census
from zermelo.solver.engines import Engine
from zermelo.solver.errors import BusyError, GameError
from zermelo.solver.exhaustive import Entries
from zermelo.solver.game import Action, Game, State
from zermelo.solver.packed.estimate import processors
from zermelo.solver.progress import Progress
from zermelo.solver.zero_sum import utility_for_max

Record = tuple[int, str, int, int, int | None, str | None, int]
"""A row of `positions`: solution, board, ply, value from MAX's side, plies, best move, checksum."""


def build_rows(
    engine: Engine,
    db: str,
    game: Game[Any, Any],
    *,
    symmetry: bool = False,
    force: bool = False,
    jobs: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Built:
    """Store what the engine solves, with `symmetry` one position of each class; see `store.build`."""
    started = time.perf_counter()
    sql = sql_engine(db)
    try:
        with explained(db):
            solution_id = announce(sql, db, game, layout="rows", symmetry=symmetry, force=force)
            try:
                with sql.begin() as connection:
                    _claim(connection, db, game.spec, solution_id)
                    entries: Entries[Any, Any] = {}
                    jobs = jobs or processors()
                    for group in engine.groups(game, layout="rows", jobs=jobs, memory=memory, progress=progress):
                        entries = entries | group if entries else group
                    facts = _write(connection, solution_id, game, entries, symmetry=symmetry)
            except BaseException as error:
                # A cursor that the traceback keeps alive would keep the write lock too.
                traceback.clear_frames(error.__traceback__)
                _withdraw(sql, solution_id)
                raise
    finally:
        sql.dispose()
    return Built(game.spec, *facts, time.perf_counter() - started)


def _claim(connection: Connection, db: str, game: str, solution_id: int) -> None:
    mine = select(SolutionRecord.id).where(SolutionRecord.id == solution_id).with_for_update()
    if connection.scalar(mine) is None:
        raise BusyError(f"another build of {game} in {db!r} has taken over: wait for it to finish", db=db)


def _write(
    connection: Connection,
    solution_id: int,
    game: Game[State, Action],
    entries: Entries[State, Action],
    *,
    symmetry: bool,
) -> tuple[int, int | None, int, int, str]:
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
    digest = digest_of(row[1:6] for row in rows)
    if symmetry:
        kept = {min(game.format(move(state)) for move in game.symmetries) for state in census.plies}
        rows = [row for row in rows if row[1] in kept]
    insert_rows(connection, PositionRecord, rows)
    connection.execute(
        insert(CountRecord),
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
        can_repeat=census.can_repeat,
        # Text, because the number of games outgrows every integer column soon after 5x4.
        games=None if census.games is None else str(census.games),
        tree_nodes=None if census.tree_nodes is None else str(census.tree_nodes),
        longest=census.longest,
        mover_wins=census.mover_wins,
        mover_losses=census.mover_losses,
        digest=digest,
    )
    return value, plies, len(entries), classes, digest


def _rows(
    solution_id: int, game: Game[State, Action], entries: Entries[State, Action], census: Census[State]
) -> list[Record]:
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
    return [(*row, of_position(*row)) for row in rows]


def _withdraw(sql: SqlEngine, solution_id: int) -> None:
    # Whatever stopped the build is what must be told, not that tidying up after it failed too.
    with contextlib.suppress(DBAPIError), sql.begin() as connection:
        remove(connection, [solution_id])
