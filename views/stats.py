"""The counts of a solution, as lines."""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from zermelo.db.stats import PlyCounts, Statistics
from zermelo.solver.game import Game
from zermelo.views.table import table
from zermelo.views.words import outcome_text, plies_text

WIDTH = 80
"""Columns of a terminal that nobody has made wider."""


def stats_lines(game: Game[Any, Any], figures: Statistics, format_: str) -> Iterator[str]:
    """JSON has all of the counts, CSV those by ply, and text the totals and then tables of positions and of outcomes."""
    if format_ != "text":
        rows = [figures] if format_ == "json" else figures["by_ply"]
        yield from table(rows, tuple(PlyCounts.__annotations__), format_)
        return
    yield f"{figures['game']}: {outcome_text(game, figures['value'], figures['plies'])}"
    yield from wrap(
        f"{figures['positions']:,} positions in {figures['classes']:,} classes, {figures['terminal']:,} of them finished",
        WIDTH,
    )
    if figures["games"] is not None:
        yield from wrap(f"{figures['games']:,} games, {figures['tree_nodes']:,} nodes in the whole game tree", WIDTH)
    if figures["can_repeat"]:
        yield "play can come back to a position, so there is no end to the games"
    wins, losses, draws = (f"{figures[name]:,}" for name in ("mover_wins", "mover_losses", "mover_draws"))
    yield from wrap(f"the side to move wins {wins}, loses {losses} and draws {draws}", WIDTH)
    if figures["longest"] is not None:
        yield f"the longest win or loss takes {plies_text(figures['longest'])}"
    first, second = game.players
    words = {"x_wins": f"{first} wins", "draws": "draws", "o_wins": f"{second} wins"}
    yield ""
    yield from _by_ply(
        figures,
        {
            "positions": "positions",
            "classes": "classes",
            "terminal": "finished",
            "terminal_classes": "finished classes",
        },
    )
    classes = {"x_wins": f"{first} classes", "draws": "draw classes", "o_wins": f"{second} classes"}
    for group in _fitting(figures, words, {f"{key}_classes": name for key, name in classes.items()}):
        yield ""
        yield from _by_ply(figures, group)


def _by_ply(figures: Statistics, columns: Mapping[str, str]) -> Iterator[str]:
    """The counts in these columns, under the names that people read."""
    rows = [{"ply": row["ply"], **{name: row[key] for key, name in columns.items()}} for row in figures["by_ply"]]  # type: ignore[literal-required]
    yield from table(rows, ("ply", *columns.values()), "text")


def _fitting(figures: Statistics, *groups: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    """The groups of columns side by side where they fit, else one after the other."""
    together = {key: name for group in groups for key, name in group.items()}
    fits = max(map(len, _by_ply(figures, together))) <= WIDTH
    yield from [together] if fits else groups
