"""What a notebook shows: an answer as its board with every move's value, a solution as its counts by ply.

Notebooks strip style sheets from what they do not trust, so the styles are written where they apply; what colours the
text is left to the notebook, so that it can be read in a dark one and in a light one. Everything that a game or a file
names is escaped.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from zermelo.db.answers import Answer, Move
from zermelo.db.query import Solution, recent_games
from zermelo.db.stats import statistics
from zermelo.solver.board import Board, board_of
from zermelo.solver.errors import ZermeloError
from zermelo.solver.game import Game
from zermelo.views.picture import Paint
from zermelo.views.picture import draw as draw_picture
from zermelo.views.picture import size as picture_size
from zermelo.views.words import line_text, outcome_text, verdict

_WON, _DRAWN, _LOST = "rgba(22,160,90,.32)", "rgba(128,128,128,.16)", "rgba(220,60,60,.28)"
"""What a move is to the side that makes it."""
_FIRST, _SECOND = "#3b82f6", "#e0701c"
"""The colours of the first player and of the second, on dark and on light paper."""
_LINE = "1px solid rgba(128,128,128,.55)"
_CELL = 36
_STROKE = 'fill="none" stroke-width="4" stroke-linecap="round"'
_PAINT = Paint(
    'fill="rgba(128,128,128,.12)" stroke="rgba(128,128,128,.7)"',
    (f'{_STROKE} stroke="{_FIRST}"', f'{_STROKE} stroke="{_SECOND}"'),
    'fill="currentColor"',
)
_PLAIN = "background:none;border:none;text-align:center;padding:2px 6px"


def html(shown: object) -> str | None:
    """`shown` as HTML; None where it can't be drawn, such as a solution that is closed: its `repr` is then shown."""
    try:
        if isinstance(shown, Answer):
            return _answer(shown)
        return _solution(shown) if isinstance(shown, Solution) else None
    except ZermeloError:
        return None


def _answer(answer: Answer) -> str:
    game = next((game for game in list(recent_games)[::-1] if game.spec == answer.game), None)
    if game is None:
        return _block([_text(answer.position), _moves(answer)])
    board = board_of(game)
    cells = set() if board is None else {board.name_of(cell) for cell in range(board.cells)}
    if board and cells.issuperset(move.move for move in answer.moves):
        parts = [_board(game, board, answer)]
    else:
        parts = [_drawing(game, game.parse(answer.position)), _moves(answer, game)]
    line = [] if answer.line is None else [_note(line_text(answer))]
    signs = (
        _note(f"Values are for {game.players[0]}, with the plies left after the move. ★ marks the best moves.")
        if answer.moves
        else ""
    )
    return _block([f"<div>{escape(verdict(game, answer))}</div>", *parts, *line, signs])


def _drawing(game: Game[Any, Any], state: Any) -> str:
    """The game's picture of the state, or its text where it has none."""
    picture = game.picture(state)
    if picture is None:
        return _text(game.draw(state))
    width, height = (_CELL * cells + 4 for cells in picture_size(picture))
    drawn = "".join(draw_picture(picture, 2, 2, _CELL, _PAINT))
    label = f'role="img" aria-label="{escape(game.draw(state), quote=True)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {label} width="{width:g}" height="{height:g}" style="margin:6px 0">{drawn}</svg>'


def _board(game: Game[Any, Any], board: Board, answer: Answer) -> str:
    """The board as a table: stones where they are, and in each cell that can be moved to what the move is worth."""
    moves = {move.move: move for move in answer.moves}
    rows = [[f'<td style="{_PLAIN}"></td>', *(_edge(board.name_of(column)[0]) for column in range(board.width))]]
    for number, stones in enumerate(answer.position.split("/")):
        row = [_edge(str(number + 1))]
        for column, stone in enumerate(stones):
            move = moves.get(board.name_of(number * board.width + column))
            row.append(_stone(game, stone) if move is None else _cell(_worth(move), _colour(game, answer, move)))
        rows.append(row)
    return _table(rows)


def _stone(game: Game[Any, Any], stone: str) -> str:
    if stone not in game.players:
        return _cell("")
    colour = _FIRST if stone == game.players[0] else _SECOND
    return _cell(f'<span style="font-size:24px;font-weight:700;color:{colour}">{escape(stone)}</span>')


