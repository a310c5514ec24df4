"""What can go wrong, each error also a builtin one, so that both ``except`` habits work.

A message is one line that names the offending input and says what would be right.
"""


def quoted(text: str) -> str:
    """What the user typed, as a message quotes it: a line stays a line, however long the input was.

    >>> quoted("X.O")
    "'X.O'"
    """
    return repr(text if len(text) <= 80 else f"{text[:77]}...")


class ZermeloError(Exception):
    """The root of every error raised on purpose here."""

    def __str__(self) -> str:
        # KeyError prints the repr of its message; these messages are for people.
        return str(self.args[0]) if self.args else ""


class GameError(ZermeloError, ValueError):
    """A game's name or its rules cannot be used."""


class RepetitionError(GameError):
    """Play can come back to a position, so backward induction has nowhere to start."""


class PositionError(ZermeloError, ValueError):
    """A text is not a position of the game, or no game could have reached it."""


class ActionError(ZermeloError, ValueError):
    """A text is not a move of the game, or the move is not legal where it was tried."""


class UnknownPositionError(ZermeloError, KeyError):
    """A well-formed position that the solution does not hold."""


class SearchError(ZermeloError, ValueError):
    """A search cannot be run as it was asked for."""


class DatabaseError(ZermeloError, ValueError):
    """What was named as a database cannot serve as one."""


class MissingDatabaseError(DatabaseError, FileNotFoundError):
    """There is no database where one was named."""


class MissingSolutionError(ZermeloError, KeyError):
    """The database holds no solution of the game."""


class SolutionExistsError(ZermeloError, FileExistsError):
    """The database holds a solution of the game already."""


class AmountError(ZermeloError, ValueError):
    """What was asked for is so much that it is only done when it is asked for expressly."""


class OperationError(ZermeloError, OSError):
    """The request was right, but it could not be carried out here and now."""


class BusyError(OperationError):
    """Somebody else is at work on the same thing."""


class DamagedError(OperationError):
    """A file's bytes are not those that were written."""


class OutputExistsError(ZermeloError, FileExistsError):
    """The file to be written is there already."""


class MissingPackageError(ZermeloError, ImportError):
    """What was asked for needs a Python package that is not installed."""
