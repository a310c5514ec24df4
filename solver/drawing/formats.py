"""The formats that a tree can be drawn in."""

from typing import Any

from solver.drawing.diagram import Node
from solver.drawing.plain import to_dot, to_json, to_text
from solver.drawing.svg import to_svg
from solver.game import Game

_FORMATS = {"text": to_text, "dot": to_dot, "json": to_json, "svg": to_svg}


def draw(game: Game[Any, Any], root: Node, format_: str) -> str:
    """The tree that `grow` made, as `text`, `dot`, `json` or `svg`."""
    return _FORMATS[format_](game, root)
