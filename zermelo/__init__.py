"""Zermelo solves small two-player games completely and keeps the answer.

Everything that a program needs is here, and is loaded when it is first used::

    import zermelo

    zermelo.build("tictactoe")                                    # solved, and stored in zermelo.db
    with zermelo.open("zermelo.db", "tictactoe") as solution:
        print(solution["XO./.X./..O"])                            # value, plies and best move

A game is given by its name or as an object everywhere, a database as a path or a URL, and positions and moves are
texts. Values are always those of MAX, the first player. docs/python.md is the reference.
"""

from zermelo.solver import shown as _shown

TYPE_CHECKING = False  # as in `typing`, which need not be imported for it
if TYPE_CHECKING:
    import contextlib
    import os
    from typing import Any

    from zermelo.db.answers import Answer, Move
    from zermelo.db.layouts import Built
    from zermelo.db.memory import solve_in_memory as solve
    from zermelo.db.query import Solution
    from zermelo.db.query import open_solution as open  # noqa: A004
    from zermelo.db.source import Entry
    from zermelo.db.tablebase import Tablebase
    from zermelo.db.verify import Report
    from zermelo.solver.check import Failure, Verdict
    from zermelo.solver.check import check_game as check
    from zermelo.solver.errors import (
        ActionError,
        AddressError,
        AmountError,
        BuildingError,
        BusyError,
        ClosedError,
        ClosedOutputError,
        ClusterError,
        CompileError,
        DamagedError,
        DamagedSolutionError,
        DatabaseError,
        EmptyDatabaseError,
        ForeignDatabaseError,
        FormatError,
        GameError,
        IncompleteSolutionError,
        MemoryLimitError,
        MissingDatabaseError,
        MissingPackageError,
        MissingSolutionError,
        MissingTablebaseError,
        NewerSchemaError,
        NotZeroSumError,
        OlderSchemaError,
        OperationError,
        OtherGameError,
        OutputError,
        OutputExistsError,
        PositionError,
        RulesError,
        RulesNeededError,
        SearchError,
        SelectionError,
        SolutionExistsError,
        TooDeepError,
        UnknownGameError,
        UnknownPositionError,
        ZermeloError,
    )
    from zermelo.solver.game import Game
    from zermelo.solver.games import load
    from zermelo.solver.progress import Progress
    from zermelo.solver.search import Observer, SearchReport
    from zermelo.views.search.watched import SearchResult, search

    __version__: str

__all__ = [
    "ActionError", "AddressError", "AmountError", "Answer", "BuildingError", "Built", "BusyError", "ClosedError",
    "ClosedOutputError", "ClusterError", "CompileError", "DamagedError", "DamagedSolutionError", "DatabaseError", "EmptyDatabaseError", "Entry",
    "Failure", "ForeignDatabaseError", "FormatError", "Game", "GameError", "IncompleteSolutionError", "MemoryLimitError",
    "MissingDatabaseError", "MissingPackageError", "MissingSolutionError", "MissingTablebaseError", "Move",
    "NewerSchemaError", "NotZeroSumError", "Observer", "OlderSchemaError", "OperationError", "OtherGameError",
    "OutputError", "OutputExistsError", "PositionError", "Report", "RulesError", "RulesNeededError", "SearchError",
    "SearchReport", "SearchResult", "SelectionError", "Solution", "SolutionExistsError", "Tablebase", "TooDeepError",
    "UnknownGameError", "UnknownPositionError", "Verdict", "ZermeloError", "build", "check", "export", "load", "open", "search", "solve",
    "verify",
]  # fmt: skip

_PLACES = {
    "Answer": "zermelo.db.answers:Answer",
    "Built": "zermelo.db.layouts:Built",
    "Entry": "zermelo.db.source:Entry",
    "Failure": "zermelo.solver.check:Failure",
    "Game": "zermelo.solver.game:Game",
    "Move": "zermelo.db.answers:Move",
    "Observer": "zermelo.solver.search:Observer",
    "Report": "zermelo.db.verify:Report",
    "SearchReport": "zermelo.solver.search:SearchReport",
    "SearchResult": "zermelo.views.search.watched:SearchResult",
    "Solution": "zermelo.db.query:Solution",
    "Tablebase": "zermelo.db.tablebase:Tablebase",
    "Verdict": "zermelo.solver.check:Verdict",
    "check": "zermelo.solver.check:check_game",
    "load": "zermelo.solver.games:load",
    "open": "zermelo.db.query:open_solution",
    "search": "zermelo.views.search.watched:search",
    "solve": "zermelo.db.memory:solve_in_memory",
}
"""Where each name is; the errors are all in one place."""


