"""Going through the positions of a game by its rules alone, the nearest to the start first."""

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any

from zermelo.solver.errors import RulesError
from zermelo.solver.game import Action, Game, State

SMALL = 10_000
"""Up to so many positions a game is solved by plain Python before anything faster has begun."""


def walk(game: Game[State, Action]) -> Iterator[State]:
    """Every position that play can reach, breadth first; whoever has enough stops.

    >>> from zermelo.solver.games import load
    >>> len(list(walk(load("tictactoe"))))
    5478
    """
    seen = {game.initial}
    queue = deque([game.initial])
    while queue:
        state = queue.popleft()
        yield state
        if not game.is_terminal(state):
            for action in game.actions(state):
                child = game.result(state, action)
                if child not in seen:
                    seen.add(child)
                    queue.append(child)


def nearest(game: Game[State, Action], count: int) -> list[State]:
    """So many positions that are nearest to the start, or all; rules that fail are blamed for it."""
    try:
        return list(islice(walk(game), count))
    except Exception as error:
        raise RulesError(f"game {game.spec!r} fails: {type(error).__name__}: {error}") from error


def is_small(game: Game[Any, Any]) -> bool:
    """Whether play reaches so few positions that plain Python is done before another engine has compiled anything.

    >>> from zermelo.solver.games import load
    >>> is_small(load("mnk:5,5,1")), is_small(load("mnk:5,5,4"))
    (True, False)
    """
    return len(nearest(game, SMALL + 1)) <= SMALL
