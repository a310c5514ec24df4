"""What compiles an inner loop: Numba, which keeps what it compiled for the next run wherever there is a place for it."""

from collections.abc import Callable
from typing import Any

import numba

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: Callable[..., Any]) -> Any:
    """The function compiled, when it is first called; it lets go of Python's lock."""
    try:
        return numba.njit(cache=True, **_OPTIONS)(function)
    except RuntimeError:
        # No folder can be written to, neither beside the module nor of the user's own: then nothing is kept.
        return numba.njit(**_OPTIONS)(function)