if not TYPE_CHECKING:  # or every misspelt name would have a type

    def __getattr__(name):
        """What a name stands for, looked up once."""
        from importlib import import_module

        if name == "__version__":
            from importlib.metadata import version

            found = version("zermelo")
        elif name in __all__:
            module, _, attribute = _PLACES.get(name, f"zermelo.solver.errors:{name}").partition(":")
            found = getattr(import_module(module), attribute)
        else:
            raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})


def build(
    game: "str | Game[Any, Any]" = "tictactoe",
    *,
    db: "str | os.PathLike[str]" = "zermelo.db",
    layout: str | None = None,
    symmetry: bool = False,
    force: bool = False,
    jobs: int | None = None,
    memory: int | None = None,
    cluster: str | None = None,
    progress: "Progress | None" = None,
) -> "Built":
    """Solve `game` and store every position in the database `db`, which is made if it is not there.

    The layout, `rows` or `packed`, is the one that suits the game unless one is named. With `symmetry` one position of
    each class is stored; the answers are the same. A solution that is there already is replaced only with `force`, and
    answers until the new one is complete. A packed build goes on where an earlier one was stopped, and runs on `jobs`
    processors, by default all. `memory` is how many bytes it may take, by default most of what is free.
    `cluster` is the address of a Dask scheduler whose workers solve it instead, or `local:N` for N workers here.
    """
    from zermelo.db import store

    return store.build(
        db,
        game,
        layout=layout,
        symmetry=symmetry,
        force=force,
        jobs=jobs,
        memory=memory,
        cluster=cluster,
        progress=progress,
    )


def verify(
    solution: "Solution | str | os.PathLike[str]" = "zermelo.db",
    game: "str | Game[Any, Any] | None" = None,
    *,
    sample: int | None = None,
    seed: int | None = None,
    memory: int | None = None,
    yes: bool = False,
    progress: "Progress | None" = None,
) -> "Report":
    """Prove a solution, open or in a database, right from the rules alone; its faults are in the report.

    Packed solutions are proved within `memory` bytes, or most of what is free. Of others all positions are held in memory, so
    more than 5,000,000 are refused unless you say `yes`. With `sample` so many positions are checked against their successors, as
    random play from `seed` comes by them.
    """
    from zermelo.db import verify as proof

    with _opened(solution, game) as stored:
        if sample is not None:
            return proof.verify_sample(stored, sample, seed, progress)
        if not yes:
            proof.check_amount(stored)
        return proof.verify(stored, progress, memory=memory)


def export(
    solution: "Solution | str | os.PathLike[str]",
    path: "str | os.PathLike[str]",
    game: "str | Game[Any, Any] | None" = None,
    *,
    format: str | None = None,  # noqa: A002
    force: bool = False,
    plies: tuple[int, int] | None = None,
    value: int | None = None,
    to_move: str | None = None,
    classes: bool = False,
    yes: bool = False,
    progress: "Progress | None" = None,
) -> None:
    """Write a solution, open or in a database, to the file `path`, which appears whole or not at all.

    The format is what the file's name ends with, unless one is named: csv, jsonl, parquet, ztb (a tablebase) or html (an
    explorer page). A file that is there already is replaced only with `force`. A table holds the positions of these
    `plies` (the first and the last), of this `value` and with this player `to_move`, or one of each class; more than
    20,000,000, of packed solutions 100,000,000, are refused unless you say `yes`. `.csv.gz`, `.csv.zst` and the same of
    `.jsonl` are compressed.
    """
    from zermelo.db import export as formats
    from zermelo.db.files import whole_file
    from zermelo.db.formats import FORMATS, split_packing
    from zermelo.db.positions import Selection
    from zermelo.solver.errors import FormatError

    FORMATS["html"] = "zermelo.web.single"  # the page is made in a room above `db`
    name, packing = split_packing(path, format)
    chosen = format or name.rpartition(".")[2]
    if chosen not in FORMATS:
        named = f"the file {str(path)!r} has" if format is None else f"format {format!r} is"
        raise FormatError(f"{named} none of the formats: they are {', '.join(FORMATS)}")
    if packing:
        formats.check_packing(chosen, packing)
    selection = Selection(plies, value, to_move, classes)
    with _opened(solution, game) as stored:
        if not yes:
            formats.check_amount(stored, chosen, selection)
        with whole_file(path, force=force) as stream:
            formats.export(stream, stored, chosen, selection, progress, packing)


def _opened(
    solution: "Solution | str | os.PathLike[str]", game: "str | Game[Any, Any] | None"
) -> "contextlib.AbstractContextManager[Solution]":
    """A solution that is left open, or one that is opened for the while."""
    from contextlib import nullcontext

    from zermelo.db.query import Solution, open_solution

    return nullcontext(solution) if isinstance(solution, Solution) else open_solution(solution, game)


def _draw(shown: object) -> str | None:
    from zermelo.views.notebook import html

    return html(shown)


_shown.draw = _draw
