"""The pages of `docs/results/`: made of the kept figures alone, so that a test can make them again and compare."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.results.manifest import HOURS, Family, families, is_too_long
from zermelo.solver.errors import size_text
from zermelo.views.estimate import time_text

FOLDER = Path(__file__).parents[2] / "docs" / "results"
COLUMNS = (
    "game", "value", "plies", "positions", "classes", "terminal", "longest", "can_repeat", "mover_wins", "mover_losses",
    "mover_draws", "games", "tree_nodes", "layout", "seconds", "memory", "size", "checked", "digest",
)  # fmt: skip
"""What the table of a family has for each game; the counts by ply have a table of their own."""
_HEAD = ("game", "value", "positions", "classes", "longest win", "time", "memory", "size", "checked", "digest")

ESTIMATES = "estimates"
"""What the estimate said of boards, in seconds, kept beside the families' figures."""
Results = Mapping[str, Mapping[str, Any]]
"""What was kept of each game, by its name."""


def kept(family: str, folder: Path = FOLDER) -> dict[str, Any]:
    """What was put down of a family's games before."""
    path = folder / f"{family}.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}


def pages(family: Family, results: Results) -> dict[str, str]:
    """The family's files by name: a page, and the same as JSON and CSV."""
    in_order = sorted(results.values(), key=lambda each: (each["positions"], each["game"]))
    return {
        f"{family.name}.json": _json({each["game"]: each for each in in_order}),
        f"{family.name}.csv": _csv(COLUMNS, ([_plain(each[name]) for name in COLUMNS] for each in in_order)),
        f"{family.name}-by-ply.csv": _by_ply_csv(in_order),
        f"{family.name}.md": _page(family, in_order),
    }


