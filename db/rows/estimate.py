"""What a build of rows will take: its positions are counted, which is quick beside solving, and a few are gone through."""

import time
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from zermelo.solver.compiled.engine import ROWS_UP_TO, count_of
from zermelo.solver.compiled.engine import refuses as cannot_be_compiled
from zermelo.solver.game import Game
from zermelo.solver.walk import walk

_PATIENCE = 2.0
"""Seconds in which positions are counted where that is not compiled."""
_SAMPLE = 2000
_EXPANSIONS = 2.4
"""How often a position's moves are worked out, with its notation, between solving and storing it."""
_SECONDS_A_ROW = 13e-6
"""What storing takes beside that, of one processor, as measured."""
_STARTING = 1.0
_BYTES_A_ROW = 23
"""Bytes on the disk beside the texts."""
_MEMORY_A_ROW = 650
_BASE_MEMORY = 62_000_000
_BASE_MEMORY_COMPILED = 190_000_000
"""Bytes that the program takes, and with compiled code."""


class RowsEstimate(NamedTuple):
    """What a build will take."""

    positions: int
    seconds: float
    memory: int
    disk: int


def estimate_rows(game: Game[Any, Any]) -> RowsEstimate | int:
    """What storing a row a position will take; where there are too many positions to count, how many there are at least."""
    compiled = cannot_be_compiled(game, "rows") is None
    if compiled:
        count = count_of(game)
        some = list(islice(walk(game), _SAMPLE))
        if count is None:
            return ROWS_UP_TO
    else:
        some, count, begun = [], 0, time.process_time()
        for state in walk(game):
            if count == len(some) < _SAMPLE:
                some.append(state)
            count += 1
            if not count % 1000 and time.process_time() - begun > _PATIENCE:
                return count
    expansion, texts = _expanded(game, some)
    return RowsEstimate(
        count,
        _STARTING + count * (_SECONDS_A_ROW + _EXPANSIONS * expansion),
        (_BASE_MEMORY_COMPILED if compiled else _BASE_MEMORY) + count * _MEMORY_A_ROW,
        int(count * (_BYTES_A_ROW + texts)),
    )


def _expanded(game: Game[Any, Any], states: Sequence[Any]) -> tuple[float, float]:
    """The seconds of one processor that it takes to go through a position, and the length of its texts, in the mean."""
    texts = 0
    begun = time.process_time()
    for state in states:
        texts += len(game.format(state))
        if not game.is_terminal(state):
            moves = list(game.actions(state))
            for move in moves:
                game.result(state, move)
            texts += len(game.format_action(moves[0]))
    return (time.process_time() - begun) / len(states), texts / len(states)
