"""The compiled engine, as `engines` asks for one: it solves the games that say that their verbs are to be compiled."""

from collections import deque
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo.solver.game import Game
from zermelo.solver.progress import Progress
from zermelo.solver.walk import is_small, nearest

if TYPE_CHECKING:
    from zermelo.solver.compiled.expansion import Expander
    from zermelo.solver.compiled.retrograde import Solved

Found = TypeVar("Found")

layouts = ("packed", "rows")
codec = "keyed"
ROWS_UP_TO = 1_000_000
"""The most positions that are better stored a row a position."""


def _remembered(find: Callable[[Game[Any, Any]], Found]) -> Callable[[Game[Any, Any]], Found]:
    """The function with what it found of the games asked about last: which may not be hashable."""
    last: deque[tuple[Game[Any, Any], Found]] = deque(maxlen=8)

    def remember(game: Game[Any, Any]) -> Found:
        for known, found in last:
            if known is game:
                return found
        last.append((game, find(game)))
        return last[-1][1]

    return remember


def is_compiled(game: Game[Any, Any]) -> bool:
    """Whether the game says that it is compiled, and there is what compiles it."""
    return game.compiled and find_spec("numba") is not None


def refuses(game: Game[Any, Any], layout: str) -> str | None:
    """Why the game cannot be solved here for this layout, None if it can."""
    if not game.compiled:
        return "does not say that it is compiled"
    if missing := [package for package in ("numba", "numpy") if find_spec(package) is None]:
        return f"cannot be compiled without the extra 'fast' ({', '.join(missing)})"
    return "is so small that compiling takes longer" if layout == "rows" and _is_small(game) else None


def suits(game: Game[Any, Any]) -> str | None:
    """The layout that suits what this engine finds, None where the game is better left to another."""
    if refuses(game, "rows") is not None:
        return None
    return "packed" if count_of(game) is None else "rows"


def groups(
    game: Game[Any, Any],
    *,
    layout: str,
    after: None = None,
    jobs: int = 1,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Any]:
    """All positions as one group: `Solved`, or for rows the entries by state."""
    solved = solve(game, jobs=jobs, memory=memory, progress=progress)
    yield entries_of(game, solved) if layout == "rows" else solved


def solve(
    game: Game[Any, Any], *, jobs: int = 1, memory: int | None = None, progress: Progress | None = None
) -> "Solved":
    """The value and plies of every position that play can reach; see `Solved`."""
    from zermelo.solver.compiled import retrograde
    from zermelo.solver.compiled.crew import Crew
    from zermelo.solver.compiled.discover import Discovery

    if progress:
        progress(0, None, "compiling")
    expander = _agreeing(game)
    crew = Crew(game.spec, jobs, memory, progress)
    try:
        discovery = Discovery(expander, crew)
        discovery.run()
        return retrograde.solve(expander, discovery.finish(), game.endless, crew)
    finally:
        crew.close()


def entries_of(game: Game[Any, Any], solved: "Solved") -> dict[int, tuple[int, int | None, int | None]]:
    """The solution as `exhaustive.solve` gives it."""
    from zermelo.solver.compiled.retrograde import best_actions

    ranks, plies, best = solved.ranks, solved.plies, best_actions(expander_of(game), solved)
    order = solved.order if not solved.can_repeat else slice(None)
    columns = (solved.states[order], solved.values[ranks[order]], plies[order], best[order], solved.kinds[order])
    endless = solved.no_plies
    return {
        state: (value, None if left == endless else left, None if kind > 1 else action)
        for state, value, left, action, kind in zip(*(column.tolist() for column in columns), strict=True)
    }


@_remembered
def expander_of(game: Game[Any, Any]) -> "Expander":
    """The game's compiled rules, which are compiled once."""
    from zermelo.solver.compiled.expansion import Expander

    return Expander(game)


@_remembered
def _agreeing(game: Game[Any, Any]) -> "Expander":
    """The same, once it has been held to the plain verbs on the positions nearest to the start."""
    from zermelo.solver.compiled.agreement import require_agreement

    expander = expander_of(game)
    require_agreement(expander, nearest(game, 1000))
    return expander


_is_small = _remembered(is_small)


@_remembered
def count_of(game: Game[Any, Any]) -> int | None:
    """How many positions there are, found by counting; None where there are more than rows should be."""
    from zermelo.solver.compiled.crew import Crew
    from zermelo.solver.compiled.discover import Discovery

    crew = Crew(game.spec, 1, None, None)
    try:
        discovery = Discovery(expander_of(game), crew, most=ROWS_UP_TO)
        return int(discovery.count[0]) if discovery.run() else None
    finally:
        crew.close()
