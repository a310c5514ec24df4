"""Checksums of what a database holds: a byte that has changed is told from an answer.

Each row has one over its other columns, so that a look-up checks what it reads and nothing else. A packed block has its
own before its data, over the numbers that it is stored under too: a block that is found in another's place is told.
"""

from collections.abc import Iterable
from struct import Struct
from typing import Any
from zlib import crc32

_PREFIX = Struct("<I")
_KEY = Struct("<qq")
_FRAME = b"\x28\xb5\x2f\xfd"
"""How data starts that was stored before blocks had checksums: with zstd's own magic number."""


def of_position(solution: int, board: str, ply: int, value: int, plies: int | None, best_move: str | None) -> int:
    """The checksum of a row of `positions`, which tells 1 from '1' and None from '-'.

    >>> of_position(1, "X../.../...", 1, 0, 8, "b2") == of_position(1, "X../.../...", 1, 0, 8, "b3")
    False
    """
    return crc32(f"{solution} {board} {ply!r} {value!r} {plies!r} {best_move!r}".encode())


def of_values(values: Iterable[Any]) -> int:
    """The checksum of some numbers, texts and Nones."""
    return crc32(repr(list(values)).encode())


def sealed(solution: int, number: int, data: bytes) -> bytes:
    """A block's data with a checksum before it.

    >>> opened(1, 5, sealed(1, 5, b"data")), opened(1, 6, sealed(1, 5, b"data"))
    (b'data', None)
    """
    return _PREFIX.pack(crc32(data, crc32(_KEY.pack(solution, number)))) + data


def opened(solution: int, number: Any, stored: Any) -> bytes | None:
    """The data of a block that was sealed, None where it is not as it was written: SQLite may have anything in its place."""
    if not isinstance(stored, bytes) or type(number) is not int:
        return None
    if stored[:4] == _FRAME:
        return stored
    data = stored[4:]
    intact = stored[:4] == _PREFIX.pack(crc32(data, crc32(_KEY.pack(solution, number))))
    return data if intact else None
