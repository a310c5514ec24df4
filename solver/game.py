"""What a game is: the verbs of the textbook, and a notation so that positions can be stored."""

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar, cast

from zermelo.solver.errors import ActionError, PositionError, quoted
from zermelo.solver.notation import read_action, read_state, write_action, write_state
from zermelo.solver.picture import Picture, text

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)


class Game(Protocol[State, Action]):
    """The rules of a game of perfect information in which nothing is left to chance.

    States are plain hashable values. ``players[0]`` is MAX and ``players[1]`` is MIN. The verbs may
    assume what the rules guarantee: `result` is asked only about unfinished states and with a legal
    action, `utility` only about finished states.

    A class that inherits from this one writes `initial` and the five verbs from `to_move` to
    `utility`; the rest has defaults that serve every game whose states and actions are numbers,
    texts, truth values, None and tuples of these.
    """

    spec: str
    """The canonical name of the game, such as ``mnk:3,3,3``."""

    players: Sequence[str] = ("MAX", "MIN")
    """The players' names, MAX first."""

    initial: State
    """The state that play starts from."""

    bounds: tuple[int, int] | None = None
    """The lowest and the highest utility that MAX can end with, where known: a search that reaches one can stop."""

    endless: int = 0
    """What play that never ends is worth to MAX, in a game where play can come back to a position."""

    packed: bool = False
    """Whether the packed engine knows these rules: k in a row, as `MNK` describes a board of it.

    Each class says it for itself. A subclass does not inherit it, because it may change the rules.
    """

    compiled: bool = False
    """Whether the verbs are to be compiled: states and actions are then whole numbers from 0 to 2**63 - 1."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {getattr(self, 'spec', 'without a spec')}>"

    def to_move(self, state: State) -> str:
        """The player whose turn it is. In a finished state the answer means nothing, but there must be one."""

    def actions(self, state: State) -> Sequence[Action]:
        """The legal actions, none of them None, in the game's own order: the first of equals is the one played.

        A finished state has no actions.
        """

    def result(self, state: State, action: Action) -> State:
        """The state that `action` leads to."""

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""

    def utility(self, state: State, player: str) -> int:
        """What the finished game is worth to `player`: with two players, one's gain is the other's loss."""

    def format(self, state: State) -> str:
        """The state as one line of text."""
        return write_state(state)

    def parse(self, text: str) -> State:
        """The state that `text` stands for; raises `PositionError` with the reason when there is none."""
        state = read_state(text, like=self.initial)
        if type(state) is not type(self.initial):
            example = self.format(self.initial)
            raise PositionError(f"position {quoted(text)} cannot be read: write it as the start is written, {example}")
        return state

    def format_action(self, action: Action) -> str:
        """The action as a word without spaces."""
        return write_action(action)

    def parse_action(self, text: str) -> Action:
        """The action that `text` stands for; raises `ActionError` when there is none."""
        action = read_action(text)
        if action is None:
            example = self.format_action(self.actions(self.initial)[0])
            raise ActionError(
                f"move {quoted(text)} cannot be read: write it as the first move at the start is written, {example}"
            )
        return cast(Action, action)

    def action_in(self, state: State, text: str) -> Action:
        """The action that a person who sees `state` means by `text`; a game may take less than the whole name here."""
        return self.parse_action(text)

    def draw(self, state: State) -> str:
        """The state as a person wants to see it, on as many lines as it takes: its `picture`, or else as `format` has it."""
        picture = self.picture(state)
        return self.format(state) if picture is None else text(picture)

    def picture(self, state: State) -> Picture | None:
        """How the state looks, for whatever draws it; None where the game has no picture, and `draw` is all there is."""
        return None

    def evaluate(self, state: State) -> float:
        """A guess of an unfinished state's value from MAX's side, for searches that stop before the end.

        A guess lies strictly between the lowest and the highest utility, so that no guess passes for a proof. It is
        the middle, unless the game knows better.
        """
        return sum(self.bounds) / 2 if self.bounds else 0

    @property
    def title(self) -> str:
        """What people call the game; its `spec` where it has no other name."""
        return self.spec

    @property
    def rules(self) -> str:
        """The rules in a sentence or two, for whoever finds a stored solution and not this program."""
        return " ".join((self.__doc__ or "").partition("\n\n")[0].split())

    @property
    def symmetries(self) -> Sequence[Callable[[State], State]]:
        """A group of maps that leave the rules and the start as they are, the identity among them."""
        return (lambda state: state,)
