"""The explorer as one file that works from disk: the page's own modules, with a whole game inside.

A board game is inside as its tablebase, any other, and a board on which play soon ends, as a table with every position, its moves and how it looks.
"""

import base64
import hashlib
import io
import json
import re
import zlib
from html import escape
from typing import IO

from zermelo.db.query import Solution
from zermelo.db.tablebase import kind_of, write_tablebase
from zermelo.solver.errors import AmountError
from zermelo.solver.progress import Progress
from zermelo.web.describe import describe
from zermelo.web.inside import table_of
from zermelo.web.page import FOLDER

BINARY = False
WHOLE = "a page"
MOST_POSITIONS = 2_000_000
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
    kind = "board" if kind_of(solution) == "board" else "rows"
    if kind == "board":
        inside = io.BytesIO()
        write_tablebase(inside, solution, progress)
        table = inside.getvalue()
    else:
        table = zlib.compress(table_of(solution, progress), 9)
    data = base64.b64encode(table).decode()
    script = f'<script type="text/plain" id="solution" data-kind="{kind}" data-game="{escape(game)}">{data}</script>'
    stream.write(_page(script).encode())


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
