"""A game in, the entry of every position that play can reach out: backward induction, or retrograde analysis.

Backward induction solves a position once its successors are solved. Where play can come back to a position, which is
found on the way, there is nothing to begin with, and `retrograde` solves the game.
"""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from zermelo.solver.errors import RulesError
from zermelo.solver.game import Action, Game, State
from zermelo.solver.progress import Progress
from zermelo.solver.retrograde import solve_backward
from zermelo.solver.table import TranspositionTable

layouts = ("rows",)
codec = None

_REPORT_EVERY = 4096
_BACK = cast(Any, object())


Entries = dict[State, tuple[int, int | None, Action | None]]
"""Value from MAX's side, plies to the end and best action of each position; plies are None where play need not end.

Successors come before predecessors where play cannot come back to a position.
"""


def refuses(_game: Game[Any, Any], _layout: str) -> str | None:
    """Why the game cannot be solved here, which every finite game can."""
    return None


def suits(_game: Game[Any, Any]) -> str:
    """Every game can be stored in rows."""
    return "rows"


def groups(
    game: Game[State, Action],
    *,
    layout: str,
    after: None = None,
    jobs: int = 1,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Entries[State, Action]]:
    """All positions as one group, on one processor: see `engines`."""
    yield solve(game, progress=progress)


def solve(
    game: Game[State, Action],
    table: TranspositionTable[State, tuple[int, int | None, Action | None]] | None = None,
    progress: Progress | None = None,
) -> Entries[State, Action]:
    """The minimax value (from MAX's side), plies and best action of every position that play can reach.

    MAX takes the higher value and MIN the lower; among equal values the winning side hurries, the
    losing side delays, and in a draw both hurry; what is then still equal falls to the first action. Where play can
    come back to a position, `preference` says what changes.

    >>> from zermelo.solver.games.mnk import MNK
    >>> game = MNK(3, 3, 3)
    >>> entries = solve(game)
    >>> len(entries), entries[game.initial], entries[game.parse("XO./.X./..O")]
    (5478, (0, 9, 0), (1, 3, 3))
    """
    table = TranspositionTable() if table is None else table
    known, store = cast("dict[State, tuple[int, int, Action | None]]", table.entries), table.store
    is_terminal, to_move, actions_of, result = game.is_terminal, game.to_move, game.actions, game.result
    maximiser = game.players[0]
    next_report = _REPORT_EVERY

    # The walk is depth first on a stack of its own, so that the longest game is no deeper than memory. The positions
    # between the start and where the walk is are under way, innermost last; _BACK on the stack is the way back to it.
    stack: list[State] = [game.initial]
    under_way: dict[State, tuple[Sequence[Action], list[State]]] = {}
    while stack:
        state = stack.pop()
        if state is _BACK:
            state, (actions, children) = under_way.popitem()
        elif state in known:
            continue
        elif is_terminal(state):
            store(state, (game.utility(state, maximiser), 0, None))
            continue
        else:
            actions = actions_of(state)
            if not actions:
                raise RulesError(f"game {game.spec!r} has no action in the unfinished position {game.format(state)!r}")
            children = [result(state, action) for action in actions]
            unknown = [child for child in children if child not in known]
            table.misses += len(unknown)
            table.hits += len(children) - len(unknown)
            if unknown:
                under_way[state] = actions, children
                if any(child in under_way for child in unknown):
                    table.clear()
                    solve_backward(game, table, progress)
                    return table.entries
                stack.append(_BACK)
                stack += unknown
                continue

        # The same loop twice: asking whose turn it is inside it would cost a tenth of the whole walk.
        best = 0
        best_value, best_plies, _ = known[children[0]]
        if to_move(state) == maximiser:
            for i, child in enumerate(children):
                value, plies, _ = known[child]
                if value > best_value or (
                    value == best_value and (plies < best_plies if value >= 0 else plies > best_plies)
                ):
                    best, best_value, best_plies = i, value, plies
        else:
            for i, child in enumerate(children):
                value, plies, _ = known[child]
                if value < best_value or (
                    value == best_value and (plies < best_plies if value <= 0 else plies > best_plies)
                ):
                    best, best_value, best_plies = i, value, plies
        store(state, (best_value, best_plies + 1, actions[best]))
        if progress and table.stores >= next_report:
            progress(table.stores, None)
            next_report = table.stores + _REPORT_EVERY
    if progress:
        progress(table.stores, table.stores)
    return table.entries
