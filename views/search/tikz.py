"""A tree for LaTeX: a tikzpicture to put on a slide, laid out as the SVG picture is."""

from typing import Any

from zermelo.solver.board import board_of
from zermelo.solver.game import Game
from zermelo.views.search.diagram import Node, side, walk
from zermelo.views.search.svg import TreePicture
from zermelo.views.words import value_text

_ESCAPED = str.maketrans(
    {sign: f"\\{sign}" for sign in "#$%&_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"≤": r"$\le$", "≥": r"$\ge$", "≈": r"$\approx$", "∞": r"$\infty$", "×": r"$\times$"}
)
_STYLES = (
    "max/.style={draw=blue!70!black, fill=blue!6}, min/.style={draw=orange!80!black, fill=orange!8}, end/.style={draw=gray},"
    " best/.style={very thick, draw=green!50!black}, pruned/.style={dashed, draw=gray, text=gray}"
)


def to_tikz(game: Game[Any, Any], root: Node, *, title: str | None = None) -> str:
    """The tree as a tikzpicture.

    >>> from zermelo.views.search.diagram import grow
    >>> from zermelo.solver.games import load
    >>> game = load("figure:two-ply")
    >>> print(to_tikz(game, grow(game, "A", 2)).splitlines()[2])
      \\node[max, best] (n0) at (358,73) {\\shortstack{A\\\\3}};
    """
    picture = TreePicture(game, root, title, False, None)
    names = {id(node): f"n{number}" for number, (node, _) in enumerate(walk(root))}
    head = (
        "\\begin{tikzpicture}[x=0.022cm, y=-0.022cm, every node/.style={font=\\scriptsize, inner sep=2pt}, "
        + _STYLES
        + "]"
    )
    lines = ["% needs \\usepackage{tikz}", head]
    for node, _ in walk(root):
        place = picture.places[id(node)]
        look = _look(game, node)
        lines.append(f"  \\node[{look}] ({names[id(node)]}) at ({place.x:g},{place.y:g}) {{{_text(game, node)}}};")
    for node, _ in walk(root):
        for child in node.children:
            look = "best" if child.best else "pruned" if child.pruned else ""
            move = picture.move_text(child).translate(_ESCAPED)
            ends = f"({names[id(node)]}) -- node[fill=white] {{{move}}} ({names[id(child)]})"
            lines.append(f"  \\draw[{look}] {ends};")
    if title:
        lines.append(f"  \\node[above=4mm, font=\\bfseries] at (n0.north) {{{title.translate(_ESCAPED)}}};")
    return "\n".join([*lines, "\\end{tikzpicture}"])


def _look(game: Game[Any, Any], node: Node) -> str:
    kind = side(game, node.player).lower()
    return (kind if kind in ("max", "min") else "end") + (", best" if node.best else ", pruned" if node.pruned else "")


def _text(game: Game[Any, Any], node: Node) -> str:
    state = game.format(node.state)
    rows = state.split("/") if board_of(game) else [state]
    drawn = [" ".join(row) if board_of(game) else row for row in rows]
    value = [] if node.pruned else [node.sign + value_text(node.value)]
    texts = [text.translate(_ESCAPED) for text in (*drawn, *value)]
    if board_of(game):
        texts[: len(rows)] = [f"\\texttt{{{text}}}" for text in texts[: len(rows)]]
    return "\\shortstack{" + "\\\\".join(texts) + "}"
