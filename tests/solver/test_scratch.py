"""What is put down in temporary files for a time, and what becomes of it there."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from zermelo.solver.errors import OperationError
from zermelo.solver.packed.scratch import Scratch
from zermelo.solver.packed.work import Reached
from zermelo.solver.scratch import ScratchFile


def found(number: int) -> Reached:
    """Bits of a group that no other has; every third can occur nowhere, as most do on wide boards."""
    random = np.random.default_rng(number)
    bits = random.integers(0, 256, 1 + 97 * number, dtype=np.uint8) * (number % 3 > 0)
    return Reached(bits, bits & np.uint8(15))


def test_many_threads_find_what_they_put_down() -> None:
    """Pieces of all sizes from several threads at once, read while others are still written."""
    with ScratchFile() as file, ThreadPoolExecutor(8) as threads:
        scratch = Scratch(file)

        def there_and_back(number: int) -> bool:
            scratch.write(number, found(number))
            other = number // 2 if number // 2 in done else number
            same = np.array_equal(scratch.reached(other), found(other).reached)
            done.add(number)
            return same and np.array_equal(scratch.open(other), found(other).open)

        done: set[int] = set()
        assert all(threads.map(there_and_back, range(200)))
        assert all(np.array_equal(scratch.reached(number), found(number).reached) for number in range(200))


@pytest.mark.parametrize("at", range(0, 60, 7))
def test_a_byte_that_changed_is_found(at: int) -> None:
    """A flipped bit would be a position too many, or one too few."""
    with ScratchFile() as file:
        scratch = Scratch(file)
        scratch.write(1, found(1))
        file.write(at, bytes([file.read(at, 1)[0] ^ 4]))
        with pytest.raises(OperationError, match="a temporary file was changed while it was in use"):
            scratch.reached(1)
        assert np.array_equal(scratch.open(1), found(1).open), "the other piece is as it was"


@pytest.mark.slow
def test_more_than_the_system_reads_at_once() -> None:
    """Linux reads 2 GiB less a page in one call; a group of which the rest is missing would be proved with what lies behind it."""
    with ScratchFile() as file:
        last = 2**31 + 5
        file.write(last, b"\7")
        assert file.read(0, last + 1)[-1:] == b"\7"


def test_a_file_that_lost_its_end() -> None:
    """Fewer bytes than were put down are no group."""
    with ScratchFile() as file:
        file.write(0, bytes(10))
        with pytest.raises(OperationError, match="a temporary file has lost 3 bytes: run the command again"):
            file.read(6, 7)
