"""The answer to a position, as lines of text, of JSON or of CSV."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from zermelo.solver.game import Game
from zermelo.views.words import line_text, move_lines, move_text, traps_text, verdict

if TYPE_CHECKING:
    from zermelo.db.answers import Answer

_COLUMNS = ("game", "position", "ply", "to_move", "terminal", "value", "plies", "best_move", "optimal_moves")


def answer_writer(game: Game[Any, Any], format_: str) -> "Callable[[Answer], Iterator[str]]":
    """What makes lines of one answer after the other, in the format text, json or csv."""
    first = True

    def lines(answer: "Answer") -> Iterator[str]:
        nonlocal first
        yield from _text(game, answer, first) if format_ == "text" else _data(answer, format_, first)
        first = False

    return lines


def _text(game: Game[Any, Any], answer: "Answer", first: bool) -> Iterator[str]:
    if not first:
        yield ""
    yield game.draw(game.parse(answer.position))
    yield ""
    yield from answer_lines(game, answer)


def answer_lines(game: Game[Any, Any], answer: "Answer") -> Iterator[str]:
    """All that is known of a position but its drawing: the verdict, a line a move, and the best line if it was asked for."""
    yield verdict(game, answer)
    outcomes = [move_text(game, move.value, move.plies) for move in answer.moves]
    traps = [traps_text(move) for move in answer.moves]
    if any(traps):
        width = max(map(len, outcomes))
        outcomes = [f"{text:<{width}}  {trap}".rstrip() for text, trap in zip(outcomes, traps, strict=True)]
    yield from move_lines([(move.move, text, move.optimal) for move, text in zip(answer.moves, outcomes, strict=True)])
    if answer.line is not None:
        yield line_text(answer)


def _data(answer: "Answer", format_: str, first: bool) -> Iterator[str]:
    from zermelo.views.table import table  # not needed for text, which starts the sooner for it

    if format_ == "json":
        yield from table([answer.as_dict()], (), "json")
        return
    optimal = [move.move for move in answer.moves if move.optimal]
    wanted = _COLUMNS if answer.line is None else (*_COLUMNS, "line", "comes_back")
    header, row = table([{**answer._asdict(), "optimal_moves": optimal}], wanted, "csv")
    yield from [header, row] if first else [row]
