"""What is better looked at than read: shares of outcomes by ply, values of openings, positions against time."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from bench.results.pages import Results
from zermelo.solver.games import load
from zermelo.solver.packed import knows

_COLOURS = {1: "#2166ac", 0: "#d9d9d9", -1: "#b2182b"}
"""First wins, draw, second wins: told apart by who sees no red from green, and in print."""
_WORDS = {1: "first wins", 0: "draw", -1: "second wins"}
_SIDES = (5, 5)
"""The boards whose shares are drawn."""


def draw(folder: Path, family: str, results: Results) -> list[Path]:
    """Draw a family's pictures, as far as its games have what they show."""
    boards = [known for known in results.values() if _sides(known)]
    large = [known for known in boards if _sides(known) == _SIDES]
    drawn = []
    for name, shown, panel, width in (("shares", large, _shares, 3.2), ("openings", boards, _openings, 1.6)):
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
    """A board with each opening in the colour of its value, and in how many plies the game then ends."""
    game = load(known["game"])
    assert knows(game)
    board = game.board
    for name, (value, plies) in known["openings"].items():
        row, column = divmod(game.parse_action(name), board.width)
        place.add_patch(_pyplot().Rectangle((column, row), 1, 1, facecolor=_COLOURS[value], edgecolor="white"))
        place.text(column + 0.5, row + 0.5, str(plies), ha="center", va="center", fontsize=6,
                   color="black" if value == 0 else "white")  # fmt: skip
    place.set(xlim=(0, board.width), ylim=(board.height, 0), aspect="equal")
    place.set_axis_off()
