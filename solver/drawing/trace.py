"""A search told step by step, as lecture slides do: a line for each step, as soon as it is taken."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from solver.drawing.names import action_names, board_of, write_value
from solver.game import Game
from solver.search import PLAIN_MINIMAX, Observer, Settings, check, search

_TITLES = {"minimax": "MINIMAX-SEARCH", "alphabeta": "ALPHA-BETA-SEARCH", "multiplayer": "MULTIPLAYER-SEARCH"}
ALGORITHMS = tuple(_TITLES)


class _Call:
    """A call of MAX-VALUE or MIN-VALUE that has not returned yet."""

    def __init__(self, state: str, player: str, alpha: float, beta: float) -> None:
        self.state, self.player, self.alpha, self.beta = state, player, alpha, beta
        self.untried: list[Any] = []
        self.v: Any = None


class Tracer(Observer):
    """Writes a line for each step. States are numbered in the order in which they are met: s1, s2, ..."""

    def __init__(
        self, game: Game[Any, Any], write: Callable[[str], object], name_of: Callable[[Any], str], algorithm: str
    ) -> None:
        super().__init__()
        self._game = game
        self._write = write
        self._name_of = name_of
        self._windows = algorithm == "alphabeta"
        self._two = algorithm != "multiplayer"
        self._calls: list[_Call] = []

    def _say(self, text: str) -> None:
        # What a function does stands one step to the right of its call.
        self._write("  " * len(self._calls) + text)

    def _listed(self, actions: Sequence[Any]) -> str:
        return f"{{{', '.join(map(self._name_of, actions))}}}"

    def enter(self, state: Any, player: str, alpha: float = -inf, beta: float = inf) -> None:
        super().enter(state, player, alpha, beta)
        name, text = f"s{self.nodes}", self._game.format(state)
        if self._calls:
            above = self._calls[-1]
            self._say(f"{name} = RESULT({above.state}, {self._name_of(above.untried.pop(0))}) = {text}")
        function = "VALUE" if not self._two else "MAX-VALUE" if player == self._game.players[0] else "MIN-VALUE"
        window = f", α = {write_value(alpha)}, β = {write_value(beta)}" if self._windows else ""
        self._say(f"{function}({name}{window})")
        self._calls.append(_Call(name, player, alpha, beta))

    def choices(self, actions: Sequence[Any]) -> None:
        super().choices(actions)
        call = self._calls[-1]
        call.untried = list(actions)
        if self._two:
            call.v = -inf if call.player == self._game.players[0] else inf
        self._say(f"v, move ← {'-' if call.v is None else write_value(call.v)}, null")
        self._say(f"ACTIONS({call.state}) = {self._listed(actions)}")

    def back(self, action: Any, value: Any, better: bool) -> None:
        super().back(action, value, better)
        call = self._calls[-1]
        old, new, whose = call.v, value, ""
        if not self._two:
            own = self._game.players.index(call.player)
            old, new, whose = None if old is None else old[own], value[own], f" for {call.player}"
        sign = "<" if self._two and call.player == self._game.players[1] else ">"
        step = f"{self._name_of(action)}: v2 = {write_value(value)}"
        if not better:
            self._say(f"{step}, and {write_value(new)} is not {sign} {write_value(old)}{whose}")
            return
        than = "" if old is None else f", and {write_value(new)} {sign} {write_value(old)}{whose}"
        self._say(f"{step}{than}: v, move ← {write_value(value)}, {self._name_of(action)}")
        call.v = value
        if self._windows and sign == ">" and value > call.alpha:
            call.alpha = value
            self._say(f"α ← {write_value(value)}")
        elif self._windows and sign == "<" and value < call.beta:
            call.beta = value
            self._say(f"β ← {write_value(value)}")

    def cutoff(self, value: Any, bound: float, rest: Sequence[Any]) -> None:
        super().cutoff(value, bound, rest)
        sign = "≥ β" if self._calls[-1].player == self._game.players[0] else "≤ α"
        self._say(f"v = {write_value(value)} {sign} = {write_value(bound)}: cut off {self._listed(rest)}")

    def leaf(self, value: Any, estimated: bool = False) -> None:
        super().leaf(value, estimated)
        call = self._calls[-1]
        verb = "EVAL" if estimated else "UTILITY"
        why = "is as deep as we look" if estimated else "is terminal"
        self._say(f"{call.state} {why}: return {verb}({call.state}) = {write_value(value)}, null")
        self._calls.pop()

    def leave(self, value: Any, action: Any) -> None:
        super().leave(value, action)
        self._say(f"return {write_value(value)}, {self._name_of(action)}")
        self._calls.pop()


def trace(
    game: Game[Any, Any],
    state: Any,
    write: Callable[[str], object],
    settings: Settings = PLAIN_MINIMAX,
    numbering: str = "names",
) -> None:
    """Search from `state` and `write` each line of the trace as soon as its step is taken.

    >>> from solver.games.tree import Tree
    >>> trace(Tree({"name": "A", "moves": {"left": 3, "right": 2}}), "A", print)
    s1 = A, MAX to move
    MINIMAX-SEARCH(s1)
    MAX-VALUE(s1)
      v, move ← -∞, null
      ACTIONS(s1) = {left, right}
      s2 = RESULT(s1, left) = A.left
      MIN-VALUE(s2)
        s2 is terminal: return UTILITY(s2) = 3, null
      left: v2 = 3, and 3 > -∞: v, move ← 3, left
      s3 = RESULT(s1, right) = A.right
      MIN-VALUE(s3)
        s3 is terminal: return UTILITY(s3) = 2, null
      right: v2 = 2, and 2 is not > 3
      return 3, left
    MINIMAX-SEARCH returns left: value 3 for MAX
    """
    check(game, state, settings)
    name_of = action_names(game, numbering)
    if numbering != "names":
        _write_cells(game, write, name_of)
    write(f"s1 = {game.format(state)}, {game.to_move(state)} to move")
    title = _TITLES[settings.algorithm]
    write(f"{title}(s1)" + ("" if settings.depth is None else f" with depth limit {settings.depth}"))
    result = search(game, state, settings, Tracer(game, write, name_of, settings.algorithm))
    whose = game.players if settings.algorithm == "multiplayer" else game.players[:1]
    write(f"{title} returns {name_of(result.move)}: value {write_value(result.value)} for {', '.join(whose)}")


def _write_cells(game: Game[Any, Any], write: Callable[[str], object], name_of: Callable[[int], str]) -> None:
    """The board with the number of each cell in it."""
    board = board_of(game)
    assert board is not None
    digits = len(str(board.cells - 1))
    for row in range(board.height):
        cells = range(row * board.width, (row + 1) * board.width)
        write(" ".join(name_of(cell).rjust(digits) for cell in cells))
