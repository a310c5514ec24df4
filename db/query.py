"""Answers positions from a stored solution."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, Self, cast

from zermelo.db.answers import Answer, Move, answer_each, answer_some, lines_from, unknown
from zermelo.db.catalogue import find_solution, solutions_in
from zermelo.db.engine import tablebase_path
from zermelo.db.layouts import layout_of
from zermelo.db.readers import open_reader
from zermelo.db.source import Entry, Source
from zermelo.solver.errors import ClosedError, PositionError, UnknownGameError, UnknownPositionError, ZermeloError
from zermelo.solver.game import Game
from zermelo.solver.games import load, load_stored
from zermelo.solver.shown import repr_html
from zermelo.solver.zero_sum import two_players

if TYPE_CHECKING:
    import numpy as np
recent_games: deque[Game[Any, Any]] = deque(maxlen=4)
"""The games of the solutions opened last: an answer only names its game, and what draws it needs the rules."""


class _Closed:
    """In the place of a solution's source once that is closed: whatever is asked of it, it says so."""

    def __init__(self, game: str) -> None:
        self._game = game

    def __getattr__(self, _name: str) -> NoReturn:
        raise ClosedError(f"the solution of {self._game} is closed: open it again to ask it")

    def close(self) -> None:
        """It is closed already."""


class Solution:
    """The solution of one game, open for reading; see `open_solution`.

    It is a container of positions, which are texts: `len`, `in`, `[position]` and iteration are as they are for a
    dictionary from positions to entries, except that positions may be written in other ways that the game reads.

    Threads may share it, and ask it at the same time; so may a process that was forked, which opens the file anew.
    """

    def __init__(self, source: Source, game: Game[Any, Any]) -> None:
        self.source = source
        self.game = game
        recent_games.append(game)

    _repr_html_ = repr_html

    def __repr__(self) -> str:
        kind = f"<{type(self).__name__} of {self.game.spec}"
        if isinstance(self.source, _Closed):
            return f"{kind}: closed>"
        facts = self.source.facts
        where = {"tablebase": "", "memory": " in memory"}.get(facts["layout"], f" in {facts['layout']}")
        plies = ", play need not end" if facts["plies"] is None else f" in {facts['plies']} plies"
        return f"{kind}: {len(self):,} positions{where}, value {facts['value']}{plies}>"

    def __len__(self) -> int:
        """How many positions there are, all of every class."""
        return int(self.source.facts["positions"])

    def __contains__(self, position: object) -> bool:
        return isinstance(position, str) and self.get(position) is not None

    def __getitem__(self, position: str) -> Entry:
        """The same as `probe`."""
        return self.probe(position)

    def __iter__(self) -> Iterator[str]:
        """Every position once, as text, in constant memory; sorted where a row a position is stored."""
        source, game = self.source, self.game
        for row in source.rows():
            if source.by_class:
                state = game.parse(row.board)
                boards = dict.fromkeys(game.format(symmetry(state)) for symmetry in game.symmetries)
            else:
                boards = {row.board: None}
            for board in boards:
                yield board
                if self.source is not source:
                    self.probe(board)  # which says that it is closed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database; what is asked afterwards raises `ClosedError`."""
        self.source.close()
        self.source = cast(Source, _Closed(self.game.spec))

    def probe(self, position: str) -> Entry:
        """The entry of `position`; raises `PositionError` or `UnknownPositionError` where there is none."""
        state = self.game.parse(position)
        entry = self.source.probe(state)
        if entry is None:
            raise unknown(self.game, state)
        return entry

    def get(self, position: str) -> Entry | None:
        """The entry of `position`, or None if the solution holds no such position."""
        try:
            return self.probe(position)
        except (PositionError, UnknownPositionError):
            return None

    def probe_many(self, positions: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
        """The entries of an array of positions, as an array with the fields known, value, plies and best_move.

        Positions are texts in exactly the notation that answers show. Where `known` is false there is no such
        position, `plies` is -1 and `value` the least number there is; where play need not end, `plies` is -1 too.
        """
        from zermelo.db.batch import probe_many

        return probe_many(self, positions)

    def moves(self, position: str) -> list[Move]:
        """Every legal move in `position`, best first for the side to move; empty when the game is over."""
        return self.answer(position).moves

    def answer(self, position: str, *, line: bool = False, traps: bool = False) -> Answer:
        """Everything about `position`; raises as `probe` does.

        With `line` the best moves from there to the end come with it, with `traps` how many of the opponent's replies
        to each move would be mistakes.
        """
        answer = answer_some(self.source, self.game, [position], line=line, traps=traps)[0]
        if isinstance(answer, ZermeloError):
            raise answer
        return answer

    def answers(
        self, positions: Iterable[str], *, line: bool = False, traps: bool = False
    ) -> Iterator[Answer | ZermeloError]:
        """The answer to each of many positions, in their order; for what cannot be answered, the error that `answer` raises.

        They are looked up many at a time, which is far faster than one after the other.

        >>> from zermelo.db.memory import solve_in_memory
        >>> board, none = solve_in_memory("tictactoe").answers(["XO./.X./..O", "XXX/OOO/..."])
        >>> board.best_move, none
        ('a2', PositionError("position 'XXX/OOO/...' cannot occur: X has a line, so O could not have moved after it"))
        """
        return answer_each(self.source, self.game, positions, line=line, traps=traps)

    def line(self, position: str) -> list[Move]:
        """The moves from `position` to the end when both sides play the best; raises as `probe` does.

        Where play need not end, they stop at the first position that has come up before; see `comes_back`.
        """
        return lines_from(self.source, self.game, [self.answer(position)])[0]


def rules_for(game: str | Game[Any, Any], where: str, held: Callable[[], Iterable[dict[str, Any]]]) -> Game[Any, Any]:
    """The rules that whoever asks names, or means by the name under which their solution is held there."""
    try:
        return load(game)
    except UnknownGameError:
        try:
            facts = next((facts for facts in held() if facts["game"] == game), None)
        except ZermeloError:
            facts = None
        if facts is None:
            raise
    return load_stored(facts["game"], where, facts["rules_at"])


def open_solution(db: str | os.PathLike[str] = "zermelo.db", game: str | Game[Any, Any] | None = None) -> Solution:
    """Open the stored solution of `game` in `db`, a path, a SQLAlchemy URL or a tablebase file, for reading.

    Without a `game` it is tic-tac-toe in a database, and in a tablebase the one that it holds. Reading creates no
    file and writes none, except that it undoes what a killed build left half-written. The result is a context manager.
    """
    db = os.fspath(db)
    path = tablebase_path(db)
    if path is not None:
        from zermelo.db.tablebase import open_tablebase

        return open_tablebase(path, game)
    rules = rules_for("tictactoe" if game is None else game, f"database {db!r}", lambda: solutions_in(db))
    two_players(rules)
    reader = open_reader(db)
    try:
        layout = layout_of(find_solution(reader, db, rules.spec)["layout"], db)
        return Solution(layout.open_source(reader, db, rules), rules)
    except ZermeloError:
        reader.close()
        raise
