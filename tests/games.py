"""Games that only the tests play."""

from collections.abc import Callable, Sequence
from functools import cached_property

from zermelo.solver.errors import PositionError
from zermelo.solver.game import Game
from zermelo.solver.games.mnk import MNK


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


class MakerBreaker(MNK):
    """X and O take cells in turn; X wins with a line of its own, and O by keeping X from one: there is no draw.

    O's lines end nothing, so this is not k in a row, though it is played on the same boards.
    """

    family = "maker-breaker"

    def _maker_has_line(self, state: int) -> bool:
        stones = state & self.board.stones
        return any(stones & line == line for line in self.lines)

    def is_terminal(self, state: int) -> bool:
        return self._maker_has_line(state) or state.bit_count() == self.board.cells

    def actions(self, state: int) -> Sequence[int]:
        if self._maker_has_line(state):
            return ()
        return [cell for cell in range(self.board.cells) if not state >> 2 * cell & 3]

    def utility(self, state: int, player: str) -> int:
        return 1 if self._maker_has_line(state) == (player == "X") else -1

    def parse(self, text: str) -> int:
        return self.board.parse(text)


class Refill(MNK):
    """X and O take cells in turn, and k in a row win; a full board without a line is cleared, and play goes on."""

    family = "refill"

    def result(self, state: int, action: int) -> int:
        after = super().result(state, action)
        return after if super().utility(after, "X") or after.bit_count() < self.board.cells else 0

    def parse(self, text: str) -> int:
        return self.board.parse(text)


class Loops(Game[str, str]):
    """Walk along arrows, whoever's node it is choosing the next; play can go round for ever.

    Written as `a>b,c b<a,d c=2 d=-1`: the nodes where MAX (>) or MIN (<) moves and where they lead, and those where the
    game is over with what MAX gets (=). Play starts at the first.
    """

    def __init__(self, text: str, endless: int = 0) -> None:
        self.spec = f"loops:{text.replace(' ', ';')}"
        self.endless = endless
        self._arrows: dict[str, tuple[str, ...]] = {}
        self._turns: dict[str, str] = {}
        self._ends: dict[str, int] = {}
        for node in text.split():
            name, sign, rest = node[0], node[1], node[2:]
            if sign == "=":
                self._ends[name] = int(rest)
            else:
                self._arrows[name] = tuple(rest.split(","))
                self._turns[name] = "MAX" if sign == ">" else "MIN"
        self.initial = text[0]

    def to_move(self, state: str) -> str:
        return self._turns.get(state, "MAX")

    def actions(self, state: str) -> Sequence[str]:
        return self._arrows.get(state, ())

    def result(self, state: str, action: str) -> str:
        return action

    def is_terminal(self, state: str) -> bool:
        return state in self._ends

    def utility(self, state: str, player: str) -> int:
        return self._ends[state] if player == "MAX" else -self._ends[state]

    def format(self, state: str) -> str:
        return state

    def parse(self, text: str) -> str:
        if text not in self._arrows and text not in self._ends:
            raise PositionError(f"{text!r} is no node: write one such as {self.initial!r}")
        return text

    def format_action(self, action: str) -> str:
        return action

    def parse_action(self, text: str) -> str:
        return text
