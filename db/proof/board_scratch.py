"""What the proof of a board keeps in temporary files: the bytes of every group, and where play goes on."""

import threading
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from zermelo.db.proof.board_tables import Layout
from zermelo.solver.errors import OperationError

Values = NDArray[np.int8]
Bits = NDArray[np.uint8]


class Scratch:
    """What is known of each group, in files: its bytes, and a bit for each place where play goes on."""

    def __init__(self, layout: Layout, values: IO[bytes], going_on: IO[bytes]) -> None:
        self._layout = layout
        self._files = values, going_on
        self._lock = threading.Lock()
        self._bits = np.concatenate([[0], np.cumsum([(size + 7) // 8 for size in layout.sizes])]).tolist()

    def write_block(self, offset: int, data: bytes) -> None:
        self._write(0, offset, data)

    def values(self, number: int) -> Values:
        return np.frombuffer(self._read(0, self._layout.starts[number], self._layout.sizes[number]), np.int8)

    def write_going_on(self, number: int, marks: Bits) -> None:
        self._write(1, self._bits[number], np.packbits(marks, bitorder="little").data)

    def going_on(self, number: int) -> Bits:
        start, end = self._bits[number : number + 2]
        return np.frombuffer(self._read(1, start, end - start), np.uint8)

    def _write(self, file: int, offset: int, data: Any) -> None:
        try:
            with self._lock:
                self._files[file].seek(offset)
                self._files[file].write(data)
        except OSError as error:
            raise OperationError(f"no temporary file can be written: {error.strerror}") from error

    def _read(self, file: int, offset: int, size: int) -> bytes:
        with self._lock:
            self._files[file].seek(offset)
            return self._files[file].read(size)
