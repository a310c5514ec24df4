"""What the page must know of a game: no rules, only what it is called and how its positions look."""

from collections.abc import Iterable
from typing import Any, Literal, TypedDict

from zermelo.solver.board import board_of
from zermelo.solver.game import Game
from zermelo.solver.games import SHORT
from zermelo.solver.picture import as_dict
from zermelo.solver.zero_sum import has_payoffs


class BoardDescription(TypedDict):
    """A board's size, and the cells of every line that can be completed on it."""

    width: int
    height: int
    lines: list[list[str]]


class Description(TypedDict):
    """A game and what is stored of it. Of the players MAX is the first, and the value is MAX's."""

    game: str
    aliases: list[str]
    """Other names that stand for the game."""
    title: str
    kind: Literal["board", "board with gravity", "no board"]
    """How positions look: cells to put stones on, cells that stones fall into, or only a text."""
    players: list[str]
    payoffs: bool
    """Whether values are amounts, and not only who wins."""
    start: str
    value: int
    plies: int | None
    can_repeat: bool
    """Whether play can come back to a position; where it need not end, plies are null."""
    positions: int
    classes: int
    digest: str
    board: BoardDescription | None
    """None where there is no board."""


class UnusableGame(TypedDict):
    """A stored game whose rules are not installed here."""

    game: str
    digest: str
    error: str


def look_at(game: Game[Any, Any], position: str) -> dict[str, Any]:
    """How a position looks, as plain values: `Look` in `web/shapes.py` describes them.

    >>> from zermelo.solver.games import load
    >>> look_at(load("tictactoe"), "XO./.X./..O")["picture"]["cells"][0]
    {'name': 'a1', 'x': 0.0, 'y': 0.0, 'mark': 'X', 'player': 0}
    """
    state = game.parse(position)
    picture = game.picture(state)
    moves = [] if game.is_terminal(state) else [game.format_action(action) for action in game.actions(state)]
    drawn = None if picture is None else as_dict(picture, moves)
    return {"game": game.spec, "position": game.format(state), "text": game.draw(state), "picture": drawn}


def describe(game: Game[Any, Any], facts: dict[str, Any], values: Iterable[int] = ()) -> Description:
    """The game's title, players, start and board, and what is stored of it; `values` are those that positions have.

    >>> from zermelo.solver.games import load
    >>> facts = {"value": 0, "plies": 9, "can_repeat": False, "positions": 5478, "classes": 765, "digest": "e3b0"}
    >>> described = describe(load("tictactoe"), facts)
    >>> described["title"], described["kind"], described["start"], described["board"]["lines"][0]
    ('Tic-tac-toe', 'board', '.../.../...', ['a1', 'b1', 'c1'])
    """
    board = _board(game)
    falling = getattr(game, "gravity", False)
    return Description(
        game=game.spec,
        aliases=[name for name, spec in SHORT.items() if spec == game.spec],
        title=game.title,
        kind="no board" if board is None else "board with gravity" if falling else "board",
        players=list(game.players),
        payoffs=has_payoffs(game) or any(abs(value) > 1 for value in (facts["value"], *values)),
        start=game.format(game.initial),
        value=facts["value"],
        plies=facts["plies"],
        can_repeat=facts["can_repeat"],
        positions=facts["positions"],
        classes=facts["classes"],
        digest=facts["digest"],
        board=board,
    )


def _board(game: Game[Any, Any]) -> BoardDescription | None:
    """The board's size and lines as names of cells; None where positions are no boards of cells."""
    board = board_of(game)
    if board is None:
        return None
    masks: tuple[int, ...] = getattr(game, "lines", ())
    lines = [[board.name_of(cell) for cell in range(board.cells) if mask >> 2 * cell & 1] for mask in masks]
    return BoardDescription(width=board.width, height=board.height, lines=lines)
