"""What functions of whole numbers make of many of them, compiled where they can be: the symmetries of large games."""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

_SAMPLE = 10_000
"""Numbers for which what is compiled is held to plain Python."""
_FEW = 50_000
"""Numbers up to which compiling would take longer."""


def mapped(function: Callable[[int], int], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """What a function makes of each number: compiled, where there are many and it can be.

    >>> mapped(lambda number: number // 3 + 1, np.arange(60_000)).tolist()[-1]
    20000
    """
    step = max(1, len(numbers) // _SAMPLE)
    if len(numbers) > _FEW:
        # Whatever keeps it from being compiled, or from being the same: then it is plain Python.
        with contextlib.suppress(Exception):
            of_one = numba.njit(function, boundscheck=True, error_model="python")

            @numba.njit(nogil=True)
            def of_all(numbers: Any, images: Any) -> None:
                for i in range(len(numbers)):
                    images[i] = of_one(numbers[i])

            images = np.empty_like(numbers)
            of_all(numbers, images)
            if images[::step].tolist() == list(map(function, numbers[::step].tolist())):
                return images
    return np.fromiter(map(function, numbers.tolist()), np.int64, len(numbers))


def are_lowest(symmetries: Sequence[Callable[[int], int]], states: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each state is the lowest of those that the symmetries make of it."""
    lowest = np.ones(len(states), np.bool_)
    for symmetry in symmetries:
        lowest &= states <= mapped(symmetry, states)
    return lowest
