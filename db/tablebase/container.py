"""The outside of a `.ztb` file: magic, head, checksums, and compressed chunks; see docs/tablebase-format.md."""

import hashlib
import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterable
from itertools import accumulate
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from solver.errors import DamagedError, DatabaseError, MissingDatabaseError, OperationError
from solver.game import Game

if TYPE_CHECKING:
    from solver.census import Category, Tally

MAGIC = b"\x89ZTB\r\n\x1a"
VERSION = 1
_START = MAGIC + bytes([VERSION])
_END = struct.Struct("<32sI16s")  # the solution's digest, the length of the head, the checksum


class Chunk(NamedTuple):
    """A run of neighbouring keys: the first of them, and all of them with their data as bytes."""

    first: int | str
    data: bytes


def write_container(stream: IO[bytes], head: dict[str, Any], digest: str, chunks: Iterable[Chunk]) -> None:
    """Write a file of the chunks, compressed as they come, and then `head` with an index of them."""
    firsts: list[int | str] = []
    lengths: list[int] = []
    checks: list[int] = []
    stream.write(_START)
    for first, data in chunks:
        packed = _deflate(data)
        stream.write(packed)
        firsts.append(first)
        lengths.append(len(packed))
        checks.append(zlib.crc32(packed))
    text = json.dumps({**head, "chunks": [firsts, lengths, checks]}, separators=(",", ":"), ensure_ascii=False)
    packed_head = _deflate(text.encode())
    end = _END.pack(bytes.fromhex(digest), len(packed_head), b"")[:-16]
    stream.write(packed_head + end + _checksum(_START + packed_head + end))


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:16]


def _deflate(data: bytes) -> bytes:
    # Which strategy is the better one depends on whether the data are texts, which repeat, or values, which do not.
    strategies = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED)
    compressors = [zlib.compressobj(6, zlib.DEFLATED, -15, 9, strategy) for strategy in strategies]
    return min((compressor.compress(data) + compressor.flush() for compressor in compressors), key=len)


class Container:
    """An open `.ztb` file. Everything read from it is checked first; what fails is a `DamagedError`."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            with open(path, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if not size:
                    raise self.damaged("it is empty")
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError as error:
            raise MissingDatabaseError(
                f"there is no tablebase {path!r}: make it with `zermelo export --format ztb`"
            ) from error
        except IsADirectoryError as error:
            raise DatabaseError(f"{path!r} is a directory: name the tablebase file in it") from error
        except DamagedError:
            raise
        except OSError as error:
            raise OperationError(f"{path!r} cannot be read: {error.strerror}") from error
        try:
            self._read_head(size)
        except BaseException:
            self.close()
            raise

    def _read_head(self, size: int) -> None:
        data = self._map
        if size < len(_START) or data[: len(MAGIC)] != MAGIC:
            raise self.damaged("it does not start as a tablebase does")
        if data[len(MAGIC)] != VERSION:
            raise self.damaged(
                f"it says that its format is version {data[len(MAGIC)]}, not {VERSION}",
                f"{_MEND}, or use another Zermelo",
            )
        if size < len(_START) + _END.size:
            raise self.damaged("it is cut short")
        digest, length, checksum = _END.unpack(data[-_END.size :])
        start = size - _END.size - length
        if start < len(_START) or _checksum(_START + data[start:-16]) != checksum:
            raise self.damaged("its end is not as it was written")
        self.digest = digest.hex()
        try:
            self.head: dict[str, Any] = json.loads(zlib.decompress(data[start : start + length], -15))
            self.firsts, lengths, self._checks = self.head["chunks"]
            self._offsets = list(accumulate(lengths, initial=len(_START)))
        except (ValueError, KeyError, TypeError, zlib.error) as error:
            raise self.damaged("its head makes no sense") from error
        if self._offsets[-1] != start:
            raise self.damaged(f"it has {start:,} bytes before its head instead of {self._offsets[-1]:,}")

    def chunk(self, number: int) -> bytes:
        """The data of one chunk."""
        packed = self._map[self._offsets[number] : self._offsets[number + 1]]
        if zlib.crc32(packed) != self._checks[number]:
            raise self.damaged(f"the checksum of its chunk {number} is wrong")
        try:
            return zlib.decompress(packed, -15)
        except zlib.error as error:
            raise self.damaged(f"its chunk {number} cannot be unpacked") from error

    def damaged(self, how: str, remedy: str = "") -> DamagedError:
        """The error to raise where the file is not as it was written."""
        return DamagedError(f"{self.path!r} is damaged ({how}): {remedy or _MEND}")

    def close(self) -> None:
        """Let go of the file."""
        self._map.close()


class Table:
    """What the kinds of tables in a `.ztb` file have in common; see `Source`."""

    def __init__(self, container: Container, game: Game[Any, Any], facts: dict[str, Any]) -> None:
        self.facts = facts
        self._container = container
        self._game = game

    def counts(self) -> "dict[Category, Tally]":
        from solver.census import Category, Tally

        columns = self._container.head["counts"]
        return {Category(p, bool(t), v): Tally(n, c) for p, t, v, n, c in zip(*columns, strict=True)}

    def close(self) -> None:
        self._container.close()


_MEND = "restore it from a copy, or export it again"
