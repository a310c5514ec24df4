"""The engines that solve games. Each is a module; which games it can solve is asked of it, never guessed from a class."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Protocol

from zermelo.solver.errors import GameError
from zermelo.solver.game import Game
from zermelo.solver.progress import Progress

ENGINES = {
    "packed": "zermelo.solver.packed.engine",
    "compiled": "zermelo.solver.compiled.engine",
    "exhaustive": "zermelo.solver.exhaustive",
}
"""Where each engine is, the faster first."""


class Engine(Protocol):
    """What a module of `ENGINES` offers."""

    layouts: Sequence[str]
    """The layouts that can store what it yields."""

    codec: str | None
    """The codec of what it yields for the layout `packed`."""

    def refuses(self, game: Game[Any, Any], layout: str) -> str | None:
        """Why it cannot solve the game for one of its layouts, as the end of a sentence about it; None if it can."""

    def suits(self, game: Game[Any, Any]) -> str | None:
        """The layout that suits the game when this engine solves it, None where the game is better left to another."""

    def groups(
        self,
        game: Game[Any, Any],
        *,
        layout: str,
        after: Any = None,
        jobs: int = 1,
        memory: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Any]:
        """The solved groups of positions as the layout stores them, each once those that its moves lead to are.

        `after` says what is known; `memory` is how many bytes may be taken, by default most of what is free.
        """


def engines() -> Iterator[Engine]:
    """The engines, the faster first."""
    for module in ENGINES.values():
        engine: Engine = import_module(module)
        yield engine


def engine_for(game: Game[Any, Any], layout: str) -> Engine:
    """The first engine that solves the game for this layout.

    >>> from zermelo.solver.games import load
    >>> engine_for(load("tictactoe"), "rows").__name__
    'zermelo.solver.exhaustive'
    """
    reasons = []
    for engine in engines():
        if layout in engine.layouts:
            if (reason := engine.refuses(game, layout)) is None:
                return engine
            reasons.append(reason)
    raise GameError(f"game {game.spec!r} cannot be {layout}: it {' and '.join(reasons)}")
