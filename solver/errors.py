"""What can go wrong, each error also a builtin one, so that both ``except`` habits work.

A message is one line that names the offending input and says what would be right. What it is about, the error carries as
attributes, which its class lists. Which option or command helps is said in `commands/hints.py`.
"""

from zermelo.solver.texts import without_password


def quoted(text: str) -> str:
    """What the user typed, as a message quotes it: a line stays a line, however long the input was.

    >>> quoted("X.O")
    "'X.O'"
    """
    return repr(text if len(text) <= 80 else f"{text[:77]}...")


def size_text(size: float) -> str:
    """A number of bytes, as a message and everything else that people read tells it.

    >>> size_text(7_540_000_000), size_text(999)
    ('7.5 GB', '1 kB')
    """
    if size < 1e6:
        return f"{size / 1e3:.0f} kB"
    return f"{size / 1e6:.0f} MB" if size < 1e9 else f"{size / 1e9:.1f} GB"


class ZermeloError(Exception):
    """The root of every error raised on purpose here: a message, and the facts that it tells of.

    >>> error = MissingSolutionError("database 'x.db' does not hold nim:1,2", db="x.db", game="nim:1,2")
    >>> str(error), error.db, error.game
    ("database 'x.db' does not hold nim:1,2", 'x.db', 'nim:1,2')
    """

    def __init__(self, message: str = "", **facts: object) -> None:
        super().__init__(without_password(message))
        vars(self).update(facts)

    def __str__(self) -> str:
        # KeyError prints the repr of its message; these messages are for people.
        return str(self.args[0]) if self.args else ""


class GameError(ZermeloError, ValueError):
    """A game's name or its rules cannot be used."""


class RulesError(GameError):
    """A game's rules contradict themselves, or fail."""


class UnknownGameError(GameError):
    """There is no game of this name."""


class CompileError(GameError):
    """The verbs of a game that says `compiled` cannot be compiled."""

    game: str
    verb: str | None
    """The verb, or the function that it calls."""
    file: str | None
    line: int | None


class RulesNeededError(GameError):
    """What is stored was made with rules that are neither built in nor installed, and a file is no place to take them from."""

    game: str
    rules_at: str
    """Where they were found when it was built, as far as it is known."""


class NotZeroSumError(GameError):
    """The game is not one of two players where one's gain is the other's loss."""

    game: str


class TooDeepError(GameError):
    """The game is too long for a search that calls itself once for every ply, or never ends."""

    game: str


class PositionError(ZermeloError, ValueError):
    """A text is not a position of the game, or no game could have reached it."""


class ActionError(ZermeloError, ValueError):
    """A text is not a move of the game, or the move is not legal where it was tried."""


class UnknownPositionError(ZermeloError, KeyError):
    """A well-formed position that the solution does not hold."""

    game: str
    position: str


class ClosedError(ZermeloError, ValueError):
    """A solution was asked after it was closed."""


class SearchError(ZermeloError, ValueError):
    """A search cannot be run as it was asked for."""


class SelectionError(ZermeloError, ValueError):
    """Some positions were asked for where only all of them can be had."""


class AmountError(ZermeloError, ValueError):
    """So much was asked for that it is not done, or only when it is asked for expressly."""

    game: str
    positions: int
    task: str
    """What was to be done with them: `export`, `find`, `verify` or `page`."""


class DatabaseError(ZermeloError, ValueError):
    """What was named as a database cannot serve as one."""

    db: str


class MissingDatabaseError(DatabaseError, FileNotFoundError):
    """There is no database where one was named."""


class MissingTablebaseError(MissingDatabaseError):
    """There is no tablebase where one was named."""


class EmptyDatabaseError(DatabaseError):
    """The database has no tables of Zermelo's to read."""


class ForeignDatabaseError(DatabaseError):
    """The file is not a database, or it is another program's."""


class OlderSchemaError(DatabaseError):
    """The database was made by an older Zermelo and must be upgraded before it is read."""

    revision: str


class NewerSchemaError(DatabaseError):
    """The database was made by a newer Zermelo."""

    revision: str


class MissingSolutionError(ZermeloError, KeyError):
    """The database holds no solution of the game."""

    db: str
    game: str


class OtherGameError(MissingSolutionError):
    """The tablebase holds the solution of another game."""

    held: str
    """The game that it holds."""


class SolutionExistsError(ZermeloError, FileExistsError):
    """The database holds a solution of the game already."""

    db: str
    game: str


class OperationError(ZermeloError, OSError):
    """The request was right, but it could not be carried out here and now."""


class MemoryLimitError(OperationError, MemoryError):
    """It takes more memory than there may be."""

    game: str
    memory: int
    """Bytes that it takes."""


class BusyError(OperationError):
    """Somebody else is at work on the same thing."""

    db: str


class BuildingError(BusyError):
    """The game is being built, or its build was stopped before it was done."""

    game: str


class DamagedError(OperationError):
    """A file's bytes are not those that were written."""

    db: str


class DamagedSolutionError(DamagedError):
    """The database can be read, but not all of one solution in it."""

    game: str


class IncompleteSolutionError(OperationError):
    """A stored solution lacks a position that play reaches from another one in it."""

    game: str
    position: str


class ClusterError(OperationError):
    """A cluster cannot be used, or went away."""

    cluster: str
    """Its address, as it was given."""


class AddressError(OperationError):
    """A server cannot listen where it was told to."""

    host: str
    port: int


class ClosedOutputError(OperationError):
    """There is no standard output to write to."""


class FormatError(ZermeloError, ValueError):
    """There is no such format to write."""


class OutputError(ZermeloError, OSError):
    """A file cannot be written where it was wanted."""

    path: str


class OutputExistsError(OutputError, FileExistsError):
    """The file to be written exists already."""


class MissingPackageError(ZermeloError, ImportError):
    """What was asked for needs a Python package that is not installed."""

    package: str
    extra: str
    """The extra of Zermelo's that brings it."""
