"""A tree as an SVG picture that stands alone: boards as nodes, MAX and MIN marked, values, the best line, pruned branches.

Where a tree is wide, the lowest nodes of each branch stand in a column below it, so that three plies fit a screen.
"""

from dataclasses import dataclass
from html import escape
from typing import Any

from solver.drawing.diagram import Node, best_line, side, walk
from solver.drawing.names import board_of, write_value
from solver.game import Game

_CELL = 15
_LABEL = 15  # room for the move above a node
_VALUE = 21  # room for the value below it
_GAP = 10  # between neighbours
_DROP = 44  # between levels
_SPINE = 13  # from a column's line to its nodes
_MARGIN = 24
_NOTES_A_LINE = 3
_WIDEST_ROW = 24
"""How many nodes the lowest level may have before they stand in columns."""

_STYLE = """
.zermelo-tree { background: #fff; font-family: "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; }
.zermelo-tree text { fill: #1c1c22; font-size: 12px; text-anchor: middle; }
.zermelo-tree .heading { font-size: 16px; font-weight: bold; text-anchor: start; }
.zermelo-tree .note { fill: #55555f; text-anchor: start; }
.zermelo-tree .level { font-weight: bold; text-anchor: start; }
.zermelo-tree .move { font-size: 11px; fill: #44444c; }
.zermelo-tree .value { font-size: 13px; font-weight: bold; }
.zermelo-tree .edge { stroke: #85858f; stroke-width: 1.2; fill: none; }
.zermelo-tree .paper { fill: #fff; stroke: #55555f; stroke-width: 1.2; }
.zermelo-tree .grid { stroke: #c9c9d1; stroke-width: 1; }
.zermelo-tree .x { stroke: #1d4ed8; stroke-width: 2.2; stroke-linecap: round; }
.zermelo-tree .o { stroke: #c2410c; stroke-width: 2.2; fill: none; }
.zermelo-tree .max { fill: #dbe6ff; stroke: #1d4ed8; }
.zermelo-tree .min { fill: #ffe3d3; stroke: #c2410c; }
.zermelo-tree .end { fill: #e9e9ee; stroke: #55555f; }
.zermelo-tree .best .edge, .zermelo-tree .best .paper { stroke: #047857; stroke-width: 3.4; }
.zermelo-tree .best .move, .zermelo-tree .best .value { fill: #047857; font-weight: bold; }
.zermelo-tree .pruned .edge, .zermelo-tree .pruned .paper { stroke-dasharray: 4 3; stroke: #9a9aa4; }
.zermelo-tree .pruned .node { opacity: .5; }
.zermelo-tree .cut { stroke: #b91c1c; stroke-width: 2; }
"""


@dataclass
class _Place:
    """Where a node stands: the middle of its top edge, its label and its value not counted."""

    node: Node
    level: int
    x: float
    y: float
    parent: "_Place | None" = None
    column: bool = False
    """Whether it hangs on a line to its left, and not from its parent's middle."""


