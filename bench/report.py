"""What a run looks like: lines on a terminal, tables in Markdown, and a plot."""

import re
from pathlib import Path
from typing import Any

from bench import run
from zermelo.solver.errors import size_text

LINE_HEAD = f"{'ours':>10} {'baseline':>10} {'ratio':>6} {'target':>6}"
_FIGURES = re.compile(r"(<!-- figures -->\n).*(<!-- end of figures -->\n)", re.DOTALL)


def line_text(line: dict[str, Any]) -> str:
    """A comparison on the terminal."""
    amounts = f"{_amount(line, 'ours'):>10} {_amount(line, 'baseline'):>10}"
    verdict = "MISSED" if line["missed"] else ""
    return f"{amounts} {line['ratio']:6.2f} {line['target']:6.2f}  {line['name']} {verdict}".rstrip()


def _amount(line: dict[str, Any], side: str) -> str:
    # A run that was kept before there were other units has seconds alone.
    return size_text(line[side]) if line.get("unit") == "bytes" else duration(line[side])


def row_text(row: dict[str, Any]) -> str:
    """A task on the terminal."""
    cells = [
        f"  {cell['contestant']:18} {figure_text(cell['figure'], row['unit']):>34} {cell['says']}".rstrip()
        for cell in row["cells"]
    ]
    return "\n".join([f"\n{row['task']}", *cells])


def board_text(solved: dict[str, Any]) -> str:
    """A larger board on the terminal."""
    known = "" if solved["positions"] is None else f"{solved['positions']:,} positions"
    figure = figure_text(solved["seconds"], "seconds")
    return f"{solved['board']:10} {solved['contestant']:18} {figure:>34} {known}{solved['says']}".rstrip()


def figure_text(figure: dict[str, float] | None, unit: str) -> str:
    """A median with its spread.

    >>> figure_text({"median": 0.002, "low": 0.0019, "high": 0.00213}, "seconds")
    '2.0 ms (1.9 ms to 2.1 ms)'
    >>> figure_text({"median": 960, "low": 960, "high": 960}, "bytes")
    '960 bytes'
    """
    if figure is None:
        return ""
    if unit == "bytes":
        return f"{figure['median']:,.0f} bytes"
    middle, low, high = (duration(figure[name]) for name in ("median", "low", "high"))
    return middle if low == high else f"{middle} ({low} to {high})"


def duration(seconds: float) -> str:
    """Seconds as one reads them.

    >>> duration(41e-9), duration(2.25e-6), duration(0.0436), duration(75.2)
    ('41.0 ns', '2.2 us', '43.6 ms', '75.2 s')
    """
    for unit, size in (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"


def write(folder: Path, found: dict[str, Any]) -> None:
    """Put a run into `folder`: its JSON, its plot, and its tables between the marks of benchmarks.md."""
    page = folder / "benchmarks.md"
    run.write(folder / "benchmarks.json", found)
    page.write_text(with_figures(page.read_text(), found))
    plot(found["boards"], found["limit"], folder / "benchmarks.svg")


def with_figures(text: str, found: dict[str, Any]) -> str:
    """A page with the tables of a run between its marks."""
    return _FIGURES.sub(lambda marks: marks[1] + tables(found) + marks[2], text)


def tables(found: dict[str, Any]) -> str:
    """A run in Markdown."""
    about, versions = found["machine"], found["versions"]
    names = list(found["knows"])
    parts = [
        f"Measured on {about['date']}: {about['cpu']}, {about['processors']} processors, {about['system']},"
        f" {about['python']}; load average {about['load'][0]} at the start, {about['load at the end'][0]} at the end.",
        ", ".join(f"{package} {version}" for package, version in versions.items()) + ".",
        "## Side by side",
        "Medians, with the middle half of the measurements in brackets. In bold the best of all but plain Python.",
        _table(["", *names], [[row["task"], *_cells(row, names)] for row in found["rows"]]),
        "What is known of a position once the game is solved:",
        _table(["", "of a position"], [[name, knows] for name, knows in found["knows"].items()]),
        "## Larger boards",
        f"Solving alone, nothing stored, up to {found['limit']} s."
        " Beside the time stands how many positions are then known, where it is not all.",
        _boards(found["boards"]),
        "![Time against positions solved, both on logarithmic scales](benchmarks.svg)",
        "## Targets",
        _table(
            ["what / against what", "ours", "baseline", "ratio", "at most"],
            [
                [line["name"], _amount(line, "ours"), _amount(line, "baseline"), f"{line['ratio']:.2f}",
                 f"{line['target']:.2f}" + (" **missed**" if line["missed"] else "")]
                for line in found["lines"]
            ],
        ),
    ]  # fmt: skip
    return "\n" + "\n\n".join(parts) + "\n\n"


def _cells(row: dict[str, Any], names: list[str]) -> list[str]:
    cells = {cell["contestant"]: cell for cell in row["cells"]}
    medians = [
        cell["figure"]["median"] for name, cell in cells.items() if cell["figure"] and not name.startswith("plain")
    ]
    texts = []
    for name in names:
        figure, says = cells[name]["figure"], cells[name]["says"]
        text = figure_text(figure, row["unit"])
        if figure and figure["median"] == min(medians):
            text = f"**{text}**"
        texts.append(f"{text}; {says}" if text and says else text or f"({says})")
    return texts


def _boards(solved: list[dict[str, Any]]) -> str:
    boards = list(dict.fromkeys(each["board"] for each in solved))
    names = list(dict.fromkeys(each["contestant"] for each in solved))
    found = {(each["board"], each["contestant"]): each for each in solved}
    body = []
    for board in boards:
        most = max(found[board, name]["positions"] or 0 for name in names)
        texts = []
        for name in names:
            each = found[board, name]
            text = figure_text(each["seconds"], "seconds")
            partial = each["positions"] and each["positions"] < most
            texts.append((f"{text}; {each['positions']:,}" if partial else text) or f"({each['says']})")
        body.append([f"`{board}`", f"{most:,}" if most else "", *texts])
    return _table(["board", "positions", *names], body)


def _table(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def plot(boards: list[dict[str, Any]], limit: float, path: Path) -> None:
    """Time against positions solved, log-log, a line a contestant."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "zermelo", "svg.fonttype": "none", "font.size": 11}
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    for name, mark in zip(dict.fromkeys(each["contestant"] for each in boards), "osD^vPX*", strict=False):
        solved = [each for each in boards if each["contestant"] == name and each["seconds"]]
        if solved:
            across, up = [each["positions"] for each in solved], [each["seconds"]["median"] for each in solved]
            axes.loglog(across, up, marker=mark, label=name, linewidth=2.5 if name.startswith("Zermelo") else 1.2)
    axes.axhline(limit, color="grey", linestyle=":", linewidth=1)
    axes.annotate("time limit", (1, limit), xycoords=("axes fraction", "data"), ha="right", va="bottom",
                  color="grey")  # fmt: skip
    axes.set(xlabel="positions solved", ylabel="seconds", title="Solving boards: less time is better")
    axes.grid(which="major", alpha=0.3)
    axes.legend()
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
