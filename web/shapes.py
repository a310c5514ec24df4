"""What the API alone serves and takes, and how FastAPI is told of the shapes that are defined elsewhere. Values are MAX's.

An answer, its moves, the counts and a game's description are defined where they are made, as named tuples and typed
dictionaries; `model_of` reads their fields off them, so that the API's description says what Python and JSON have.
"""

from collections.abc import Sequence
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Any, Literal, TypedDict, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import BaseModel, create_model

from zermelo.db.answers import Answer, Move
from zermelo.solver.picture import Picture
from zermelo.web.describe import Description, UnusableGame


class Games(TypedDict):
    """The games that the database holds."""

    games: list[Description | UnusableGame]


class Refused(TypedDict):
    """What stands in the place of a position that cannot be answered."""

    position: str
    error: str


class Positions(TypedDict):
    """The answers to many positions, in the order asked."""

    positions: list[Answer | Refused]


class Step(TypedDict):
    """A move of a line, the position after it, and what that is worth to MAX."""

    move: str
    position: str
    value: int
    plies: int | None
    optimal: bool


class Line(TypedDict):
    """The moves from a position to the end, or until a position comes back, when both sides play the best stored move."""

    game: str
    position: str
    value: int
    plies: int | None
    moves: list[Step]
    comes_back: bool
    """Whether the line stops because a position has come back: play need not end."""


class Look(TypedDict):
    """How a position looks: as text, and as a picture where the game has one."""

    game: str
    position: str
    text: str
    picture: Picture | None


class Health(TypedDict):
    """That the database can be asked, and how many games of it can be shown."""

    status: Literal["ok"]
    games: int


class Wanted(BaseModel):
    """Many positions to answer."""

    positions: list[str]


class Failure(BaseModel):
    """Why there is no answer."""

    status: int
    error: str


_NOT_SERVED = {Answer: {"line", "comes_back"}}
"""Fields that are only there when asked for, which here they never are."""
_ALWAYS_SERVED = {Move: {"traps": int, "replies": int}}
"""Fields that are only there when asked for, which here they always are."""


@cache
def model_of(shape: Any) -> type[BaseModel]:
    """The model of a named tuple or a typed dictionary that is served as a JSON object.

    >>> [*model_of(Step).model_fields], model_of(Line).model_fields["moves"].annotation == list[model_of(Step)]
    (['move', 'position', 'value', 'plies', 'optimal'], True)
    """
    fields = {name: hint for name, hint in get_type_hints(shape).items() if name not in _NOT_SERVED.get(shape, ())}
    fields |= _ALWAYS_SERVED.get(shape, {})
    described: dict[str, Any] = {name: (_described(hint), ...) for name, hint in fields.items()}
    return create_model(shape.__name__, __doc__=shape.__doc__, **described)


def _described(hint: Any) -> Any:
    """The same type with models in the place of the shapes in it."""
    if is_typeddict(hint) or hasattr(hint, "_fields"):
        return model_of(hint)
    parts = [_described(part) for part in get_args(hint)]
    if get_origin(hint) in (list, Sequence):
        return list[parts[0]]  # type: ignore[valid-type]
    return reduce(or_, parts) if get_origin(hint) is UnionType else hint
