"""The explorer as one file that works from disk: the page's own modules, with a whole small game inside."""

import base64
import hashlib
import json
import re
import zlib
from itertools import pairwise
from typing import IO, Any

from db.export import check_everything
from db.positions import EVERYTHING, Selection
from db.query import Answer, Solution
from solver.errors import GameError
from web.describe import describe
from web.page import FOLDER

MOST_POSITIONS = 20_000
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def write_html(stream: IO[bytes], solution: Solution, selection: Selection = EVERYTHING) -> None:
    """Write the page with the game's every position in it."""
    check_everything("a page", selection)
    facts = solution.source.facts
    if facts["positions"] > MOST_POSITIONS:
        raise GameError(
            f"{facts['game']} has {facts['positions']:,} positions, and a page holds {MOST_POSITIONS:,} at the most:"
            " explore it with `zermelo serve`"
        )
    table = {"game": describe(solution.game, facts), "columns": _columns(solution)}
    packed = zlib.compress(json.dumps(table, separators=(",", ":")).encode(), 9)
    stream.write(_page(base64.b64encode(packed).decode()).encode())


def _columns(solution: Solution) -> dict[str, list[Any]]:
    """The answers to all positions, a list a field.

    A position's moves are in the order of the rows that they lead to, each told by how much further it
    is than the one before, because that packs best; `order` puts them best first.
    """
    answers = sorted(_answers(solution), key=lambda answer: (answer.ply, answer.position))
    rows = {answer.position: row for row, answer in enumerate(answers)}
    players = [*solution.game.players, None]
    columns: dict[str, list[Any]] = {"moves": [], "after": [], "order": []}
    for row, answer in enumerate(answers):
        by_row = sorted(answer.moves, key=lambda move: rows[move.position])
        after = [row, *(rows[move.position] for move in by_row)]
        columns["moves"].append(" ".join(move.move for move in by_row))
        columns["after"].append([later - earlier for earlier, later in pairwise(after)])
        columns["order"].append([by_row.index(move) for move in answer.moves])
    return {
        "position": [answer.position for answer in answers],
        "ply": [answer.ply for answer in answers],
        "to_move": [players.index(answer.to_move) for answer in answers],
        "value": [answer.value for answer in answers],
        "plies": [answer.plies for answer in answers],
        "optimal": [sum(move.optimal for move in answer.moves) for answer in answers],
        **columns,
    }


def _answers(solution: Solution) -> list[Answer]:
    """Everything about every position that play can reach."""
    start = solution.game.format(solution.game.initial)
    answers = {start: solution.answer(start)}
    unseen = [answers[start]]
    while unseen:
        for move in unseen.pop().moves:
            if move.position not in answers:
                answers[move.position] = solution.answer(move.position)
                unseen.append(answers[move.position])
    return list(answers.values())


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
        ("<title>", f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<title>'),
        (
            "</body>",
            f'<script type="text/plain" id="solution">{table}</script>\n<script type="module">{script}</script>\n</body>',
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
