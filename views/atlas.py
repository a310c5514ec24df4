"""The map of perfect play as numbered boards: below each, what to answer to every reply, and at which board to go on.

It is for games whose moves are not made in one cell each, or that come to the same board in many ways: each is drawn once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zermelo.db.query import Solution
from zermelo.solver.errors import AmountError
from zermelo.solver.game import Game
from zermelo.solver.progress import Progress
from zermelo.solver.zero_sum import has_payoffs
from zermelo.views.paper import PAPERS, area_of
from zermelo.views.picture import Paint, draw
from zermelo.views.picture import size as size_of
from zermelo.views.svg import Box, document, escape, number
from zermelo.views.words import value_for

MOST_BOARDS = 5_000
_CELL, _TEXT, _GAP = 5.0, 2.4, 3.0
"""Millimetres, where nothing is made smaller: a cell of a picture, the height of a line, and what lies between boards."""
_LARGEST, _SMALLEST = 180, 70
"""Percent, to which boards are made larger or smaller to fill one page: what is smaller nobody can read."""
_LETTER = 0.58
"""How wide a letter is, of its height."""
_PAINT = Paint('class="cell"', ('class="first"', 'class="second"'), 'class="mark"')
_STYLE = """
.zermelo-map text { font-family: "DejaVu Sans", system-ui, "Segoe UI", sans-serif; fill: #17202c; }
.zermelo-map .mark { text-anchor: middle; }
.zermelo-map .cell { fill: #fff; stroke: #93a0af; stroke-width: .25; }
.zermelo-map .first { stroke: #1d4ed8; stroke-width: .7; stroke-linecap: round; fill: none; }
.zermelo-map .second { stroke: #b45309; stroke-width: .7; fill: none; }
.zermelo-map .number { font-weight: 650; }
.zermelo-map .won { fill: #0f6b4f; }
.zermelo-map .lost { fill: #ae1f3d; }
.zermelo-map .back { fill: #8a5a00; }
"""


class Reply(NamedTuple):
    """What the opponent may do at a board, and what then."""

    move: str
    answers: Sequence[str]
    """What to do then: a move, or several where the turn stays, or none where it is the opponent's again or all is over."""
    board: int | None
    """Where to go on; None where the game is over."""
    value: int
    """How it ends then, from the first player's side; of use only where it is over."""
    leads_back: bool
    """Whether that board is one of those on the way to this one, in the order in which they are numbered: play need not end."""


@dataclass
class Entry:
    """A board at which the opponent is to move, or at which the game ends before it could."""

    position: str
    replies: list[Reply] = field(default_factory=list)


class Atlas(NamedTuple):
    """All boards that can be come to by somebody who plays the stored moves; the first is where to begin."""

    opening: Sequence[str]
    """What to begin with, if the side begins."""
    entries: list[Entry]


def collect(solution: Solution, side: str, progress: Progress | None = None) -> Atlas:
    """The boards for the player `side`, numbered as they are met when the first reply is always followed first."""
    start = solution.answer(solution.game.format(solution.game.initial))
    opening, first = _answered(solution, side, start.position)
    entries, numbers = [Entry(first)], {first: 0}
    way = [(0, iter(solution.answer(first).moves))]
    on_it = {0}
    while way:
        here, moves = way[-1]
        move = next(moves, None)
        if move is None:
            on_it.discard(here)
            way.pop()
            continue
        answers, position = _answered(solution, side, move.position)
        after = solution.answer(position)
        if after.terminal:
            entries[here].replies.append(Reply(move.move, answers, None, after.value, False))
            continue
        new = position not in numbers
        board = numbers.setdefault(position, len(entries))
        entries[here].replies.append(Reply(move.move, answers, board, after.value, board in on_it))
        if new:
            if len(entries) == MOST_BOARDS:
                raise AmountError(
                    f"the map of {solution.game.spec} for {side} has more than {MOST_BOARDS:,} boards, too many to look at",
                    game=solution.game.spec,
                    positions=MOST_BOARDS,
                    task="atlas",
                )
            entries.append(Entry(position))
            way.append((board, iter(after.moves)))
            on_it.add(board)
            if progress and board % 20 == 0:
                progress(board, None, "following every reply")
    return Atlas(opening, entries)


def _answered(solution: Solution, side: str, position: str) -> tuple[list[str], str]:
    """The stored moves of `side` for as long as it is to move, and what they lead to."""
    answers: list[str] = []
    here = solution.answer(position)
    seen = {position}
    while here.to_move == side:
        best = here.moves[0]
        answers.append(best.move)
        here = solution.answer(best.position)
        if here.position in seen:  # a side that moves alone in a circle: nobody answers it
            break
        seen.add(here.position)
    return answers, here.position


class _Laid(NamedTuple):
    """A board with its lines, laid out in millimetres where nothing is made smaller."""

    elements: list[str]
    width: float
    height: float


def draw_atlas(
    solution: Solution, side: str, paper: str, *, pages: bool = False, progress: Progress | None = None
) -> list[str]:
    """The numbered boards as SVG, on one page as large as fits, or with `pages` on as many as they take."""
    game = solution.game
    atlas = collect(solution, side, progress)
    if progress:
        progress(len(atlas.entries), None, "drawing")
    laid = [_laid(game, side, place, entry) for place, entry in enumerate(atlas.entries)]
    area = area_of(paper)
    most = min(area.width / max(board.width for board in laid), area.height / max(board.height for board in laid))
    if 100 * most < _SMALLEST:
        raise AmountError(
            f"the map of {game.spec} for {side} has a board too large to read on {paper.upper()}",
            game=game.spec,
            positions=len(laid),
            task="atlas",
        )
    scale = min(1.0, most)
    placed = _placed(laid, area, scale)
    if not pages:
        sizes = (step / 100 for step in range(_LARGEST, _SMALLEST - 1, -5) if step <= 100 * most)
        scale = next((size for size in sizes if len(_placed(laid, area, size)) == 1), 0)
        if not scale:
            raise AmountError(
                f"the map of {game.spec} for {side} has {len(laid):,} boards, too many to read on one page: they take"
                f" {len(placed):,} pages of {paper.upper()}",
                game=game.spec,
                positions=len(laid),
                task="atlas",
            )
        placed = _placed(laid, area, scale)
    return [
        _page(solution, side, atlas, paper, scale, boards, (sheet, len(placed)))
        for sheet, boards in enumerate(placed, 1)
    ]


def _laid(game: Game[Any, Any], side: str, place: int, entry: Entry) -> _Laid:
    """A board with its number above it, and below it a line for each reply."""
    state = game.parse(entry.position)
    picture, top = game.picture(state), 1.4 * _TEXT
    elements = [f'<text class="number" x="0" y="{number(_TEXT)}" font-size="{_TEXT}">{place + 1}</text>']
    if picture is not None:
        across, down = (_CELL * cells for cells in size_of(picture))
        elements += draw(picture, 0, top, _CELL, _PAINT)
    else:
        lines = game.draw(state).split("\n")
        across, down = max(map(len, lines)) * _LETTER * _TEXT, 1.2 * _TEXT * len(lines)
        elements += [_line("", line, top + (1.2 * row + 1) * _TEXT) for row, line in enumerate(lines)]
    top += down + 0.4 * _TEXT
    texts = [_told(game, side, reply) for reply in entry.replies]
    elements += [_line(kind, text, top + (1.2 * row + 1) * _TEXT) for row, (kind, text) in enumerate(texts)]
    width = max([across, *(len(text) * _LETTER * _TEXT for _, text in texts)])
    return _Laid(elements, width, top + 1.2 * _TEXT * len(texts))


def _line(kind: str, text: str, y: float) -> str:
    return f'<text class="{kind}" x="0" y="{number(y)}" font-size="{_TEXT}" xml:space="preserve">{escape(text)}</text>'


def _told(game: Game[Any, Any], side: str, reply: Reply) -> tuple[str, str]:
    """What a reply leads to, as a kind and in words: b2: c3 → 7."""
    answered = f"{reply.move}: {' '.join(reply.answers)}" if reply.answers else reply.move
    if reply.board is not None:
        return (
            ("back", f"{answered} ↺ {reply.board + 1}") if reply.leads_back else ("", f"{answered} → {reply.board + 1}")
        )
    result = _result(game, side, reply.value)
    return ("", f"{answered} {value_for(game, reply.value)}") if has_payoffs(game) else (result, f"{answered} {result}")


def _result(game: Game[Any, Any], side: str, value: int) -> str:
    gain = value if side == game.players[0] else -value
    return "won" if gain > 0 else "lost" if gain < 0 else "drawn"


def _placed(laid: Sequence[_Laid], area: Box, scale: float) -> list[list[tuple[float, float, _Laid]]]:
    """Where each board goes, by page: down one column after the other, each as wide as its widest board."""
    sheets: list[list[tuple[float, float, _Laid]]] = [[]]
    column: list[tuple[float, _Laid]] = []
    x = y = 0.0

    def close() -> None:
        """Put the finished column onto the page, or onto a new one if there is no room."""
        nonlocal x
        width = scale * max(board.width for _, board in column)
        if x and x + width > area.width:
            sheets.append([])
            x = 0.0
        sheets[-1].extend((area.x + x, area.y + top, board) for top, board in column)
        x += width + scale * _GAP

    for board in laid:
        if column and y + scale * board.height > area.height:
            close()
            column, y = [], 0.0
        column.append((y, board))
        y += scale * (board.height + _GAP)
    close()
    return sheets


def _page(
    solution: Solution,
    side: str,
    atlas: Atlas,
    paper: str,
    scale: float,
    boards: Sequence[tuple[float, float, _Laid]],
    sheet: tuple[int, int],
) -> str:
    game, area = solution.game, area_of(paper)
    other = next(player for player in game.players if player != side)
    title = f"Perfect play for {side}: {game.title}" + (f", page {sheet[0]} of {sheet[1]}" if sheet[1] > 1 else "")
    begin = f"Begin with {' '.join(atlas.opening)}, board 1. " if atlas.opening else f"{other} begins, at board 1. "
    rule = f"Below each board: what {other} may do, your answer, and the board to go to."
    results = _results(game, side, atlas)
    large = min(6.5, area.width / (0.7 * len(title)))
    body = [
        f'<text x="{area.x}" y="12" font-size="{number(large)}" font-weight="650">{escape(title)}</text>',
        f'<text x="{area.x}" y="18" font-size="3.6">{escape(begin + rule)}</text>',
        f'<text x="{area.x}" y="23" font-size="3.6">{escape(results)}</text>',
    ]
    for x, y, board in boards:
        body += [f'<g transform="translate({number(x)} {number(y)}) scale({number(scale)})">', *board.elements, "</g>"]
    described = f"{begin}{rule} {len(atlas.entries):,} boards. {results}"
    return document("zermelo-map", PAPERS[paper], title, described, _STYLE, body, unit="mm") + "\n"


def _results(game: Game[Any, Any], side: str, atlas: Atlas) -> str:
    """How the lines of the map end, in words."""
    replies = [reply for entry in atlas.entries for reply in entry.replies]
    ends = [reply.value for reply in replies if reply.board is None]
    back = sum(reply.leads_back for reply in replies)
    if has_payoffs(game) and ends:
        told = f"{len(ends):,}, from {min(ends)} to {value_for(game, max(ends)).removeprefix('value ')}"
    else:
        results = [_result(game, side, value) for value in ends]
        told = ", ".join(f"{results.count(result):,} {result}" for result in ("won", "drawn", "lost"))
    round_again = f" {back:,} lead back to a board on the way there, and so need not end (↺)." if back else ""
    return f"Ends on the map: {told}.{round_again}"
