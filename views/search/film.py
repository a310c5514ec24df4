"""A search as a film: a picture for each of its steps, with v and [alpha, beta] at the nodes as they are then."""

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

from zermelo.solver.errors import SearchError
from zermelo.solver.game import Game
from zermelo.solver.search import algorithm as algorithm_called
from zermelo.views.search.diagram import Keeper, Node, grow, side
from zermelo.views.words import value_for, value_text

MOST_STEPS = 1000
FRAMES = "frame-[0-9]*.*"
"""What the files of a film are called."""


class Shown(NamedTuple):
    """What stands below a node."""

    value: str = ""
    window: str = ""


class Step(NamedTuple):
    """What happens, and at which node."""

    words: str
    node: Node


class Film(Keeper):
    """Keeps what each node shows from which step on, so that the picture of every step can be drawn."""

    def __init__(self, game: Game[Any, Any], plies: int, *, estimates: bool, windows: bool) -> None:
        super().__init__(game, plies, estimates=estimates)
        self.steps: list[Step] = []
        self._windows = windows
        self._now: list[list[Any]] = []
        """Alpha, beta and v of each node on the way, as they are by now."""
        self._shown: dict[int, list[tuple[int, Shown]]] = {}

    def at(self, node: Node, step: int) -> Shown | None:
        """What a node shows at a step; None where the search has not met it yet."""
        return next((shown for since, shown in reversed(self._shown.get(id(node), [])) if since <= step), None)

    def texts(self) -> list[str]:
        """All that is ever shown below a node, for whoever must make room for it."""
        return [text for history in self._shown.values() for _, shown in history for text in shown]

    def _step(self, words: str, node: Node) -> None:
        if len(self.steps) == MOST_STEPS:
            raise SearchError(
                f"this search takes more than {MOST_STEPS:,} pictures: take a later position or a smaller depth"
            )
        self.steps.append(Step(words, node))

    def _show(self, node: Node, value: str = "", window: str = "") -> None:
        """Let a node show this from the step on that is taken next."""
        self._shown.setdefault(id(node), []).append((len(self.steps), Shown(value, window)))

    def _window(self) -> str:
        alpha, beta, _ = self._now[-1]
        return f"[{value_text(alpha)}, {value_text(beta)}]" if self._windows else ""

    def enter(self, state: Any, player: str, alpha: float = -inf, beta: float = inf) -> None:
        super().enter(state, player, alpha, beta)
        self._now.append([alpha, beta, None])

    def choices(self, actions: Sequence[Any]) -> None:
        super().choices(actions)
        if self.level < self._plies:
            node = self._path[-1]
            self._show(node, window=self._window())
            name = f"{side(self._game, node.player)} {self._game.format(node.state)}"
            self._step(f"{name} is opened" + (f" with [α, β] = {self._window()}" if self._windows else ""), node)

    def back(self, action: Any, value: Any, better: bool) -> None:
        super().back(action, value, better)
        if self.level >= self._plies:
            return
        node, now = self._path[-1], self._now[-1]
        words = f"{self._game.format_action(action)} gives {value_text(value)}"
        if better:
            now[2] = value
            bound = 0 if node.player == self._game.players[0] else 1
            if self._windows and ((value > now[0]) if bound == 0 else (value < now[1])):
                now[bound] = value
                words += f": {'αβ'[bound]} ← {value_text(value)}"
        child = node.children[-1]
        before = self.at(child, len(self.steps)) or Shown()
        self._show(child, child.sign + value_text(child.value), before.window)
        self._show(node, value_text(now[2]), self._window())
        self._step(words, node)

    def cutoff(self, value: Any, bound: float, rest: Sequence[Any]) -> None:
        super().cutoff(value, bound, rest)
        if self.level < self._plies:
            node = self._path[-1]
            for child in node.children:
                if child.pruned:
                    self._show(child)
            sign = "≥ β" if node.player == self._game.players[0] else "≤ α"
            names = ", ".join(map(self._game.format_action, rest))
            self._step(f"v = {value_text(value)} {sign} = {value_text(bound)}: {names} need not be tried", node)

    def _leave(self, value: Any, since: int | None = None) -> None:
        self._now.pop()
        super()._leave(value, since)
        if self.root is not None:
            before = self.at(self.root, len(self.steps)) or Shown()
            self._show(self.root, self.root.sign + value_text(value), before.window)
            self._step(f"The search returns {value_for(self._game, value)}", self.root)


def film(game: Game[Any, Any], state: Any, plies: int, algorithm: str = "alphabeta", *, estimate: bool = False) -> Film:
    """The search of the first `plies` below `state`, step by step.

    >>> from zermelo.solver.games import load
    >>> [step.words for step in film(load("figure:two-ply"), "A", 2).steps][6:9]
    ['MIN C is opened with [α, β] = [3, +∞]', 'c1 gives 2: β ← 2', 'v = 2 ≤ α = 3: c2, c3 need not be tried']
    """
    if not algorithm_called(algorithm).two_players:
        raise SearchError(f"the steps of {algorithm!r} are not drawn: choose an algorithm for two players")
    shown = Film(game, plies, estimates=estimate, windows=algorithm == "alphabeta")
    grow(game, state, plies, algorithm, estimate=estimate, keeper=shown)
    return shown
