"""Dodgem as a user would write it: plain verbs, a list of moves, names of players. Compiled by the one line that says so."""

from zermelo.solver.game import Game


class Dodgem(Game[int, int]):
    """Dodgem of any size; a state has a bit for each cell with a car of MAX's, then one for each of MIN's, then the turn."""

    compiled = True

    def __init__(self, size: int) -> None:
        self.spec = f"own-dodgem:{size}"
        self.size = size
        self.cells = size * size
        first = sum(1 << row * size for row in range(size - 1))
        second = sum(1 << (size - 1) * size + column for column in range(1, size))
        self.initial = (first << self.cells | second) * 2

    def to_move(self, state: int) -> str:
        return "MAX" if state % 2 == 0 else "MIN"

    def cars(self, state: int, player: str) -> int:
        both = state >> 1
        return both >> self.cells if player == "MAX" else both & (1 << self.cells) - 1

    def step(self, player: str, row: int, column: int, way: int) -> tuple[int, int]:
        if player == "MAX":
            return (row, column + 1) if way == 0 else (row - 1, column) if way == 1 else (row + 1, column)
        return (row - 1, column) if way == 0 else (row, column - 1) if way == 1 else (row, column + 1)

    def actions(self, state: int) -> list[int]:
        player = self.to_move(state)
        own = self.cars(state, player)
        taken = self.cars(state, "MAX") | self.cars(state, "MIN")
        moves = []
        for cell in range(self.cells):
            if own >> cell & 1:
                for way in range(3):
                    row, column = self.step(player, cell // self.size, cell % self.size, way)
                    if way == 0 and (column == self.size or row < 0):
                        moves.append(cell * 3)
                    elif row == self.size or column < 0 or column == self.size or row < 0:
                        continue
                    elif not taken >> row * self.size + column & 1:
                        moves.append(cell * 3 + way)
        return moves

    def result(self, state: int, action: int) -> int:
        player, cell = self.to_move(state), action // 3
        own = self.cars(state, player) ^ 1 << cell
        row, column = self.step(player, cell // self.size, cell % self.size, action % 3)
        if row >= 0 and column < self.size:
            own |= 1 << row * self.size + column
        if player == "MAX":
            return (own << self.cells | self.cars(state, "MIN")) * 2 + 1
        return (self.cars(state, "MAX") << self.cells | own) * 2

    def is_terminal(self, state: int) -> bool:
        return self.cars(state, "MAX") == 0 or self.cars(state, "MIN") == 0 or not self.actions(state)

    def utility(self, state: int, player: str) -> int:
        if self.cars(state, "MAX") == 0:
            winner = "MAX"
        elif self.cars(state, "MIN") == 0:
            winner = "MIN"
        else:
            winner = self.to_move(state)
        return 1 if player == winner else -1
