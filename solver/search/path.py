"""The way from the first state of a search to where it is: a position that is on it already is cut off.

Play that comes back to a position could go round for ever, so such a position is worth `Game.endless`. That holds on this
way and on no other: what rests on it is the value of the first state, but not of the states between, and a table
that kept theirs would answer wrongly where they are met on another way. (Values kept that way are a known bug of solvers.)
"""

from math import inf
from typing import Any, Generic

from zermelo.solver.game import Action, Game, State


class Path(Generic[State]):
    """The states on the way, and what the search below each of them rests on.

    >>> path = Path[str]()
    >>> path.enter("a"), path.enter("b"), path.comes_back("a"), path.comes_back("c")
    (None, None, True, False)
    >>> path.leave(), path.leave()  # what was found below b rests on a, and what was found below a on nothing before it
    (False, True)
    """

    def __init__(self) -> None:
        self._levels: dict[State, int] = {}
        self._rests_on: list[float] = []
        """For each state on the way, the first of them that the search below it has come back to."""
        self.times = 0
        """How often a position came back."""
        self._unsure: set[State] = set()

    def comes_back(self, state: State) -> bool:
        """Whether the state is on the way already: it is then to be left as worth `Game.endless`."""
        level = self._levels.get(state)
        if level is None:
            return False
        self.times += 1
        if level < self._rests_on[-1]:
            self._rests_on[-1] = level
        if level == 0 and len(self._rests_on) == 1:
            self._unsure.add(state)
        return True

    def enter(self, state: State) -> None:
        """Go on to a state, to look at what its actions lead to."""
        self._levels[state] = len(self._rests_on)
        self._rests_on.append(inf)

    def leave(self) -> bool:
        """Go back out of the last state: whether what was found of it holds however it is reached."""
        state, level = self._levels.popitem()
        lowest = self._rests_on.pop()
        if lowest >= level:
            return True
        if lowest < self._rests_on[-1]:
            self._rests_on[-1] = lowest
        if level == 1:
            self._unsure.add(state)
        return False

    def sure(
        self, game: Game[State, Action], state: State, value: Any, move: Action | None, values: dict[Action, Any]
    ) -> dict[Action, Any]:
        """Of what the first state's actions lead to, that which does not rest on coming back to the first state.

        The best action's value is right all the same, and where the first state is worth endless play, all of them are.
        """
        if value == game.endless or not self._unsure:
            return values
        return {a: v for a, v in values.items() if a == move or game.result(state, a) not in self._unsure}
