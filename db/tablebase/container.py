"""The outside of a `.ztb` file: magic, head, checksums, and compressed chunks; see docs/tablebase-format.md."""

import hashlib
import json
import mmap
import os
import stat
import struct
import zlib
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

from zermelo.db.engine import is_database
from zermelo.solver.errors import (
    ClosedError,
    DamagedError,
    DatabaseError,
    MissingTablebaseError,
    OperationError,
    ZermeloError,
)
from zermelo.solver.game import Game

if TYPE_CHECKING:
    from zermelo.solver.census import Category, Tally

Found = TypeVar("Found")

MAGIC = b"\x89ZTB\r\n\x1a"
VERSIONS = 1, 2
"""What can be read. A file has the lowest that can say what it has to: the second where play can come back to a position."""
_START = len(MAGIC) + 1
_END = struct.Struct("<32sI16s")  # the solution's digest, the length of the head, the checksum


_SMALL_HEAD, _RATIO = 1 << 20, 8
"""A head has at most so many bytes unpacked, and so many more for each that is packed: numbers do not pack well."""


class Chunk(NamedTuple):
    """A run of neighbouring keys: the first of them, and all of them with their data as bytes."""

    first: int | str
    data: bytes


def write_container(
    stream: IO[bytes], head: dict[str, Any], digest: str, chunks: Iterable[Chunk], version: int = VERSIONS[0]
) -> None:
    """Write a file of the chunks, compressed as they come, and then `head` with an index of them."""
    start = MAGIC + bytes([version])
    firsts: list[int | str] = []
    lengths: list[int] = []
    checks: list[int] = []
    stream.write(start)
    for first, data in chunks:
        packed = _deflate(data)
        stream.write(packed)
        firsts.append(first)
        lengths.append(len(packed))
        checks.append(zlib.crc32(packed))
    text = json.dumps({**head, "chunks": [firsts, lengths, checks]}, separators=(",", ":"), ensure_ascii=False)
    packed_head = _deflate(text.encode())
    end = _END.pack(bytes.fromhex(digest), len(packed_head), b"")[:-16]
    stream.write(packed_head + end + _checksum(start + packed_head + end))


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:16]


def _deflate(data: bytes) -> bytes:
    # Which strategy is the better one depends on whether the data are texts, which repeat, or values, which do not.
    strategies = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED)
    compressors = [zlib.compressobj(6, zlib.DEFLATED, -15, 9, strategy) for strategy in strategies]
    return min((compressor.compress(data) + compressor.flush() for compressor in compressors), key=len)


def _inflate(data: bytes, most: int) -> bytes:
    """What was packed, which has `most` bytes at the most: a few kilobytes can be unpacked to gigabytes."""
    unpacker = zlib.decompressobj(-15)
    unpacked = unpacker.decompress(data, most + 1)
    if len(unpacked) > most or not unpacker.eof:
        raise zlib.error("it is cut short, or larger than it can be")
    return unpacked


