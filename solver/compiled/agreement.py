"""Holding the compiled verbs to the plain ones: numbers that outgrow 64 bits, for one, go unnoticed in compiled code."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from zermelo.solver.compiled.expansion import Expander
from zermelo.solver.compiled.kernels import FIRST, OVER
from zermelo.solver.errors import CompileError, RulesError
from zermelo.solver.game import Game


def require_agreement(expander: Expander, states: Sequence[int]) -> None:
    """Refuse rules that are others once they are compiled."""
    game = expander.game
    for state, verb, reason in disagreements(expander, states):
        raise CompileError(
            f"game {game.spec!r} plays by other rules when it is compiled: at {game.format(state)!r} {verb} {reason}",
            game=game.spec, verb=verb, file=None, line=None,
        )  # fmt: skip


def disagreements(expander: Expander, states: Sequence[int]) -> Iterator[tuple[int, str, str]]:
    """Each state where a compiled verb says something else than the plain one: the state, the verb, and what each says."""
    try:
        array = np.array(states, np.int64)
        if min(states, default=0) < 0:
            raise OverflowError
    except (OverflowError, ValueError, TypeError):
        wrong = next(state for state in states if not (type(state) is int and 0 <= state < 2**63))
        yield wrong, "result", "is not a whole number from 0 to 2**63 - 1"
        return
    begin = 0
    while begin < len(array):
        try:
            batch = expander(array, begin, len(array), actions=True)
        except RulesError as error:
            yield states[begin], "is_terminal", str(error)
            return
        for i in range(batch.size):
            compiled = _compiled(batch, i)
            plain = _plain(expander.game, states[begin + i])
            for verb, answer in plain.items():
                if compiled[verb] != answer:
                    yield states[begin + i], verb, f"is {compiled[verb]!r}, and as plain Python {answer!r}"
        begin += batch.size


def _compiled(batch: Any, i: int) -> dict[str, Any]:
    here = slice(batch.starts[i], batch.starts[i + 1])
    over = bool(batch.kinds[i] >= OVER)
    return {
        "is_terminal": over,
        "to_move": int(batch.kinds[i] % OVER == FIRST),
        "actions": [] if over else batch.actions[here].tolist(),
        "result": [] if over else batch.children[here].tolist(),
        "utility": int(batch.utilities[i]) if over else None,
    }


def _plain(game: Game[int, int], state: int) -> dict[str, Any]:
    over = bool(game.is_terminal(state))
    actions = [] if over else list(game.actions(state))
    return {
        "is_terminal": over,
        "to_move": int(game.to_move(state) == game.players[0]),
        "actions": actions,
        "result": [game.result(state, action) for action in actions],
        "utility": game.utility(state, game.players[0]) if over else None,
    }
