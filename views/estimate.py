"""What a build will take, said before it is begun."""

from typing import Any

from zermelo.solver.errors import size_text
from zermelo.solver.game import Game
from zermelo.solver.packed import knows, require
from zermelo.solver.packed.estimate import places_of, processors


def estimate_line(
    game: Game[Any, Any],
    packed: bool,
    jobs: int | None = None,
    memory: int | None = None,
    *,
    symmetry: bool = False,
    elsewhere: bool = False,
) -> str:
    """A line that says what a build will take; time and memory only where it is not done elsewhere.

    >>> from zermelo.solver.games import load
    >>> estimate_line(load("tictactoe"), packed=False).split(", about ")[0]
    'mnk:3,3,3: 5,478 positions'
    """
    if knows(game) and packed:
        return _board_line(game, jobs or processors(), memory, elsewhere=elsewhere)
    if packed:
        return f"{game.spec}: how many positions there are is known once they are found"
    from zermelo.db.rows.estimate import estimate_rows

    found = estimate_rows(game)
    if isinstance(found, int):
        return f"{game.spec}: more than {found:,} positions; how many there are is known once they are found"
    # Of each class one position is stored, and how many classes there are is not counted.
    return (
        f"{game.spec}: {found.positions:,} positions, about {size_text(found.memory)} of memory,"
        f" {'at most ' if symmetry else ''}{size_text(found.disk)} on the disk, {time_text(found.seconds)}"
    )


def _board_line(game: Any, jobs: int, memory: int | None, *, elsewhere: bool) -> str:
    require("numpy", "numba", "zstandard")
    from zermelo.solver.packed.calibrate import disk_of, memory_of, seconds_of
    from zermelo.solver.packed.groups import groups_of

    groups = groups_of(game)
    places, disk = f"{game.spec}: {places_of(game):,} places to fill", f"{size_text(disk_of(groups))} on the disk"
    if elsewhere:
        return f"{places}, about {disk}"
    return (
        f"{places}, about {size_text(memory_of(groups, jobs, memory))} of memory, {disk},"
        f" {time_text(seconds_of(groups, jobs))} with {jobs} job{'s' * (jobs > 1)}"
    )


def time_text(seconds: float) -> str:
    """A time for people.

    >>> time_text(0.2), time_text(75), time_text(1000), time_text(9000)
    ('1 second', '75 seconds', '17 minutes', '2.5 hours')
    """
    if seconds < 1.5:
        return "1 second"
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.1f} hours"