class _Picture:
    """Lays a tree out and draws it."""

    def __init__(self, game: Game[Any, Any], root: Node) -> None:
        self.game = game
        self.root = root
        self.board = board_of(game)
        nodes = list(walk(root))
        if self.board:
            self.width, self.height = float(self.board.width * _CELL), float(self.board.height * _CELL)
        else:
            self.width, self.height = max(26.0, 7.5 * max(len(game.format(node.state)) for node, _ in nodes) + 12), 24.0
        # A value or a move may be wider than the state above or below it.
        texts = [self.value_text(node) for node, _ in nodes]
        texts += [self.move_text(node) for node, level in nodes if level]
        self.step = max(self.width, 8.0 * max(map(len, texts)) + 22) + _GAP
        self.row = _LABEL + self.height + _VALUE
        self.columns = sum(not node.children for node, _ in nodes) > _WIDEST_ROW
        self.places: dict[int, _Place] = {}
        levels = [side(game, node.player) for node, _ in nodes] + [f"MAX ({game.players[0]})"]
        self.left = _MARGIN + 8.0 * max(map(len, levels)) + 28
        self.right = self._lay_out(root, 0, self.left)

    def move_text(self, node: Node) -> str:
        return self.game.format_action(node.move) + (f" ×{node.folded + 1}" if node.folded else "")

    def value_text(self, node: Node) -> str:
        return "" if node.pruned else node.sign + write_value(node.value)

    def _top(self, level: int) -> float:
        return 58 + _LABEL + level * (self.row + _DROP)

    def _lay_out(self, node: Node, level: int, left: float) -> float:
        """Give places to a node and everything below it, from `left` on; how far they reach to the right."""
        place = self.places[id(node)] = _Place(node, level, left + self.step / 2, self._top(level))
        right = left + self.step
        if self.columns and level and node.children and not any(child.children for child in node.children):
            place.x += _SPINE
            right += _SPINE
            for number, child in enumerate(node.children):
                y = self._top(level + 1) + number * (self.row + 6)
                self.places[id(child)] = _Place(child, level + 1, place.x, y, place, column=True)
        elif node.children:
            right = left
            for child in node.children:
                right = self._lay_out(child, level + 1, right)
                self.places[id(child)].parent = place
            place.x = (self.places[id(node.children[0])].x + self.places[id(node.children[-1])].x) / 2
        return right

    def draw(self) -> str:
        places = list(self.places.values())
        bottom = max(place.y for place in places) + self.height + _VALUE
        legend = self._legend(bottom + 34)
        title, description = self._words()
        width = max(self.right, 13.0 * len(title) * 0.75, 690) + _MARGIN
        height = bottom + 34 + 18 * (len(legend) - 1) + _MARGIN
        body = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-tree" role="img"'
            f' aria-labelledby="zermelo-tree-title zermelo-tree-desc" width="{width:.0f}" height="{height:.0f}"'
            f' viewBox="0 0 {width:.0f} {height:.0f}">',
            f'<title id="zermelo-tree-title">{escape(title)}</title>',
            f'<desc id="zermelo-tree-desc">{escape(description)}</desc>',
            f"<style>{_STYLE}</style>",
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
            f'<text class="heading" x="{_MARGIN}" y="34">{escape(title)}</text>',
            *self._levels(),
        ]
        # The best line is drawn last, so that nothing lies across it.
        for place in sorted(places, key=lambda place: (place.node.best, -place.level)):
            body += self._node(place)
        return "\n".join([*body, *legend, "</svg>"])

    def _words(self) -> tuple[str, str]:
        game, root = self.game, self.root
        nodes = [node for node, _ in walk(root)]
        plies = max(level for _, level in walk(root))
        title = f"{game.spec}: {plies} {'ply' if plies == 1 else 'plies'} from {game.format(root.state)}"
        line = " ".join(game.format_action(move) for move in best_line(root))
        whose = f"value {self.value_text(root)} for {self._whose()}"
        pruned, folded = sum(node.pruned for node in nodes), sum(node.folded for node in nodes)
        parts = [
            f"Game tree of {len(nodes)} nodes. {root.player} is to move: {whose}. Best line: {line}.",
            "Moves from the root: "
            + ", ".join(
                f"{game.format_action(child.move)} {'pruned' if child.pruned else self.value_text(child)}"
                for child in root.children
            )
            + ".",
        ]
        if pruned:
            parts.append(f"{pruned} branches are pruned.")
        if folded:
            parts.append(f"{folded} symmetric siblings are folded into those that are drawn.")
        return title, " ".join(parts)

    def _whose(self) -> str:
        """Whose values they are."""
        return ", ".join(self.game.players) if isinstance(self.root.value, tuple) else self.game.players[0]

    def _levels(self) -> list[str]:
        """The name of each level on the left, where everyone on it is the same."""
        players: dict[int, set[str]] = {}
        for node, level in walk(self.root):
            if node.player is not None:
                players.setdefault(level, set()).add(node.player)
        marks = []
        for level, movers in players.items():
            if len(movers) == 1:
                (player,) = movers
                name = side(self.game, player)
                text = name if name == player else f"{name} ({player})"
                y = self._top(level) + self.height / 2
                marks.append(self._badge(name, _MARGIN + 8, y))
                marks.append(f'<text class="level" x="{_MARGIN + 22}" y="{y + 4:g}">{escape(text)}</text>')
        return marks

    def _badge(self, name: str, x: float, y: float) -> str:
        """A triangle up for MAX, down for MIN, a circle for another player and a square for the end."""
        if name == "MAX":
            return f'<path class="max" d="M{x - 7:g} {y + 6:g}h14l-7 -12z"/>'
        if name == "MIN":
            return f'<path class="min" d="M{x - 7:g} {y - 6:g}h14l-7 12z"/>'
        if name == "end":
            return f'<rect class="end" x="{x - 5:g}" y="{y - 5:g}" width="10" height="10"/>'
        return f'<circle class="end" cx="{x:g}" cy="{y:g}" r="6"/>'

    def _node(self, place: _Place) -> list[str]:
        node, x, y = place.node, place.x, place.y
        classes = "best" if node.best else "pruned" if node.pruned else "plain"
        parts = [f'<g class="{classes}">']
        if place.parent:
            parts += self._edge(place, place.parent)
        parts.append('<g class="node">')
        if place.level:
            parts.append(f'<text class="move" x="{x:g}" y="{y - 4:g}">{escape(self.move_text(node))}</text>')
        parts += self._state(node, x - self.width / 2, y)
        under = y + self.height + _VALUE / 2 + 2
        text = self.value_text(node)
        offset = 4.0 * len(text) + 3
        parts.append(self._badge(side(self.game, node.player), x - offset if text else x, under))
        if text:
            parts.append(f'<text class="value" x="{x + 8:g}" y="{under + 5:g}">{escape(text)}</text>')
        return [*parts, "</g></g>"]

    def _edge(self, place: _Place, parent: _Place) -> list[str]:
        top, start = place.y - _LABEL, parent.y + self.height + _VALUE + 2
        if place.column:
            spine, middle = place.x - self.step / 2 - _SPINE + 6, place.y + self.height / 2
            end = place.x - self.width / 2
            path = f"M{parent.x:g} {start:g}V{start + 10:g}H{spine:g}V{middle:g}H{end:g}"
            cut_x, cut_y = (spine + end) / 2, middle
        else:
            path = f"M{parent.x:g} {start:g}L{place.x:g} {top:g}"
            cut_x, cut_y = (parent.x + 2 * place.x) / 3, (start + 2 * top) / 3
        edge = [f'<path class="edge" d="{path}"/>']
        if place.node.pruned:
            edge.append(f'<path class="cut" d="M{cut_x - 5:g} {cut_y - 4:g}l10 8m0 -8l-10 8"/>')
        return edge

    def _state(self, node: Node, left: float, top: float) -> list[str]:
        text = self.game.format(node.state)
        paper = f'<rect class="paper" x="{left:g}" y="{top:g}" width="{self.width:g}" height="{self.height:g}"'
        if self.board is None:
            middle = left + self.width / 2
            return [
                f'{paper} rx="6"/>',
                f'<text x="{middle:g}" y="{top + self.height / 2 + 4:g}">{escape(text)}</text>',
            ]
        lines = [f"M{left + i * _CELL:g} {top:g}v{self.height:g}" for i in range(1, self.board.width)]
        lines += [f"M{left:g} {top + i * _CELL:g}h{self.width:g}" for i in range(1, self.board.height)]
        parts = [f"{paper}/>", f'<path class="grid" d="{"".join(lines)}"/>']
        for row, cells in enumerate(text.split("/")):
            for column, stone in enumerate(cells):
                x, y = left + (column + 0.5) * _CELL, top + (row + 0.5) * _CELL
                if stone == "X":
                    parts.append(f'<path class="x" d="M{x - 3.8:g} {y - 3.8:g}l7.6 7.6m0 -7.6l-7.6 7.6"/>')
                elif stone == "O":
                    parts.append(f'<circle class="o" cx="{x:g}" cy="{y:g}" r="4.3"/>')
        return parts

    def _legend(self, y: float) -> list[str]:
        nodes = [node for node, _ in walk(self.root)]
        notes = [f"values are for {self._whose()}", "thick green: the best line"]
        if any(node.player is None for node in nodes):
            notes.append("square: the game is over")
        if any(node.pruned for node in nodes):
            notes.append("dashed and crossed: pruned")
        if any(node.folded for node in nodes):
            notes.append("×n: n symmetric moves in one")
        if any(node.bound for node in nodes):
            notes.append("≤ and ≥: a bound is all that is known")
        if any(node.estimated for node in nodes):
            notes.append("≈: a guess")
        lines = ["; ".join(notes[i : i + _NOTES_A_LINE]) for i in range(0, len(notes), _NOTES_A_LINE)]
        return [
            f'<text class="note" x="{_MARGIN}" y="{y + 18 * number:g}">{escape(line)}</text>'
            for number, line in enumerate(lines)
        ]


def to_svg(game: Game[Any, Any], root: Node) -> str:
    """The tree as an SVG document.

    >>> from solver.drawing.diagram import grow
    >>> from solver.games import load
    >>> game = load("figure:two-ply")
    >>> to_svg(game, grow(game, "A", 2)).count('class="paper"')
    13
    """
    return _Picture(game, root).draw()
