"""Which colourings end the game and which cannot occur, where the board has more lines than fit in a word."""

from itertools import chain

import numpy as np
import pytest

from zermelo.solver.games import load
from zermelo.solver.packed import knows
from zermelo.solver.packed.ends import mark_blocks
from zermelo.solver.packed.groups import Groups
from zermelo.solver.packed.tables import Rules
from zermelo.solver.packed.work import Values


def marked(groups: Groups, rules: Rules, number: int) -> Values:
    """What is put down in a group of zeros, where every other colouring was reached."""
    order, occupancies = groups.orders[groups.stones[number]], groups.occupancies[number]
    values = np.zeros(groups.sizes[number], dtype=np.int8)
    reached = np.arange(len(values), dtype=np.uint8) % 2
    mark_blocks(0, len(occupancies), 0, len(order.high_ones), rules, order, occupancies, values, reached)
    return values


@pytest.mark.parametrize("spec", ["mnk:4,3,3", "mnk:3,3,2,misere", "connect:4,3,3"])
def test_lines_told_twice_change_nothing(spec: str) -> None:
    """Every line once more until there are more than 128 of them: the lines that are complete share the same cells."""
    game = load(spec)
    assert knows(game)
    groups = Groups(game)
    lines = list(chain.from_iterable([groups.rules.lines.tolist()] * (130 // len(groups.rules.lines) + 1)))
    assert len(lines) > 128
    longer = groups.rules._replace(lines=np.array(lines, dtype=np.uint32))
    kinds = set()
    for number in range(len(groups)):
        once = marked(groups, groups.rules, number)
        assert (once == marked(groups, longer, number)).all()
        kinds |= {int(np.sign(byte)) if byte > -128 else -128 for byte in np.unique(once)}
    assert {-128, 0} < kinds, "some end the game, some go on and some cannot occur"
