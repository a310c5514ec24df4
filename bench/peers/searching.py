"""Zermelo's alpha-beta search with a table: the value of the start and no more."""

from zermelo.solver.games.mnk import MNK
from zermelo.solver.search import alphabeta
from zermelo.solver.search.alphabeta import Bounds, by_evaluation
from zermelo.solver.table import TranspositionTable

NAME = "Zermelo, search"


def solve_board(width: int, height: int, k: int) -> tuple[int, int]:
    game = MNK(width, height, k)
    table: TranspositionTable[int, Bounds] = TranspositionTable()
    found = alphabeta(game, game.initial, table=table, ordering=by_evaluation(game))
    return len(table.entries), int(found.value)
