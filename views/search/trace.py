"""A search told step by step, as lecture slides do: a line for each step, as soon as it is taken."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from zermelo.solver.game import Game
from zermelo.solver.search import PLAIN_MINIMAX, Observer, Settings, check, named, search
from zermelo.views.search.numbering import numbered
from zermelo.views.words import value_for, value_text


class _Call:
    """A call of MAX-VALUE or MIN-VALUE that has not returned yet."""

    def __init__(self, state: str, text: str, player: str, alpha: float, beta: float) -> None:
        self.state, self.text, self.player, self.alpha, self.beta = state, text, player, alpha, beta
        self.untried: list[Any] = []
        self.v: Any = None


class Tracer(Observer):
    """Writes a line for each step. States are numbered in the order in which they are met: s1, s2, ..."""

    def __init__(self, game: Game[Any, Any], write: Callable[[str], object], algorithm: str) -> None:
        super().__init__()
        self._game = game
        self._write = write
        self._name_of = game.format_action
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
        window = f", α = {value_text(alpha)}, β = {value_text(beta)}" if self._windows else ""
        self._say(f"{function}({name}{window})")
        self._calls.append(_Call(name, text, player, alpha, beta))

    def choices(self, actions: Sequence[Any]) -> None:
        super().choices(actions)
        call = self._calls[-1]
        call.untried = list(actions)
        if self._two:
            call.v = -inf if call.player == self._game.players[0] else inf
        self._say(f"v, move ← {'-' if call.v is None else value_text(call.v)}, null")
        self._say(f"ACTIONS({call.state}) = {self._listed(actions)}")

    def back(self, action: Any, value: Any, better: bool) -> None:
        super().back(action, value, better)
        call = self._calls[-1]
        old, new, whose = call.v, value, ""
        if not self._two:
            own = self._game.players.index(call.player)
            old, new, whose = None if old is None else old[own], value[own], f" for {call.player}"
        sign = "<" if self._two and call.player == self._game.players[1] else ">"
        step = f"{self._name_of(action)}: v2 = {value_text(value)}"
        if not better:
            self._say(f"{step}, and {value_text(new)} is not {sign} {value_text(old)}{whose}")
            return
        than = "" if old is None else f", and {value_text(new)} {sign} {value_text(old)}{whose}"
        self._say(f"{step}{than}: v, move ← {value_text(value)}, {self._name_of(action)}")
        call.v = value
        if self._windows and sign == ">" and value > call.alpha:
            call.alpha = value
            self._say(f"α ← {value_text(value)}")
        elif self._windows and sign == "<" and value < call.beta:
            call.beta = value
            self._say(f"β ← {value_text(value)}")

    def cutoff(self, value: Any, bound: float, rest: Sequence[Any]) -> None:
        super().cutoff(value, bound, rest)
        sign = "≥ β" if self._calls[-1].player == self._game.players[0] else "≤ α"
        self._say(f"v = {value_text(value)} {sign} = {value_text(bound)}: cut off {self._listed(rest)}")

    def leaf(self, value: Any, estimated: bool = False) -> None:
        super().leaf(value, estimated)
        call = self._calls[-1]
        verb = "EVAL" if estimated else "UTILITY"
        why = "is as deep as we look" if estimated else "is terminal"
        self._say(f"{call.state} {why}: return {verb}({call.state}) = {value_text(value)}, null")
        self._calls.pop()

    def repetition(self, value: Any) -> None:
        super().repetition(value)
        call = self._calls[-1]
        before = next(earlier.state for earlier in self._calls if earlier.text == call.text)
        self._say(f"{call.state} is {before} again, a repetition: play need not end, return {value_text(value)}, null")
        self._calls.pop()

    def leave(self, value: Any, action: Any) -> None:
        super().leave(value, action)
        self._say(f"return {value_text(value)}, {self._name_of(action)}")
        self._calls.pop()


def trace(
    game: Game[Any, Any],
    state: Any,
    write: Callable[[str], object],
    settings: Settings = PLAIN_MINIMAX,
    numbering: str = "names",
) -> None:
    """Search from `state` and `write` each line of the trace as soon as its step is taken.

    >>> from zermelo.solver.games.tree import Tree
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
    game = numbered(game, numbering)
    check(game, state, settings)
    if numbering != "names":
        for row in game.draw(game.initial).splitlines():
            write(row)
    write(f"s1 = {game.format(state)}, {game.to_move(state)} to move")
    title = named()[settings.algorithm]
    write(f"{title}(s1)" + ("" if settings.depth is None else f" with depth limit {settings.depth}"))
    result = search(game, state, settings, Tracer(game, write, settings.algorithm))
    write(f"{title} returns {game.format_action(result.move)}: {value_for(game, result.value)}")
