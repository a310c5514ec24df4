"""A tree as text for a terminal, as DOT for Graphviz, and as JSON for programs."""

import json
from collections.abc import Iterator
from typing import Any

from zermelo.solver.board import board_of
from zermelo.solver.game import Game
from zermelo.views.search.diagram import Node, side, walk
from zermelo.views.words import value_text


def to_text(game: Game[Any, Any], root: Node) -> str:
    """The tree with a line a node; the best line is starred.

    >>> from zermelo.views.search.diagram import grow
    >>> from zermelo.solver.games import load
    >>> game = load("figure:two-ply")
    >>> print(to_text(game, grow(game, "A", 1)))
    MAX A: 3
    ├─ a1: MIN B: 3 * ...
    ├─ a2: MIN C: 2 ...
    └─ a3: MIN D: 2 ...
    """
    return "\n".join(_lines(game, root, "", ""))


def _lines(game: Game[Any, Any], node: Node, indent: str, below: str) -> Iterator[str]:
    yield indent + _line(game, node)
    for child in node.children:
        last = child is node.children[-1]
        yield from _lines(game, child, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  "))


def _line(game: Game[Any, Any], node: Node) -> str:
    move = "" if node.move is None else f"{game.format_action(node.move)}: "
    state = f"{move}{side(game, node.player)} {game.format(node.state)}"
    if node.pruned:
        return f"{state}: pruned" + _like_it(node)
    value = node.sign + value_text(node.value)
    star = " *" if node.best and node.move is not None else ""
    again = " (a repetition)" if node.repetition else ""
    return f"{state}: {value}{again}{star}{_like_it(node)}{' ...' if node.more else ''}"


def _like_it(node: Node) -> str:
    return f" (and {node.folded} like it)" if node.folded else ""


def to_json(game: Game[Any, Any], root: Node) -> str:
    """The tree as one JSON object, nodes inside nodes. Values are MAX's; those of pruned nodes are null."""
    return json.dumps({"game": game.spec, "players": list(game.players), "root": _as_dict(game, root)})


def _as_dict(game: Game[Any, Any], node: Node) -> dict[str, Any]:
    return {
        "move": None if node.move is None else game.format_action(node.move),
        "position": game.format(node.state),
        "to_move": node.player,
        "side": None if node.player is None else side(game, node.player),
        "value": node.value,
        "bound": node.bound,
        "estimated": node.estimated,
        "repetition": node.repetition,
        "pruned": node.pruned,
        "best": node.best,
        "folded": node.folded,
        "more": node.more,
        "children": [_as_dict(game, child) for child in node.children],
    }


def to_dot(game: Game[Any, Any], root: Node) -> str:
    """The tree for Graphviz: ``dot -Tpdf``."""
    nodes = list(walk(root))
    names = {id(node): f"n{number}" for number, (node, _) in enumerate(nodes)}
    lines = ["digraph tree {", '  node [fontname="monospace", shape=box, style=rounded]; edge [fontname="monospace"];']
    for node, _ in nodes:
        look = ", color=gray, fontcolor=gray, style=dashed" if node.pruned else ", penwidth=3" if node.best else ""
        lines.append(f"  {names[id(node)]} [label={_quoted(_label(game, node))}{look}];")
    for node, _ in nodes:
        for child in node.children:
            look = ", color=gray, style=dashed" if child.pruned else ", penwidth=3" if child.best else ""
            move = _quoted(game.format_action(child.move))
            lines.append(f"  {names[id(node)]} -> {names[id(child)]} [label={move}{look}];")
    return "\n".join([*lines, "}"])


def _label(game: Game[Any, Any], node: Node) -> str:
    text = game.format(node.state)
    picture = game.picture(node.state)
    drawn = game.draw(node.state) if picture and picture.here is None else text
    state = text.replace("/", "\n") if board_of(game) else drawn
    value = "pruned" if node.pruned else node.sign + value_text(node.value)
    like_it = f"\n× {node.folded + 1}" if node.folded else ""
    return f"{side(game, node.player)}\n{state}\n{value}{like_it}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
