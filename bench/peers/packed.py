"""Zermelo's engine for larger boards, on every processor."""

from solver.games.mnk import MNK
from solver.packed.blocks import outcome
from solver.packed.estimate import processors
from solver.packed.layers import Layers

NAME = "Zermelo, packed"
for _ in Layers(MNK(3, 3, 3)).solve():  # loads what was compiled, or compiles it
    pass


def solve_board(width: int, height: int, k: int) -> tuple[int, int]:
    game = MNK(width, height, k)
    positions = 0
    for layer in Layers(game).solve(jobs=processors()):
        positions += int(layer.positions.sum())
    start = outcome(int(layer.values[0]), game.board.cells, stones=0)
    assert start is not None
    return positions, start[0]
