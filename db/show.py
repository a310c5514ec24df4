"""Answers as lines of text: for people, as JSON, or as CSV. What prints them is not known here."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from solver.game import Game

if TYPE_CHECKING:
    from db.positions import Position
    from db.query import Answer


def outcome(game: Game[Any, Any], value: int, plies: int) -> str:
    """The value in words, and how far off the end is.

    >>> from solver.games import load
    >>> outcome(load("tictactoe"), -1, 4)
    'O wins in 4 plies'
    """
    first, second = game.players
    words = {1: f"{first} wins", 0: "draw", -1: f"{second} wins"}.get(value, f"value {value:+d} for {first}")
    return f"{words} in {plies} {'ply' if plies == 1 else 'plies'}" if plies else words


def answers(game: Game[Any, Any], format_: str) -> "Callable[[Answer], Iterator[str]]":
    """What makes lines of one answer after the other, in the format text, json or csv."""
    columns = ("game", "position", "ply", "to_move", "terminal", "value", "plies", "best_move", "optimal_moves")
    first = True

    def lines(answer: "Answer") -> Iterator[str]:
        nonlocal first
        if format_ == "json":
            yield _json(answer.as_dict())
        elif format_ == "csv":
            optimal = [move.move for move in answer.moves if move.optimal]
            wanted = columns if answer.line is None else (*columns, "line")
            header, row = table([{**answer._asdict(), "optimal_moves": optimal}], wanted, "csv")
            yield from [header, row] if first else [row]
        else:
            yield from _answer_text(game, answer) if first else ["", *_answer_text(game, answer)]
        first = False

    return lines


def _answer_text(game: Game[Any, Any], answer: "Answer") -> Iterator[str]:
    yield game.draw(game.parse(answer.position))
    yield ""
    yield verdict(game, answer)
    yield from move_lines(game, answer)


def verdict(game: Game[Any, Any], answer: "Answer") -> str:
    """Whose turn it is and what the position is worth, as a sentence."""
    if answer.terminal:
        return f"The game is over: {outcome(game, answer.value, 0)}."
    return f"{answer.to_move} to move: {outcome(game, answer.value, answer.plies)}. Best move: {answer.best_move}."


def move_lines(game: Game[Any, Any], answer: "Answer") -> Iterator[str]:
    """A line a move, best first: what it leads to, and a star where nothing is better."""
    width = max((len(move.move) for move in answer.moves), default=0)
    for move in answer.moves:
        after = outcome(game, move.value, move.plies) + ("" if move.plies else " at once")
        yield f"  {move.move:<{width}}  {after}{'  *' if move.optimal else ''}"
    if answer.line is not None:
        yield f"Best line: {' '.join(answer.line)}"


def counts(game: Game[Any, Any], figures: dict[str, Any], format_: str) -> Iterator[str]:
    """The counts of a solution: JSON has all of them, CSV those by ply, and text the totals before those."""
    if format_ == "json":
        yield _json(figures)
        return
    if format_ == "text":
        positions, classes, finished = (figures[name] for name in ("positions", "classes", "terminal"))
        yield f"{figures['game']}: {outcome(game, figures['value'], figures['plies'])}"
        yield f"{positions:,} positions in {classes:,} classes, {finished:,} of them finished"
        if figures["games"] is not None:
            yield f"{figures['games']:,} games, {figures['tree_nodes']:,} nodes in the whole game tree"
        yield ""
    yield from table(figures["by_ply"], tuple(figures["by_ply"][0]), format_)


def found(game: Game[Any, Any], positions: "Sequence[Position]", format_: str) -> Iterator[str]:
    """The positions that `find` found, each with the moves that hold its value and those that lose."""
    from db.find import as_dict

    rows = [as_dict(position, game.players[0]) for position in positions]
    if format_ != "text":
        yield from table(rows, tuple(rows[0]), format_) if rows else []
        return
    for number, row in enumerate(rows):
        if number:
            yield ""
        yield game.draw(game.parse(row["board"]))
        yield ""
        if row["terminal"]:
            yield f"The game is over: {outcome(game, row['value'], 0)}."
            continue
        yield f"{row['to_move']} to move: {outcome(game, row['value'], row['plies'])}. Best move: {row['best_move']}."
        yield f"  hold: {' '.join(row['holding_moves'])}"
        if row["losing_moves"]:
            yield f"  lose: {' '.join(row['losing_moves'])}"


def table(rows: Sequence[dict[str, Any]], columns: Sequence[str], format_: str) -> Iterator[str]:
    """The rows' columns as JSON objects, as CSV with a header, or aligned with a header if there is any row."""
    if format_ == "json":
        yield from map(_json, rows)
    elif format_ == "csv":
        yield _csv(columns)
        yield from (_csv(row[column] for column in columns) for row in rows)
    elif rows:
        cells = [
            [column.replace("_", " ") for column in columns],
            *([_cell(row[column]) for column in columns] for row in rows),
        ]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        numeric = [any(type(row[column]) is int for row in rows) for column in columns]
        for line in cells:
            aligned = [
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, numeric, strict=True)
            ]
            yield "  ".join(aligned).rstrip()


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _json(row: dict[str, Any]) -> str:
    import json

    return json.dumps(row)


def _csv(values: Iterable[Any]) -> str:
    """A line of CSV: nothing for None, 0 and 1 for what is false or true, spaces between the members of a list."""
    import csv
    import io

    line = io.StringIO()
    plain = [
        int(value) if isinstance(value, bool) else " ".join(value) if isinstance(value, list) else value
        for value in values
    ]
    csv.writer(line, lineterminator="").writerow(plain)
    return line.getvalue()
