"""Builds packed solutions of boards group by group, so that a build that was stopped goes on where it was."""

import contextlib
import os
import time
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Engine as SqlEngine
from sqlalchemy import select, update

from zermelo.db.catalogue import survey
from zermelo.db.engine import sql_engine, sqlite_path
from zermelo.db.layouts import Built
from zermelo.db.lock import only_builder
from zermelo.db.models import SolutionRecord
from zermelo.db.packed import begin_workers
from zermelo.db.packed.keeper import Keeper, keeper_elsewhere, stored_groups
from zermelo.db.readers import open_reader
from zermelo.db.store import announce, complete, explained
from zermelo.solver.engines import Engine
from zermelo.solver.errors import OperationError, ZermeloError
from zermelo.solver.game import Game
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed import knows, require
from zermelo.solver.packed.blocks import outcome
from zermelo.solver.packed.estimate import processors, refusal
from zermelo.solver.progress import Progress

if TYPE_CHECKING:
    from zermelo.solver.packed.groups import Groups

_PATIENCE = 600.0
"""Seconds that a transaction waits for another program's to end: hours of work may lie behind it."""


def build_packed(
    engine: Engine,
    db: str,
    game: Game[Any, Any],
    *,
    symmetry: bool = False,
    force: bool = False,
    jobs: int | None = None,
    memory: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Built:
    """Store what the engine solves, or go on where an earlier build of it was stopped; see `store.build`."""
    require("numpy", "numba", "zstandard")
    if cluster is not None:
        begin_workers(cluster)
    from zermelo.solver.packed.groups import groups_of

    assert knows(game) and not symmetry
    started = time.perf_counter()
    groups = groups_of(game)
    _check_room(db, game, groups, memory, force=force, elsewhere=cluster is not None)
    with contextlib.ExitStack() as open_here:
        elsewhere = {}
        if cluster is not None:
            from zermelo.solver.packed.workers import connected

            client = open_here.enter_context(connected(cluster))
        sql = sql_engine(db, _PATIENCE)
        open_here.callback(sql.dispose)
        with explained(db), only_builder(db, game.spec):
            solution_id = announce(sql, db, game, layout="packed", codec="board", force=force)
            if cluster is not None:
                elsewhere["cluster"] = client, cluster, partial(keeper_elsewhere, db, game.spec, solution_id)
            with contextlib.closing(Keeper(sql, db, game, groups, solution_id)) as keeper:
                _forget_layers(sql, keeper, solution_id)
                for some in engine.groups(
                    game,
                    layout="packed",
                    after=keeper,
                    jobs=jobs or processors(),
                    memory=memory,
                    progress=progress,
                    **elsewhere,
                ):
                    keeper.write(some)
                start = outcome(int(keeper.read(0)[0]), game.board.cells, 0)
            assert start is not None
            with sql.begin() as connection:
                facts = keeper.conclude(connection)
                complete(connection, solution_id, game.spec, value=start[0], plies=start[1], can_repeat=False, **facts)
    kept = {name: facts[name] for name in ("positions", "classes", "digest")}
    return Built(game.spec, *start, **kept, seconds=time.perf_counter() - started)


class Begun(NamedTuple):
    """What a build that was stopped has stored."""

    groups: int
    of: int
    share: float
    """Of all places, how many are in those groups."""


def begun(db: str, game: Game[Any, Any]) -> Begun | None:
    """What an earlier build that was stopped has stored, and the next will go on from; None where there is nothing."""
    if not knows(game):
        return None
    there = _solutions(db, game).get("building")
    if there is None or there["layout"] != "packed":
        return None
    require("numpy", "numba")
    from zermelo.solver.packed.groups import groups_of

    groups = groups_of(game)
    with contextlib.closing(open_reader(db)) as reader:
        stored = stored_groups(reader, there["id"])
    if not stored:
        return None
    return Begun(len(stored), len(groups), sum(groups.sizes[number] for number in stored) / sum(groups.sizes))


def _check_room(db: str, game: MNK, groups: "Groups", memory: int | None, *, force: bool, elsewhere: bool) -> None:
    """Refuse what the machine has no room for."""
    from zermelo.solver.packed.calibrate import disk_of
    from zermelo.solver.packed.solve import room_for

    path = sqlite_path(db)
    folder = None if path is None else os.path.dirname(os.path.abspath(path))
    there = _solutions(db, game)
    if "complete" in there and not force:
        return  # and it will be refused for that
    if not elsewhere:
        room_for(game, groups, memory)
    # What an earlier build has stored needs no more room, and how much is left can't be told so easily.
    why = refusal(game.spec, disk_of(groups), None if "building" in there else folder)
    if why:
        raise OperationError(f"{why}: build a smaller board, or this one on a larger machine")


def _solutions(db: str, game: MNK) -> dict[str, dict[str, Any]]:
    """What is stored of the game, by its status."""
    try:
        return {facts["status"]: facts for facts in survey(db)[0] if facts["game"] == game.spec}
    except ZermeloError:
        return {}


def _forget_layers(sql: SqlEngine, keeper: Keeper, solution_id: int) -> None:
    """Remove what a build that stored whole layers left: it had a digest while it was at work, and its blocks no records."""
    with sql.begin() as connection:
        mine = SolutionRecord.id == solution_id
        layers = connection.scalar(select(SolutionRecord.digest).where(mine)) is not None
    if layers:
        keeper.clear()
        with sql.begin() as connection:
            connection.execute(update(SolutionRecord).where(mine).values(digest=None, longest=None))
