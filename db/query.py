"""Answers positions from a stored solution."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self, cast

from zermelo.db.catalogue import find_solution, solutions_in
from zermelo.db.engine import tablebase_path
from zermelo.db.layouts import layout_of
from zermelo.db.readers import open_reader
from zermelo.db.source import Entry, Source, agreed_entry, endless_of
from zermelo.solver.errors import ClosedError, PositionError, UnknownGameError, UnknownPositionError, ZermeloError
from zermelo.solver.game import Game
from zermelo.solver.games import load, load_stored
from zermelo.solver.preference import is_best, preference
from zermelo.solver.shown import repr_html
from zermelo.solver.zero_sum import two_players

if TYPE_CHECKING:
    import numpy as np
recent_games: deque[Game[Any, Any]] = deque(maxlen=4)
"""The games of the solutions opened last: an answer only names its game, and what draws it needs the rules."""


class Move(NamedTuple):
    """A legal move, the position after it, and what that is worth to MAX."""

    move: str
    position: str
    value: int
    plies: int | None
    optimal: bool
    """Whether no other move leads to a better value, or to the same one in better time."""


class Answer(NamedTuple):
    """Everything about a position. The value is MAX's; `moves` is best first for the side to move."""

    game: str
    position: str
    ply: int
    to_move: str | None
    terminal: bool
    value: int
    plies: int | None
    best_move: str | None
    moves: list[Move]
    line: list[str] | None = None
    """The best moves to the end of the game, or until a position comes back, where they were asked for."""
    comes_back: bool | None = None
    """Whether the line stops because a position has come back, where it was asked for."""

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain values, ready for JSON."""
        plain = {**self._asdict(), "moves": [move._asdict() for move in self.moves]}
        if self.line is None:
            del plain["line"], plain["comes_back"]
        return plain

    def _repr_html_(self) -> str | None:
        return repr_html(self)


def comes_back(line: Sequence[Move]) -> bool:
    """Whether a line of `Solution.line` stops because a position has come back, and not because the game is over."""
    return bool(line) and line[-1].plies != 0


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
            raise self._unknown(state)
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

    def answer(self, position: str, *, line: bool = False) -> Answer:
        """Everything about `position`, with the best line from there if wanted; raises as `probe` does."""
        game = self.game
        state = game.parse(position)
        terminal = game.is_terminal(state)
        actions = [] if terminal else game.actions(state)
        children = [game.result(state, action) for action in actions]
        own, *successors = self.source.lookup([state, *children])
        if own is None:
            raise self._unknown(state)

        entry = agreed_entry(self.source, game, state, own, actions, children, successors)
        moves = []
        for action, child, known in zip(actions, children, successors, strict=True):
            assert known is not None
            optimal = is_best((own.value, own.plies), (known.value, known.plies))
            moves.append(Move(game.format_action(action), game.format(child), known.value, known.plies, optimal))
        to_move = None if terminal else game.to_move(state)
        maximising, endless = to_move == game.players[0], endless_of(self.source, game)
        # Sorting keeps the game's own order among equals, so the first is the best move that is stored.
        moves.sort(key=lambda move: preference(move.value, move.plies, maximising, endless))
        facts = (own.ply, to_move, terminal, *entry, moves)
        if not line:
            return Answer(game.spec, game.format(state), *facts)
        best_line = self.line(position)
        return Answer(game.spec, game.format(state), *facts, [move.move for move in best_line], comes_back(best_line))

    def line(self, position: str) -> list[Move]:
        """The moves from `position` to the end when both sides play the best; raises as `probe` does.

        Where play need not end, they stop at the first position that has come up before; see `comes_back`.
        """
        line: list[Move] = []
        answer = self.answer(position)
        seen = {answer.position}
        while answer.moves:
            line.append(answer.moves[0])
            answer = self.answer(answer.moves[0].position)
            if answer.position in seen:
                break
            seen.add(answer.position)
        return line

    def _unknown(self, state: Any) -> UnknownPositionError:
        board = self.game.format(state)
        return UnknownPositionError(
            f"position {board!r} is not in the solution of {self.game.spec}", game=self.game.spec, position=board
        )


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
