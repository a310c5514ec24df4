"""The tree that a search looked at, kept to be drawn: its nodes, their values, the best line and what was pruned."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from zermelo.solver.errors import AmountError, SearchError
from zermelo.solver.game import Game
from zermelo.solver.retrograde import comes_back, solve_backward
from zermelo.solver.search import Observer, Settings, alphabeta, named, search
from zermelo.solver.search import algorithm as algorithm_called
from zermelo.solver.search.alphabeta import Bounds
from zermelo.solver.search.observer import proved
from zermelo.solver.table import TranspositionTable


@dataclass
class Node:
    """A state in the tree, below the move that led to it."""

    state: Any
    move: Any = None
    player: str | None = None
    """Who moves here; None where the game is over."""
    value: Any = None
    """Value from MAX's side, or a tuple with many players; None where the search never looked."""
    bound: str | None = None
    """`upper` or `lower` where pruning below left the true value open on one side."""
    estimated: bool = False
    repetition: bool = False
    """Whether the state is on the way to it already, so that play need not end."""
    pruned: bool = False
    best: bool = False
    """Whether the node is on the line of best moves from the root."""
    more: bool = False
    """Whether the game goes on below, though no children are kept."""
    folded: int = 0
    """How many symmetric siblings this node stands for besides itself."""
    children: list["Node"] = field(default_factory=list)

    @property
    def sign(self) -> str:
        """What to write before the value."""
        return (
            "↺ " if self.repetition else "≈" if self.estimated else {"upper": "≤", "lower": "≥", None: ""}[self.bound]
        )


MOST_DRAWN = 1000
"""How many nodes people can look over in one picture."""


class Keeper(Observer):
    """Keeps the nodes of a search down to a number of plies; of iterative deepening, those of the last iteration."""

    def __init__(self, game: Game[Any, Any], plies: int, *, estimates: bool) -> None:
        super().__init__()
        self._game = game
        self._plies = plies
        self._estimates = estimates
        self._path: list[Node] = []
        self._untried: list[list[Any]] = []
        self._entered: list[tuple[float, float, int]] = []
        """The window of each node on the path, and how many guesses there were when it was entered."""
        self.root: Node | None = None
        """The first state, once the search is back out of it."""

    def enter(self, state: Any, player: str, alpha: float = -inf, beta: float = inf) -> None:
        super().enter(state, player, alpha, beta)
        if self.level > self._plies:
            return
        node = Node(state)
        if self._path:
            node.move = self._untried[-1].pop(0)
            self._path[-1].children.append(node)
        if not self._game.is_terminal(state):
            node.player = player
            node.more = True
        self._path.append(node)
        self._untried.append([])
        self._entered.append((alpha, beta, self.estimates))

    def choices(self, actions: Sequence[Any]) -> None:
        super().choices(actions)
        if self.level <= self._plies:
            self._path[-1].more = self.level == self._plies
            self._untried[-1] = list(actions)

    def cutoff(self, value: Any, bound: float, rest: Sequence[Any]) -> None:
        super().cutoff(value, bound, rest)
        if self.level < self._plies:
            node = self._path[-1]
            for action in rest:
                state = self._game.result(node.state, action)
                player = None if self._game.is_terminal(state) else self._game.to_move(state)
                node.children.append(Node(state, action, player, pruned=True))

    def leaf(self, value: Any, estimated: bool = False) -> None:
        super().leaf(value, estimated)
        self._leave(value)

    def repetition(self, value: Any) -> None:
        super().repetition(value)
        if self.level < self._plies:
            self._path[-1].repetition, self._path[-1].more = True, False
        self._leave(value)

    def table_hit(self, value: Any, action: Any) -> None:
        if self.level <= self._plies:
            self._bound(value)
        super().table_hit(value, action)
        # What the table knew may rest on any guess of this iteration.
        self._leave(value, since=self._entered[0][2])

    def leave(self, value: Any, action: Any) -> None:
        if self.level == self._plies:
            self._bound(value)
        elif self.level < self._plies:
            node = self._path[-1]
            for child in node.children:
                child.best = child.move == action
                if child.best:
                    node.bound = child.bound
            if any(child.pruned for child in node.children):
                node.bound = "lower" if node.player == self._game.players[0] else "upper"
        super().leave(value, action)
        self._leave(value)

    def _bound(self, value: Any) -> None:
        """Mark a value that lies outside the window: what is below the node is not kept, and may have been pruned."""
        alpha, beta, _ = self._entered[-1]
        if not isinstance(value, tuple):
            self._path[-1].bound = "upper" if value <= alpha else "lower" if value >= beta else None

    def _leave(self, value: Any, since: int | None = None) -> None:
        """Go back out of a node, of which `since` tells how many guesses its value does not rest on."""
        if self.level >= self._plies:
            return
        node = self._path.pop()
        self._untried.pop()
        _, _, before = self._entered.pop()
        guesses = self.estimates - (before if since is None else since)
        node.value, node.estimated = value, self._estimates and not proved(self._game, value, guesses)
        if not self._path:
            node.best = True
            _keep_one_line(node)
            self.root = node


