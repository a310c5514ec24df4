"""The solutions of one database, opened once and shared between threads."""

import contextlib
import os
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any

from zermelo.db.catalogue import survey
from zermelo.db.engine import sqlite_path
from zermelo.db.query import Solution, open_solution
from zermelo.solver.errors import (
    BusyError,
    DamagedError,
    GameError,
    MissingPackageError,
    MissingSolutionError,
    ZermeloError,
    quoted,
)
from zermelo.solver.game import Game
from zermelo.solver.games import SHORT, load_stored
from zermelo.web.describe import Description, UnusableGame, describe

_MOST_OPEN = 16
_SECONDS_BETWEEN_LOOKS = 5

Stamp = tuple[int, int, int, int] | None


class _Lent:
    """An open solution, and how many are asking it; once it is off the shelf, the last of them closes it."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.readers = 0
        self.off_the_shelf = False

    def close_if_done(self) -> None:
        if self.off_the_shelf and not self.readers:
            self.solution.close()


class Shelf:
    """Gives out solutions to any number of threads, and takes a new look when the database's file has changed.

    A game is only ever looked for among those that the database holds, and its rules among those that are built in
    or installed and `own`: neither a request nor a database can name a module to import.
    """

    def __init__(self, db: str, own: Iterable[Game[Any, Any]] = ()) -> None:
        self._db = db
        self._own = {game.spec: game for game in own}
        self._path = sqlite_path(db)
        self._lock = threading.Lock()
        self._stamp: Stamp = None
        self._facts: dict[str, dict[str, Any]] = {}
        self._damaged: list[DamagedError] = []
        self._games: list[Description | UnusableGame] | None = None
        self._open: dict[str, _Lent] = {}

    def games(self) -> list[Description | UnusableGame]:
        """What the page and others need to know of every game that is solved."""
        with self._lock:
            self._refresh()
            if self._games is None:
                complete = [facts for facts in self._facts.values() if facts["status"] == "complete"]
                # Those that people have a name for come first: tic-tac-toe is what most look for.
                complete.sort(key=lambda facts: facts["game"] not in SHORT.values())
                self._games = [self._description(facts) for facts in complete]
            return self._games

    @contextlib.contextmanager
    def solution(self, game: str) -> Iterator[Solution]:
        """The solution of `game`, which stays open until the end of the block; others may ask it meanwhile."""
        with self._lock:
            self._refresh()
            lent = self._find(SHORT.get(game, game))
            lent.readers += 1
        try:
            yield lent.solution
        finally:
            with self._lock:
                lent.readers -= 1
                lent.close_if_done()

    def close(self) -> None:
        """Let go of every file."""
        with self._lock:
            self._forget()

    def _find(self, game: str) -> _Lent:
        for error in self._damaged:
            if vars(error).get("game") == game:
                raise error
        if game not in self._facts:
            raise MissingSolutionError(f"there is no game {quoted(game)} here: see /api/games", db=self._db, game=game)
        if self._facts[game]["status"] != "complete":
            raise BusyError(f"{game} is being built: try again later", db=self._db)
        lent = self._open.pop(game, None)
        if lent is None:
            try:
                lent = _Lent(open_solution(self._db, self._rules(game)))
            except (GameError, MissingPackageError) as error:
                raise MissingSolutionError(
                    f"{game} is stored here, but what it needs is not installed", db=self._db, game=game
                ) from error
            while len(self._open) >= _MOST_OPEN:
                self._take_off(next(iter(self._open)))
        self._open[game] = lent  # the last used goes to the end of the row
        return lent

    def _take_off(self, game: str) -> None:
        lent = self._open.pop(game)
        lent.off_the_shelf = True
        lent.close_if_done()

    def _rules(self, game: str) -> Game[Any, Any]:
        return self._own.get(game) or load_stored(game, f"database {self._db!r}", self._facts[game]["rules_at"])

    def _description(self, facts: dict[str, Any]) -> Description | UnusableGame:
        try:
            rules = self._rules(facts["game"])
            # Where the game does not say what can come of it, what is stored does.
            counts = self._find(facts["game"]).solution.source.counts() if rules.bounds is None else []
            return describe(rules, facts, [value for _, _, value in counts])
        except ZermeloError:
            # Somebody's own game may be stored, and its rules not be installed here.
            return UnusableGame(game=facts["game"], digest=facts["digest"], error="its rules are not installed here")

    def _refresh(self) -> None:
        """Start over when the file is not what it was."""
        stamp = self._look()
        if stamp is not None and stamp == self._stamp:
            return
        self._forget()
        # A game that is being built again has two rows: the complete one answers, and sorts last.
        solutions, self._damaged = survey(self._db)
        rows = sorted(solutions, key=lambda facts: facts["status"] == "complete")
        self._facts = {facts["game"]: facts for facts in rows}
        self._stamp = stamp

    def _look(self) -> Stamp:
        if self._path is None:
            # A server's database shows no sign of a change, so another look is taken every few seconds.
            return 0, 0, int(time.monotonic() / _SECONDS_BETWEEN_LOOKS), 0
        try:
            status = os.stat(self._path)
        except OSError:
            return None
        return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size

    def _forget(self) -> None:
        for game in list(self._open):
            self._take_off(game)
        self._facts, self._games, self._stamp = {}, None, None
