"""What a search found and did, in words and as a row of a table."""

from typing import Any

from zermelo.solver.game import Game
from zermelo.solver.search import Run, SearchReport
from zermelo.views.words import move_lines, value_for, value_text


def as_text(game: Game[Any, Any], state: Any, run: Run) -> str:
    """The result of one search: value and move, the value of each action where it is known, and the counts.

    >>> from zermelo.solver.games import load
    >>> from zermelo.solver.search import search
    >>> game = load("figure:two-ply")
    >>> print(as_text(game, "A", Run("minimax", search(game, "A"), 0.002)))
    A
    <BLANKLINE>
    MAX to move: value 3 for MAX. Move: a1.
      a1  3  *
      a2  2
      a3  2
    minimax: 13 nodes, 9 leaves, 0 cutoffs, 0 table hits, depth 2, exact, 0.002 s
    """
    assert run.result is not None
    value, move, values, report = run.result
    lines = [game.draw(state), ""]
    lines.append(f"{game.to_move(state)} to move: {value_for(game, value)}. Move: {game.format_action(move)}.")
    width = max((len(value_text(each)) for each in values.values()), default=0)
    lines += move_lines(
        [(game.format_action(action), value_text(each).rjust(width), action == move) for action, each in values.items()]
    )
    lines.append(
        f"{run.name}: {report.nodes:,} nodes, {report.leaves:,} leaves, {report.cutoffs:,} cutoffs,"
        f" {report.table_hits:,} table hits, depth {report.depth}, {'exact' if report.exact else 'not exact'},"
        f" {run.seconds:.3f} s"
    )
    return "\n".join(lines)


def as_row(game: Game[Any, Any], state: Any, run: Run, format_: str) -> dict[str, Any]:
    """The same as a row of a table; what a search did not come to is None. As text, numbers are rounded."""
    for_people = format_ == "text"
    row: dict[str, Any] = {} if for_people else {"game": game.spec, "position": game.format(state)}
    row["algorithm"] = run.name
    row.update(dict.fromkeys(["value", "move", *SearchReport._fields]))
    if run.result is not None:
        value, move, values, report = run.result
        row.update(report._asdict())
        row["value"] = value_text(value) if for_people else value
        row["move"] = None if move is None else game.format_action(move)
        if format_ == "json":
            row["values"] = {game.format_action(action): each for action, each in values.items()}
    row["seconds"] = f"{run.seconds:.3f}" if for_people else round(run.seconds, 6)
    return row
