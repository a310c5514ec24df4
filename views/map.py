"""The map of perfect play: nested boards in which every reply of the opponent meets the stored best move."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.db.query import Solution
from zermelo.solver.board import Board, board_of
from zermelo.solver.errors import AmountError
from zermelo.solver.progress import Progress
from zermelo.views.atlas import draw_atlas
from zermelo.views.paper import PAPERS, area_of
from zermelo.views.svg import Box, document, escape, grid, number, stone

MOST_BOARDS = 5_000
SMALLEST = 0.6
"""Millimetres: stones that are smaller cannot be told apart on paper."""

_FILL = 0.965
"""How much of a cell a nested board takes."""
_STONE = 0.82
"""How much of a cell a stone takes."""
_STRETCH = 1.4
"""How much wider than high, or higher than wide, a board may become to fill its place."""

_STROKE = 'fill="none" stroke-width="1.5" stroke-linecap="round"'
_ROUND = f'{_STROKE} d="M7.5 3.2a3.2 3.2 0 1 0 .7 2.4M8 1.2v2.3h-2.3"'
"""An arrow that goes round, in a square of 10."""
_STYLE = """
.zermelo-map text { font-family: system-ui, "Segoe UI", Roboto, sans-serif; fill: #17202c; }
.zermelo-map .mine { stroke: #1d4ed8; }
.zermelo-map.O .mine { stroke: #b45309; }
.zermelo-map .theirs { stroke: #717c8b; }
.zermelo-map .answer { fill: #dbe6ff; }
.zermelo-map.O .answer { fill: #ffe6c7; }
.zermelo-map .frame { fill: #fff; stroke: #4b5666; }
.zermelo-map .won.frame { fill: #e6f5ee; }
.zermelo-map .lost.frame { fill: #fbe4e8; }
.zermelo-map .back.frame { fill: #fff4d6; }
.zermelo-map path.back { stroke: #8a5a00; opacity: .6; }
.zermelo-map .lines { stroke: #93a0af; fill: none; stroke-linecap: round; }
.zermelo-map .through { stroke-linecap: round; stroke-opacity: .75; }
.zermelo-map .won.through { stroke: #0f6b4f; }
.zermelo-map .lost.through { stroke: #ae1f3d; }
"""


@dataclass
class Node:
    """A board at which the opponent is to move, or the game is over. Sizes are in stones."""

    stones: str
    answer: int | None
    """The cell of the move that led here, None where the opponent begins."""
    result: str | None
    """How the game has ended for the side whose map it is: won, drawn or lost; None where it goes on."""
    leads_back: bool = False
    """Whether this board is one of those around it once more, where the replies to it are: play need not end."""
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


def draw_map(
    solution: Solution,
    side: str,
    paper: str = "a4",
    *,
    pages: bool = False,
    numbered: bool = False,
    progress: Progress | None = None,
) -> list[str]:
    """The map for the player `side` as SVG, as deep as the game goes: on one page, or a page for each first reply.

    A game that is not played by taking the cells of a board has numbered boards; any other has them if they are wanted.
    """
    game = solution.game
    board = board_of(game)
    if board is None or numbered:
        return draw_atlas(solution, side, paper, pages=pages, progress=progress)
    root = grow(solution, board, side, progress)
    parts = [(root, "")]
    if pages:
        parts = _parts(root, board)
    size = smallest(parts, area_of(paper))
    if size < SMALLEST:
        raise AmountError(
            f"the map of {game.spec} for {side} has stones of {size:.2f} mm, too small to read on {paper.upper()}: they are"
            f" {smallest([(root, '')], area_of('a3')):.2f} mm on A3, and {smallest(_parts(root, board), area_of(paper)):.2f} mm with a page for"
            " each first reply",
            game=game.spec,
            positions=sum(1 for _ in _nodes(root)),
            task="map",
        )
    return [_page(solution, board, side, node, first, paper) for node, first in parts]


def _parts(root: Node, board: Board) -> list[tuple[Node, str]]:
    """The boards that each of the opponent's first moves leads to."""
    return [(child, board.name_of(cell)) for cell, child in root.replies.items()] or [(root, "")]


def smallest(parts: Sequence[tuple[Node, str]], area: Box) -> float:
    """The size of the smallest stone, were each part drawn on a page."""
    return min(_smallest(node, area) for node, _ in parts)


def _smallest(node: Node, place: Box) -> float:
    scale = min(place.width / node.width, place.height / node.height)
    cells = [min(column, row) * scale for column in node.columns for row in node.rows]
    below = [
        _smallest(
            child,
            Box(0, 0, node.columns[cell % len(node.columns)], node.rows[cell // len(node.columns)]).scaled(
                scale * _FILL
            ),
        )
        for cell, child in node.replies.items()
    ]
    return min([_STONE * cell for cell in cells] + below)


def _page(solution: Solution, board: Board, side: str, root: Node, first: str, paper: str) -> str:
    """A page with the boards below one of them, to which `first` led if that is not the start."""
    game, area = solution.game, area_of(paper)
    boards = sum(1 for _ in _nodes(root))
    other = next(player for player in game.players if player != side)
    title = f"Perfect play for {side}: {game.title}" + (f", {other} at {first}" if first else "")
    begin = (
        f"Begin with the marked {side}. "
        if root.answer is not None and not first
        else ""
        if first
        else f"{other} begins. "
    )
    rule = f"When {other} has taken a cell, go to the board in it: the marked {side} is the answer."
    results = _results(root)
    described = f"{begin}{rule} {boards:,} nested boards. {results}"
    body = [
        *(f'<symbol id="{mark}" viewBox="1 1 8 8">{stone(mark, 5, 5, 3, _STROKE)}</symbol>' for mark in "XO"),
        f'<text x="{area.x}" y="12" font-size="6.5" font-weight="650">{escape(title)}</text>',
        f'<text x="{area.x}" y="18" font-size="3.6">{escape(begin + rule)}</text>',
        f'<text x="{area.x}" y="23" font-size="3.6">{escape(results)}</text>',
        *_draw(root, area, game, board, side),
    ]
    return document(f"zermelo-map {side}", PAPERS[paper], title, described, _STYLE, body, unit="mm") + "\n"


def grow(solution: Solution, board: Board, side: str, progress: Progress | None = None) -> Node:
    """The tree of boards, each as large as what is nested in it needs."""
    left = MOST_BOARDS
    sign = 1 if side == solution.game.players[0] else -1

    def result(value: int) -> str:
        return "won" if value * sign > 0 else "lost" if value * sign < 0 else "drawn"

    def node(position: str, answer: int | None, around: frozenset[str]) -> Node:
        nonlocal left
        left -= 1
        if left < 0:
            raise AmountError(
                f"the map of {solution.game.spec} for {side} has more than {MOST_BOARDS:,} nested boards",
                game=solution.game.spec,
                positions=MOST_BOARDS,
                task="map",
            )
        if progress and left % 20 == 0:
            progress(MOST_BOARDS - left, None, "following every reply")
        here = solution.answer(position)
        made = Node(here.position.replace("/", ""), answer, result(here.value) if here.terminal else None)
        made.columns, made.rows = [1.0] * board.width, [1.0] * board.height
        if here.position in around:
            made.leads_back = True
            return made
        for move in here.moves:
            cell = board.cell_of(move.move)
            after = solution.answer(move.position)
            if after.terminal:
                made.endings[cell] = str(here.to_move), result(after.value)
                continue
            best = after.moves[0]
            child = made.replies[cell] = node(best.position, board.cell_of(best.move), around | {here.position})
            row, column = divmod(cell, board.width)
            made.columns[column] = max(made.columns[column], child.width / _FILL)
            made.rows[row] = max(made.rows[row], child.height / _FILL)
        return made

    start = solution.answer(solution.game.format(solution.game.initial))
    if start.to_move == side and start.moves:
        best = start.moves[0]
        return node(best.position, board.cell_of(best.move), frozenset())
    return node(start.position, None, frozenset())


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
    back = sum(node.leads_back for node in _nodes(root))
    told = [f"{count:,} {result}" for result, count in counts.items()]
    round_again = f" {back:,} lead back to a board around them, and so need not end (↺)." if back else ""
    return f"Games on the map: {', '.join(told)}.{round_again}"


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
    ended = "back" if node.leads_back else node.result or ""
    yield f'<rect class="frame {ended}" {frame} stroke-width="{number(weight)}"/>'
    if node.answer is not None:
        yield f'<rect class="answer" {box(node.answer)}/>'
    yield f'<path class="lines" stroke-width="{number(weight)}" d="{grid(frame, lefts, tops)}"/>'
    for cell, placed in enumerate(node.stones):
        mark, _ = node.endings.get(cell, (placed, ""))
        if mark != ".":
            size = min(box(cell)[2:]) * (0.88 if cell == node.answer else _STONE)
            faint = ' opacity=".6"' if cell in node.endings else ""
            whose = "mine" if mark == side else "theirs"
            yield f'<use href="#{mark}" class="{whose}" {box(cell).centred(size, size)}{faint}/>'
    if node.leads_back:
        round_again = min(frame.width, frame.height)
        yield f'<path class="back" {_ROUND} transform="{_placed(frame, round_again)}"/>'
    for line in _completed(game, node.stones):
        (x1, y1), (x2, y2) = box(line[0]).centre, box(line[-1]).centre
        ends = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
        yield f'<line class="through {ended}" {ends} stroke-width="{number(0.15 * min(across, down))}"/>'
    for cell, child in node.replies.items():
        inner = box(cell)
        yield from _draw(child, inner.centred(inner.width * _FILL, inner.height * _FILL), game, board, side)


def _placed(frame: Box, size: float) -> str:
    """What puts a square of 10, so large, into the middle of the frame."""
    x, y, _, _ = frame.centred(size, size)
    return f"translate({number(x)} {number(y)}) scale({size / 10:.4f})"


def _completed(game: Any, stones: str) -> Iterator[list[int]]:
    """The cells of each line that one side has completed."""
    for mask in game.lines:
        cells = [cell for cell in range(len(stones)) if mask >> 2 * cell & 1]
        if stones[cells[0]] != "." and len({stones[cell] for cell in cells}) == 1:
            yield cells
