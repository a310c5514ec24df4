"""Counting a solved game: positions and classes by ply and outcome, and the size of its tree."""

from typing import Generic, NamedTuple

from solver.errors import GameError
from solver.exhaustive import Entries
from solver.game import Action, Game, State


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
    games: int
    """The different ways to play the game from the start to an end."""
    tree_nodes: int
    """The nodes of the whole game tree, where a position counts once for each way to reach it."""
    representatives: dict[State, State]
    """For every position the one that stands for its class."""
    plies: dict[State, int]
    """For every representative, the fewest moves that lead to it from the start."""


def take_census(game: Game[State, Action], entries: Entries[State, Action]) -> Census[State]:
    """Count what `solve` found.

    Symmetric positions have the same value and the same tree below them, so one of each class is
    looked at: an eighth of the work on a square board.

    >>> from solver.exhaustive import solve
    >>> from solver.games.mnk import MNK
    >>> game = MNK(3, 3, 3)
    >>> census = take_census(game, solve(game))
    >>> census.games, census.tree_nodes, len(census.plies)
    (255168, 549946, 765)
    """
    # Entries come successors first, so the first met of each class stands for it and the order stays.
    symmetries = game.symmetries
    for symmetry in symmetries:
        if symmetry(game.initial) != game.initial:
            raise GameError(
                f"game {game.spec!r} has a symmetry that takes its start to {game.format(symmetry(game.initial))!r}:"
                " a symmetry must leave the start as it is"
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
    for state in sizes:
        if entries[state][1] == 0:
            successors[state], games[state], nodes[state] = [], 1, 1
            continue
        below = [representatives[game.result(state, action)] for action in game.actions(state)]
        successors[state] = below
        games[state] = sum([games[child] for child in below])
        nodes[state] = 1 + sum([nodes[child] for child in below])

    start = representatives[game.initial]
    plies = {start: 0}
    for state in reversed(sizes):
        ply = plies[state] + 1
        for child in successors[state]:
            if plies.setdefault(child, ply) > ply:
                plies[child] = ply

    counted: dict[tuple[int, bool, int], list[int]] = {}
    for state, size in sizes.items():
        value, to_the_end, _ = entries[state]
        tally = counted.setdefault((plies[state], to_the_end == 0, value), [0, 0])
        tally[0] += size
        tally[1] += 1
    counts = {Category(*key): Tally(*tally) for key, tally in sorted(counted.items())}
    return Census(counts, games[start], nodes[start], representatives, plies)