def _json(results: Results) -> str:
    """One game a line, so that a change of one is a change of one line."""
    lines = [f"{json.dumps(game)}: {json.dumps(known, sort_keys=True)}" for game, known in results.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _plain(value: Any) -> Any:
    return "; ".join(value) if isinstance(value, list) else value


def _csv(head: Sequence[str], rows: Any) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return stream.getvalue()


_COUNTS = (
    "ply", "positions", "classes", "terminal", "x_wins", "draws", "o_wins",
    "x_wins_classes", "draws_classes", "o_wins_classes", "terminal_classes",
)  # fmt: skip
"""What is told of each ply."""
_SHOWN = (
    ("ply", "ply"), ("positions", "positions"), ("ended", "terminal"), ("first", "x_wins"), ("drawn", "draws"),
    ("second", "o_wins"), ("classes", "classes"), ("ended", "terminal_classes"), ("first", "x_wins_classes"),
    ("drawn", "draws_classes"), ("second", "o_wins_classes"),
)  # fmt: skip
"""The same under the heads that a page has for it, first of positions and then of classes."""


def _by_ply_csv(results: Sequence[Mapping[str, Any]]) -> str:
    rows = ((each["game"], row) for each in results for row in each["by_ply"])
    return _csv(["game", *_COUNTS], ([game, *(row[name] for name in _COUNTS)] for game, row in rows))


def outcome(known: Mapping[str, Any]) -> str:
    """The start's value in words; in games about amounts, MAX's lead.

    >>> outcome({"value": 0, "plies": None}), outcome({"value": 1, "plies": 7}), outcome({"value": -8, "plies": 9})
    ('draw, play need not end', 'first wins in 7', 'second wins by 8 in 9')
    """
    value = known["value"]
    by = f" by {abs(value)}" if abs(value) > 1 else ""
    words = "draw" if not value else f"{'first' if value > 0 else 'second'} wins{by}"
    return f"{words}, play need not end" if known["plies"] is None else f"{words} in {known['plies']}"


def _page(family: Family, results: Sequence[Mapping[str, Any]]) -> str:
    lines = [
        f"# {family.title}",
        "",
        f"[How to read this](README.md). The same as [JSON]({family.name}.json) and [CSV]({family.name}.csv), the counts as"
        f" [CSV by ply]({family.name}-by-ply.csv). Made by `python -m bench.results`.",
        "",
        *_pictures(family),
        _row(_HEAD),
        _row(["---", "---", "---:", "---:", "---:", "---:", "---:", "---:", "---", "---"]),
        *[_row(_cells(known)) for known in results],
        "",
        "## Counts by ply",
        "",
        "Positions, and how many of them have ended, are won by the first player, drawn, and won by the second; then the same of classes.",
        "",
    ]
    for known in results:
        lines += _by_ply(known)
    return "\n".join(lines)


def _pictures(family: Family) -> list[str]:
    there = {
        f"{family.name}-openings.svg": "the value of every opening",
        f"{family.name}-shares.svg": "the share of wins, draws and losses by ply",
    }
    shown = [f"![{family.title}: {what}]({name})" for name, what in there.items() if (FOLDER / name).exists()]
    return [*shown, ""] if shown else []


def _cells(known: Mapping[str, Any]) -> list[str]:
    return [
        f"`{known['game']}`", outcome(known), f"{known['positions']:,}", f"{known['classes']:,}",
        "" if known["longest"] is None else f"{known['longest']:,}", f"{known['seconds']:,.1f} s",
        size_text(known["memory"]), size_text(known["size"]), _plain(known["checked"]), f"`{known['digest'][:12]}`",
    ]  # fmt: skip


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _by_ply(known: Mapping[str, Any]) -> list[str]:
    """A table that is folded away, as text: what is folded is not read as Markdown everywhere, and cells of HTML take more room."""
    rows = [[head for head, _ in _SHOWN], *([f"{row[name]:,}" for _, name in _SHOWN] for row in known["by_ply"])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [" ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return [f"<details><summary>{known['game']}</summary><pre>", *lines, "</pre></details>", ""]


SEQUENCES = {"A317573": "x_wins_classes", "A317574": "o_wins_classes", "A317576": "terminal_classes"}
"""Sequences of the OEIS whose row n tells of n in a row on n x n boards, by ply: what counts them here."""


def sequences(results: Results) -> str:
    """The rows after those that are published, where they are known."""
    known = results.get("mnk:5,5,5", {"by_ply": []})
    rows = [
        _row([f"[{name}](https://oeis.org/{name})", ", ".join(str(row[column]) for row in known["by_ply"])])
        for name, column in SEQUENCES.items()
    ]
    return "\n".join([_row(["sequence", "row 5, from ply 0"]), _row(["---", "---"]), *rows]) + "\n"


def told(seconds: float | None) -> str:
    """What the estimate says of a board.

    >>> told(75.0), told(None)
    ('75 seconds', 'longer than a narrower one that is left out')
    """
    return "longer than a narrower one that is left out" if seconds is None else time_text(seconds)


def overview(every: Mapping[str, Results], estimates: Mapping[str, float | None]) -> str:
    """What there is, family by family; which games are not solved yet, and which are left out because they take too long."""
    head = [_row(("family", "solved", "of", "positions in all")), _row(("---", "---:", "---:", "---:"))]
    rows = []
    missing: dict[str, list[str]] = {
        "Of the list, not solved yet": [],
        f"Left out, because the estimate says more than {HOURS} hours": [],
    }
    to_come, left_out = missing.values()
    for family in families():
        found = every.get(family.name, {})
        positions = sum(known["positions"] for known in found.values())
        name = f"[{family.title}]({family.name}.md)" if found else family.title
        rows.append(_row([name, f"{len(found):,}", f"{len(family.games):,}", f"{positions:,}"]))
        for game in family.games:
            if game not in found:
                seconds = estimates.get(game, 0.0)
                takes = f" ({told(seconds)})" if seconds else ""
                (left_out if is_too_long(seconds) else to_come).append(f"`{game}`{takes}")
    lines = [line for why, games in missing.items() if games for line in ("", f"{why}: {', '.join(games)}.")]
    return "\n".join([*head, *rows, *lines]) + "\n"
