"""Stones put among others: where large blocks look up low halves, small ones look up every colouring."""

import numpy as np
import pytest

from zermelo.solver.games import load
from zermelo.solver.packed import knows, tables, work
from zermelo.solver.packed.solve import solved_groups


@pytest.mark.parametrize("spec", ["mnk:4,3,3", "mnk:6,2,3,misere", "connect:4,4,4", "connect:5,3,3,misere"])
def test_low_halves_lead_to_the_same_places(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every byte of every group, and every count, whichever is looked up."""
    game = load(spec)
    assert knows(game)
    solutions = []
    for most in (tables._MOST_PLACES, 0):
        monkeypatch.setattr(tables, "_MOST_PLACES", most)
        work._insertions.cache_clear()
        solutions.append({solved.number: solved for solved in solved_groups(game)})
    work._insertions.cache_clear()
    every, low = solutions
    assert every.keys() == low.keys()
    for number, solved in every.items():
        assert np.array_equal(solved.values, low[number].values)
        assert np.array_equal(solved.positions, low[number].positions)
