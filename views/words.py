"""How a value, an outcome, whose turn it is and what each move leads to are written, of searches and stored solutions alike."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.solver.game import Game
from zermelo.solver.zero_sum import has_payoffs

if TYPE_CHECKING:
    from zermelo.db.answers import Answer, Move
    from zermelo.db.positions import Position

_INFINITY = float("inf")


def value_text(value: Any) -> str:
    """A value, or a tuple of one for each player, as short as it can be read.

    >>> value_text(-1), value_text(0.4444), value_text(float("inf")), value_text((1, 2, 6_000_000))
    ('-1', '0.44', '+∞', '(1, 2, 6000000)')
    """
    if isinstance(value, tuple):
        return f"({', '.join(map(value_text, value))})"
    if value in (_INFINITY, -_INFINITY):
        return "+∞" if value > 0 else "-∞"
    return str(value) if isinstance(value, int) else f"{round(value, 2):g}"


def outcome_text(game: Game[Any, Any], value: int, plies: int | None) -> str:
    """The value, which is MAX's, in words, and how far off the end is; None where play need not end.

    >>> from zermelo.solver.games import load
    >>> outcome_text(load("tictactoe"), -1, 4), outcome_text(load("figure:two-ply"), 3, 1)
    ('O wins in 4 plies', 'value 3 for MAX in 1 ply')
    >>> outcome_text(load("tictactoe"), 0, None)
    'draw: play need not end'
    """
    first, second = game.players
    known = {} if has_payoffs(game) else {1: f"{first} wins", 0: "draw", -1: f"{second} wins"}
    words = known.get(value) or value_for(game, value)
    if plies is None:
        return f"{words}: play need not end"
    return f"{words} in {plies_text(plies)}" if plies else words


def move_text(game: Game[Any, Any], value: int, plies: int | None) -> str:
    """What a move leads to, in words: the outcome, and whether that is at once.

    >>> from zermelo.solver.games import load
    >>> move_text(load("tictactoe"), 1, 0), move_text(load("tictactoe"), 1, 2)
    ('X wins at once', 'X wins in 2 plies')
    """
    return outcome_text(game, value, plies) + (" at once" if plies == 0 else "")


def value_for(game: Game[Any, Any], value: Any) -> str:
    """The value as a number, and whose it is."""
    return f"value {value_text(value)} for {whose(game, value)}"


def whose(game: Game[Any, Any], value: Any) -> str:
    """Whose a value is: MAX's, or with many players a number for each."""
    return ", ".join(game.players) if isinstance(value, tuple) else game.players[0]


def plies_text(plies: int) -> str:
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


def verdict(game: Game[Any, Any], known: "Answer | Position") -> str:
    """Whose turn it is and what the position is worth, as a sentence."""
    if known.terminal:
        return f"The game is over: {outcome_text(game, known.value, 0)}."
    return f"{known.to_move} to move: {outcome_text(game, known.value, known.plies)}. Best move: {known.best_move}."


def line_text(answer: "Answer") -> str:
    """The best line of an answer that was asked for it, and whether it goes round."""
    moves = " ".join(answer.line or [])
    round_again = " - and there a position comes back: play need not end" if answer.comes_back else ""
    return f"Best line: {moves}{round_again}"


def traps_text(move: "Move") -> str:
    """How many of the opponent's replies to a move would be mistakes; nothing where there is no reply, or nobody asked.

    >>> from zermelo.db.answers import Move
    >>> traps_text(Move("a1", "X../.../...", 0, 8, True, 7, 8)), traps_text(Move("a1", "X../.../...", 0, 8, True))
    ('traps 7 of 8', '')
    """
    return f"traps {move.traps} of {move.replies}" if move.replies else ""


def move_lines(moves: Sequence[tuple[str, str, bool]]) -> Iterator[str]:
    """A line a move: its name, what it leads to, and a star where nothing is better.

    >>> print(*move_lines([("c2", "draw in 3 plies", True), ("a10", "O wins in 1 ply", False)]), sep="\\n")
      c2   draw in 3 plies  *
      a10  O wins in 1 ply
    """
    width = max((len(name) for name, _, _ in moves), default=0)
    for name, leads_to, best in moves:
        yield f"  {name:<{width}}  {leads_to}{'  *' if best else ''}"
