"""Alpha-beta search: minimax without the branches that cannot matter."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, NamedTuple

from zermelo.solver.game import Action, Game, State
from zermelo.solver.search.algorithm import ORDERINGS, Algorithm, Settings
from zermelo.solver.search.cutoff import Cutoff, at_depth, check_depth
from zermelo.solver.search.observer import Observer, Result, proved, recursive
from zermelo.solver.search.path import Path
from zermelo.solver.table import TranspositionTable
from zermelo.solver.zero_sum import two_players, utility_for_max

Ordering = Callable[[Any, Sequence[Any]], Sequence[Any]]
"""Given a state and its actions, the actions in the order in which to try them."""


class Bounds(NamedTuple):
    """What a table knows of a state: its value is exact when `low` is `high`, and otherwise bounded on one side."""

    low: float
    high: float
    move: Any
    left: float
    """How many plies were left to search."""


@recursive
def alphabeta(
    game: Game[State, Action],
    state: State,
    depth: float = inf,
    *,
    ordering: Ordering | None = None,
    table: TranspositionTable[State, Bounds] | None = None,
    evaluate: Callable[[State], float] | None = None,
    cutoff: Cutoff = at_depth,
    observer: Observer | None = None,
) -> Result[Action, float]:
    """The same value as minimax, and a move that leads to it, from fewer nodes.

    The value is MAX's. What came back from the other actions are bounds, so they are not among the result.

    >>> from zermelo.solver.games import load
    >>> value, move, _, report = alphabeta(load("figure:two-ply"), "A")
    >>> value, move, report.nodes, report.cutoffs
    (3, 'a1', 11, 1)
    """
    check_depth(depth)
    told, guess = observer or Observer(), evaluate or game.evaluate
    (MAX, MIN), utility = two_players(game), utility_for_max(game)  # noqa: N806 - the textbook's names
    path: Path[State] = Path()

    def leaf_value(state: State, left: float) -> float | None:
        """The value of a state that is not looked into: it is finished, or the cutoff test says so."""
        if game.is_terminal(state):
            value: float = utility(state)
            told.leaf(value)
            return value
        if cutoff(state, left):
            value = guess(state)
            told.leaf(value, estimated=True)
            return value
        return None

    def tabled(state: State, alpha: float, beta: float, left: float) -> tuple[float, Action] | None:
        """What the table knows of the state, if that is enough: as deep a search, and exact or out of the window."""
        known = None if table is None else table.probe(state)
        if known is None or known.left < left:
            return None
        if known.low == known.high or known.low >= beta:
            told.table_hit(known.low, known.move)
            return known.low, known.move
        if known.high <= alpha:
            told.table_hit(known.high, known.move)
            return known.high, known.move
        return None

    def remember(state: State, v: float, move: Action | None, alpha: float, beta: float, left: float) -> None:
        if table is not None:
            table.store(state, Bounds(-inf if v <= alpha else v, inf if v >= beta else v, move, left))

    def ordered(state: State) -> Sequence[Action]:
        actions = game.actions(state)
        return ordering(state, actions) if ordering else actions

    def max_value(state: State, alpha: float, beta: float, left: float) -> tuple[float, Action | None]:
        told.enter(state, MAX, alpha, beta)
        if path.comes_back(state):
            told.repetition(game.endless)
            return game.endless, None
        if (value := leaf_value(state, left)) is not None:
            return value, None
        if known := tabled(state, alpha, beta, left):
            return known
        v, move, floor = -inf, None, alpha
        actions = ordered(state)
        told.choices(actions)
        path.enter(state)
        for tried, a in enumerate(actions, 1):
            after = game.result(state, a)
            again = game.to_move(after) == MAX
            v2, _ = (max_value if again else min_value)(after, alpha, beta, left - 1)
            told.back(a, v2, v2 > v)
            if v2 > v:
                v, move = v2, a
                alpha = max(alpha, v)
            if v >= beta and tried < len(actions):
                told.cutoff(v, beta, actions[tried:])
                break
        if path.leave():
            remember(state, v, move, floor, beta, left)
        told.leave(v, move)
        return v, move

    def min_value(state: State, alpha: float, beta: float, left: float) -> tuple[float, Action | None]:
        told.enter(state, MIN, alpha, beta)
        if path.comes_back(state):
            told.repetition(game.endless)
            return game.endless, None
        if (value := leaf_value(state, left)) is not None:
            return value, None
        if known := tabled(state, alpha, beta, left):
            return known
        v, move, ceiling = inf, None, beta
        actions = ordered(state)
        told.choices(actions)
        path.enter(state)
        for tried, a in enumerate(actions, 1):
            after = game.result(state, a)
            again = game.to_move(after) == MIN
            v2, _ = (min_value if again else max_value)(after, alpha, beta, left - 1)
            told.back(a, v2, v2 < v)
            if v2 < v:
                v, move = v2, a
                beta = min(beta, v)
            if v <= alpha and tried < len(actions):
                told.cutoff(v, alpha, actions[tried:])
                break
        if path.leave():
            remember(state, v, move, alpha, ceiling, left)
        told.leave(v, move)
        return v, move

    search = max_value if game.to_move(state) == MAX else min_value
    value, move = search(state, -inf, inf, depth)
    return Result(value, move, {}, told.report(exact=proved(game, value, told.estimates)))


def by_evaluation(game: Game[State, Action]) -> Ordering:
    """Try first the actions after which the game's own evaluation, or the end of the game, is best for the player.

    >>> from zermelo.solver.games import load
    >>> game = load("tictactoe")
    >>> " ".join(game.format_action(cell) for cell in by_evaluation(game)(game.initial, game.actions(game.initial)))
    'b2 a1 c1 a3 c3 b1 a2 c2 b3'
    """
    first, utility = game.players[0], utility_for_max(game)

    def promise(state: State) -> float:
        return utility(state) if game.is_terminal(state) else game.evaluate(state)

    def order(state: State, actions: Sequence[Action]) -> Sequence[Action]:
        return sorted(
            actions, key=lambda action: promise(game.result(state, action)), reverse=game.to_move(state) == first
        )

    return order


def _run(game: Game[Any, Any], state: Any, settings: Settings, observer: Observer | None) -> Result[Any, float]:
    return alphabeta(
        game,
        state,
        settings.plies,
        ordering=by_evaluation(game) if settings.ordering == "evaluation" else None,
        table=TranspositionTable() if settings.table else None,
        evaluate=settings.evaluate,
        cutoff=settings.cutoff(game),
        observer=observer,
    )


def _variants(settings: Settings) -> dict[str, Settings]:
    return {
        "alphabeta" + " ordering" * (ordering != "rules") + " table" * table: settings._replace(
            ordering=ordering, table=table
        )
        for ordering in ORDERINGS
        for table in (False, True)
    }


ALGORITHM = Algorithm(_run, function="ALPHA-BETA-SEARCH", uses=("depth", "table"), variants=_variants)
