"""What compiled games are measured by does the same work."""

import numpy as np
import pytest

from bench.compiled import by_hand
from bench.own_dodgem import Dodgem
from zermelo.solver.compiled.engine import solve


@pytest.mark.slow
def test_the_program_for_dodgem_alone() -> None:
    """It finds the same positions as the engine does, in the same order, and the same of each."""
    solved = solve(Dodgem(3))
    states, values, plies, ply = by_hand(3, 1 << 14)
    assert np.array_equal(states, solved.states)
    assert np.array_equal(values, solved.values[solved.ranks])
    assert np.array_equal(plies, np.where(solved.plies == solved.no_plies, -1, solved.plies.astype(np.int16)))
    assert np.array_equal(ply, solved.ply)
