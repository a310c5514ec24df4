"""What is better looked at than read: shares of outcomes by ply, values of openings, positions against time."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import ceil, hypot
from pathlib import Path
from typing import Any, NamedTuple

from bench.results.pages import Results
from zermelo.solver.games import load
from zermelo.solver.packed import knows
from zermelo.solver.picture import Picture, clicks

_COLOURS = {1: "#2166ac", 0: "#d9d9d9", -1: "#b2182b"}
"""First wins, draw, second wins: told apart by who sees no red from green, and in print."""
_WORDS = {1: "first wins", 0: "draw", -1: "second wins"}
_EDGE = "#bbbbbb"
_ASIDE, _DISC = 0.34, 0.14
"""How far from the middle of its cell a move to another is drawn, and how large."""
_FEW = 30
"""Games that have more room each."""
_CELL, _LABEL, _LEGEND = 0.16, 1.1, 4.0
"""Inches of an opening where each game has a line, of the game's name before it, and of what the colours mean."""
_SIDES = (5, 5)
"""The boards whose shares are drawn."""


def draw(folder: Path, family: str, results: Results) -> list[Path]:
    """Draw a family's pictures, as far as its games have what they show."""
    every = sorted(results.values(), key=_by_size)
    drawn = [folder / f"{family}-openings.svg"]
    amounts = any(abs(value) > 1 for known in every for value, _ in known["openings"].values())
    openings = {known["game"]: _openings_of(known, amounts) for known in every}
    if all(len({each.cell[1] for each in of}) == 1 and not any(each.aside for each in of) for of in openings.values()):
        _lines(drawn[0], openings)
    else:
        room = 1.6 if len(every) > _FEW else 2.4
        _panels(drawn[0], every, lambda place, known: _openings(place, known, openings[known["game"]]), room)
    if large := [known for known in every if _sides(known) == _SIDES]:
        drawn.append(folder / f"{family}-shares.svg")
        _panels(drawn[1], large, _shares, 3.2)
    return drawn


