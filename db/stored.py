"""A solution in a database, whatever its layout: found by its game, and found again when a rebuild has replaced it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from zermelo.db.catalogue import find_solution, read_counts
from zermelo.db.readers import Reader
from zermelo.solver.errors import BusyError, DamagedSolutionError
from zermelo.solver.game import Game

if TYPE_CHECKING:
    from zermelo.solver.census import Category, Tally

Found = TypeVar("Found")
Rules = TypeVar("Rules", bound=Game[Any, Any])


class Stored(Generic[Rules]):
    """What sources that read a database have in common; see `Source`."""

    layout: ClassVar[str]
    facts: dict[str, Any]

    def __init__(self, reader: Reader, db: str, game: Rules) -> None:
        self._reader = reader
        self._db = db
        self._game = game
        self._find()

    def _find(self) -> None:
        self.facts = find_solution(self._reader, self._db, self._game.spec, self.layout)

    def _whole(self, read: Callable[[dict[str, Any]], Found], is_whole: Callable[[Found], bool]) -> Found:
        """What `read` finds of the solution by its facts, read again where a rebuild took it away meanwhile."""
        facts = self.facts
        found = read(facts)
        while not is_whole(found):
            self._find()
            # Another thread may have found the new solution first.
            if self.facts["id"] == facts["id"]:
                break
            facts = self.facts
            found = read(facts)
        return found

    def end_reading(self, solution: int) -> None:
        """Refuse what was read over many statements if a rebuild has replaced the solution since."""
        self._find()
        if self.facts["id"] != solution:
            raise BusyError(
                f"{self._game.spec} in {self._db!r} was built again while it was being read: try again", db=self._db
            )

    def counts(self) -> "dict[Category, Tally]":
        """Positions and classes by ply, whether the game is over, and value."""
        counts = self._whole(lambda facts: read_counts(self._reader, facts), bool)
        if counts is None:
            raise self.damaged("its counts are not as they were written")
        return counts

    def count_blocks(self) -> int:
        """How many rows of blocks the solution has, those that nobody asks for too."""
        sql = "select count(*) from blocks where solution_id = :solution"
        return int(self._reader.rows(sql, {"solution": self.facts["id"]})[0][0])

    def damaged(self, how: str) -> DamagedSolutionError:
        """The error to raise where what is stored cannot be right."""
        spec = self._game.spec
        return DamagedSolutionError(f"{spec} in {self._db!r} is damaged ({how})", db=self._db, game=spec)

    def close(self) -> None:
        """Let go of the file or the server."""
        self._reader.close()
