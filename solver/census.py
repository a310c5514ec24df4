"""Counting a solved game: positions and classes by ply and outcome, and the size of its tree."""

from typing import Generic, NamedTuple

from zermelo.solver.errors import RulesError
from zermelo.solver.exhaustive import Entries
from zermelo.solver.game import Action, Game, State


class Category(NamedTuple):
    """What the counts are kept by. The value is MAX's."""

    ply: int
    terminal: bool
    value: int


class Tally(NamedTuple):
    """How many positions a category has, and how many classes they fall into."""

    positions: int
    classes: int


class Census(NamedTuple, Generic[State]):
    """The counts of one solved game."""

    counts: dict[Category, Tally]
    games: int | None
    """The different ways to play the game from the start to an end; None where play can come back to a position."""
    tree_nodes: int | None
    """The nodes of the whole game tree, where a position counts once for each way to reach it; or None as above."""
    longest: int | None
    """The most plies of any win or loss, None where there is no such end."""
    mover_wins: int
    """Positions that the side to move wins, by the rules' own answer to whose turn it is where the game is over."""
    mover_losses: int
    representatives: dict[State, State]
    """For every position the one that stands for its class."""
    plies: dict[State, int]
    """For every representative, the fewest moves that lead to it from the start."""

    @property
    def can_repeat(self) -> bool:
        """Whether play can come back to a position."""
        return self.games is None

    def __repr__(self) -> str:
        size = f"{len(self.representatives):,} positions in {len(self.plies):,} classes"
        if self.games is None:
            return f"<Census: {size}, play can come back to a position>"
        return f"<Census: {size}, {self.games:,} games, {self.tree_nodes:,} nodes in the whole game tree>"


def take_census(game: Game[State, Action], entries: Entries[State, Action]) -> Census[State]:
    """Count what `solve` found.

    Symmetric positions have the same value and the same tree below them, so one of each class is
    looked at: an eighth of the work on a square board.

    >>> from zermelo.solver.exhaustive import solve
    >>> from zermelo.solver.games.mnk import MNK
    >>> game = MNK(3, 3, 3)
    >>> census = take_census(game, solve(game))
    >>> census.games, census.tree_nodes, len(census.plies)
    (255168, 549946, 765)
    """
    # The first met of each class stands for it, so that the order stays.
    symmetries = game.symmetries
    for symmetry in symmetries:
        if symmetry(game.initial) != game.initial:
            raise RulesError(
                f"game {game.spec!r} has a symmetry that takes its start to {game.format(symmetry(game.initial))!r},"
                " but a symmetry must leave the start as it is"
            )
    representatives: dict[State, State] = {}
    sizes: dict[State, int] = {}
    for state in entries:
        if state not in representatives:
            images = {symmetry(state) for symmetry in symmetries}
            sizes[state] = len(images)
            for image in images:
                representatives[image] = state

    successors: dict[State, list[State]] = {}
    games: dict[State, int] = {}
    nodes: dict[State, int] = {}
    can_repeat = False
    for state in sizes:
        if entries[state][1] == 0:
            successors[state], games[state], nodes[state] = [], 1, 1
            continue
        below = [representatives[game.result(state, action)] for action in game.actions(state)]
        successors[state] = below
        if can_repeat:
            continue
        try:
            games[state] = sum([games[child] for child in below])
            nodes[state] = 1 + sum([nodes[child] for child in below])
        except KeyError:
            # Entries come successors first, unless a way leads back.
            can_repeat = True

    start = representatives[game.initial]
    plies = {start: 0}
    layer = [start]
    while layer:
        reached: list[State] = []
        ply = plies[layer[0]] + 1
        for state in layer:
            for child in successors[state]:
                if child not in plies:
                    plies[child] = ply
                    reached.append(child)
        layer = reached

    counted: dict[tuple[int, bool, int], list[int]] = {}
    longest: int | None = None
    movers = [0, 0]
    to_move, maximiser = game.to_move, game.players[0]
    for state, size in sizes.items():
        value, to_the_end, _ = entries[state]
        tally = counted.setdefault((plies[state], to_the_end == 0, value), [0, 0])
        tally[0] += size
        tally[1] += 1
        if value:
            movers[(value > 0) != (to_move(state) == maximiser)] += size
            if to_the_end is not None and (longest is None or to_the_end > longest):
                longest = to_the_end
    counts = {Category(*key): Tally(*tally) for key, tally in sorted(counted.items())}
    ways = None if can_repeat else games[start]
    tree_nodes = None if can_repeat else nodes[start]
    return Census(counts, ways, tree_nodes, longest, movers[0], movers[1], representatives, plies)
