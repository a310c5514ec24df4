"""The one function that is compiled anew for each game: positions in, what the rules say of each of them out."""

import threading
import types
from typing import Any, NamedTuple, cast

import numpy as np
from numba import njit
from numba.core.errors import NumbaError

from zermelo.solver.compiled.cache import cache_file
from zermelo.solver.compiled.kernels import FIRST, OVER, SECOND
from zermelo.solver.compiled.told import explained
from zermelo.solver.compiled.verbs import NAMES, OPTIONS, Rules, bundle, whole
from zermelo.solver.errors import NotZeroSumError, RulesError
from zermelo.solver.game import Game

Array = np.ndarray[Any, Any]

FINE, STUCK, UNEQUAL, STRANGER, LARGE = range(5)
"""What can be wrong with a position: unfinished without a move, not zero-sum, nobody's turn, a value too large."""
_MOST = 2**31 - 1
MAX, MIN = NAMES


def as_self(_values: Any) -> Any:
    """Stands for what `bundle` makes."""


def expand(
    values: Any,
    states: Any,
    begin: int,
    end: int,
    kinds: Any,
    utilities: Any,
    starts: Any,
    children: Any,
    actions: Any,
    status: Any,
) -> int:
    """What the rules say of the states from `begin` to before `end`, until the room for children is full; how many.

    The i-th has the children from starts[i] to before starts[i + 1]. `actions` has room for as many, or for none.
    """
    self = as_self(values)
    used = 0
    status[0] = FINE
    for i in range(begin, end):
        k = i - begin
        state = states[i]
        starts[k] = used
        player = self.to_move(state)
        if player == MAX:
            kinds[k] = FIRST
        elif player == MIN:
            kinds[k] = SECOND
        else:
            status[0] = STRANGER
        if self.is_terminal(state):
            value = whole(self.utility(state, MAX))
            kinds[k] += OVER
            utilities[k] = value
            if value != -whole(self.utility(state, MIN)):
                status[0] = UNEQUAL
            elif value > _MOST or value < -_MOST:
                status[0] = LARGE
        else:
            for action in self.actions(state):
                if used == len(children):
                    return k
                if len(actions):
                    actions[used] = whole(action)
                children[used] = whole(self.result(state, action))
                used += 1
            if used == starts[k]:
                status[0] = STUCK
        if status[0] != FINE:
            return k
    starts[end - begin] = used
    return end - begin


class Batch(NamedTuple):
    """What the rules say of some positions: see `expand`."""

    size: int
    kinds: Any
    utilities: Any
    starts: Any
    children: Any
    actions: Any


BATCH = 4096
"""Positions that are expanded at a time: what is known of them stays in the processor's cache."""
_ROOM = 1 << 16
"""Children that there is room for at first."""


class Expander:
    """The compiled rules of one game. Threads may share it: each has buffers of its own."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self._rules = Rules(game)
        self._local = threading.local()
        self._values = self._rules.values
        self._expand = self._compiled()

    def _compiled(self) -> Any:
        """`expand` with this game's verbs, from the cache where it is there."""
        plain = cast(types.FunctionType, expand)
        names = {**globals(), "as_self": bundle(self._rules), "__name__": "zermelo.solver.compiled.expansion"}
        path = cache_file(self._rules, plain)
        if path is not None:
            kept = types.FunctionType(plain.__code__.replace(co_filename=path), names, plain.__name__)
            try:
                # What was kept may be damaged, or the folder full: then it is as if there were none.
                return self._tried(njit(kept, cache=True, **OPTIONS))
            except NumbaError as error:
                raise explained(error, self._rules) from error
            except Exception:
                pass
        try:
            return self._tried(njit(types.FunctionType(plain.__code__, names, plain.__name__), **OPTIONS))
        except NumbaError as error:
            raise explained(error, self._rules) from error

    def _tried(self, compiled: Any) -> Any:
        """The function once it has been compiled, by being called for no position at all."""
        nothing = np.zeros(1, np.int64)
        compiled(self._values, nothing, 0, 0, np.zeros(1, np.int8), nothing, nothing, nothing, nothing, nothing)
        return compiled

    def __call__(self, states: Array, begin: int, end: int, *, actions: bool = False) -> Batch:
        """What the rules say of the states from `begin` on, of `BATCH` at the most, and not after `end`.

        The arrays are used again by the next call on the same thread.
        """
        end = min(end, begin + BATCH)
        local = self._local
        if not hasattr(local, "children"):
            local.kinds, local.utilities = np.empty(BATCH, np.int8), np.empty(BATCH, np.int64)
            local.starts, local.status = np.empty(BATCH + 1, np.int64), np.zeros(1, np.int64)
            local.children = np.empty(_ROOM, np.int64)
        while True:
            moves = np.empty(len(local.children) if actions else 0, np.int64)
            arrays = (local.kinds, local.utilities, local.starts, local.children, moves, local.status)
            try:
                count = self._expand(self._values, states, begin, end, *arrays)
            except Exception as error:
                raise self._failed(states[begin:end].tolist(), error) from error
            if local.status[0] != FINE:
                raise self._wrong(int(states[begin + count]), int(local.status[0]))
            if count:
                return Batch(count, *arrays[:-1])
            local.children = np.empty(2 * len(local.children), np.int64)  # one position has so many

    def _failed(self, states: list[int], error: Exception) -> RulesError:
        """About a verb that raised an error: with the position where it does as plain Python too."""
        game = self.game
        for state in states:
            try:
                if game.is_terminal(state):
                    game.utility(state, game.players[0])
                else:
                    game.to_move(state)
                    [game.result(state, action) for action in game.actions(state)]
            except Exception as plain:
                return RulesError(f"game {game.spec!r} fails at the position {state}: {type(plain).__name__}: {plain}")
        return RulesError(f"game {game.spec!r} fails when it is compiled: {type(error).__name__}: {error}")

    def _wrong(self, state: int, status: int) -> RulesError | NotZeroSumError:
        game = self.game
        position = repr(game.format(state))
        if status == STUCK:
            return RulesError(f"game {game.spec!r} has no action in the unfinished position {position}")
        if status == STRANGER:
            return RulesError(f"game {game.spec!r} gives the turn at {position} to nobody of {', '.join(game.players)}")
        if status == LARGE:
            return RulesError(f"game {game.spec!r} has at {position} a utility that does not fit into 32 bits")
        return NotZeroSumError(
            f"game {game.spec!r} is not zero-sum: at {position} the utilities do not add up to 0", game=game.spec
        )
