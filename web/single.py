"""The explorer as one file that works from disk: the page's own modules, with a whole game inside.

A board game is inside as its tablebase, any other as a table with every position, its moves and how it looks.
"""

import base64
import hashlib
import io
import json
import re
import zlib
from html import escape
from typing import IO, Any

from zermelo.db.query import Solution
from zermelo.db.source import endless_of
from zermelo.db.tablebase import write_tablebase
from zermelo.solver.errors import AmountError
from zermelo.solver.game import Game
from zermelo.solver.packed import knows
from zermelo.solver.picture import Picture
from zermelo.solver.progress import Progress
from zermelo.web.describe import describe
from zermelo.web.page import FOLDER

BINARY = False
WHOLE = "a page"
MOST_POSITIONS = 2_000_000
_BETWEEN = "|"
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def write(stream: IO[bytes], solution: Solution, _positions: object = None, progress: Progress | None = None) -> None:
    """Write the page with the game's every position in it."""
    facts = solution.source.facts
    if facts["positions"] > MOST_POSITIONS:
        spec, number = facts["game"], facts["positions"]
        raise AmountError(
            f"{spec} has {number:,} positions, and a page holds {MOST_POSITIONS:,} at the most",
            game=spec,
            positions=number,
            task="page",
        )
    game = json.dumps(
        describe(solution.game, facts, [value for _, _, value in solution.source.counts()]), separators=(",", ":")
    )
    kind = "board" if knows(solution.game) else "rows"
    if kind == "board":
        inside = io.BytesIO()
        write_tablebase(inside, solution, progress)
        table = inside.getvalue()
    else:
        table = zlib.compress(_table(solution, progress), 9)
    data = base64.b64encode(table).decode()
    script = f'<script type="text/plain" id="solution" data-kind="{kind}" data-game="{escape(game)}">{data}</script>'
    stream.write(_page(script).encode())


def _table(solution: Solution, progress: Progress | None) -> bytes:
    """Every position with its moves and how it looks: a head in JSON, then whole numbers, then the positions' texts.

    The head comes after its length in four bytes. The numbers are of variable length, as in a tablebase, with the
    sign in the lowest bit; they are the columns of `_numbers`, one after the other. The texts are lines.
    """
    game = solution.game
    rows = _rows(solution)
    order = sorted(rows, key=lambda board: (rows[board][0], board))
    names, numbers = _numbers(game, rows, order, progress)
    looks, frame = _looks(game, order)
    head = {"rows": len(order), "names": names, "endless": endless_of(solution.source, game), "frame": frame, **looks}
    first = json.dumps(head, separators=(",", ":")).encode()
    return len(first).to_bytes(4, "little") + first + numbers + "\n".join(order).encode()


def _rows(solution: Solution) -> dict[str, tuple[int, int, int | None]]:
    """The ply, value and plies of every position, all of every class."""
    game, source = solution.game, solution.source
    found: dict[str, tuple[int, int, int | None]] = {}
    for row in source.rows():
        boards = [row.board]
        if source.by_class:
            state = game.parse(row.board)
            boards = [game.format(symmetry(state)) for symmetry in game.symmetries]
        for board in boards:
            found[board] = row.ply, row.value, row.plies
    return found


def _numbers(
    game: Game[Any, Any], rows: dict[str, tuple[int, int, int | None]], order: list[str], progress: Progress | None
) -> tuple[list[str], bytes]:
    """The names of all moves, and the columns: ply, whose turn, value, plies, how many moves, which, and to which row.

    Moves are in the game's own order, each told by its number less the one before; the row that it leads to is told by how
    much further it is than where the same move led from the last position that had it: neighbours are much alike.
    """
    place = {board: row for row, board in enumerate(order)}
    columns = [bytearray() for _ in range(7)]
    names: dict[str, int] = {}
    last: dict[int, int] = {}
    for row, board in enumerate(order):
        state = game.parse(board)
        ply, value, plies = rows[board]
        over = game.is_terminal(state)
        actions = [] if over else game.actions(state)
        turn = 2 if over else game.players.index(game.to_move(state))
        for column, number in zip(
            columns, (ply, turn, value, -1 if plies is None else plies, len(actions)), strict=False
        ):
            _put(column, number)
        before = -1
        for action in actions:
            move = names.setdefault(game.format_action(action), len(names))
            after = place[game.format(game.result(state, action))]
            _put(columns[5], move - before - 1)
            _put(columns[6], after - last.get(move, 0))
            before, last[move] = move, after
        if progress and row % 1000 == 0:
            progress(row, len(order))
    if progress:
        progress(len(order), len(order))
    return list(names), b"".join(columns)