class Container:
    """An open `.ztb` file. Everything read from it is checked first; what fails is a `DamagedError`."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            status = os.stat(path)
            if stat.S_ISDIR(status.st_mode):
                raise DatabaseError(f"{path!r} is a directory: name the tablebase file in it", db=path)
            if not stat.S_ISREG(status.st_mode):
                raise DatabaseError(f"{path!r} is not a file: name a tablebase", db=path)
            if not status.st_size:
                raise self.damaged("it is empty")
            if os.access(path, os.R_OK) and is_database(path):
                raise self.damaged("it is a database")
            with open(path, "rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError as error:
            raise MissingTablebaseError(f"there is no tablebase {path!r}", db=path) from error
        except ZermeloError:
            raise
        except OSError as error:
            raise OperationError(f"{path!r} cannot be read: {error.strerror}") from error
        try:
            self._read_head(len(self._map))
        except BaseException:
            self.close()
            raise

    def _read_head(self, size: int) -> None:
        data = self._map
        if size < _START or data[: len(MAGIC)] != MAGIC:
            raise self.damaged("it does not start as a tablebase does")
        self.version = data[len(MAGIC)]
        if self.version not in VERSIONS:
            raise self.damaged(
                f"it says that its format is version {self.version}, not {' or '.join(map(str, VERSIONS))}",
                f"{_MEND}, or use another version of Zermelo",
            )
        if size < _START + _END.size:
            raise self.damaged("it is cut short")
        digest, length, checksum = _END.unpack(data[-_END.size :])
        start = size - _END.size - length
        if start < _START or _checksum(data[:_START] + data[start:-16]) != checksum:
            raise self.damaged("its end is not as it was written")
        self.digest = digest.hex()
        try:
            self.head: dict[str, Any] = json.loads(
                _inflate(data[start : start + length], _SMALL_HEAD + _RATIO * length)
            )
            self.firsts, lengths, self._checks = self.head["chunks"]
            if not len(self.firsts) == len(lengths) == len(self._checks) or min(lengths, default=0) < 0:
                raise ValueError("the index of chunks does not fit together")
            self._offsets = list(accumulate(lengths, initial=_START))
            if any(type(number) is not int for number in self._offsets):
                raise ValueError("a chunk's length is no whole number")
        except (ValueError, KeyError, TypeError, RecursionError, zlib.error) as error:
            raise self.damaged("its head cannot be read") from error
        if not (_is_index(self.firsts, lengths, self._checks) and _are_counts(self.head.get("counts"))):
            raise self.damaged("its head has no lists of its chunks and counts")
        if self._offsets[-1] != start:
            raise self.damaged(f"it has {start:,} bytes before its head instead of {self._offsets[-1]:,}")

    def chunk(self, number: int, most: int = 1 << 24) -> bytes:
        """The data of one chunk, which has `most` bytes at the most."""
        try:
            packed = self._map[self._offsets[number] : self._offsets[number + 1]]
        except ValueError as error:
            raise ClosedError(f"tablebase {self.path!r} is closed: open it again to ask it") from error
        if zlib.crc32(packed) != self._checks[number]:
            raise self.damaged(f"the checksum of its chunk {number} is wrong")
        try:
            return _inflate(packed, most)
        except zlib.error as error:
            raise self.damaged(f"its chunk {number} cannot be unpacked") from error

    def damaged(self, how: str, remedy: str = "") -> DamagedError:
        """The error to raise where the file is not as it was written."""
        return DamagedError(f"{self.path!r} is damaged ({how}): {remedy or _MEND}", db=self.path)

    def close(self) -> None:
        """Let go of the file."""
        self._map.close()


def _is_index(firsts: Any, lengths: Any, checks: Any) -> bool:
    """Whether these are the first keys of chunks, in order, with a length and a checksum each."""
    if not all(isinstance(column, list) and len(column) == len(firsts) for column in (firsts, lengths, checks)):
        return False
    kind = type(firsts[0]) if firsts else int
    return (
        kind in (int, str)
        and all(type(first) is kind for first in firsts)
        and all(one < other for one, other in pairwise(firsts))
        and all(type(number) is int and number >= 0 for column in (lengths, checks) for number in column)
    )


def _are_counts(columns: Any) -> bool:
    """Whether these are the five columns of counts: whole numbers, and as many in each."""
    return (
        isinstance(columns, list)
        and len(columns) == 5
        and all(isinstance(column, list) and len(column) == len(columns[0]) for column in columns)
        and all(type(number) is int for column in columns for number in column)
    )


class Table:
    """What the kinds of tables in a `.ztb` file have in common; see `Source`."""

    def __init__(self, container: Container, game: Game[Any, Any], facts: dict[str, Any]) -> None:
        self.facts = facts
        self._container = container
        self._game = game

    def counts(self) -> "dict[Category, Tally]":
        from zermelo.solver.census import Category, Tally

        try:
            rows = list(zip(*self._container.head["counts"], strict=True))
            if not all(type(number) is int for row in rows for number in row):
                raise ValueError("a count is no whole number")
            return {Category(p, bool(t), v): Tally(n, c) for p, t, v, n, c in rows}
        except (KeyError, TypeError, ValueError) as error:
            raise self.damaged("its counts cannot be read") from error

    def no_more(self, found: Iterable[Found], number: int) -> Iterator[Found]:
        """What is found, up to as many as the head says: who asks whether there are too many to go through goes by that."""
        for count, one in enumerate(found):
            if count >= number:
                raise self.too_many(number)
            yield one

    def too_many(self, number: int) -> DamagedError:
        """The error to raise where the file has more than its head says."""
        return self.damaged(f"it has more than the {number:,} positions that its head says")

    def damaged(self, how: str) -> DamagedError:
        return self._container.damaged(how)

    def end_reading(self, solution: None) -> None:
        """A file that is open stays as it is."""

    def close(self) -> None:
        self._container.close()


_MEND = "restore it from a copy, or export it again"
