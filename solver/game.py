"""What a game is: the verbs of the textbook, and a notation so that positions can be stored."""

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)


class Game(Protocol[State, Action]):
    """The rules of a game of perfect information in which nothing is left to chance.

    States are plain hashable values. ``players[0]`` is MAX and ``players[1]`` is MIN. The verbs may
    assume what the rules guarantee: `actions` and `result` are asked only about unfinished states,
    `result` only with a legal action, `utility` only about finished states.
    """

    spec: str
    """The canonical name of the game, such as ``mnk:3,3,3``."""

    players: Sequence[str]
    """The players' names, MAX first."""

    initial: State
    """The state that play starts from."""

    def to_move(self, state: State) -> str:
        """The player whose turn it is."""

    def actions(self, state: State) -> Sequence[Action]:
        """The legal actions, none of them None, in the game's own order: the first of equals is the one played."""

    def result(self, state: State, action: Action) -> State:
        """The state that `action` leads to."""

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""

    def utility(self, state: State, player: str) -> int:
        """What the finished game is worth to `player`: with two players, one's gain is the other's loss."""

    def format(self, state: State) -> str:
        """The state as one line of text."""

    def parse(self, text: str) -> State:
        """The state that `text` stands for; raises `PositionError` with the reason when there is none."""

    def format_action(self, action: Action) -> str:
        """The action as a word without spaces."""

    def parse_action(self, text: str) -> Action:
        """The action that `text` stands for; raises `ActionError` when there is none."""

    def draw(self, state: State) -> str:
        """The state as a person wants to see it, on as many lines as it takes."""
        return self.format(state)

    @property
    def symmetries(self) -> Sequence[Callable[[State], State]]:
        """A group of maps that leave the rules and the start as they are, the identity among them."""
        return (lambda state: state,)
