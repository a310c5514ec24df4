"""A tree as an SVG picture that stands alone: boards as nodes, MAX and MIN marked, values, the best line, pruned branches.

Where a tree is wide, the lowest nodes of each branch stand in a column below it, so that three plies fit a screen.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.solver.board import board_of
from zermelo.solver.game import Game
from zermelo.solver.picture import Picture
from zermelo.views.picture import Paint
from zermelo.views.picture import draw as draw_picture
from zermelo.views.picture import size as picture_size
from zermelo.views.search.diagram import Node, best_line, side, walk
from zermelo.views.search.film import Film, Shown, Step
from zermelo.views.svg import Box, document, escape, grid, stone
from zermelo.views.words import plies_text, value_text, whose

_CELL = 15
_STONE = 3.9
_LABEL = 15  # room for the move above a node
_VALUE = 21  # room for the value below it
_WINDOW = 15  # room for alpha and beta below that
_GAP = 10  # between neighbours
_DROP = 44  # between levels
_SPINE = 13  # from a column's line to its nodes
_MARGIN = 24
_PLACES = """.zermelo-tree .place { fill: #fff; stroke: #c9c9d1; stroke-width: 1; }
.zermelo-tree .letters { font-size: inherit; }
"""
"""What pictures other than boards need besides."""
_PAINT = Paint('class="place"', ('class="x"', 'class="o"'), 'class="letters"')
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
.zermelo-tree .window { font-size: 11px; fill: #6b21a8; }
.zermelo-tree .current .paper { stroke: #6b21a8; stroke-width: 3; }
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


class TreePicture:
    """Lays a tree out and draws it."""

    def __init__(self, game: Game[Any, Any], root: Node, title: str | None, legend: bool, film: Film | None) -> None:
        self.game, self.root, self.film = game, root, film
        self.title, self.legend = title, legend
        self.step = len(film.steps) - 1 if film else 0
        """Which step of a film is drawn."""
        self.board = board_of(game)
        nodes = list(walk(root))
        if self.board:
            self.width, self.height = float(self.board.width * _CELL), float(self.board.height * _CELL)
        elif picture := self._picture_of(root.state):
            wide, high = picture_size(picture)
            self.width, self.height = wide * _CELL, high * _CELL
        else:
            self.width, self.height = max(26.0, 7.5 * max(len(game.format(node.state)) for node, _ in nodes) + 12), 24.0
        # A value or a move may be wider than the state above or below it.
        texts = film.texts() if film else [self.value_text(node) for node, _ in nodes]
        texts += [self.move_text(node) for node, level in nodes if level]
        self.across = max(self.width, 8.0 * max(map(len, texts)) + 22) + _GAP
        self.under = _VALUE + (_WINDOW if film else 0)
        self.row = _LABEL + self.height + self.under
        self.columns = sum(not node.children for node, _ in nodes) > _WIDEST_ROW
        self.places: dict[int, _Place] = {}
        levels = [side(game, node.player) for node, _ in nodes] + [f"MAX ({game.players[0]})"]
        self.left = _MARGIN + 8.0 * max(map(len, levels)) + 28
        self.right = self._lay_out(root, 0, self.left)

    def _picture_of(self, state: Any) -> Picture | None:
        """How the state looks; None where there is no picture, or one of the whole game with the place that it is at."""
        picture = self.game.picture(state)
        return None if picture is None or picture.here is not None else picture

    def move_text(self, node: Node) -> str:
        return self.game.format_action(node.move) + (f" ×{node.folded + 1}" if node.folded else "")

    def value_text(self, node: Node) -> str:
        return "" if node.pruned else node.sign + value_text(node.value)

    def shown(self, node: Node) -> Shown | None:
        """What stands below the node; None where the search has not met it yet."""
        return self.film.at(node, self.step) if self.film else Shown(self.value_text(node))

    @property
    def now(self) -> Step | None:
        """What happens in the picture, None once all is over."""
        return self.film.steps[self.step] if self.film and self.step < len(self.film.steps) - 1 else None

    def _top(self, level: int) -> float:
        return 58 + _LABEL + level * (self.row + _DROP)

    def _lay_out(self, node: Node, level: int, left: float) -> float:
        """Give places to a node and everything below it, from `left` on; how far they reach to the right."""
        place = self.places[id(node)] = _Place(node, level, left + self.across / 2, self._top(level))
        right = left + self.across
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
        places = [place for place in self.places.values() if self.shown(place.node) is not None]
        bottom = max(place.y for place in self.places.values()) + self.height + self.under
        legend = self._legend(bottom + 34) if self.legend else []
        title, description = self._words()
        width = max(self.right, 13.0 * len(title) * 0.75, 690) + _MARGIN
        height = bottom + (34 + 18 * (len(legend) - 1) if legend else 0) + _MARGIN
        body = [f'<text class="heading" x="{_MARGIN}" y="34">{escape(title)}</text>', *self._levels()]
        if self.film:
            caption = f"Step {self.step + 1} of {len(self.film.steps)}: {self.film.steps[self.step].words}"
            body.append(f'<text class="note" x="{_MARGIN}" y="54">{escape(caption)}</text>')
            description = f"{caption}. {description}"
        # The best line is drawn last, so that nothing lies across it.
        for place in sorted(places, key=lambda place: (place.node.best, -place.level)):
            body += self._node(place)
        size = round(width), round(height)
        style = _STYLE if self.board or not self._picture_of(self.root.state) else _STYLE + _PLACES
        return document("zermelo-tree", size, title, description, style, [*body, *legend])

    def _words(self) -> tuple[str, str]:
        game, root = self.game, self.root
        nodes = [node for node, _ in walk(root)]
        plies = max(level for _, level in walk(root))
        title = self.title or f"{game.title}: {plies_text(plies)} from {game.format(root.state)}"
        line = " ".join(game.format_action(move) for move in best_line(root))
        worth = f"value {self.value_text(root)} for {whose(game, root.value)}"
        pruned, folded = sum(node.pruned for node in nodes), sum(node.folded for node in nodes)
        parts = [
            f"Game tree of {len(nodes)} nodes. {root.player} is to move: {worth}. Best line: {line}.",
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
        classes = "best" if node.best and not self.now else "pruned" if node.pruned else "plain"
        if self.now and self.now.node is node:
            classes = "current"
        parts = [f'<g class="{classes}">']
        if place.parent:
            parts += self._edge(place, place.parent)
        parts.append('<g class="node">')
        if place.level:
            parts.append(f'<text class="move" x="{x:g}" y="{y - 4:g}">{escape(self.move_text(node))}</text>')
        parts += self._state(node, x - self.width / 2, y)
        under = y + self.height + _VALUE / 2 + 2
        text, window = self.shown(node) or Shown()
        offset = 4.0 * len(text) + 3
        parts.append(self._badge(side(self.game, node.player), x - offset if text else x, under))
        if text:
            parts.append(f'<text class="value" x="{x + 8:g}" y="{under + 5:g}">{escape(text)}</text>')
        if window:
            parts.append(f'<text class="window" x="{x:g}" y="{under + _WINDOW + 4:g}">{escape(window)}</text>')
        return [*parts, "</g></g>"]

    def _edge(self, place: _Place, parent: _Place) -> list[str]:
        top, start = place.y - _LABEL, parent.y + self.height + self.under + 2
        if place.column:
            spine, middle = place.x - self.across / 2 - _SPINE + 6, place.y + self.height / 2
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
        frame = Box(left, top, self.width, self.height)
        paper = f'<rect class="paper" {frame}'
        if self.board is None and (picture := self._picture_of(node.state)):
            return [f"{paper}/>", *draw_picture(picture, left, top, _CELL, _PAINT)]
        if self.board is None:
            x, y = frame.centre
            return [f'{paper} rx="6"/>', f'<text x="{x:g}" y="{y + 4:g}">{escape(text)}</text>']
        lefts = [left + column * _CELL for column in range(self.board.width)]
        tops = [top + row * _CELL for row in range(self.board.height)]
        parts = [f"{paper}/>", f'<path class="grid" d="{grid(frame, lefts, tops)}"/>']
        for row, cells in enumerate(text.split("/")):
            for column, mark in enumerate(cells):
                if mark != ".":
                    x, y = Box(lefts[column], tops[row], _CELL, _CELL).centre
                    parts.append(stone(mark, x, y, _STONE, f'class="{mark.lower()}"'))
        return parts

    def _legend(self, y: float) -> list[str]:
        nodes = [node for node, _ in walk(self.root)]
        notes = [f"values are for {whose(self.game, self.root.value)}", "thick green: the best line"]
        if self.film:
            notes[1:] = ["thick purple: where the search is", "[α, β]: the window"]
        if any(node.player is None for node in nodes):
            notes.append("square: the game is over")
        if any(node.pruned for node in nodes):
            notes.append("dashed and crossed: pruned")
        if any(node.folded for node in nodes):
            notes.append("×n: n symmetric moves in one")
        if any(node.bound and not node.estimated for node in nodes):
            notes.append("≤ and ≥: a bound is all that is known")
        if any(node.estimated for node in nodes):
            notes.append("≈: a guess")
        if any(node.repetition for node in nodes):
            notes.append("↺: a position that is above it already")
        lines = ["; ".join(notes[i : i + _NOTES_A_LINE]) for i in range(0, len(notes), _NOTES_A_LINE)]
        return [
            f'<text class="note" x="{_MARGIN}" y="{y + 18 * number:g}">{escape(line)}</text>'
            for number, line in enumerate(lines)
        ]


def to_svg(game: Game[Any, Any], root: Node, *, title: str | None = None, legend: bool = True) -> str:
    """The tree as an SVG document, with a title of its own if none is given.

    >>> from zermelo.views.search.diagram import grow
    >>> from zermelo.solver.games import load
    >>> game = load("figure:two-ply")
    >>> to_svg(game, grow(game, "A", 2)).count('class="paper"')
    13
    """
    return TreePicture(game, root, title, legend, None).draw()


def frames(game: Game[Any, Any], film: Film, *, title: str | None = None, legend: bool = True) -> Iterator[str]:
    """An SVG document for each step of a search, all of one size.

    >>> from zermelo.views.search.film import film
    >>> from zermelo.solver.games import load
    >>> game = load("figure:two-ply")
    >>> [picture.count('class="paper"') for picture in frames(game, film(game, "A", 2))][:4]
    [1, 2, 3, 4]
    """
    assert film.root is not None
    picture = TreePicture(game, film.root, title, legend, film)
    for picture.step in range(len(film.steps)):
        yield picture.draw()
