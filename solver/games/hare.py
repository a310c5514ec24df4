"""Hare and hounds: ``hare-and-hounds``, X's three hounds against O's hare."""

from zermelo.solver.board import Points
from zermelo.solver.errors import GameError, quoted
from zermelo.solver.families import named
from zermelo.solver.men import Men, count

FORM = EXAMPLE = "hare-and-hounds"
_PICTURE = """\
  a b c d e
1   .-.-.
   /|\\|/|\\
2 .-.-.-.-.
   \\|/|\\|/
3   .-.-."""
_NEAR = {
    "b1": "c1 a2 b2 c2", "c1": "b1 d1 c2", "d1": "c1 c2 d2 e2",
    "a2": "b1 b2 b3", "b2": "b1 a2 c2 b3", "c2": "b1 c1 d1 b2 d2 b3 c3 d3", "d2": "d1 c2 e2 d3", "e2": "d1 d2 d3",
    "b3": "a2 b2 c2 c3", "c3": "c2 b3 d3", "d3": "c2 d2 e2 c3",
}  # fmt: skip


class HareAndHounds(Men):
    """X's three hounds, who move first and never back to the left, try to shut O's hare in, which goes along any line; a side
    that cannot move loses, and the hare wins when it comes to the point on the far left.

    >>> game = HareAndHounds()
    >>> print(game.draw(game.initial))
      a b c d e
    1   X-.-.
       /|\\|/|\\
    2 X-.-.-.-O
       \\|/|\\|/
    3   X-.-.
    >>> [game.format_action(action) for action in game.actions(game.initial)]
    ['b1-c1', 'b1-b2', 'b1-c2', 'a2-b2', 'b3-b2', 'b3-c2', 'b3-c3']
    """

    def __init__(self) -> None:
        grid = Points(_PICTURE)
        at = grid.names.index
        upside_down = [at(name[0] + str(4 - int(name[1]))) for name in grid.names]
        super().__init__(FORM, grid, [range(grid.cells), upside_down])
        near = [_NEAR[name].split() for name in grid.names]
        self.near = tuple(sum(4 ** at(other) for other in others) for others in near)
        """The points next to each point."""
        self.ahead = tuple(
            sum(4 ** at(other) for other in others if other[0] >= name[0])
            for name, others in zip(grid.names, near, strict=True)
        )
        """Those of them that a hound may go to."""
        self.goal = 4 ** at("a2")
        self.initial = sum(4 ** at(name) for name in ("b1", "a2", "b3")) + 2 * 4 ** at("e2")

    def actions(self, state: int) -> list[int]:
        moves: list[int] = []
        x, o = state & self.stones, state >> 1 & self.stones
        if o == self.goal:
            return moves
        own = o if state & self.turn else x
        empty = self.stones & ~(x | o)
        for source in range(self.cells):
            if own >> 2 * source & 1:
                targets = (self.near[source] if state & self.turn else self.ahead[source]) & empty
                for target in range(self.cells):
                    if targets >> 2 * target & 1:
                        moves.append(source << 6 | target)
        return moves

    def result(self, state: int, action: int) -> int:
        own = 1 if state & self.turn else 0
        return state ^ 1 << 2 * (action >> 6) + own ^ 1 << 2 * (action & 63) + own ^ self.turn

    def is_terminal(self, state: int) -> bool:
        return len(self.actions(state)) == 0

    def utility(self, state: int, player: str) -> int:
        # The hare has come through, or the side to move is shut in.
        x_wins = state & self.turn != 0
        return 1 if x_wins == (player == "X") else -1

    def cannot_be(self, state: int) -> str:
        x, o = state & self.stones, state >> 1 & self.stones
        if count(x) != 3 or count(o) != 1:
            return f"there are {count(x)} hounds and {count(o)} hares, not 3 and 1"
        if o == self.goal and state & self.turn:
            return "the hare has just come to a2, so it is X's turn"
        return ""

    @property
    def title(self) -> str:
        return "Hare and hounds"


@named(FORM, EXAMPLE)
def from_params(params: str) -> HareAndHounds:
    """The game that ``hare-and-hounds`` names.

    >>> from_params("").title
    'Hare and hounds'
    """
    if params:
        raise GameError(f"game {quoted(f'{FORM}:{params}')} takes nothing after its name: write {FORM}")
    return HareAndHounds()
