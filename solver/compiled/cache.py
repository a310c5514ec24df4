"""Where compiled code waits for the next run.

A file's name is a fingerprint of all that the code was made from: every function, every constant that they use, the types of
the attributes, and the versions of what compiled it. So what is found under a name is right, and what changed has
another name. Where something has no fingerprint, or there is no folder of one's own to write to, nothing is kept.
"""

import hashlib
import os
import sys
import types
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import numpy as np

from zermelo.solver.compiled.verbs import Rules, globals_of, is_usable

_KNOWN = ("builtins", "math", "numpy", "operator")
"""Modules that change only with what compiles."""


def cache_file(rules: Rules, wrapper: types.FunctionType) -> str | None:
    """The file beside which Numba keeps the compiled code, None where nothing can be kept."""
    try:
        name = fingerprint(rules, wrapper)
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
        if os.name == "posix":
            found = folder.stat()
            if found.st_uid != os.getuid() or found.st_mode & 0o022:
                return None  # somebody else could put code there
        path = folder / f"game_{name}.py"
        if not path.exists():
            # Numba goes by when this file was written, so it is written once.
            path.write_text(f"# What was compiled for {rules.game.spec!r} is kept beside this file.\n")
        return str(path)
    except (OSError, RuntimeError, _NoFingerprintError):
        return None


def _folder() -> Path:
    """A folder of the user's own."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "zermelo" / "compiled"


class _NoFingerprintError(Exception):
    """Something cannot be told from something else by what it holds."""


def fingerprint(rules: Rules, wrapper: types.FunctionType) -> str:
    """What differs wherever the compiled code could differ."""
    parts = [
        sys.version,
        version("zermelo"),
        numba.__version__,
        version("llvmlite"),
        np.__version__,
        _of_code(wrapper.__code__),
        repr([(name, str(numba.typeof(value))) for name, value in rules.attributes.items()]),
        repr((list(rules.methods), list(rules.game.players))),
    ]
    number_of = {function: i for i, function in enumerate(rules.originals)}
    for function in rules.originals:
        parts += [_of_code(function.__code__), _of_value(function.__defaults__ or (), number_of)]
        parts += [f"{name} {_of_value(value, number_of)}" for name, value in globals_of(function)]
        parts += [_of_value(cell.cell_contents, number_of) for cell in function.__closure__ or ()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _of_code(code: types.CodeType) -> str:
    return repr(list(_flat(code)))


def _flat(code: types.CodeType) -> Iterator[Any]:
    yield from (code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_exceptiontable)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _flat(constant)
        else:
            yield type(constant).__name__, constant


def _of_value(value: Any, number_of: dict[types.FunctionType, int]) -> str:
    if isinstance(value, types.FunctionType):
        return f"function {number_of[value]}"
    if isinstance(value, types.ModuleType) and value.__name__ in _KNOWN:
        return f"module {value.__name__}"
    if isinstance(value, types.BuiltinFunctionType | type) and value.__module__ in _KNOWN:
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).data).hexdigest()}"
    if value is None or is_usable(value):
        return repr(value)
    raise _NoFingerprintError
