"""Nim: ``nim:3,4,5`` has three heaps, and whoever takes the last object wins."""

from collections.abc import Callable, Sequence
from itertools import permutations

from zermelo.solver.errors import ActionError, GameError, PositionError, quoted
from zermelo.solver.families import named
from zermelo.solver.game import Game
from zermelo.solver.once import once
from zermelo.solver.picture import Cell, Click, Label, Picture

MOST_HEAPS = 6
MOST_OBJECTS = 1000
_TALLEST_DRAWN = 12

State = tuple[str, tuple[int, ...]]
Action = tuple[int, int]


class Nim(Game[State, Action]):
    """In turn each player takes as many objects as it likes, one at least, from one heap; whoever takes the last one wins.

    A state is whose turn it is and what the heaps hold; an action is a heap and how many to take.

    >>> game = Nim(3, 4, 5)
    >>> state = game.result(game.initial, game.parse_action("a2"))
    >>> game.format(state), len(game.actions(state))
    ('1,4,5:MIN', 10)
    """

    bounds = (-1, 1)

    def __init__(self, *heaps: int) -> None:
        self.spec = f"nim:{','.join(map(str, heaps))}"
        if not 1 <= len(heaps) <= MOST_HEAPS or not all(heap >= 1 for heap in heaps) or sum(heaps) > MOST_OBJECTS:
            raise GameError(
                f"game {self.spec!r} has no usable heaps: give 1 to {MOST_HEAPS} of 1 or more objects,"
                f" {MOST_OBJECTS} in all at the most"
            )
        self.heaps = heaps
        self.initial = ("MAX", heaps)

    @property
    def title(self) -> str:
        """What people call the game.

        >>> Nim(3, 4, 5).title
        'Nim with heaps of 3, 4, 5'
        """
        return f"Nim with heaps of {', '.join(map(str, self.heaps))}"

    def to_move(self, state: State) -> str:
        return state[0]

    def actions(self, state: State) -> Sequence[Action]:
        return [(heap, take) for heap, size in enumerate(state[1]) for take in range(1, size + 1)]

    def result(self, state: State, action: Action) -> State:
        player, heaps = state
        heap, take = action
        after = (*heaps[:heap], heaps[heap] - take, *heaps[heap + 1 :])
        return "MIN" if player == "MAX" else "MAX", after

    def is_terminal(self, state: State) -> bool:
        return not any(state[1])

    def utility(self, state: State, player: str) -> int:
        # Whoever would have to move has lost: the other took the last object.
        return -1 if player == state[0] else 1

    def format(self, state: State) -> str:
        return f"{','.join(map(str, state[1]))}:{state[0]}"

    def parse(self, text: str) -> State:
        """The state that `text` writes out: the heaps, and after a colon whose turn it is, MAX's if nothing is said.

        >>> Nim(3, 4, 5).parse("1,4,5:min")
        ('MIN', (1, 4, 5))
        """
        sizes, _, name = text.strip().partition(":")
        player = name.upper() or "MAX"
        parts = sizes.split(",")
        if player not in self.players or not all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts):
            raise PositionError(
                f"position {quoted(text)} is not of the form HEAPS:PLAYER, such as {self.format(self.initial)}"
            )
        heaps = tuple(map(int, parts))
        if len(heaps) != len(self.heaps) or any(map(int.__gt__, heaps, self.heaps)):
            raise PositionError(
                f"position {quoted(text)} cannot occur: the heaps start as {','.join(map(str, self.heaps))} and never grow"
            )
        # Each heap touched took a move at least, and each object at the most.
        fewest = sum([size < start for size, start in zip(heaps, self.heaps, strict=True)])
        most = sum(self.heaps) - sum(heaps)
        if fewest == most and most % 2 != (player == "MIN"):
            raise PositionError(
                f"position {quoted(text)} cannot occur: MAX moves first, and what was taken took {most} moves"
            )
        return player, heaps

    def picture(self, state: State) -> Picture | None:
        """The heaps side by side; a click on an object takes it and all above it. Tall heaps are only told in numbers.

        >>> game = Nim(1, 3, 2)
        >>> print(game.draw(game.parse("1,2,0:MAX")))
          .
          o .
        o o .
        a b c
        """
        tallest = max(self.heaps)
        if tallest > _TALLEST_DRAWN:
            return None
        cells, clicks = [], []
        for heap, (size, start) in enumerate(zip(state[1], self.heaps, strict=True)):
            letter = chr(ord("a") + heap)
            for height in range(1, start + 1):
                cells.append(Cell(f"{letter}{height}", heap, tallest - height, "o" if height <= size else ""))
                if height <= size:
                    clicks.append(Click(f"{letter}{size - height + 1}", [f"{letter}{height}"]))
        labels = [Label(chr(ord("a") + heap), heap, tallest - 0.32) for heap in range(len(self.heaps))]
        return Picture(cells, labels=labels, clicks=clicks)

    def format_action(self, action: Action) -> str:
        heap, take = action
        return f"{chr(ord('a') + heap)}{take}"

    def parse_action(self, text: str) -> Action:
        """The heap, by its letter, and how many to take from it."""
        name = text.strip().lower()
        heap, take = ord(name[:1] or "?") - ord("a"), name[1:]
        if not 0 <= heap < len(self.heaps) or not (take.isascii() and take.isdigit() and len(take) < 5):
            last = self.format_action((len(self.heaps) - 1, 1))
            raise ActionError(
                f"move {quoted(text)} cannot be read: write a heap's letter and how many to take, from a1 to {last[0]}..."
            )
        return heap, int(take)

    @once
    def symmetries(self) -> Sequence[Callable[[State], State]]:
        """The ways to exchange heaps that start out equal."""

        def exchange(order: Sequence[int]) -> Callable[[State], State]:
            return lambda state: (state[0], tuple([state[1][heap] for heap in order]))

        indices = range(len(self.heaps))
        return tuple(
            exchange(order)
            for order in permutations(indices)
            if all(self.heaps[heap] == self.heaps[order[heap]] for heap in indices)
        )


@named("nim:HEAP,HEAP,...", "nim:3,4,5")
def from_params(params: str) -> Nim:
    """The game that ``nim:PARAMS`` names.

    >>> from_params("3,4,5").heaps
    (3, 4, 5)
    """
    parts = params.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts):
        raise GameError(f"game {quoted(f'nim:{params}')} is not of the form nim:HEAP,HEAP,..., such as nim:3,4,5")
    return Nim(*map(int, parts))
