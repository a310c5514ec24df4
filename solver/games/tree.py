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

from solver.errors import ActionError, GameError, PositionError, quoted
from solver.game import Game

FIGURES = Path(__file__).with_name("figures")


class _Node(NamedTuple):
    player: str
    moves: dict[str, str]
    """The name of the node that each move leads to; none from a leaf."""
    utilities: tuple[int, ...]
    """What a leaf is worth to each player."""


class Tree(Game[str, str]):
    """The game played down a tree that is given in full. A state is a node's name, an action a move's.

    >>> game = Tree({"name": "A", "moves": {"left": {"name": "B", "moves": {"l": 3, "r": 12}}, "right": 2}})
    >>> game.to_move("B"), game.actions("B"), game.result("B", "r"), game.utility("B.r", "MIN")
    ('MIN', ('l', 'r'), 'B.r', -12)
    """

    def __init__(self, root: Any, players: Sequence[str] = ("MAX", "MIN"), *, spec: str = "tree") -> None:
        self.spec = spec
        self.players = tuple(players)
        if len(self.players) < 2 or not all(isinstance(name, str) and name for name in self.players):
            raise GameError(f"game {spec!r} has the players {players!r}: name two or more, such as MAX and MIN")
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
        name = data.get("name", default)
        if unknown := sorted(set(data) - {"name", "player", "moves"}, key=str):
            raise GameError(f"game {self.spec!r}: node {name!r} has {unknown[0]!r}: a node has name, player and moves")
        if not isinstance(name, str) or not name:
            raise GameError(f"game {self.spec!r}: node {default!r} has the name {name!r}: a name is a text")
        moves = data.get("moves")
        if not isinstance(moves, Mapping) or not moves:
            raise GameError(
                f"game {self.spec!r}: node {name!r} has no moves: give it some, or write a number for a leaf"
            )
        player = data.get("player", player)
        if player not in self.players:
            raise GameError(
                f"game {self.spec!r}: node {name!r} is for {player!r} to move: the players are {', '.join(self.players)}"
            )
        if wrong := [move for move in moves if not isinstance(move, str) or not move or len(move.split()) != 1]:
            raise GameError(
                f"game {self.spec!r}: node {name!r} has the move {wrong[0]!r}: a move is a word without spaces"
            )
        node = _Node(player, {}, ())
        self._insert(name, node)
        following = self.players[(self.players.index(player) + 1) % len(self.players)]
        for move, below in moves.items():
            node.moves[move] = self._add(below, following, f"{name}.{move}")
        return name

    def _insert(self, name: str, node: _Node) -> None:
        if name in self._nodes:
            raise GameError(f"game {self.spec!r} has two nodes of the name {name!r}: each needs a name of its own")
        self._nodes[name] = node

    def _utilities(self, data: Any, name: str) -> tuple[int, ...]:
        utilities = data if isinstance(data, list | tuple) else [data]
        if not all(type(utility) is int for utility in utilities):
            raise GameError(
                f"game {self.spec!r}: leaf {name!r} is {data!r}: a leaf is a whole number, or a list of them"
            )
        if len(self.players) == 2 and not isinstance(data, list | tuple):
            return data, -data
        if len(utilities) != len(self.players):
            raise GameError(
                f"game {self.spec!r}: leaf {name!r} is {data!r}: it needs {len(self.players)} utilities, one for each of"
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
                f"there is no node {quoted(text)} in {self.spec}: the nodes with moves are {', '.join(inner)}"
            )
        return text

    def format_action(self, action: str) -> str:
        return action

    def parse_action(self, text: str) -> str:
        moves = list(dict.fromkeys(move for node in self._nodes.values() for move in node.moves))
        if text not in moves:
            raise ActionError(f"there is no move {quoted(text)} in {self.spec}: the moves are {', '.join(moves)}")
        return text


def read_tree(path: str | Path, spec: str | None = None) -> Tree:
    """The tree that a JSON or YAML file describes: an object with a `root`, and `players` if they are not MAX and MIN.

    >>> read_tree(FIGURES / "two-ply.json").actions("A")
    ('a1', 'a2', 'a3')
    """
    spec = spec or f"tree:{path}"
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise GameError(f"game {spec!r} has no file that can be read: {reason}") from error
    data = _load_yaml(text, spec) if Path(path).suffix in (".yaml", ".yml") else _load_json(text, spec)
    if not isinstance(data, Mapping) or "root" not in data or set(data) - {"players", "root"}:
        raise GameError(f"game {spec!r} is not an object with a root, and players if they are not MAX and MIN")
    players = data.get("players", ("MAX", "MIN"))
    if not isinstance(players, list | tuple):
        raise GameError(f"game {spec!r} has the players {players!r}: write a list of names")
    try:
        return Tree(data["root"], players, spec=spec)
    except RecursionError:
        raise GameError(f"game {spec!r} is nested too deep to be read") from None


def _load_json(text: str, spec: str) -> Any:
    import json

    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _no_duplicates(pairs, spec))
    except json.JSONDecodeError as error:
        raise GameError(f"game {spec!r} is not JSON: {error}") from error
    except RecursionError:
        raise GameError(f"game {spec!r} is nested too deep to be read") from None


def _no_duplicates(pairs: list[tuple[Any, Any]], spec: str) -> dict[Any, Any]:
    """What an object holds; JSON and YAML would silently keep the last of two moves of the same name."""
    keys = [key for key, _ in pairs]
    if twice := [key for key in keys if keys.count(key) > 1]:
        raise GameError(f"game {spec!r} has {twice[0]!r} twice in one node: each needs a name of its own")
    return dict(pairs)


def _load_yaml(text: str, spec: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise GameError(f"game {spec!r} needs PyYAML: pip install 'zermelo[yaml]', or write the tree as JSON") from None

    class Loader(yaml.SafeLoader):
        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            pairs = [
                (self.construct_object(key, deep=True), self.construct_object(value, deep=True))
                for key, value in node.value
            ]
            return _no_duplicates(pairs, spec)

    try:
        return yaml.load(text, Loader)
    except yaml.YAMLError as error:
        raise GameError(f"game {spec!r} is not YAML: {' '.join(str(error).split())}") from error


def from_file(params: str) -> Tree:
    """The game that ``tree:PATH`` names."""
    if not params:
        raise GameError("game 'tree:' names no file: write tree:PATH, such as tree:two-ply.json")
    return read_tree(params)


def from_params(params: str) -> Tree:
    """The game that ``figure:NAME`` names.

    >>> from_params("two-ply").spec
    'figure:two-ply'
    """
    known = sorted(path.stem for path in FIGURES.glob("*.json"))
    if params not in known:
        raise GameError(f"there is no figure {quoted(params)}: the figures are {', '.join(known)}")
    return read_tree(FIGURES / f"{params}.json", f"figure:{params}")
