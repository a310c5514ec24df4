"""The fast engine for boards: positions that share the cells that are taken are solved and stored as one block.

`blocks` says where a position is found and what its byte means, in plain Python: all that a look-up needs; `many` finds
many at once. `estimate` says what solving will take, and `calibrate` how fast it goes here. `layers` solves, with what is
compiled in `cells`, `ends` and `kernels` and looked up in `tables`; that needs the extra `fast`.
"""

from importlib.util import find_spec
from typing import Protocol, TypeGuard

from solver.errors import GameError, MissingPackageError
from solver.game import Action, Game, State
from solver.games.mnk import MNK

ROWS_UP_TO = 12
"""The most cells of a board that is better stored a row a position."""


def is_board(game: object) -> TypeGuard[MNK]:
    """Whether the engine knows the game's rules."""
    return isinstance(game, MNK)


class LayerProgress(Protocol):
    """Called now and then with how many positions are done, of how many if that is known, and what is being done."""

    def __call__(self, done: int, total: int | None, stage: str = ..., /) -> object: ...


def choose_layout(game: Game[State, Action], wanted: str | None = None, *, symmetry: bool = False) -> str:
    """The layout in which a game is stored: `rows` for small ones, `packed` for boards of 13 cells and more.

    >>> choose_layout(MNK(4, 3, 3)), choose_layout(MNK(4, 4, 4)), choose_layout(MNK(4, 3, 3), "packed")
    ('rows', 'packed', 'packed')
    """
    if wanted == "packed" and not is_board(game):
        raise GameError(f"game {game.spec!r} cannot be packed: mnk and connect boards can, all else is stored in rows")
    if wanted == "packed" and symmetry:
        raise GameError(f"game {game.spec!r} was asked for packed and with --symmetry: that is for the layout rows")
    if wanted:
        return wanted
    return "packed" if is_board(game) and game.board.cells > ROWS_UP_TO and not symmetry else "rows"


def require(*packages: str) -> None:
    """Refuse to go on without these packages, in one line that says how to get them."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise MissingPackageError(
            f"the layout packed needs {', '.join(missing)}: install what it takes with `pip install zermelo[fast]`"
        )
