"""The tablebase file `.ztb`: a solution as one compact, read-only file; docs/tablebase-format.md says it to the byte."""

import os
from typing import IO, TYPE_CHECKING, Any

from zermelo.db.keyed import Keyed
from zermelo.db.query import Solution, rules_for
from zermelo.db.source import Entry
from zermelo.db.tablebase import boards, keyed, rows
from zermelo.db.tablebase.boards import BoardTable
from zermelo.db.tablebase.container import Container, write_container
from zermelo.db.tablebase.keyed import KeyedTable
from zermelo.db.tablebase.rows import RowTable
from zermelo.solver.errors import GameError, OtherGameError
from zermelo.solver.game import Game
from zermelo.solver.games import load_stored
from zermelo.solver.packed import knows

if TYPE_CHECKING:
    from zermelo.solver.progress import Progress

_FACTS = ("value", "plies", "positions", "classes", "games", "tree_nodes")
_LATER_FACTS = ("longest", "mover_wins", "mover_losses")
"""What files of version 1 do not say, so that they stay as they were."""
_UNCOUNTED = ("games", "tree_nodes", *_LATER_FACTS)
_LONGEST_NAME = 200
"""Of a game, as in a database."""


def kind_of(solution: Solution) -> str:
    """How a tablebase keeps the solution's positions: ``board``, ``keyed`` or ``rows``."""
    if knows(solution.game) and boards.suit(solution.source, solution.game):
        return "board"
    return "keyed" if isinstance(solution.source, Keyed) else "rows"


def write_tablebase(stream: IO[bytes], solution: Solution, progress: "Progress | None" = None) -> None:
    """Write a stored solution to `stream` as a tablebase."""
    source, game = solution.source, solution.game
    facts = source.facts
    head: dict[str, Any] = {"game": game.spec, "rules": game.rules, "kind": kind_of(solution)}
    if head["kind"] == "board":
        assert knows(game)
        chunks = boards.pack(boards.blocks_of(source, game, progress))
    elif isinstance(source, Keyed):
        chunks = keyed.pack(source, progress)
    else:
        head["by_class"] = source.by_class
        chunks = rows.pack(source.rows(), facts["positions"], progress)
    counts = [(*map(int, category), *tally) for category, tally in source.counts().items()]
    head |= {name: facts[name] for name in _FACTS}
    if facts["rules_at"] is not None:
        head["rules_at"] = facts["rules_at"]
    head |= {"zermelo": facts["zermelo_version"], "counts": [list(column) for column in zip(*counts, strict=True)]}
    if not facts["can_repeat"]:
        write_container(stream, head, facts["digest"], chunks)
        return
    head |= {name: facts[name] for name in ("can_repeat", *_LATER_FACTS)}
    write_container(stream, head, facts["digest"], chunks, version=2)


def read_facts(container: Container) -> dict[str, Any]:
    """What a row of `solutions` would say."""
    head = container.head
    kinds: dict[str, type] = {**dict.fromkeys(("game", "zermelo", "kind"), str), **dict.fromkeys(_FACTS, int)}
    optional = set(_UNCOUNTED)
    if container.version > 1:
        kinds |= {"can_repeat": bool, **dict.fromkeys(_LATER_FACTS, int)}
        optional.add("plies")
    for name, kind in kinds.items():
        if name not in head:
            raise container.damaged(f"its head lacks {name!r}")
        if type(head[name]) is not kind and (head[name] is not None or name not in optional):
            raise container.damaged(f"its head has no {kind.__name__} as {name!r}")
    if len(head["game"]) > _LONGEST_NAME or not head["game"].isprintable():
        raise container.damaged("it names no game")
    return {
        "id": None,
        "game": head["game"],
        "layout": "tablebase",
        "codec": None if head["kind"] == "rows" else head["kind"],
        "can_repeat": container.version > 1 and head["can_repeat"],
        "symmetry": bool(head.get("by_class")),
        "status": "complete",
        **{name: head[name] for name in _FACTS},
        "rules_at": rules_at if isinstance(rules_at := head.get("rules_at"), str) and rules_at.isprintable() else None,
        **{name: head[name] if container.version > 1 else None for name in _LATER_FACTS},
        "digest": container.digest,
        "zermelo_version": head["zermelo"],
        "started_at": None,
        "finished_at": None,
    }


class Tablebase(Solution):
    """An open tablebase: a `Solution` that answers faster; see `open_tablebase`."""

    source: BoardTable | KeyedTable | RowTable

    def probe(self, position: str) -> Entry:
        """The entry of `position`; raises `PositionError` or `UnknownPositionError` where there is none."""
        # Most positions come as they are stored; the rest, good or bad, is read the thorough way.
        entry = self.source.find(position)
        return super().probe(position) if entry is None else entry


def open_tablebase(path: str | os.PathLike[str], game: str | Game[Any, Any] | None = None) -> Tablebase:
    """Open a `.ztb` file for reading; the game is the one that the file names, or must agree with it.

    The result is a context manager.
    """
    path = os.fspath(path)
    container = Container(path)
    try:
        facts = read_facts(container)
        where = f"tablebase {path!r}"
        if game is None:
            rules = load_stored(facts["game"], where, facts["rules_at"])
        else:
            rules = rules_for(game, where, lambda: [facts])
        if rules.spec != facts["game"]:
            held = facts["game"]
            raise OtherGameError(
                f"tablebase {path!r} holds {held}, not {rules.spec}", db=path, game=rules.spec, held=held
            )
        if container.head["kind"] == "rows":
            return Tablebase(RowTable(container, rules, facts), rules)
        if container.head["kind"] == "keyed":
            return Tablebase(KeyedTable(container, rules, facts), rules)
        if container.head["kind"] == "board" and knows(rules):
            return Tablebase(BoardTable(container, rules, facts), rules)
        raise GameError(
            f"tablebase {path!r} keeps {facts['game']} in a way that this version of Zermelo cannot read: a newer one can"
        )
    except BaseException:
        container.close()
        raise
