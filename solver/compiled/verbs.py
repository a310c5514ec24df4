"""A game's own verbs, compiled as they are written.

In compiled code `self` is a bundle of those attributes that the verbs use, and the class's functions are its methods, so a
verb may call another, and plain functions of its module. The players are numbers there, 1 for MAX and 2 for MIN: their
names, wherever the code has them, are replaced, because comparing texts takes longer than most moves.
"""

import inspect
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba import njit
from numba import types as kinds
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, make_attribute_wrapper, models, overload, overload_method, register_model

from zermelo.solver.game import Game

VERBS = ("is_terminal", "to_move", "actions", "result", "utility")
OPTIONS: dict[str, Any] = {"nogil": True, "boundscheck": True, "error_model": "python"}
"""An index out of bounds is an error, as in Python: compiled code must not write where it should not."""
NAMES = (1, 2)
"""What stands for the players' names; neither is false, as no name is."""

_LONG = 64
"""Items from which on a tuple is a table: a type of its own for each length, it would take minutes to compile."""


class Rules:
    """The functions that a game's verbs are made of, ready to be compiled."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self._number_of = dict(zip(game.players, NAMES, strict=True))
        self._plain: dict[types.FunctionType, types.FunctionType] = {}
        self._dispatchers: dict[types.FunctionType, Any] = {}
        self.originals: list[types.FunctionType] = []
        """Every function of the user's, the verbs first."""
        self.methods: dict[str, Callable[..., Any]] = {}
        self.attributes: dict[str, Any] = {}
        wanted = list(VERBS)
        for name in wanted:
            if name in self.methods or name in self.attributes or not hasattr(game, name):
                continue
            found = inspect.getattr_static(type(game), name, None)
            if isinstance(found, types.FunctionType):
                self.methods[name] = self._prepared(found)
                wanted += _names_in(found.__code__)
            elif isinstance(found, staticmethod):
                self.methods[name] = _without_self(self._prepared(found.__func__))
                wanted += _names_in(found.__func__.__code__)
            elif is_usable(value := getattr(game, name)):
                self.attributes[name] = self._renamed(value)

    @property
    def values(self) -> tuple[Any, ...]:
        """The attributes' values, in the order of `attributes`."""
        return tuple(self.attributes.values())

    def _renamed(self, value: Any) -> Any:
        """A constant, with numbers for the players' names, and an array for a long table."""
        if isinstance(value, str):
            return self._number_of.get(value, value)
        if type(value) is tuple and len(value) > _LONG and all(type(item) is int and is_usable(item) for item in value):
            return np.array(value, np.int64)
        return tuple(map(self._renamed, value)) if type(value) is tuple else value

    def _prepared(self, function: types.FunctionType) -> types.FunctionType:
        """The function with numbers for names, and the plain functions that it calls compiled."""
        if function in self._plain:
            return self._plain[function]
        names = dict(function.__globals__)
        cells = tuple(map(types.CellType, (None for _ in function.__closure__ or ())))
        prepared = types.FunctionType(
            self._code(function.__code__), names, function.__name__, function.__defaults__, cells or None
        )
        # Known before it is whole, since it may call itself.
        self._plain[function] = prepared
        self.originals.append(function)
        for name, value in globals_of(function):
            names[name] = self._usable(value)
        for cell, original in zip(cells, function.__closure__ or (), strict=True):
            cell.cell_contents = self._usable(original.cell_contents)
        return prepared

    def _usable(self, value: Any) -> Any:
        """What compiled code has in the place of something that a function uses."""
        if not isinstance(value, types.FunctionType):
            return self._renamed(value)
        if value not in self._dispatchers:
            prepared = self._prepared(value)
            self._dispatchers.setdefault(value, njit(prepared, **OPTIONS))
        return self._dispatchers[value]

    def _code(self, code: types.CodeType) -> types.CodeType:
        constants = (
            self._code(constant) if isinstance(constant, types.CodeType) else self._renamed(constant)
            for constant in code.co_consts
        )
        return code.replace(co_consts=tuple(constants))


def is_usable(value: object) -> bool:
    """Whether compiled code can use it: whole numbers, texts, truth values, tuples of these, and arrays."""
    if type(value) is tuple:
        return all(map(is_usable, value))
    if type(value) is int:
        return -(2**63) <= value < 2**63
    return type(value) in (bool, float, str) or (isinstance(value, np.ndarray | np.generic) and value.dtype != object)


def _names_in(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in(constant)


def globals_of(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The names of its module that a function uses, with what they stand for."""
    for name in dict.fromkeys(_names_in(function.__code__)):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _without_self(function: Callable[..., Any]) -> Callable[..., Any]:
    """A static method as one that is given `self` and does not heed it."""
    names = ", ".join(inspect.signature(function).parameters)
    compiled = njit(function, **OPTIONS)
    made: Callable[..., Any] = eval(f"lambda self, {names}: function({names})", {"function": compiled})
    return made


def bundle(rules: Rules) -> Callable[[Any], Any]:
    """What makes a `self` of the tuple of attribute values, in compiled code."""
    names = list(rules.attributes)

    class SelfType(kinds.Type):
        def __init__(self, members: tuple[Any, ...]) -> None:
            self.members = list(zip(names, members, strict=True))
            super().__init__(f"{type(rules.game).__name__}({members})")

    @register_model(SelfType)
    class SelfModel(models.StructModel):
        def __init__(self, manager: Any, of: Any) -> None:
            super().__init__(manager, of, of.members)

    for name in names:
        make_attribute_wrapper(SelfType, name, name)
    for name, function in rules.methods.items():
        overload_method(SelfType, name, strict=False, jit_options=OPTIONS)(_always(function))

    @intrinsic
    def as_self(_typing: Any, values: Any) -> Any:
        made = SelfType(tuple(values.types))

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            proxy = cgutils.create_struct_proxy(made)(context, builder)
            for i, name in enumerate(names):
                setattr(proxy, name, builder.extract_value(arguments[0], i))
            return impl_ret_borrowed(context, builder, made, proxy._getvalue())

        return made(values), generate

    return as_self


def _always(function: Callable[..., Any]) -> Callable[..., Any]:
    def choose(*_types: Any) -> Callable[..., Any]:
        return function

    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return choose


@overload(operator.not_, strict=False)
def _is_empty(value: Any) -> Any:
    # `not moves` of a list is good Python, and Numba knows only `len(moves) == 0`.
    if isinstance(value, kinds.Sized):
        return lambda value: len(value) == 0
    return None


def whole(value: Any) -> Any:
    """A whole number as it is; nothing else compiles."""


@overload(whole, strict=False)
def _whole(value: Any) -> Any:
    if isinstance(value, kinds.Integer):
        return lambda value: np.int64(value)
    raise TypingError(f"a whole number is wanted here, not {value}")
