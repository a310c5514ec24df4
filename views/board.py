"""A position as a picture: the board, or what the game draws in its place."""

from typing import Any

from zermelo.solver.board import board_of
from zermelo.solver.game import Game
from zermelo.views.picture import Paint, draw
from zermelo.views.picture import size as size_of
from zermelo.views.svg import Box, document, escape, grid, number, stone

_CELL, _EDGE, _LINE = 60, 30, 20
_PAINT = Paint('class="frame"', ('class="x"', 'class="o"'), 'class="name"')
_STYLE = """
.zermelo-board text { font-family: "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; fill: #1c1c22; }
.zermelo-board .name { font-size: 16px; fill: #55555f; text-anchor: middle; }
.zermelo-board .line { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 16px; white-space: pre; }
.zermelo-board .frame { fill: #fff; stroke: #55555f; stroke-width: 2; }
.zermelo-board .grid { stroke: #c9c9d1; stroke-width: 1.5; }
.zermelo-board .x { stroke: #1d4ed8; stroke-width: 7; stroke-linecap: round; fill: none; }
.zermelo-board .o { stroke: #c2410c; stroke-width: 7; fill: none; }
"""


def draw_board(game: Game[Any, Any], state: Any, *, numbers: bool = False) -> str:
    """The position as an SVG document; of a game that is `numbered`, empty cells show their numbers.

    >>> from zermelo.solver.games import load
    >>> game = load("tictactoe")
    >>> draw_board(game, game.parse("XO./.X./..O")).count('class="x"')
    2
    """
    board = board_of(game)
    title = f"{game.title}: {game.format(state)}"
    words = "The game is over." if game.is_terminal(state) else f"{game.to_move(state)} is to move."
    marks = game.format(state).replace("/", "")
    if board is None or len(marks) != board.cells or set(marks) - set("XO."):
        if (picture := game.picture(state)) is not None:
            across, down = size_of(picture)
            size = across * _CELL + 2.0 * _EDGE, down * _CELL + 2.0 * _EDGE
            return document("zermelo-board", size, title, words, _STYLE, draw(picture, _EDGE, _EDGE, _CELL, _PAINT))
        lines = game.draw(state).split("\n")
        size = 2 * _EDGE + 10.0 * max(map(len, lines)), 2 * _EDGE + _LINE * len(lines)
        texts = [
            f'<text class="line" x="{_EDGE}" y="{_EDGE + 16 + _LINE * row}" xml:space="preserve">{escape(line)}</text>'
            for row, line in enumerate(lines)
        ]
        return document("zermelo-board", size, title, words, _STYLE, texts)
    frame = Box(_EDGE, _EDGE, board.width * _CELL, board.height * _CELL)
    lefts = [_EDGE + _CELL * column for column in range(board.width)]
    tops = [_EDGE + _CELL * row for row in range(board.height)]
    body = [f'<rect class="frame" {frame}/>', f'<path class="grid" d="{grid(frame, lefts, tops)}"/>']
    for column, left in enumerate(lefts):
        body.append(_name(board.name_of(column)[0], left + _CELL / 2, _EDGE - 9))
    for row, top in enumerate(tops):
        body.append(_name(str(row + 1), _EDGE - 15, top + _CELL / 2 + 6))
    for cell, mark in enumerate(marks):
        x, y = Box(lefts[cell % board.width], tops[cell // board.width], _CELL, _CELL).centre
        if mark != ".":
            body.append(stone(mark, x, y, 17, f'class="{mark.lower()}"'))
        elif numbers:
            body.append(_name(game.format_action(cell), x, y + 6))
    return document(
        "zermelo-board", (frame.width + 1.5 * _EDGE, frame.height + 1.5 * _EDGE), title, words, _STYLE, body
    )


def _name(text: str, x: float, y: float) -> str:
    return f'<text class="name" x="{number(x)}" y="{number(y)}">{escape(text)}</text>'
