"""Answers positions from a stored solution."""

from typing import Any, NamedTuple, Self

from db.catalogue import find_solution
from db.engine import tablebase_path
from db.readers import Reader, open_reader
from db.rows import RowSource
from db.source import Entry, Source
from solver.errors import PositionError, UnknownPositionError, ZermeloError
from solver.game import Game
from solver.games import load
from solver.preference import preference
from solver.zero_sum import two_players


class Move(NamedTuple):
    """A legal move, the position after it, and what that is worth to MAX."""

    move: str
    position: str
    value: int
    plies: int
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
    plies: int
    best_move: str | None
    moves: list[Move]
    line: list[str] | None = None
    """The best moves to the end of the game, where they were asked for."""

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain values, ready for JSON."""
        plain = {**self._asdict(), "moves": [move._asdict() for move in self.moves]}
        if self.line is None:
            del plain["line"]
        return plain


class Solution:
    """The stored solution of one game, open for reading; see `open_solution`."""

    def __init__(self, source: Source, game: Game[Any, Any]) -> None:
        self.source = source
        self.game = game

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.source.close()

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

        moves = []
        for action, child, known in zip(actions, children, successors, strict=True):
            if known is None:
                raise self._unknown(child)
            optimal = (known.value, known.plies) == (own.value, own.plies - 1)
            moves.append(Move(game.format_action(action), game.format(child), known.value, known.plies, optimal))
        to_move = None if terminal else game.to_move(state)
        maximising = to_move == game.players[0]
        # Sorting keeps the game's own order among equals, so the first is the best move that is stored.
        moves.sort(key=lambda move: preference(move.value, move.plies, maximising))
        best_move = moves[0].move if moves else None
        facts = (own.ply, to_move, terminal, own.value, own.plies, best_move, moves)
        best_line = [move.move for move in self.line(position)] if line else None
        return Answer(game.spec, game.format(state), *facts, best_line)

    def line(self, position: str) -> list[Move]:
        """The moves from `position` to the end when both sides play the best; raises as `probe` does."""
        line: list[Move] = []
        answer = self.answer(position)
        while answer.moves:
            line.append(answer.moves[0])
            answer = self.answer(answer.moves[0].position)
        return line

    def _unknown(self, state: Any) -> UnknownPositionError:
        board = self.game.format(state)
        return UnknownPositionError(f"position {board!r} is not in the solution of {self.game.spec}")


def open_solution(db: str = "zermelo.db", game: str | Game[Any, Any] | None = None) -> Solution:
    """Open the stored solution of `game` in `db`, a path, a SQLAlchemy URL or a tablebase file, for reading.

    Without a `game` it is tic-tac-toe in a database, and in a tablebase the one that it holds. Reading creates no
    file and writes none, except that it undoes what a killed build left half-written. The result is a context manager.
    """
    path = tablebase_path(db)
    if path is not None:
        from db.tablebase import open_tablebase

        return open_tablebase(path, game)
    named = "tictactoe" if game is None else game
    rules = load(named) if isinstance(named, str) else named
    two_players(rules)
    reader = open_reader(db)
    try:
        return Solution(_open_source(reader, db, rules), rules)
    except ZermeloError:
        reader.close()
        raise


def _open_source(reader: Reader, db: str, game: Game[Any, Any]) -> Source:
    if find_solution(reader, db, game.spec)["layout"] == "rows":
        return RowSource(reader, db, game)
    # What unpacks blocks is not needed for rows, and takes its time to import.
    from db.packed import PackedSource
    from solver.packed import is_board

    assert is_board(game), "only boards are packed"
    return PackedSource(reader, db, game)
