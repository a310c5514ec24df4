"""Zermelo's engine for larger boards, on every processor."""

from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.blocks import outcome
from zermelo.solver.packed.estimate import processors
from zermelo.solver.packed.solve import solved_groups

NAME = "Zermelo, packed"
for _ in solved_groups(MNK(3, 3, 3)):  # loads what was compiled, or compiles it
    pass


def solve_board(width: int, height: int, k: int) -> tuple[int, int]:
    game = MNK(width, height, k)
    positions = 0
    for group in solved_groups(game, processors()):
        positions += int(group.positions.sum())
        if not group.stones:
            start = outcome(int(group.values[0]), game.board.cells, stones=0)
    assert start is not None
    return positions, start[0]
