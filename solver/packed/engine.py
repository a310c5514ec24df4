"""The packed engine, as `engines` asks for one: it solves the boards whose classes say that it knows their rules."""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.solver.game import Game
from zermelo.solver.packed import knows, require
from zermelo.solver.progress import Progress
from zermelo.solver.walk import is_small

if TYPE_CHECKING:
    from zermelo.solver.packed.tasks import SharedKeeper
    from zermelo.solver.packed.work import Solved, Values

layouts = ("packed",)
codec = "board"
ROWS_UP_TO = 12
"""The most cells of a board that is better stored a row a position."""


class Keeper(Protocol):
    """Where solved groups are kept, so that they need not all be in memory, and a later build can go on."""

    def stored(self) -> Collection[int]:
        """The numbers of the groups that an earlier build has stored."""

    def read(self, number: int) -> "Values":
        """The bytes of a group that is stored."""

    def pack(self, solved: "Solved") -> Any:
        """What is to be stored of a group, made by the thread that solved it."""


def refuses(game: Game[Any, Any], _layout: str) -> str | None:
    """Why the game cannot be solved here, None if it can."""
    return None if knows(game) else "is no mnk or connect board"


def suits(game: Game[Any, Any]) -> str | None:
    """Larger boards are packed; smaller ones, and those on which play soon ends, are left to another engine."""
    return "packed" if knows(game) and game.board.cells > ROWS_UP_TO and not is_small(game) else None


def groups(
    game: Game[Any, Any],
    *,
    layout: str,
    after: "Keeper | SharedKeeper | None" = None,
    jobs: int = 1,
    memory: int | None = None,
    cluster: "tuple[Any, str, Callable[[], SharedKeeper]] | None" = None,
    progress: Progress | None = None,
) -> Iterator[list[Any]]:
    """The groups that `after` does not have yet, packed by it, in lists; whoever asks for the next has stored the last.

    With `cluster`, a client, its address and what makes a keeper for its workers, they are solved there; see `cluster`.
    """
    require("numpy", "numba")
    from zermelo.solver.packed.solve import solve

    assert knows(game)
    if cluster is not None:
        from zermelo.solver.packed.cluster import solve_on

        client, address, make_keeper = cluster
        return solve_on(client, address, game, after, make_keeper, progress)  # type: ignore[arg-type]
    return solve(game, keeper=after, jobs=jobs, memory=memory, progress=progress)
