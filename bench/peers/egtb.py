"""python-tictactoe: tablebases of won positions, a file for each number of stones, from the full board down."""

from collections.abc import Iterable, Mapping
from contextlib import chdir
from pathlib import Path

import numpy as np
import tictactoe
from tictactoe import egtb

from bench.peers import (
    FRESH_EARLY,
    FRESH_LATE,
    KNOWN,
    QUESTIONS,
    SIZE,
    SOLVE,
    STORE,
    STORED,
    THOUSAND,
    Task,
    Values,
    fresh,
    size_of,
    some_boards,
    truth,
)

NAME = "python-tictactoe"
PACKAGE = "python-tictactoe"
KNOWS = "value"
_ANSWER = """
import os, sys
import numpy, tictactoe
from tictactoe import egtb
os.chdir(sys.argv[1])
board = tictactoe.Board()
board.board = numpy.array([".XO".index(stone) for stone in sys.argv[2] if stone != "/"], dtype=numpy.int8).reshape(3, 3)
stones = int((board.board > 0).sum())
board.turn = tictactoe.O if stones % 2 else tictactoe.X
reader = egtb.Reader(pieces=stones + 1)
wanted = {board.turn: 2, 0: 1}
def worth(move):
    after = board.copy()
    after.push(move)
    return wanted.get(reader.index(after), 0)
row, column = max(board.possible_moves(), key=worth)
print(3 * row + column)
"""


def tasks(folder: Path) -> Mapping[str, Task | str]:
    files = folder / "egtb"
    files.mkdir()

    def store() -> None:
        with chdir(files):
            for pieces in range(9, -1, -1):
                egtb.Generator(pieces=pieces)

    def load() -> list[egtb.Reader]:
        with chdir(files):
            return [egtb.Reader(pieces=pieces) for pieces in range(10)]

    store()
    readers = load()
    boards = some_boards()
    positions = [_position(board) for board in boards]

    def named(values: list[int]) -> Values:
        return {board: _VALUES[value] for board, value in zip(boards, values, strict=True)}

    def look_up(readers: list[egtb.Reader], boards: Iterable[str]) -> list[int]:
        return [readers[9 - board.count(".")].index(_position(board)) for board in boards]

    def values(_: object) -> Values:
        found = look_up(load(), truth())
        return {board: _VALUES[value] for board, value in zip(truth(), found, strict=True)}

    def known() -> list[int]:
        return [reader.index(position) for reader, position in zip(with_stones, positions, strict=True)]

    with_stones = [readers[9 - board.count(".")] for board in boards]
    return {
        SOLVE: "only into files",
        STORE: Task(store, values),
        KNOWN: Task(known, named, len(boards)),
        STORED: Task(lambda: look_up(readers, boards), named, len(boards)),
        THOUSAND: Task(lambda: look_up(load(), boards), named),
        FRESH_EARLY: Task(lambda: fresh(_ANSWER, str(files), QUESTIONS[FRESH_EARLY])),
        FRESH_LATE: Task(lambda: fresh(_ANSWER, str(files), QUESTIONS[FRESH_LATE])),
        SIZE: Task(lambda: size_of(list(files.iterdir()))),
    }


_VALUES = {tictactoe.X: 1, 0: 0, tictactoe.O: -1}


def _position(board: str) -> tictactoe.Board:
    position = tictactoe.Board()
    stones = [".XO".index(stone) for stone in board if stone != "/"]
    position.board = np.array(stones, dtype=np.int8).reshape(3, 3)
    position.turn = tictactoe.X if stones.count(1) == stones.count(2) else tictactoe.O
    return position
