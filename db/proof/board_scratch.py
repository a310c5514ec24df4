"""What the proof of a board keeps in temporary files: the bytes of every group, and where play goes on."""

import numpy as np
from numpy.typing import NDArray

from zermelo.db.proof.board_tables import Layout
from zermelo.solver.scratch import ScratchFile

Values = NDArray[np.int8]
Bits = NDArray[np.uint8]


class Scratch:
    """What is known of each group, in files: its bytes, and a bit for each place where play goes on."""

    def __init__(self, layout: Layout, values: ScratchFile, going_on: ScratchFile) -> None:
        self._layout = layout
        self._values, self._going_on = values, going_on
        self._bits = np.concatenate([[0], np.cumsum([(size + 7) // 8 for size in layout.sizes])]).tolist()

    def write_block(self, offset: int, data: bytes) -> None:
        self._values.write(offset, data)

    def values(self, number: int) -> Values:
        return np.frombuffer(self._values.read(self._layout.starts[number], self._layout.sizes[number]), np.int8)

    def write_going_on(self, number: int, marks: Bits) -> None:
        self._going_on.write(self._bits[number], np.packbits(marks, bitorder="little").data)

    def going_on(self, number: int) -> Bits:
        start, end = self._bits[number : number + 2]
        return np.frombuffer(self._going_on.read(start, end - start), np.uint8)
