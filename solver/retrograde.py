"""Retrograde analysis: from the ends of the game backward, for games in which play can come back to a position.

What a side can force is found by its distance from the ends: first what is finished, then what leads there in one move,
and so on. What is never found this way is what neither side can force to an end, and worth `Game.endless`.
"""

from array import array
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from zermelo.solver.errors import RulesError
from zermelo.solver.game import Action, Game, State
from zermelo.solver.progress import Progress
from zermelo.solver.table import TranspositionTable

_REPORT_EVERY = 4096


class _Graph(NamedTuple):
    """Everything that play reaches from the start, by number in the order of reaching it.

    The successors of position n are `children[first[n]:first[n + 1]]`, in the game's own order of actions.
    """

    states: list[Any]
    first: "array[int]"
    children: "array[int]"
    maximising: bytearray
    """Whether it is MAX's turn."""
    finished: dict[int, int]
    """The utility to MAX of the positions where the game is over."""


def solve_backward(
    game: Game[State, Action],
    table: TranspositionTable[State, tuple[int, int | None, Action | None]],
    progress: Progress | None = None,
    start: State | None = None,
) -> None:
    """Put the entry of every position that play can reach, from the game's own start if none is given, into the table.

    Above `endless` MAX hurries and MIN delays, below it the other way round, and at it, where plies are None unless the
    game is over, the best action is the first that keeps the value.
    """
    graph = _explore(game, game.initial if start is None else start, progress)
    values: list[int] = [game.endless] * len(graph.states)
    plies: list[int | None] = [None] * len(graph.states)
    for number, utility in graph.finished.items():
        values[number], plies[number] = utility, 0
    parents = _parents(graph)
    utilities = sorted(set(graph.finished.values()))
    _force(graph, parents, values, plies, [v for v in reversed(utilities) if v > game.endless], 1)
    _force(graph, parents, values, plies, [v for v in utilities if v < game.endless], 0)

    for number, state in enumerate(graph.states):
        value, left = values[number], plies[number]
        action = None
        if left != 0:
            after = graph.children[graph.first[number] : graph.first[number + 1]]
            best = next(
                i
                for i, child in enumerate(after)
                if values[child] == value and (left is None or plies[child] == left - 1)
            )
            action = game.actions(state)[best]
        table.store(state, (value, left, action))
    if progress:
        progress(len(graph.states), len(graph.states))


def comes_back(game: Game[State, Action], start: State, most: int = 10_000) -> bool:
    """Whether play from `start` is seen to come back to a position, among the first so many positions of a walk.

    The walk is depth first, so that where play can come back, that shows soon.

    >>> from zermelo.solver.games import load
    >>> [comes_back(game, game.initial) for game in (load("dodgem:3"), load("tictactoe"))]
    [True, False]
    """
    known: set[State] = set()
    under_way: dict[State, Iterator[State]] = {}

    def below(state: State) -> Iterator[State]:
        return iter(() if game.is_terminal(state) else [game.result(state, action) for action in game.actions(state)])

    under_way[start] = below(start)
    while under_way and len(known) < most:
        state, left = next(reversed(under_way.items()))
        child = next(left, None)
        if child is None:
            known.add(state)
            del under_way[state]
        elif child in under_way:
            return True
        elif child not in known:
            under_way[child] = below(child)
    return False


def _explore(game: Game[State, Action], start: State, progress: Progress | None) -> _Graph:
    is_terminal, to_move, actions_of, result = game.is_terminal, game.to_move, game.actions, game.result
    maximiser = game.players[0]
    states: list[State] = [start]
    numbers: dict[State, int] = {start: 0}
    first, children = array("q", [0]), array("q")
    maximising = bytearray()
    finished: dict[int, int] = {}
    for number, state in enumerate(states):  # which grows meanwhile
        if is_terminal(state):
            finished[number] = game.utility(state, maximiser)
            maximising.append(0)
        else:
            actions: Sequence[Action] = actions_of(state)
            if not actions:
                raise RulesError(f"game {game.spec!r} has no action in the unfinished position {game.format(state)!r}")
            for action in actions:
                child = result(state, action)
                known = numbers.setdefault(child, len(states))
                if known == len(states):
                    states.append(child)
                children.append(known)
            maximising.append(to_move(state) == maximiser)
        first.append(len(children))
        if progress and not number % _REPORT_EVERY:
            progress(number, None)
    return _Graph(states, first, children, maximising, finished)


def _parents(graph: _Graph) -> tuple["array[int]", "array[int]"]:
    """The predecessors of each position, once for each action that leads from there to it, as `_Graph` has successors."""
    starts = array("q", bytes(8 * (len(graph.states) + 1)))
    for child in graph.children:
        starts[child + 1] += 1
    for number in range(len(graph.states)):
        starts[number + 1] += starts[number]
    at = array("q", starts)
    parents = array("q", bytes(8 * len(graph.children)))
    for number in range(len(graph.states)):
        for child in graph.children[graph.first[number] : graph.first[number + 1]]:
            parents[at[child]] = number
            at[child] += 1
    return starts, parents


def _force(
    graph: _Graph,
    parents: tuple["array[int]", "array[int]"],
    values: list[int],
    plies: list[int | None],
    utilities: list[int],
    side: int,
) -> None:
    """Find what one side can force: MAX (1) all that is above `endless`, from the best on; MIN (0) all below it.

    A position where that side moves gets the first value that a move of its leads to, which is the best and the soonest.
    Where the other moves, the last of its moves to be found counts: it has the choice, and takes the worst and the latest.
    """
    starts, before = parents
    maximising, first = graph.maximising, graph.first
    to_find = array("q", [first[number + 1] - first[number] for number in range(len(graph.states))])
    for utility in utilities:
        layer = [number for number, value in graph.finished.items() if value == utility]
        distance = 0
        while layer:
            distance += 1
            found: list[int] = []
            for number in layer:
                for parent in before[starts[number] : starts[number + 1]]:
                    if plies[parent] is not None:
                        continue
                    if maximising[parent] != side:
                        to_find[parent] -= 1
                        if to_find[parent]:
                            continue
                    values[parent], plies[parent] = utility, distance
                    found.append(parent)
            layer = found
