"""The formats that a tree can be drawn in."""

from typing import Any

from zermelo.solver.game import Game
from zermelo.views.search.diagram import Node
from zermelo.views.search.plain import to_dot, to_json, to_text
from zermelo.views.search.svg import to_svg
from zermelo.views.search.tikz import to_tikz

_PLAIN = {"text": to_text, "dot": to_dot, "json": to_json}
ENDINGS = {
    "txt": "text", "svg": "svg", "png": "png", "pdf": "pdf", "tex": "tikz", "tikz": "tikz", "dot": "dot", "gv": "dot", "json": "json",
}  # fmt: skip
"""The format that a file of each ending is in."""
FOR_PEOPLE = ("svg", "png", "pdf", "tikz")
"""Formats that are looked at, so that there is no use in more than people can look over."""


def draw(game: Game[Any, Any], root: Node, format_: str, *, title: str | None = None, legend: bool = True) -> str:
    """The tree that `grow` made, as text, DOT, JSON, SVG or TikZ; a picture has a title, and a legend unless unwanted."""
    if format_ in _PLAIN:
        return _PLAIN[format_](game, root)
    if format_ == "tikz":
        return to_tikz(game, root, title=title)
    return to_svg(game, root, title=title, legend=legend)
