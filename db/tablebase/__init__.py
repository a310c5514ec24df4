"""The tablebase file `.ztb`: a solution as one compact, read-only file; docs/tablebase-format.md says it to the byte."""

from typing import IO, TYPE_CHECKING, Any

from db.query import Solution
from db.source import Entry
from db.tablebase import boards, rows
from db.tablebase.boards import BoardTable
from db.tablebase.container import Container, write_container
from db.tablebase.rows import RowTable
from solver.errors import GameError, MissingSolutionError
from solver.game import Game
from solver.games import load

if TYPE_CHECKING:
    import numpy as np

    from solver.exhaustive import Progress

_FACTS = ("value", "plies", "positions", "classes", "games", "tree_nodes")


def write_tablebase(stream: IO[bytes], solution: Solution, progress: "Progress | None" = None) -> None:
    """Write a stored solution to `stream` as a tablebase."""
    source, game = solution.source, solution.game
    facts = source.facts
    head: dict[str, Any] = {"game": game.spec, "rules": game.rules, "kind": "rows"}
    if game.spec.partition(":")[0] in boards.FAMILIES:
        head["kind"] = "board"
        chunks = boards.pack(boards.blocks_of(source, game, progress))
    else:
        head["by_class"] = source.by_class
        chunks = rows.pack(source.rows(), facts["positions"], progress)
    counts = [(*map(int, category), *tally) for category, tally in source.counts().items()]
    head |= {name: facts[name] for name in _FACTS}
    head |= {"zermelo": facts["zermelo_version"], "counts": [list(column) for column in zip(*counts, strict=True)]}
    write_container(stream, head, facts["digest"], chunks)


def read_facts(container: Container) -> dict[str, Any]:
    """What a row of `solutions` would say."""
    head = container.head
    try:
        return {
            "id": None,
            "game": head["game"],
            "layout": "tablebase",
            "symmetry": bool(head.get("by_class")),
            "status": "complete",
            **{name: head[name] for name in _FACTS},
            "digest": container.digest,
            "zermelo_version": head["zermelo"],
            "started_at": None,
            "finished_at": None,
        }
    except KeyError as error:
        raise container.damaged(f"its head lacks {error}") from error


class Tablebase(Solution):
    """An open tablebase: a `Solution` that answers faster, and many positions at once; see `open_tablebase`."""

    source: BoardTable | RowTable

    def probe(self, position: str) -> Entry:
        """The entry of `position`; raises `PositionError` or `UnknownPositionError` where there is none."""
        # Most positions come as they are stored; the rest, good or bad, is read the thorough way.
        entry = self.source.find(position)
        return super().probe(position) if entry is None else entry

    def probe_many(self, positions: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
        """The entries of an array of positions, as an array with the fields known, value, plies and best_move.

        Positions are texts in exactly the notation that answers show. Where `known` is false there is no such
        position, `plies` is -1 and `value` the least number there is.
        """
        from db.tablebase.batch import probe_many

        return probe_many(self, positions)


def open_tablebase(path: str, game: str | Game[Any, Any] | None = None) -> Tablebase:
    """Open a `.ztb` file for reading; the game is the one that the file names, or must agree with it.

    The result is a context manager.
    """
    container = Container(path)
    try:
        facts = read_facts(container)
        named = facts["game"] if game is None else game
        rules = load(named) if isinstance(named, str) else named
        if rules.spec != facts["game"]:
            raise MissingSolutionError(
                f"tablebase {path!r} holds {facts['game']}, not {rules.spec}: leave the game out, or name another file"
            )
        if container.head["kind"] == "rows":
            return Tablebase(RowTable(container, rules, facts), rules)
        if container.head["kind"] == "board" and hasattr(rules, "board"):
            return Tablebase(BoardTable(container, rules, facts), rules)
        raise GameError(
            f"tablebase {path!r} keeps {facts['game']} in a way that this Zermelo does not know: upgrade it"
        )
    except BaseException:
        container.close()
        raise
