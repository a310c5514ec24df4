"""A temporary file that threads write to and read from, each where it likes."""

import tempfile
import threading
from types import TracebackType
from typing import Self

from zermelo.solver.errors import OperationError


class ScratchFile:
    """Bytes in a temporary file, which is gone once it is closed.

    >>> with ScratchFile() as file:
    ...     file.write(3, b"abc")
    ...     bytes(file.read(4, 2))
    b'bc'
    """

    def __init__(self) -> None:
        try:
            # What a buffer held back on a full disk would be tried again, and fail again, when the file is closed.
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # `__exit__` closes it
        except OSError as error:
            raise _no_room(error) from error
        self._lock = threading.Lock()

    def write(self, offset: int, data: bytes | memoryview) -> None:
        """Put bytes down from `offset` on."""
        left = memoryview(data).cast("B")
        try:
            with self._lock:
                self._file.seek(offset)
                while left:
                    left = left[self._file.write(left) :]
        except OSError as error:
            raise _no_room(error) from error

    def read(self, offset: int, size: int) -> bytearray:
        """What was put down there, all of it."""
        found = bytearray(size)
        left = memoryview(found)
        try:
            with self._lock:
                self._file.seek(offset)
                # One call of the system reads 2 GiB at the most, and groups may be larger.
                while left and (count := self._file.readinto(left)):
                    left = left[count:]
        except OSError as error:
            raise OperationError(f"a temporary file cannot be read: {error.strerror}") from error
        if left:
            raise OperationError(f"a temporary file has lost {len(left):,} bytes: run the command again")
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def _no_room(error: OSError) -> OperationError:
    folder = tempfile.tempdir
    where = "" if folder is None else f" in {folder!r}"
    return OperationError(f"no temporary file can be written{where}: {error.strerror}: TMPDIR may name another folder")
