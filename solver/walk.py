"""Going through the positions of a game by its rules alone, the nearest to the start first."""

from collections import deque
from collections.abc import Iterator

from zermelo.solver.game import Action, Game, State


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
