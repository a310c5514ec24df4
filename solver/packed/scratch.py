"""What can occur on a board with gravity, kept in a temporary file between the pass up and the way back."""

import threading

import numpy as np
from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError

from zermelo.solver.errors import OperationError
from zermelo.solver.packed.work import Bits, Reached
from zermelo.solver.scratch import ScratchFile

_LEVEL = 1
"""Takes a twentieth of the time that finding the bits does, and leaves a twentieth to a half of them."""


class Scratch:
    """What can occur, group by group, compressed in a file.

    >>> with ScratchFile() as file:
    ...     scratch = Scratch(file)
    ...     scratch.write(7, Reached(np.array([255, 3], np.uint8), np.array([254, 1], np.uint8)))
    ...     scratch.reached(7).tolist(), scratch.open(7).tolist()
    ([255, 3], [254, 1])
    """

    def __init__(self, file: ScratchFile) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._end = 0
        self._pieces: dict[tuple[int, str], tuple[int, int]] = {}
        """Where each piece begins, and how many bytes it has."""

    def write(self, number: int, found: Reached) -> None:
        """Keep what was found of a group."""
        for name, bits in found._asdict().items():
            # Checked when it is read: a byte that changed meanwhile would be a position too many, or one too few.
            piece = ZstdCompressor(level=_LEVEL, write_checksum=True).compress(bits.data)
            with self._lock:
                start = self._end
                self._end += len(piece)
            self._file.write(start, piece)
            self._pieces[number, name] = start, len(piece)

    def reached(self, number: int) -> Bits:
        """Which positions of a group can occur."""
        return self._read(number, "reached")

    def open(self, number: int) -> Bits:
        """In which of them the game goes on."""
        return self._read(number, "open")

    def _read(self, number: int, name: str) -> Bits:
        piece = self._file.read(*self._pieces[number, name])
        try:
            return np.frombuffer(ZstdDecompressor().decompress(piece), dtype=np.uint8)
        except ZstdError as error:
            raise OperationError("a temporary file was changed while it was in use: run the build again") from error
