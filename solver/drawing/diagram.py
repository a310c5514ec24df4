"""The tree that a search looked at, kept to be drawn: its nodes, their values, the best line and what was pruned."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from solver.errors import SearchError
from solver.game import Game
from solver.search import Observer, Settings, alphabeta, check, limited, multiplayer
from solver.search.alphabeta import Bounds
from solver.table import TranspositionTable

ALGORITHMS = ("minimax", "alphabeta", "multiplayer")


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
        return "≈" if self.estimated else {"upper": "≤", "lower": "≥", None: ""}[self.bound]


class _Keeper(Observer):
    """Keeps the nodes of a search down to a number of plies."""

    def __init__(self, game: Game[Any, Any], plies: int, *, estimates: bool) -> None:
        super().__init__()
        self._game = game
        self._plies = plies
        self._estimates = estimates
        self._path: list[Node] = []
        self._untried: list[list[Any]] = []
        self.root: Node | None = None

    def enter(self, state: Any, player: str, alpha: float = -inf, beta: float = inf) -> None:
        super().enter(state, player, alpha, beta)
        node = Node(state)
        if self._path:
            node.move = self._untried[-1].pop(0)
            if self.level <= self._plies:
                self._path[-1].children.append(node)
        else:
            self.root = node
        if not self._game.is_terminal(state):
            node.player = player
            node.more = True
        self._path.append(node)
        self._untried.append([])

    def choices(self, actions: Sequence[Any]) -> None:
        super().choices(actions)
        self._path[-1].more = self.level >= self._plies
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
        self._leave(value, estimated and self._estimates)

    def leave(self, value: Any, action: Any) -> None:
        super().leave(value, action)
        node = self._path[-1]
        for child in node.children:
            child.best = child.move == action
            if child.best:
                node.bound = child.bound
        if any(child.pruned for child in node.children):
            node.bound = "lower" if node.player == self._game.players[0] else "upper"
        self._leave(value, any(child.estimated for child in node.children))

    def _leave(self, value: Any, estimated: bool) -> None:
        node = self._path.pop()
        self._untried.pop()
        node.value, node.estimated = value, estimated


def grow(
    game: Game[Any, Any],
    state: Any,
    plies: int,
    algorithm: str = "minimax",
    *,
    estimate: bool = False,
    fold: bool = False,
) -> Node:
    """The first `plies` of the tree below `state`, as the algorithm looks at it.

    What lies deeper is solved, so that the values are exact, or with `estimate` guessed by the game's evaluation. With
    `fold` one of each set of symmetric siblings is kept.

    >>> from solver.games import load
    >>> root = grow(load("figure:two-ply"), "A", 2, "alphabeta")
    >>> [(node.move, node.value) for node in root.children], [leaf.pruned for leaf in root.children[1].children]
    ([('a1', 3), ('a2', 2), ('a3', 2)], [False, True, True])
    """
    if algorithm not in ALGORITHMS:
        raise SearchError(f"there is no tree of {algorithm!r}: the algorithms drawn are {', '.join(ALGORITHMS)}")
    check(game, state, Settings(algorithm, None if algorithm == "multiplayer" else plies))
    keeper = _Keeper(game, plies, estimates=estimate)
    if algorithm == "multiplayer":
        multiplayer(game, state, keeper)
    else:
        evaluate = game.evaluate if estimate else _solver(game)
        (alphabeta if algorithm == "alphabeta" else limited)(game, state, plies, evaluate=evaluate, observer=keeper)
    assert keeper.root is not None
    keeper.root.best = True
    _keep_one_line(keeper.root)
    return _folded(game, keeper.root) if fold else keeper.root


def _solver(game: Game[Any, Any]) -> Callable[[Any], float]:
    table: TranspositionTable[Any, Bounds] = TranspositionTable()
    return lambda state: alphabeta(game, state, table=table).value


def _keep_one_line(node: Node) -> None:
    """Leave the mark of the best move only where it belongs to the line from the root."""
    for child in node.children:
        child.best = child.best and node.best
        _keep_one_line(child)


def _folded(game: Game[Any, Any], node: Node) -> Node:
    """The same tree with one of each set of symmetric siblings: the best of them, or else the first that was looked at."""
    groups: dict[str, list[Node]] = {}
    for child in node.children:
        key = min(game.format(symmetry(child.state)) for symmetry in game.symmetries)
        groups.setdefault(key, []).append(child)
    kept = []
    for group in groups.values():
        stands = min(group, key=lambda child: (not child.best, child.pruned))
        kept.append(replace(_folded(game, stands), folded=len(group) - 1))
    return replace(node, children=kept)


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