def grow(
    game: Game[Any, Any],
    state: Any,
    plies: int,
    algorithm: str = "minimax",
    *,
    estimate: bool = False,
    fold: bool = False,
    most: int | None = None,
    keeper: Keeper | None = None,
) -> Node:
    """The first `plies` of the tree below `state`, as the algorithm looks at it.

    What lies deeper is solved, so that the values are exact, or with `estimate` guessed by the game's evaluation. With
    `fold` one of each set of symmetric siblings is kept. A `keeper` of one's own hears of
    every step. A tree of more than `most` nodes is refused, and a smaller depth named.

    >>> from zermelo.solver.games import load
    >>> root = grow(load("figure:two-ply"), "A", 2, "alphabeta")
    >>> [(node.move, node.value) for node in root.children], [leaf.pruned for leaf in root.children[1].children]
    ([('a1', 3), ('a2', 2), ('a3', 2)], [False, True, True])
    """
    if algorithm not in named():
        raise SearchError(f"there is no tree of {algorithm!r}: the algorithms drawn are {', '.join(named())}")
    if (
        most is not None
        and (fitting := _fitting_depth(game, state, plies, most, fold)) < plies
        and algorithm != "alphabeta"
    ):
        raise _too_large(game, plies, most, fitting)
    keeper = keeper or Keeper(game, plies, estimates=estimate)
    depth = plies if "depth" in algorithm_called(algorithm).uses else None
    search(game, state, Settings(algorithm, depth, evaluate=None if estimate else _solver(game, state)), keeper)
    assert keeper.root is not None
    root = folded(game, keeper.root) if fold else keeper.root
    if most is not None and fitting < plies and sum(1 for _ in walk(root)) > most:
        raise _too_large(game, plies, most, fitting)
    return root


def _fitting_depth(game: Game[Any, Any], state: Any, plies: int, most: int, fold: bool) -> int:
    """How many plies, up to so many, can be drawn with no more than `most` nodes if nothing is pruned."""
    level, nodes = [state], 1
    for depth in range(plies):
        below: list[Any] = []
        for each in level:
            after = [] if game.is_terminal(each) else [game.result(each, action) for action in game.actions(each)]
            if fold:
                after = list(
                    {min(game.format(symmetry(one)) for symmetry in game.symmetries): one for one in after}.values()
                )
            below += after
            if nodes + len(below) > most:
                return max(depth, 1)
        level, nodes = below, nodes + len(below)
    return plies


def _too_large(game: Game[Any, Any], plies: int, most: int, fitting: int) -> AmountError:
    return AmountError(
        f"the tree of {game.spec} to depth {plies} has more than {most:,} nodes, too many to look at, and fewer to depth {fitting}",
        game=game.spec,
        positions=most,
        task="tree",
    )


def _solver(game: Game[Any, Any], start: Any) -> Callable[[Any], float]:
    """What is told of a state below which nothing is drawn: its value, worked out."""
    if not comes_back(game, start):
        table: TranspositionTable[Any, Bounds] = TranspositionTable()
        return lambda state: alphabeta(game, state, table=table).value

    # A search that cuts off what comes back can remember little of it, and would take for ever.
    solved: TranspositionTable[Any, Any] = TranspositionTable()

    def value(state: Any) -> float:
        if not solved.entries:
            solve_backward(game, solved, start=start)
        known: float = solved.entries[state][0]
        return known

    return value


def _keep_one_line(node: Node) -> None:
    """Leave the mark of the best move only where it belongs to the line from the root."""
    for child in node.children:
        child.best = child.best and node.best
        _keep_one_line(child)


def folded(game: Game[Any, Any], node: Node) -> Node:
    """The same tree with one of each set of symmetric siblings: the best of them, or else the first that was looked at."""
    groups: dict[str, list[Node]] = {}
    for child in node.children:
        key = min(game.format(symmetry(child.state)) for symmetry in game.symmetries)
        groups.setdefault(key, []).append(child)
    kept = []
    for group in groups.values():
        stands = min(group, key=lambda child: (not child.best, child.pruned))
        kept.append(replace(folded(game, stands), folded=len(group) - 1))
    return replace(node, children=kept)


def trimmed(node: Node, plies: int) -> Node:
    """The same tree with so many plies and no more."""
    if not plies:
        return replace(node, children=[], more=node.more or bool(node.children))
    return replace(node, children=[trimmed(child, plies - 1) for child in node.children])


def walk(node: Node, level: int = 0) -> Iterator[tuple[Node, int]]:
    """Every node with its level, parents first."""
    yield node, level
    for child in node.children:
        yield from walk(child, level + 1)


def best_line(root: Node) -> list[Any]:
    """The moves of the best line, as far as it is drawn."""
    return [node.move for node, level in walk(root) if node.best and level]


def side(game: Game[Any, Any], player: str | None) -> str:
    """What to call a node: MAX, MIN, a player's name where there are more than two, or `end`."""
    if player is None:
        return "end"
    if len(game.players) != 2:
        return player
    return "MAX" if player == game.players[0] else "MIN"
