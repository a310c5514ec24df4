"""Games that only the tests play."""

from collections.abc import Callable, Sequence
from functools import cached_property

from solver.errors import PositionError
from solver.game import Game
from solver.games.mnk import MNK


class Piles(Game[str, str]):
    """Two piles; a move takes one or two from one of them; who takes the last gets as much as is written on it.

    Left out of the rules in words.
    """

    players = ("Ann", "Bo")

    def __init__(self, left: int, right: int, prize: int = 3) -> None:
        self.spec = f"piles:{left},{right},{prize}"
        self.initial = f"Ann: {left} | {right}"
        self._largest = max(left, right)
        self._prize = prize

    def _piles(self, state: str) -> tuple[int, int]:
        left, right = state.partition(": ")[2].split(" | ")
        return int(left), int(right)

    def to_move(self, state: str) -> str:
        return state.partition(":")[0]

    def actions(self, state: str) -> Sequence[str]:
        left, right = self._piles(state)
        return [f"{name}-{n}" for name, pile in (("left", left), ("right", right)) for n in (2, 1) if n <= pile]

    def result(self, state: str, action: str) -> str:
        left, right = self._piles(state)
        name, number = action.split("-")
        left, right = (left - int(number), right) if name == "left" else (left, right - int(number))
        return f"{'Bo' if self.to_move(state) == 'Ann' else 'Ann'}: {left} | {right}"

    def is_terminal(self, state: str) -> bool:
        return self._piles(state) == (0, 0)

    def utility(self, state: str, player: str) -> int:
        return -self._prize if self.to_move(state) == player else self._prize

    def format(self, state: str) -> str:
        return state

    def parse(self, text: str) -> str:
        try:
            piles = self._piles(text)
        except ValueError as error:
            raise PositionError(f"{text!r} is no position: write one such as {self.initial!r}") from error
        if max(piles) > self._largest or min(piles) < 0 or self.to_move(text) not in self.players:
            raise PositionError(f"{text!r} cannot occur: the game starts from {self.initial!r}")
        return f"{self.to_move(text)}: {piles[0]} | {piles[1]}"

    def format_action(self, action: str) -> str:
        return action

    def parse_action(self, text: str) -> str:
        return text

    @cached_property
    def symmetries(self) -> Sequence[Callable[[str], str]]:
        left, right = self._piles(self.initial)
        if left != right:
            return (lambda state: state,)

        def swapped(state: str) -> str:
            left, right = self._piles(state)
            return f"{self.to_move(state)}: {right} | {left}"

        return (lambda state: state, swapped)


class Falling(MNK):
    """A board where stones fall to the lowest empty cell of their column, named as those games are."""

    def __init__(self, width: int, height: int, k: int) -> None:
        super().__init__(width, height, k)
        self.spec = f"connect:{width},{height},{k}"

    def actions(self, state: int) -> Sequence[int]:
        width = self.board.width
        empty = set(super().actions(state))
        lowest = (max((cell for cell in empty if cell % width == column), default=None) for column in range(width))
        return [cell for cell in lowest if cell is not None]

    @cached_property
    def symmetries(self) -> Sequence[Callable[[int], int]]:
        width, cells = self.board.width, range(self.board.cells)
        mirror = [cell - cell % width + width - 1 - cell % width for cell in cells]
        return tuple(map(self.board.state_map, (list(cells), mirror)))