def _put(column: bytearray, number: int) -> None:
    """Add a whole number: seven bits a byte, the lowest first, the sign lowest of all."""
    left = 2 * number if number >= 0 else -2 * number - 1
    while left > 127:
        column.append(left & 127 | 128)
        left >>= 7
    column.append(left)


def _looks(game: Game[Any, Any], order: list[str]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """How each position looks, and what all pictures share: the second is None where there is none, or they share no frame.

    Where the marks are the letters of the positions themselves, they are not told again.
    """
    states = [game.parse(position) for position in order]
    pictures = [game.picture(state) for state in states]
    drawn = [picture for picture in pictures if picture is not None]
    frames = {_frame(picture) for picture in drawn}
    owners = {cell.mark: cell.player for picture in drawn for cell in picture.cells}
    alike = all(owners[cell.mark] == cell.player for picture in drawn for cell in picture.cells)
    if len(drawn) < len(states) or len(frames) > 1 or not alike or any(_BETWEEN in mark for mark in owners):
        return {"text": [game.draw(state) for state in states]}, None
    marks = [[cell.mark for cell in picture.cells] for picture in drawn]
    more = [_more(picture) for picture in drawn]
    looks: dict[str, Any] = {"more": more} if any(more) else {}
    fixed = {cell: mark for cell, mark in enumerate(marks[0]) if all(one[cell] == mark for one in marks)}
    loose = [cell for cell in range(len(marks[0])) if cell not in fixed]
    letters = [position.partition(":")[0].replace("/", "") for position in order]
    written = all(
        max(loose, default=-1) < len(text) and all((one[cell] or ".") == text[cell] for cell in loose)
        for one, text in zip(marks, letters, strict=True)
    )
    if not written:
        looks["marks"] = [_BETWEEN.join(one) for one in marks]
    first = drawn[0]
    frame = {
        "between": _BETWEEN,
        "cells": [{"name": cell.name, "x": cell.x, "y": cell.y} for cell in first.cells],
        "fixed": fixed,
        "players": {mark: player for mark, player in owners.items() if player is not None},
        "rest": {"lines": [list(line) for line in first.lines], "labels": [label._asdict() for label in first.labels]},
    }
    return looks, frame


def _frame(picture: Picture) -> tuple[Any, ...]:
    """All of a picture that does not change from one position to the next."""
    cells = tuple((cell.name, cell.x, cell.y) for cell in picture.cells)
    return cells, tuple(map(tuple, picture.lines)), tuple(picture.labels)


def _more(picture: Picture) -> dict[str, Any] | int:
    """What else a picture tells, 0 where that is nothing."""
    clicks = [[click.move, *click.cells] for click in picture.clicks]
    told = {"ended": [list(line) for line in picture.ended], "here": picture.here, "clicks": clicks}
    return {name: value for name, value in told.items() if value} or 0


def _page(table: str) -> str:
    """The page with its style, its script and the table inside, allowed to load nothing else."""
    style, script = _read("style.css"), bundle("main.js")
    icon = base64.b64encode(_read("icon.svg").encode()).decode()
    policy = f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; base-uri 'none'"
    page = _read("index.html")
    for outside, inside in (
        ('<link rel="icon" href="icon.svg">', f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">'),
        ('<link rel="stylesheet" href="style.css">', f"<style>{style}</style>"),
        ('<script type="module" src="main.js"></script>\n', ""),
        ('<a id="api" href="docs">The API</a>', ""),
        ("<title>", f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<title>'),
        (
            "</body>",
            f'{table}\n<script type="module">{script}</script>\n</body>',
        ),
    ):
        page = page.replace(outside, inside, 1)
    return page


def bundle(name: str) -> str:
    """A module of the page and all that it imports as one script; no two of them use a name for different things."""
    written: dict[str, str] = {}

    def add(module: str) -> None:
        if module not in written:
            text = _read(module)
            for imported in _IMPORT.findall(text):
                add(imported)
            written[module] = _EXPORT.sub("", _IMPORT.sub("", text))

    add(name)
    return "".join(written.values())


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
