"""Many positions from one look: the same answers as one by one, in every store; and how many replies to a move are mistakes."""

import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zermelo.db.answers import Answer, Move
from zermelo.db.memory import solve_in_memory
from zermelo.db.query import Solution, open_solution
from zermelo.db.readers import ServerReader
from zermelo.db.store import build
from zermelo.db.tablebase import write_tablebase
from zermelo.solver.compiled import blocks
from zermelo.solver.errors import DamagedError, PositionError, UnknownPositionError, ZermeloError
from zermelo.solver.exhaustive import solve
from zermelo.solver.game import Game
from zermelo.solver.games import load

GAMES = ("mnk:3,3,3", "connect:3,3,3", "mnk:3,3,3,misere", "dodgem:3")
"""Boards, one with gravity; and one of whole numbers in which play can come back."""
STORES = ("rows", "rows by class", "SQLAlchemy", "packed", "tablebase", "chunks", "tablebase of classes")


QUICK = ("connect:3,3,3 rows", "connect:3,3,3 chunks", "dodgem:3 packed")

solved = lru_cache(lambda spec: solve(load(spec)))


def stores() -> Iterator[Any]:
    """Every game in every store; what takes long is for the slow tests."""
    for case in (f"{game} {store}" for game in GAMES for store in STORES):
        yield pytest.param(case, marks=() if case in QUICK else pytest.mark.slow)