def _worth(move: Move) -> str:
    star = " ★" if move.optimal else ""
    plies = "without end" if move.plies is None else f"in {move.plies}" if move.plies else "at once"
    return f'<b>{_signed(move.value)}{star}</b><br><span style="font-size:11px">{plies}</span>'


def _moves(answer: Answer, game: Game[Any, Any] | None = None) -> str:
    """The moves as a table, best first."""
    rows = [[_edge(name) for name in ("move", "value", "plies", "leads to")]] if answer.moves else []
    for move in answer.moves:
        colour = "none" if game is None else _colour(game, answer, move)
        value = f"{_signed(move.value)}{' ★' if move.optimal else ''}"
        texts = (
            f"<b>{escape(move.move)}</b>",
            value,
            "-" if move.plies is None else str(move.plies),
            escape(move.position),
        )
        rows.append([_cell(text, colour, size=0) for text in texts])
    return _table(rows)


def _colour(game: Game[Any, Any], answer: Answer, move: Move) -> str:
    gain = move.value if answer.to_move == game.players[0] else -move.value
    return _WON if gain > 0 else _LOST if gain < 0 else _DRAWN


def _solution(solution: Solution) -> str:
    figures, game = statistics(solution), solution.game
    first, second = game.players
    words = f"{escape(figures['game'])}</b>: {escape(outcome_text(game, figures['value'], figures['plies']))}"
    counts = f"{figures['positions']:,} positions in {figures['classes']:,} classes, {figures['terminal']:,} finished"
    if figures["games"] is not None:
        counts += f"; {figures['games']:,} games"
    names = ("ply", "positions", "classes", "finished", f"{first} wins", "draws", f"{second} wins", "")
    rows = [[_edge(name) for name in names]]
    for row in figures["by_ply"]:
        outcomes = [row["x_wins"], row["draws"], row["o_wins"]]
        numbers = [row["ply"], row["positions"], row["classes"], row["terminal"], *outcomes]
        rows.append([*(_number(number) for number in numbers), _bar(outcomes)])
    return _block(
        [
            f"<div><b>{words}</div>",
            _note(counts),
            _table(rows),
            _note(f"The bars show {first}'s wins, draws and {second}'s wins."),
        ]
    )


def _bar(outcomes: Sequence[int]) -> str:
    """The shares of the outcomes side by side."""
    total = sum(outcomes)
    shares = "".join(
        f'<div style="width:{100 * count / total:.2f}%;background:{colour};height:12px"></div>'
        for count, colour in zip(outcomes, (_FIRST, "rgba(128,128,128,.4)", _SECOND), strict=True)
    )
    return f'<td style="{_PLAIN}"><div style="display:flex;width:140px">{shares}</div></td>'


def _signed(value: int) -> str:
    return f"{value:+d}".replace("-", "−") if value else "0"  # noqa: RUF001


def _number(number: int) -> str:
    return f'<td style="{_PLAIN};text-align:right">{number:,}</td>'


def _edge(text: str) -> str:
    return f'<th style="{_PLAIN};font-weight:400;opacity:.75">{escape(text)}</th>'


def _cell(content: str, colour: str = "none", size: int = 52) -> str:
    shape = f";width:{size}px;min-width:{size}px;height:{size}px;line-height:1.15" if size else ""
    return f'<td style="background:{colour};border:{_LINE};text-align:center;padding:2px 6px{shape}">{content}</td>'


def _table(rows: Iterable[Iterable[str]]) -> str:
    body = "".join(f'<tr style="background:none">{"".join(row)}</tr>' for row in rows)
    return f'<table style="border-collapse:collapse;border:none;margin:6px 0;font-size:14px">{body}</table>'


def _text(text: str) -> str:
    return f'<pre style="margin:6px 0;line-height:1.2">{escape(text)}</pre>'


def _note(text: str) -> str:
    return f'<div style="font-size:12px;opacity:.75">{escape(text)}</div>'


def _block(parts: Iterable[str]) -> str:
    return f'<div class="zermelo" style="overflow-x:auto">{"".join(parts)}</div>'