def draw_times(path: Path, every: Mapping[str, Results]) -> None:
    """Positions against time for everything that was solved, log-log."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    for (family, results), mark in zip(every.items(), "osD^vPX*", strict=False):
        known = list(results.values())
        axes.loglog([each["positions"] for each in known], [each["seconds"] for each in known], mark, label=family)
    axes.set(xlabel="positions", ylabel="seconds, `zermelo build` as a process", title="Everything solved here")
    axes.grid(which="major", alpha=0.3)
    axes.legend(loc="lower right")
    _save(figure, path)


def _sides(known: Mapping[str, Any]) -> tuple[int, int] | None:
    """How wide and high a board is; None for what is no board."""
    game = load(known["game"])
    return (game.board.width, game.board.height) if knows(game) else None


def _by_size(known: Mapping[str, Any]) -> tuple[int, str]:
    return known["positions"], known["game"]


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "zermelo", "svg.fonttype": "none", "font.size": 9}
    from matplotlib import pyplot

    return pyplot


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    _pyplot().close(figure)


def _panels(
    path: Path, shown: Sequence[Mapping[str, Any]], panel: Callable[[Any, Mapping[str, Any]], None], width: float
) -> None:
    """A picture with a panel for each game, and what the colours mean."""
    pyplot = _pyplot()
    across = max(1, int(10 / width))
    down = ceil(len(shown) / across)
    figure, axes = pyplot.subplots(down, across, figsize=(10, width * down + 0.6), layout="constrained", squeeze=False)
    for place in axes.flat[len(shown) :]:
        place.set_axis_off()
    for place, known in zip(axes.flat, shown, strict=False):
        panel(place, known)
        place.set_title(known["game"], fontsize=8)
    _save_with_colours(figure, path)


def _save_with_colours(figure: Any, path: Path) -> None:
    """Say what the colours mean, and save."""
    handles = [_pyplot().Rectangle((0, 0), 1, 1, color=colour) for colour in _COLOURS.values()]
    figure.legend(handles, _WORDS.values(), loc="outside lower center", ncols=3)
    _save(figure, path)


def _shares(place: Any, known: Mapping[str, Any]) -> None:
    """How many of the positions of each ply are won and drawn, stacked to one: a bar a ply, since there is nothing between two."""
    plies = [row["ply"] for row in known["by_ply"]]
    below = [0.0] * len(plies)
    for name, colour in zip(("x_wins", "draws", "o_wins"), _COLOURS.values(), strict=True):
        shares = [row[name] / row["positions"] for row in known["by_ply"]]
        place.bar(plies, shares, width=1, bottom=below, color=colour)
        below = [bottom + share for bottom, share in zip(below, shares, strict=True)]
    place.set(xlim=(plies[0] - 0.5, plies[-1] + 0.5), ylim=(0, 1), xlabel="ply")
    place.xaxis.get_major_locator().set_params(integer=True)


class Opening(NamedTuple):
    """A first move where it is made, with its colour and what is written on it."""

    name: str
    cell: tuple[float, float]
    aside: tuple[float, float] | None
    """Where its disc is, if it leads from this cell to another: on the side where that one is."""
    value: int
    words: str


def _openings_of(known: Mapping[str, Any], amounts: bool) -> list[Opening]:
    """Each opening, with the plies until the game then ends, or in games about amounts the lead."""
    picture = _picture(known)
    places = {cell.name: (cell.x, cell.y) for cell in picture.cells}
    # Of several ways to make a move the first is the plainest: with gravity, where the stone comes to rest.
    ways = {way.move: way.cells for way in reversed(clicks(picture, known["openings"]))}
    found = []
    for move, (value, plies) in known["openings"].items():
        (x, y), (to_x, to_y) = places[ways[move][0]], places[ways[move][-1]]
        far = hypot(to_x - x, to_y - y)
        aside = (x + _ASIDE * (to_x - x) / far, y + _ASIDE * (to_y - y) / far) if far else None
        lead = f"{value:+}" if value else "0"
        words = lead if amounts else "" if plies is None else str(plies)
        found.append(Opening(f"{known['game']}.{move}", (x, y), aside, (value > 0) - (value < 0), words))
    return found


def _picture(known: Mapping[str, Any]) -> Picture:
    """The board before the first move."""
    game = load(known["game"])
    picture = game.picture(game.initial)
    assert picture is not None
    return picture


def _openings(place: Any, known: Mapping[str, Any], openings: Sequence[Opening]) -> None:
    """Each opening on the board: a move from one cell to another is a disc in the first."""
    pyplot = _pyplot()
    columns, rows = zip(*((cell.x, cell.y) for cell in _picture(known).cells), strict=True)
    left, top, width, height = min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
    place.add_patch(pyplot.Rectangle((left - 0.5, top - 0.5), width, height, fill=False, edgecolor=_EDGE))
    for opening in openings:
        if opening.aside is None:
            _square(place, opening, *opening.cell, 6)
            continue
        x, y = opening.cell
        place.add_patch(pyplot.Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, edgecolor=_EDGE))
        place.add_patch(pyplot.Circle(opening.aside, _DISC, color=_COLOURS[opening.value], gid=opening.name))
        _words(place, opening, *opening.aside, 4)
    place.set(xlim=(left - 0.6, left + width - 0.4), ylim=(top + height - 0.4, top - 0.6), aspect="equal")
    place.set_axis_off()


def _lines(path: Path, openings: Mapping[str, Sequence[Opening]]) -> None:
    """A line a game, where every opening is made in the same row of the board, as a stone is that falls in a column.

    Games whose first two numbers are the same share a line, so that what else they differ in stands beside each other.
    """
    pyplot = _pyplot()
    size_of, kind_of = {}, {}
    for game in openings:
        _, first, second, *rest = re.split("[:,]", game, maxsplit=3)
        size_of[game], kind_of[game] = (int(first), int(second)), tuple(rest)
    sizes = sorted({*size_of.values()})
    kinds = sorted({*kind_of.values()})
    across = [max(len(openings[game]) for game in openings if kind_of[game] == kind) for kind in kinds]
    widths = [_LABEL + cells * _CELL for cells in across]
    size = (max(_LEGEND, sum(widths)), len(sizes) * _CELL + 0.6)
    figure, axes = pyplot.subplots(
        1, len(kinds), width_ratios=widths, figsize=size, squeeze=False, layout="constrained"
    )
    for game in openings:
        place, line = axes[0, kinds.index(kind_of[game])], sizes.index(size_of[game])
        place.text(-0.8, line, game, ha="right", va="center", fontsize=6)
        for column, opening in enumerate(sorted(openings[game], key=lambda each: each.cell)):
            _square(place, opening, column, line, 5)
    for place, cells in zip(axes.flat, across, strict=True):
        place.set(xlim=(-0.6 - _LABEL / _CELL, cells - 0.4), ylim=(len(sizes) - 0.4, -0.6), aspect="equal")
        place.set_axis_off()
    _save_with_colours(figure, path)


def _square(place: Any, opening: Opening, x: float, y: float, size: int) -> None:
    """An opening that fills its cell."""
    colour = _COLOURS[opening.value]
    place.add_patch(
        _pyplot().Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor="white", gid=opening.name)
    )
    _words(place, opening, x, y, size)


def _words(place: Any, opening: Opening, x: float, y: float, size: int) -> None:
    colour = "white" if opening.value else "black"
    place.text(x, y, opening.words, ha="center", va="center", fontsize=size, color=colour)
