"""Explicit trees as games: any figure of a book can be run. ``figure:NAME`` is one shipped here, ``tree:PATH`` a file.

A tree is written as plain data, in JSON, YAML or Python. A node is an object with its `moves`; a leaf is what the game
is worth there, one number to MAX with two players, or a list of one number for each player::

    {"players": ["MAX", "MIN"],
     "root": {"name": "A", "moves": {"a1": {"name": "B", "moves": {"b1": 3, "b2": 12}},
                                     "a2": {"name": "C", "moves": {"c1": 2, "c2": 4}}}}}

`players` may be left out, and are then MAX and MIN. A node may say whose turn it is with `player`; otherwise the
players take turns. A node without a `name` is called after the node above it and the move: ``A.a1``.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.solver.errors import ActionError, GameError, PositionError, quoted
from zermelo.solver.families import named
from zermelo.solver.game import Game
from zermelo.solver.games.tree_data import read_data
from zermelo.solver.picture import Cell, Click, Picture

MOST_NODES = 100_000
LONGEST_NAME = 1000
LARGEST_UTILITY = 10**9
"""The limits of a tree: what is larger takes long, and what no database or table can hold is not begun."""
_MOST_SHOWN = 100
"""As many nodes of a tree are drawn whole."""
FIGURES = Path(__file__).with_name("figures")


class _Node(NamedTuple):
    player: str
    moves: dict[str, str]
    """The name of the node that each move leads to; none from a leaf."""
    utilities: tuple[int, ...]
    """What a leaf is worth to each player."""


class Tree(Game[str, str]):
    """The game played down a tree that is given in full.

    A state is a node's name, an action a move's.

    >>> game = Tree({"name": "A", "moves": {"left": {"name": "B", "moves": {"l": 3, "r": 12}}, "right": 2}})
    >>> game.to_move("B"), game.actions("B"), game.result("B", "r"), game.utility("B.r", "MIN")
    ('MIN', ('l', 'r'), 'B.r', -12)
    """

    def __init__(self, root: Any, players: Sequence[str] = ("MAX", "MIN"), *, spec: str = "tree") -> None:
        self.spec = spec
        self.players = tuple(players)
        if len(self.players) < 2 or not all(map(_is_name, self.players)):
            raise GameError(f"game {spec!r} has the players {_short(players)}: name two or more, such as MAX and MIN")
        if len(set(self.players)) < len(self.players):
            raise GameError(f"game {spec!r} has the players {', '.join(self.players)}: each needs a name of its own")
        self._nodes: dict[str, _Node] = {}
        self.initial = self._add(root, self.players[0], "root")
        ends = [node.utilities[0] for node in self._nodes.values() if not node.moves]
        self.bounds = min(ends), max(ends)

    def _add(self, data: Any, player: str, default: str) -> str:
        """Take in a node and everything below it; its name."""
        if not isinstance(data, Mapping):
            self._insert(default, _Node(player, {}, self._utilities(data, default)))
            return default
        name: str = data.get("name", default)
        if unknown := sorted(set(data) - {"name", "player", "moves"}, key=str):
            raise GameError(
                f"game {self.spec!r}: node {_short(name)} has {_short(unknown[0])}: a node has name, player and moves"
            )
        if not _is_name(name):
            raise GameError(
                f"game {self.spec!r}: node {quoted(default)} has the name {_short(name)}: a name is a text that can be printed"
            )
        moves = data.get("moves")
        if not isinstance(moves, Mapping) or not moves:
            raise GameError(
                f"game {self.spec!r}: node {quoted(name)} has no moves: give it some, or write a number for a leaf"
            )
        player = data.get("player", player)
        if not isinstance(player, str) or player not in self.players:
            raise GameError(
                f"game {self.spec!r}: node {quoted(name)} is for {_short(player)} to move: the players are {', '.join(self.players)}"
            )
        if wrong := [move for move in moves if not _is_name(move) or len(move.split()) != 1]:
            raise GameError(
                f"game {self.spec!r}: node {quoted(name)} has the move {_short(wrong[0])}: a move is a word without spaces"
            )
        node = _Node(player, {}, ())
        self._insert(name, node)
        following = self.players[(self.players.index(player) + 1) % len(self.players)]
        for move, below in moves.items():
            node.moves[move] = self._add(below, following, f"{name}.{move}")
        return name

    def _insert(self, name: str, node: _Node) -> None:
        if name in self._nodes:
            raise GameError(
                f"game {self.spec!r} has two nodes of the name {quoted(name)}: each needs a name of its own"
            )
        if len(name) > LONGEST_NAME:
            raise GameError(
                f"game {self.spec!r}: node {quoted(name)} has a name of {len(name):,} characters, and {LONGEST_NAME:,} is"
                " the limit: name a node above it"
            )
        if len(self._nodes) == MOST_NODES:
            raise GameError(
                f"game {self.spec!r} has more than {MOST_NODES:,} nodes, which is the limit: write its rules in Python"
            )
        self._nodes[name] = node

    def _utilities(self, data: Any, name: str) -> tuple[int, ...]:
        utilities = data if isinstance(data, list | tuple) else [data]
        if not all(type(utility) is int and abs(utility) <= LARGEST_UTILITY for utility in utilities):
            raise GameError(
                f"game {self.spec!r}: leaf {quoted(name)} is {_short(data)}: a leaf is a whole number of at most"
                f" {LARGEST_UTILITY:,} in size, or a list of them"
            )
        if len(self.players) == 2 and not isinstance(data, list | tuple):
            return data, -data
        if len(utilities) != len(self.players):
            raise GameError(
                f"game {self.spec!r}: leaf {quoted(name)} is {_short(data)}: it needs {len(self.players)} utilities, one for each of"
                f" {', '.join(self.players)}"
            )
        return tuple(utilities)

    def to_move(self, state: str) -> str:
        return self._nodes[state].player

    def actions(self, state: str) -> Sequence[str]:
        return tuple(self._nodes[state].moves)

    def result(self, state: str, action: str) -> str:
        return self._nodes[state].moves[action]

    def is_terminal(self, state: str) -> bool:
        return not self._nodes[state].moves

    def utility(self, state: str, player: str) -> int:
        return self._nodes[state].utilities[self.players.index(player)]

    def format(self, state: str) -> str:
        return state

    def parse(self, text: str) -> str:
        if text not in self._nodes:
            inner = [name for name, node in self._nodes.items() if node.moves]
            raise PositionError(
                f"there is no node {quoted(text)} in {self.spec}: the nodes with moves are {_some(inner)}"
            )
        return text

    def picture(self, state: str) -> Picture:
        """The tree with the place that the game is at; of a large one, only the way to it and what hangs on that."""
        shown = self._shown(state)
        cells: dict[str, Cell] = {}
        joined: list[tuple[str, str]] = []

        def place(name: str, level: int, left: float) -> float:
            """Give places to a node and all that is shown below it, from `left` on; where they end."""
            node = self._nodes[name]
            below = [(move, child) for move, child in node.moves.items() if child in shown]
            right = left
            for _, child in below:
                right = place(child, level + 1, right)
                joined.append((name, child))
            if below:
                x = (cells[below[0][1]].x + cells[below[-1][1]].x) / 2
            else:
                x, right = left, left + 1.25
            mark = (
                name
                if node.moves
                else ",".join(map(str, node.utilities[:1] if len(self.players) == 2 else node.utilities))
            )
            cells[name] = Cell(name, x, 1.8 * level, mark)
            return right

        place(self.initial, 0, 0)
        clicks = [Click(move, [child]) for move, child in self._nodes[state].moves.items()]
        return Picture(list(cells.values()), joined, here=state, clicks=clicks)

    def _shown(self, state: str) -> set[str]:
        """The nodes that a picture shows: all, or if they are too many the way to `state` and the children of those on it."""
        if len(self._nodes) <= _MOST_SHOWN:
            return set(self._nodes)
        above = {child: name for name, node in self._nodes.items() for child in node.moves.values()}
        way = [state]
        while way[-1] in above:
            way.append(above[way[-1]])
        return {*way, *(child for name in way for child in self._nodes[name].moves.values())}

    def draw(self, state: str) -> str:
        return self.format(state)  # whose name says where it is in a figure that a reader has before them

    def format_action(self, action: str) -> str:
        return action

    def parse_action(self, text: str) -> str:
        moves = list(dict.fromkeys(move for node in self._nodes.values() for move in node.moves))
        if text not in moves:
            raise ActionError(f"there is no move {quoted(text)} in {self.spec}: the moves are {_some(moves)}")
        return text


def _is_name(text: object) -> bool:
    """Whether a text can name something: control characters and half characters would disturb wherever they are shown."""
    return isinstance(text, str) and text != "" and text.isprintable()


def _short(data: object) -> str:
    """What was written where something else belongs, in a few characters however large it is."""
    import reprlib

    short = reprlib.Repr()
    short.maxlevel, short.maxstring, short.maxlong = 2, 80, 80
    return short.repr(data)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:20]) + (f" and {len(names) - 20:,} more" if len(names) > 20 else "")


def read_tree(path: str | Path, spec: str | None = None) -> Tree:
    """The tree that a JSON or YAML file describes: an object with a `root`, and `players` if they are not MAX and MIN.

    >>> read_tree(FIGURES / "two-ply.json").actions("A")
    ('a1', 'a2', 'a3')
    """
    spec = spec or f"tree:{path}"
    data = read_data(Path(path), spec)
    if not isinstance(data, Mapping) or "root" not in data or set(data) - {"players", "root"}:
        raise GameError(f"game {spec!r} is not an object with a root, and players if they are not MAX and MIN")
    players = data.get("players", ("MAX", "MIN"))
    if not isinstance(players, list | tuple):
        raise GameError(f"game {spec!r} has the players {players!r}: write a list of names")
    try:
        return Tree(data["root"], players, spec=spec)
    except RecursionError:
        raise GameError(f"game {spec!r} is nested too deeply to be read") from None


@named("tree:PATH", "tree:two-ply.json")
def from_file(params: str) -> Tree:
    """The game played down the tree that a file of JSON or YAML gives in full."""
    if not params:
        raise GameError("game 'tree:' names no file: write tree:PATH, such as tree:two-ply.json")
    return read_tree(params)


@named("figure:NAME", "figure:two-ply")
def from_params(params: str) -> Tree:
    """The game that ``figure:NAME`` names.

    >>> from_params("two-ply").spec
    'figure:two-ply'
    """
    known = sorted(path.stem for path in FIGURES.glob("*.json"))
    if params not in known:
        raise GameError(f"there is no figure {quoted(params)}: the figures are {', '.join(known)}")
    return read_tree(FIGURES / f"{params}.json", f"figure:{params}")
