"""Kalah: ``kalah:4,3`` is played with 4 houses a side and 3 seeds in each.

A state is one number in base seeds + 1, a digit a place, and whose turn it is in its lowest bit: the houses of MAX from its
left, MAX's store, then the houses of MIN from its left. MIN's store has whatever is nowhere else. Sowing goes from each
place to the next, with the stores of both sides in the circle:

          MIN's houses, from the right
    MIN's store           MAX's store
          MAX's houses, from the left
"""

from zermelo.solver.errors import ActionError, GameError, PositionError, quoted
from zermelo.solver.families import named, whole_numbers
from zermelo.solver.game import Game
from zermelo.solver.picture import Cell, Click, Label, Picture

FORM, EXAMPLE = "kalah:M,N", "kalah:4,3"
MOST_HOUSES, MOST_SEEDS = 6, 6


class Kalah(Game[int, int]):
    """Sow the seeds of one of your houses one by one to the right, over your own store and on to the other side: the last one
    in your store gives another move, the last one in an empty house of yours goes to your store with all that is opposite;
    when a side has no seed in its houses the other keeps its own, and the value is MAX's lead.

    Houses are called a, b, c and so on, each side's from its own left. The last seed is taken even where nothing is opposite,
    as in the published solutions.

    >>> game = Kalah(4, 3)
    >>> print(game.draw(game.initial))
           d  c  b  a
    MIN    3  3  3  3
        0              0
    MAX    3  3  3  3
           a  b  c  d
    >>> game.format(game.result(game.initial, game.parse_action("b")))
    '3,0,4,4,1/3,3,3,3,0:MAX'
    """

    def __init__(self, houses: int, seeds: int) -> None:
        self.spec = f"kalah:{houses},{seeds}"
        if not (1 <= houses <= MOST_HOUSES and 1 <= seeds <= MOST_SEEDS):
            raise GameError(
                f"game {self.spec!r} has no usable board: there are from 1 to {MOST_HOUSES} houses a side with from 1 to"
                f" {MOST_SEEDS} seeds each"
            )
        self.houses = houses
        self.seeds = 2 * houses * seeds
        """All of them together."""
        self.base = self.seeds + 1
        self.bounds = (-self.seeds, self.seeds)
        self.initial = self._state([seeds] * houses + [0] + [seeds] * houses, 0)
        self.low: int = self.base**houses
        """What MAX's houses are below, and its store from."""
        self.high = self.low * self.base
        """What MIN's houses are from."""
        # Larger boards have states that do not fit into the 64 bits of compiled code.
        self.compiled = 2 * self.high * self.low <= 2**63

    def to_move(self, state: int) -> str:
        return "MIN" if state & 1 else "MAX"

    def actions(self, state: int) -> list[int]:
        moves: list[int] = []
        if self.is_terminal(state):
            return moves
        places = (state >> 1) // self.high if state & 1 else state >> 1
        for house in range(self.houses):
            if places % self.base:
                moves.append(house)
            places //= self.base
        return moves

    def result(self, state: int, action: int) -> int:
        houses, base = self.houses, self.base
        seeds = []
        rest, nowhere_else = state >> 1, self.seeds
        for _ in range(2 * houses + 1):
            seeds.append(rest % base)
            nowhere_else -= rest % base
            rest //= base
        seeds.append(nowhere_else)

        player = state & 1
        first = player * (houses + 1)
        store, skipped = first + houses, (houses, 2 * houses + 1)[1 - player]
        place = first + action
        hand, seeds[place] = seeds[place], 0
        while hand:
            place = (place + 1) % (2 * houses + 2)
            if place != skipped:
                seeds[place] += 1
                hand -= 1
        if first <= place < store and seeds[place] == 1:
            opposite = 2 * houses - place
            seeds[store] += seeds[opposite] + 1
            seeds[place] = seeds[opposite] = 0

        of_max, of_min = 0, 0
        for house in range(houses):
            of_max += seeds[house]
            of_min += seeds[houses + 1 + house]
        if not of_max or not of_min:  # the game is over: each side keeps what it has
            return (seeds[houses] + of_max) * self.low << 1
        after = 0
        for house in range(2 * houses, -1, -1):
            after = after * base + seeds[house]
        return after << 1 | (player if place == store else 1 - player)

    def is_terminal(self, state: int) -> bool:
        return (state >> 1) % self.low == 0 and (state >> 1) // self.high == 0

    def utility(self, state: int, player: str) -> int:
        lead = 2 * ((state >> 1) // self.low) - self.seeds
        return lead if player == "MAX" else -lead

    def evaluate(self, state: int) -> float:
        """MAX's lead so far: its store less MIN's."""
        places = self._places(state)
        return places[self.houses] - places[-1]

    def _places(self, state: int) -> list[int]:
        """The seeds in every place, MIN's store last."""
        places = [(state >> 1) // self.base**place % self.base for place in range(2 * self.houses + 1)]
        return [*places, self.seeds - sum(places)]

    def _state(self, places: list[int], player: int) -> int:
        """The state with these seeds in the places, and this player to move."""
        total: int = sum(seeds * self.base**place for place, seeds in enumerate(places[: 2 * self.houses + 1]))
        return total << 1 | player

    def format(self, state: int) -> str:
        places = [str(seeds) for seeds in self._places(state)]
        return f"{','.join(places[: self.houses + 1])}/{','.join(places[self.houses + 1 :])}:{self.to_move(state)}"

    def parse(self, text: str) -> int:
        """The position that `text` writes out: MAX's houses and store, MIN's houses and store, and whose turn it is."""
        sides, _, player = text.strip().partition(":")
        parts = [side.split(",") for side in sides.split("/")]
        if (
            player.upper() not in self.players
            or [len(side) for side in parts] != [self.houses + 1] * 2
            or not all(part.isascii() and part.isdigit() and len(part) < 4 for side in parts for part in side)
        ):
            raise PositionError(
                f"position {quoted(text)} is not of the form HOUSES,STORE/HOUSES,STORE:PLAYER, such as {self.format(self.initial)}"
            )
        places = [int(part) for side in parts for part in side]
        if sum(places) != self.seeds:
            raise PositionError(
                f"position {quoted(text)} cannot occur: it has {sum(places)} seeds, and there are {self.seeds}"
            )
        sums = [sum(places[: self.houses]), sum(places[self.houses + 1 : -1])]
        if 0 in sums and (any(sums) or player.upper() == "MIN"):
            raise PositionError(
                f"position {quoted(text)} cannot occur: when a side has no seed in its houses, all go to the stores"
                " and the game is over, written as MAX's turn"
            )
        return self._state(places, int(player.upper() == "MIN"))

    def format_action(self, action: int) -> str:
        return "abcdef"[action]

    def parse_action(self, text: str) -> int:
        """The letter of a house."""
        house = "abcdef"[: self.houses].find(text.strip().lower() or "?")
        if house < 0 or len(text.strip()) > 1:
            raise ActionError(
                f"move {quoted(text)} is not a house: they are called {' '.join('abcdef'[: self.houses])}"
            )
        return house

    def draw(self, state: int) -> str:
        places = self._places(state)
        houses = self.houses

        def row(cells: list[object]) -> str:
            return "".join(f"{cell:>3}" for cell in cells)

        letters: list[object] = [*"abcdef"[:houses]]
        own: list[object] = [*places[:houses]]
        other: list[object] = [*places[houses + 1 : -1]]
        stores = f"{places[-1]:>5}{places[houses]:>{3 * houses + 3}}"
        return "\n".join(
            [
                "     " + row(letters[::-1]),
                "MIN  " + row(other[::-1]),
                stores,
                "MAX  " + row(own),
                "     " + row(letters),
            ]
        )

    def picture(self, state: int) -> Picture:
        """Both sides' houses with their seeds, MIN's above and from right to left, and each side's store at its right."""
        places, houses = self._places(state), self.houses
        letters = "abcdef"[:houses]
        cells = [Cell(f"MIN {letter}", houses - x, 0, str(places[houses + 1 + x])) for x, letter in enumerate(letters)]
        cells += [Cell(f"MAX {letter}", x + 1, 1, str(places[x])) for x, letter in enumerate(letters)]
        cells += [
            Cell("MIN store", 0, 0.5, str(places[-1])),
            Cell("MAX store", houses + 1, 0.5, str(places[houses])),
        ]
        labels = [Label(letter, x + 1, 1.7) for x, letter in enumerate(letters)]
        labels += [Label(letter, houses - x, -0.7) for x, letter in enumerate(letters)]
        moves = [] if self.is_terminal(state) else [self.format_action(action) for action in self.actions(state)]
        return Picture(cells, labels=labels, clicks=[Click(move, [f"{self.to_move(state)} {move}"]) for move in moves])

    @property
    def title(self) -> str:
        return f"Kalah with {self.houses} houses of {self.seeds // (2 * self.houses)} seeds a side"


@named(FORM, EXAMPLE)
def from_params(params: str) -> Kalah:
    """The game that ``kalah:PARAMS`` names.

    >>> from_params("4,3").seeds
    24
    """
    houses, seeds = whole_numbers(params, FORM, EXAMPLE)
    return Kalah(houses, seeds)
