"""What is better looked at than read: shares of outcomes by ply, values of openings, positions against time."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, hypot
from pathlib import Path
from typing import Any

from bench.results.pages import Results
from zermelo.solver.games import load
from zermelo.solver.packed import knows
from zermelo.solver.picture import clicks

_COLOURS = {1: "#2166ac", 0: "#d9d9d9", -1: "#b2182b"}
"""First wins, draw, second wins: told apart by who sees no red from green, and in print."""
_WORDS = {1: "first wins", 0: "draw", -1: "second wins"}
_EDGE = "#bbbbbb"
_ASIDE, _DISC = 0.34, 0.14
"""How far from the middle of its cell a move to another is drawn, and how large."""
_FEW = 30
"""Games that have more room each."""
_SIDES = (5, 5)
"""The boards whose shares are drawn."""


def draw(folder: Path, family: str, results: Results) -> list[Path]:
    """Draw a family's pictures, as far as its games have what they show."""
    every = list(results.values())
    large = [known for known in every if _sides(known) == _SIDES]
    room = 1.6 if len(every) > _FEW else 2.4
    drawn = []
    for name, shown, panel, width in (("shares", large, _shares, 3.2), ("openings", every, _openings, room)):
        if shown:
            drawn.append(folder / f"{family}-{name}.svg")
            _panels(drawn[-1], sorted(shown, key=_by_size), panel, width)
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
    axes.legend()
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
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colour) for colour in _COLOURS.values()]
    figure.legend(handles, _WORDS.values(), loc="outside lower center", ncols=3)
    _save(figure, path)


def _shares(place: Any, known: Mapping[str, Any]) -> None:
    """How many of the positions of each ply are won and drawn, stacked to one."""
    plies = [row["ply"] for row in known["by_ply"]]
    columns = [[row[name] / row["positions"] for row in known["by_ply"]] for name in ("x_wins", "draws", "o_wins")]
    place.stackplot(plies, columns, colors=_COLOURS.values())
    place.set(xlim=(plies[0], plies[-1]), ylim=(0, 1), xlabel="ply")


def _openings(place: Any, known: Mapping[str, Any]) -> None:
    """Each opening where it is made, in the colour of its value, with the plies until the game then ends, or the lead.

    A move from one cell to another is a disc in the first, on the side where the other is.
    """
    pyplot = _pyplot()
    game = load(known["game"])
    picture = game.picture(game.initial)
    assert picture is not None
    places = {cell.name: (cell.x, cell.y) for cell in picture.cells}
    columns, rows = zip(*places.values(), strict=True)
    left, top, width, height = min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
    place.add_patch(pyplot.Rectangle((left - 0.5, top - 0.5), width, height, fill=False, edgecolor=_EDGE))
    openings = known["openings"]
    amounts = any(abs(value) > 1 for value, _ in openings.values())
    # Of several ways to make a move the first is the plainest: with gravity, where the stone comes to rest.
    ways = {way.move: way.cells for way in reversed(clicks(picture, openings))}
    for move, (value, plies) in openings.items():
        cells = ways[move]
        sign = (value > 0) - (value < 0)
        (x, y), (to_x, to_y) = places[cells[0]], places[cells[-1]]
        square = pyplot.Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=_COLOURS[sign], edgecolor="white")
        if far := hypot(to_x - x, to_y - y):
            square.set(facecolor="none", edgecolor=_EDGE)
            x, y = x + _ASIDE * (to_x - x) / far, y + _ASIDE * (to_y - y) / far
            place.add_patch(pyplot.Circle((x, y), _DISC, color=_COLOURS[sign]))
        place.add_patch(square)
        lead = f"{value:+}" if value else "0"
        words = lead if amounts else "" if plies is None else str(plies)
        place.text(
            x, y, words, ha="center", va="center", fontsize=4 if far else 6, color="black" if not sign else "white"
        )
    place.set(xlim=(left - 0.6, left + width - 0.4), ylim=(top + height - 0.4, top - 0.6), aspect="equal")
    place.set_axis_off()
