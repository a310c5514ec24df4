"""Games of whole numbers that only the tests play."""

import random

import numpy as np

from zermelo.solver.game import Game


class Graph(Game[int, int]):
    """A random graph whose nodes are positions; with loops, unless each move leads to a node of a larger number."""

    players = ("Ann", "Bo")
    compiled = True

    def __init__(self, seed: int, nodes: int = 300, *, loops: bool = True, values: int = 4, endless: int = 0) -> None:
        chance = random.Random(seed)
        self.spec = f"graph:{seed}"
        self.endless = endless
        self.initial = 0
        targets: list[int] = []
        self.starts = np.zeros(nodes + 1, np.int64)
        for node in range(nodes - 1):
            if node < 9 or chance.random() < 0.9:
                first, last = (0, nodes) if loops else (node + 1, min(node + 9, nodes))
                # Where play branches at first, most of the graph can be reached.
                targets += [
                    chance.randrange(first, last) for _ in range(3 if node < 9 else chance.choice((1, 1, 2, 3)))
                ]
            self.starts[node + 1] = len(targets)
        self.starts[nodes] = len(targets)  # the last node has no moves
        self.targets = np.array(targets, np.int64)
        self.turns = tuple(chance.randrange(2) for _ in range(nodes))  # a table, in compiled code
        self.utilities = np.array([chance.randint(-values, values) for _ in range(nodes)], np.int64)

    def to_move(self, state: int) -> str:
        return self.players[self.turns[state]]

    def actions(self, state: int) -> list[int]:
        # The last move first, so that the order of actions matters.
        return list(range(self.starts[state + 1] - 1, self.starts[state] - 1, -1))

    def result(self, state: int, action: int) -> int:
        return int(self.targets[action])

    def is_terminal(self, state: int) -> bool:
        return bool(self.starts[state] == self.starts[state + 1])

    def utility(self, state: int, player: str) -> int:
        return int(self.utilities[state]) if player == "Ann" else -int(self.utilities[state])


def twice(number: int) -> int:
    return 2 * number if number else 0


def steps_down(number: int) -> int:
    """How often one can be taken away, by calling itself."""
    return 0 if number == 0 else 1 + steps_down(number - 1)


class Chain(Game[int, int]):
    """One way down, a step at a time; who makes the last one wins."""

    compiled = True
    step = 1

    def __init__(self, length: int) -> None:
        self.spec = f"chain:{length}"
        self.initial = twice(length)

    def to_move(self, state: int) -> str:
        return "MIN" if state % 2 else "MAX"

    @staticmethod
    def half(state: int) -> int:
        return state // 2

    def left(self, state: int) -> int:
        return self.half(state)

    def actions(self, state: int) -> list[int]:
        return [step for step in (self.step,) if not self.is_terminal(state)]

    def result(self, state: int, action: int) -> int:
        return twice(self.left(state) - action) + 1 - state % 2

    def is_terminal(self, state: int) -> bool:
        return not self.left(state)

    def utility(self, state: int, player: str) -> int:
        return -1 if player == self.to_move(state) else 1
