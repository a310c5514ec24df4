"""What a build will take, said before it is begun."""

from typing import Any

from zermelo.solver.errors import size_text
from zermelo.solver.game import Game
from zermelo.solver.packed import knows, require
from zermelo.solver.packed.estimate import disk_of, places_of, processors


def estimate_line(game: Game[Any, Any], packed: bool, jobs: int | None = None, memory: int | None = None) -> str:
    """A line that says what a build will take.

    >>> from zermelo.solver.games import load
    >>> estimate_line(load("mnk:4,3,3"), packed=False)
    'mnk:4,3,3: one row for each position; how many there are is known once it is solved'
    """
    if not knows(game) and packed:
        return f"{game.spec}: how many positions there are is known once they are found"
    if not knows(game) or not packed:
        return f"{game.spec}: one row for each position; how many there are is known once it is solved"
    require("numpy", "numba", "zstandard")
    jobs = jobs or processors()
    from zermelo.solver.packed.calibrate import memory_of, seconds_of
    from zermelo.solver.packed.groups import Groups

    groups = Groups(game)
    return (
        f"{game.spec}: {places_of(game):,} places to fill, about {size_text(memory_of(groups, jobs, memory))} of memory,"
        f" {size_text(disk_of(game))} on the disk, {time_text(seconds_of(groups, jobs))} with {jobs} job{'s' * (jobs > 1)}"
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