@pytest.fixture(scope="module", params=stores())
def solution(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Solution]:
    """A game stored in some way; of what is packed, so little in a block that there are many."""
    spec, _, store = request.param.partition(" ")
    path = tmp_path_factory.mktemp("stored") / "zermelo.db"
    packed = store in ("packed", "chunks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "SIZE", 100)
        build(str(path), load(spec), layout="packed" if packed else "rows", symmetry="class" in store)
    where = path
    if store in ("tablebase", "chunks", "tablebase of classes"):
        where = path.with_suffix(".ztb")
        with open_solution(path, spec) as stored, where.open("wb") as stream:
            write_tablebase(stream, stored)
    with pytest.MonkeyPatch.context() as patch:
        if store == "SQLAlchemy":
            patch.setattr("zermelo.db.query.open_reader", lambda db: ServerReader(f"sqlite:///{db}"))
        opened = open_solution(where, spec)
    if store == "chunks":
        opened.source.small = False  # type: ignore[attr-defined]
    with opened:
        yield opened


def mistakes(game: Game[Any, Any], entries: dict[Any, Any], state: Any, child: Any) -> tuple[int, int]:
    """How many replies to a move would be mistakes, and of how many, in words of this test's own: worse for who replies."""
    if game.is_terminal(child) or game.to_move(child) == game.to_move(state):
        return 0, 0
    sign = 1 if game.to_move(child) == game.players[0] else -1
    after = [sign * entries[game.result(child, reply)][0] for reply in game.actions(child)]
    return sum(value < sign * entries[child][0] for value in after), len(after)


def test_every_position_at_once(solution: Solution) -> None:
    """Each as it is answered alone, with its line and traps and without; the traps are those that the solver's values say."""
    game = solution.game
    entries = solved(game.spec)
    texts = [game.format(state) for state in entries]
    alone = {text: solution.answer(text) for text in texts}
    assert list(solution.answers(texts)) == list(alone.values())
    some = texts[:: len(texts) // 100]
    assert list(solution.answers(some, line=True)) == [solution.answer(text, line=True) for text in some]
    for state, answer in zip(entries, solution.answers(texts, traps=True), strict=True):
        assert isinstance(answer, Answer)
        for move in answer.moves:
            assert (move.traps, move.replies) == mistakes(game, entries, state, game.parse(move.position))
        bare = [move._replace(traps=None, replies=None) for move in answer.moves]
        assert answer._replace(moves=bare) == alone[answer.position]


def test_probe_many_is_probe_for_each(solution: Solution) -> None:
    """All positions in one array, among them what is none."""
    game = solution.game
    texts = [*map(game.format, solved(game.spec)), "nothing", ""]
    found = solution.probe_many(np.array(texts))
    for text, (known, value, plies, best_move) in zip(texts, found.tolist(), strict=True):
        entry = solution.get(text)
        assert known == (entry is not None)
        if entry is not None:
            assert (value, None if plies < 0 else plies, best_move or None) == tuple(entry)


def test_what_is_no_position_stands_in_its_place(solution: Solution) -> None:
    """The error that `answer` raises, and the others are answered all the same."""
    start = solution.game.format(solution.game.initial)
    first, none, twice, last = solution.answers([start, "nothing", start, f" {start} "])
    assert first == twice == last == solution.answer(start)
    assert isinstance(none, PositionError)
    assert list(solution.answers([])) == []


def test_one_damaged_row_spoils_only_what_needs_it(tmp_path: Path) -> None:
    """Of all positions, those are refused that are refused one by one."""
    path = tmp_path / "zermelo.db"
    build(str(path), load("tictactoe"))
    with sqlite3.connect(path) as connection:
        connection.execute("update positions set value = -1 where board = 'XO./.X./..O'")
    texts = [".../.../...", "XO./.X./..O", "XO./.X./O..", "XO./XX./..O", "X../.../..."]
    with open_solution(path) as solution:
        found = list(solution.answers(texts))
        assert [isinstance(one, DamagedError) for one in found] == [False, True, False, False, False]
        around = list(solution.answers(["XO./.X./...", "XO./.X./..O"]))
        assert all(isinstance(one, DamagedError) for one in around)


def test_a_position_that_the_solution_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named as `answer` names it, and where it is only a reply the answer with traps says what is lacking."""
    path = tmp_path / "zermelo.db"
    build(str(path), load("tictactoe"))
    with sqlite3.connect(path) as connection:
        connection.execute("delete from positions where board = 'XO./.../...'")
    monkeypatch.setattr("zermelo.db.rows.source._SMALL", 1000)
    with open_solution(path) as solution:
        assert isinstance(next(solution.answers(["XO./.../..."])), UnknownPositionError)
        assert isinstance(next(solution.answers([".../.../..."])), Answer)
        lacking = next(solution.answers([".../.../..."], traps=True))
        assert isinstance(lacking, ZermeloError)
        assert "lacks 'XO./.../...', to which 'X../.../...' leads" in str(lacking)


class TestTraps:
    """What asks most of the opponent."""

    solution = solve_in_memory("tictactoe")

    def test_the_corner_is_the_trickiest_opening(self) -> None:
        """After a corner only the centre holds for O; after any other opening half of the replies do."""
        answer = self.solution.answer(".../.../...", traps=True)
        assert {move.move: (move.traps, move.replies) for move in answer.moves} == {
            **dict.fromkeys(("a1", "c1", "a3", "c3"), (7, 8)),
            **dict.fromkeys(("b1", "a2", "b2", "c2", "b3"), (4, 8)),
        }
        assert [move.move for move in answer.trickiest()] == ["a1", "c1", "a3", "c3"]
        assert [move.move for move in answer.by_traps().moves[:5]] == ["a1", "c1", "a3", "c3", "b1"]
        assert answer.by_traps().best_move == answer.best_move == "a1"

    def test_only_equal_moves_change_places(self) -> None:
        """A move that is worse stays behind, however many traps it sets; a lost side asks most before it loses."""
        answer = self.solution.answer("X../.../...", traps=True).by_traps()
        assert [(move.move, move.traps) for move in answer.moves[:3]] == [("b2", 0), ("c3", 5), ("b1", 4)]
        assert [move.move for move in answer.trickiest()] == ["b2"]

    def test_the_share_counts_before_the_number(self) -> None:
        """Two of three replies are more of a trap than three of five; of four and two of each half, the four."""
        moves = [
            Move(name, name, 0, None, True, *counts) for name, counts in {"a": (3, 5), "b": (2, 3), "c": (4, 6)}.items()
        ]
        answer = Answer("game", "start", 0, "X", False, 0, None, "a", moves)
        assert [move.move for move in answer.by_traps().moves] == ["c", "b", "a"]
        assert [move.move for move in answer.trickiest()] == ["c"]

    def test_who_moves_again_gets_no_reply(self) -> None:
        """In Kalah a last seed in one's own store gives another turn: the opponent has no reply to that move."""
        solution = solve_in_memory("kalah:2,2")
        game = solution.game
        entries = solve(game)
        again = 0
        for state in entries:
            for move in solution.answer(game.format(state), traps=True).moves:
                child = game.parse(move.position)
                assert (move.traps, move.replies) == mistakes(game, entries, state, child)
                again += not game.is_terminal(child) and game.to_move(child) == game.to_move(state)
        assert again

    def test_plain_values_have_them_only_where_they_were_asked_for(self) -> None:
        """Two keys at the end of each move."""
        plain = self.solution.answer("XOX/OO./.X.").as_dict()["moves"][0]
        assert list(plain) == ["move", "position", "value", "plies", "optimal"]
        asked = self.solution.answer("XOX/OO./.X.", traps=True).as_dict()["moves"][0]
        assert asked == {**plain, "traps": 1, "replies": 2}
