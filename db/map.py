"""The map of perfect play: nested boards in which every reply of the opponent meets the stored best move."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

from db.query import Solution
from solver.board import Board
from solver.errors import GameError

MOST_BOARDS = 5_000
PAGE = 210, 279
"""Millimetres: as wide as A4 and as high as US Letter, so that it prints on both."""

_FILL = 0.965
"""How much of a cell a nested board takes."""
_STRETCH = 1.4
"""How much wider than high, or higher than wide, a board may become to fill its place."""

_STYLE = """
text{font-family:system-ui,"Segoe UI",Roboto,sans-serif;fill:#17202c}
.mine{stroke:#1d4ed8}.theirs{stroke:#717c8b}
.O .mine{stroke:#b45309}
.answer{fill:#dbe6ff}.O .answer{fill:#ffe6c7}
.frame{fill:#fff;stroke:#4b5666}.won.frame{fill:#e6f5ee}.lost.frame{fill:#fbe4e8}
.lines{stroke:#93a0af;fill:none;stroke-linecap:round}
.through{stroke-linecap:round;stroke-opacity:.75}.won.through{stroke:#0f6b4f}.lost.through{stroke:#ae1f3d}
"""


class Box(NamedTuple):
    """A rectangle of the page, in millimetres."""

    x: float
    y: float
    width: float
    height: float

    def centred(self, width: float, height: float) -> "Box":
        """A rectangle of this size in the middle."""
        return Box(self.x + (self.width - width) / 2, self.y + (self.height - height) / 2, width, height)

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def __str__(self) -> str:
        return f'x="{_n(self.x)}" y="{_n(self.y)}" width="{_n(self.width)}" height="{_n(self.height)}"'


_AREA = Box(6, 27, 198, 246)


@dataclass
class Node:
    """A board at which the opponent is to move, or the game is over. Sizes are in stones."""

    stones: str
    answer: int | None
    """The cell of the move that led here, None where the opponent begins."""
    result: str | None
    """How the game has ended for the side whose map it is: won, drawn or lost; None where it goes on."""
    replies: dict[int, "Node"] = field(default_factory=dict)
    """The boards to go to, by the cell of the opponent's reply."""
    endings: dict[int, tuple[str, str]] = field(default_factory=dict)
    """The opponent's stones that end the game, and how, by cell."""
    columns: list[float] = field(default_factory=list)
    rows: list[float] = field(default_factory=list)

    @property
    def width(self) -> float:
        return sum(self.columns)

    @property
    def height(self) -> float:
        return sum(self.rows)


def draw_map(solution: Solution, side: str) -> str:
    """The map for the player `side` as SVG on one page, as deep as the game goes."""
    game = solution.game
    board = getattr(game, "board", None)
    if not isinstance(board, Board):
        raise GameError(f"{game.spec} is not played on a board of cells: there is no map of it")
    root = grow(solution, board, side)
    boards = sum(1 for _ in _nodes(root))
    other = next(player for player in game.players if player != side)
    title = f"Perfect play for {side}: {game.spec}"
    begin = f"Begin with the marked {side}. " if root.answer is not None else f"{other} begins. "
    rule = f"When {other} has taken a cell, go to the board in it: the marked {side} is the answer."
    results = _results(root)
    x = _AREA.x
    page_width, page_height = PAGE
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{page_width}mm" height="{page_height}mm"'
            f' viewBox="0 0 {page_width} {page_height}" role="img" aria-labelledby="title desc" class="{escape(side)}">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="desc">{escape(f"{begin}{rule} {boards:,} nested boards. {results}")}</desc>',
            f"<style>{_STYLE}</style>",
            '<symbol id="X" viewBox="1 1 8 8"><path d="M2 2l6 6m0-6l-6 6" fill="none" stroke-width="1.5" stroke-linecap="round"/></symbol>',
            '<symbol id="O" viewBox="1 1 8 8"><circle cx="5" cy="5" r="3.2" fill="none" stroke-width="1.5"/></symbol>',
            f'<rect width="{page_width}" height="{page_height}" fill="#fff"/>',
            f'<text x="{x}" y="12" font-size="6.5" font-weight="650">{escape(title)}</text>',
            f'<text x="{x}" y="18" font-size="3.6">{escape(begin + rule)}</text>',
            f'<text x="{x}" y="23" font-size="3.6">{escape(results)}</text>',
            *_draw(root, _AREA, game, board, side),
            "</svg>\n",
        ]
    )


def grow(solution: Solution, board: Board, side: str) -> Node:
    """The tree of boards, each as large as what is nested in it needs."""
    left = MOST_BOARDS
    sign = 1 if side == solution.game.players[0] else -1

    def result(value: int) -> str:
        return "won" if value * sign > 0 else "lost" if value * sign < 0 else "drawn"

    def node(position: str, answer: int | None) -> Node:
        nonlocal left
        left -= 1
        if left < 0:
            raise GameError(
                f"the map of {solution.game.spec} for {side} has more than {MOST_BOARDS:,} boards: choose a smaller game"
            )
        here = solution.answer(position)
        made = Node(here.position.replace("/", ""), answer, result(here.value) if here.terminal else None)
        made.columns, made.rows = [1.0] * board.width, [1.0] * board.height
        for move in here.moves:
            cell = board.cell_of(move.move)
            after = solution.answer(move.position)
            if after.terminal:
                made.endings[cell] = str(here.to_move), result(after.value)
                continue
            best = after.moves[0]
            child = made.replies[cell] = node(best.position, board.cell_of(best.move))
            row, column = divmod(cell, board.width)
            made.columns[column] = max(made.columns[column], child.width / _FILL)
            made.rows[row] = max(made.rows[row], child.height / _FILL)
        return made

    start = solution.answer(solution.game.format(solution.game.initial))
    if start.to_move == side and start.moves:
        best = start.moves[0]
        return node(best.position, board.cell_of(best.move))
    return node(start.position, None)


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.replies.values():
        yield from _nodes(child)


def _results(root: Node) -> str:
    """How many of the games on the map end how, in words."""
    counts = {"won": 0, "drawn": 0, "lost": 0}
    for node in _nodes(root):
        for result in ([node.result] if node.result else []) + [result for _, result in node.endings.values()]:
            counts[result] += 1
    return f"Games on the map: {', '.join(f'{count:,} {result}' for result, count in counts.items())}."


def _draw(node: Node, place: Box, game: Any, board: Board, side: str) -> Iterator[str]:
    """The elements of one board, as large as fits in its place, and of all that is nested in it."""
    scale = min(place.width / node.width, place.height / node.height)
    across = min(place.width / node.width, scale * _STRETCH)
    down = min(place.height / node.height, scale * _STRETCH)
    frame = place.centred(node.width * across, node.height * down)
    lefts = [frame.x + across * sum(node.columns[:column]) for column in range(board.width)]
    tops = [frame.y + down * sum(node.rows[:row]) for row in range(board.height)]

    def box(cell: int) -> Box:
        row, column = divmod(cell, board.width)
        return Box(lefts[column], tops[row], node.columns[column] * across, node.rows[row] * down)

    # Larger boards have heavier lines, though not in proportion.
    weight = 0.03 * (frame.width / board.width) ** 0.7
    ended = node.result or ""
    yield f'<rect class="frame {ended}" {frame} stroke-width="{_n(weight)}"/>'
    if node.answer is not None:
        yield f'<rect class="answer" {box(node.answer)}/>'
    lines = [f"M{_n(left)} {_n(frame.y)}v{_n(frame.height)}" for left in lefts[1:]]
    lines += [f"M{_n(frame.x)} {_n(top)}h{_n(frame.width)}" for top in tops[1:]]
    yield f'<path class="lines" stroke-width="{_n(weight)}" d="{"".join(lines)}"/>'
    for cell, stone in enumerate(node.stones):
        mark, _ = node.endings.get(cell, (stone, ""))
        if mark != ".":
            size = min(box(cell)[2:]) * (0.88 if cell == node.answer else 0.82)
            faint = ' opacity=".6"' if cell in node.endings else ""
            whose = "mine" if mark == side else "theirs"
            yield f'<use href="#{mark}" class="{whose}" {box(cell).centred(size, size)}{faint}/>'
    for line in _completed(game, node.stones):
        (x1, y1), (x2, y2) = box(line[0]).centre, box(line[-1]).centre
        ends = f'x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"'
        yield f'<line class="through {ended}" {ends} stroke-width="{_n(0.15 * min(across, down))}"/>'
    for cell, child in node.replies.items():
        inner = box(cell)
        yield from _draw(child, inner.centred(inner.width * _FILL, inner.height * _FILL), game, board, side)


def _completed(game: Any, stones: str) -> Iterator[list[int]]:
    """The cells of each line that one side has completed."""
    for mask in game.lines:
        cells = [cell for cell in range(len(stones)) if mask >> 2 * cell & 1]
        if stones[cells[0]] != "." and len({stones[cell] for cell in cells}) == 1:
            yield cells


def _n(number: float) -> str:
    """A coordinate, as short as it can be."""
    return f"{number:.2f}".rstrip("0").rstrip(".") or "0"
