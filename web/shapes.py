"""The API's answers as types, for its description; `query --format json` has the same position. Values are MAX's."""

from pydantic import BaseModel


class Board(BaseModel):
    width: int
    height: int
    lines: list[list[str]]
    """The cells of every line that can be completed."""


class Game(BaseModel):
    game: str
    players: list[str]
    """MAX first."""
    start: str
    value: int
    plies: int
    positions: int
    classes: int
    digest: str
    board: Board | None


class UnusableGame(BaseModel):
    """A stored game whose rules are not installed here."""

    game: str
    digest: str
    error: str


class Games(BaseModel):
    games: list[Game | UnusableGame]


class Move(BaseModel):
    move: str
    position: str
    value: int
    plies: int
    optimal: bool


class Position(BaseModel):
    game: str
    position: str
    ply: int
    to_move: str | None
    terminal: bool
    value: int
    plies: int
    best_move: str | None
    moves: list[Move]


class Refused(BaseModel):
    """What stands in the place of a position that is none."""

    position: str
    error: str


class Positions(BaseModel):
    positions: list[Position | Refused]


class Line(BaseModel):
    game: str
    position: str
    value: int
    plies: int
    moves: list[Move]


class Wanted(BaseModel):
    positions: list[str]


class Failure(BaseModel):
    status: int
    error: str
