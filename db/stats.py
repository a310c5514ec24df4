"""The counts of a stored solution, arranged for people and programs."""

from typing import TypedDict, cast

from zermelo.db.positions import MOST
from zermelo.db.query import Solution
from zermelo.db.source import HasBlocks, Source
from zermelo.solver.packed import knows
from zermelo.solver.packed.blocks import outcome
from zermelo.solver.packed.ways import count_ways
from zermelo.solver.progress import Progress


class PlyCounts(TypedDict):
    """How many positions and classes there are after so many moves, by outcome; the finished are among the won and drawn."""

    ply: int
    positions: int
    classes: int
    terminal: int
    terminal_classes: int
    x_wins: int
    draws: int
    o_wins: int
    x_wins_classes: int
    draws_classes: int
    o_wins_classes: int


class Statistics(TypedDict):
    """The counts of a solution. The value is MAX's.

    `games` and `tree_nodes` are None where nobody counted them, or play can come back to a position and they are
    without number. `longest` is the most plies of any win or loss, None where there is none. The mover's totals are
    from the side to move, which in a finished game is whom the rules would have move next.
    """

    game: str
    value: int
    plies: int | None
    positions: int
    classes: int
    terminal: int
    games: int | None
    tree_nodes: int | None
    can_repeat: bool
    longest: int | None
    mover_wins: int
    mover_losses: int
    mover_draws: int
    by_ply: list[PlyCounts]


def statistics(solution: Solution, *, patient: bool = False, progress: Progress | None = None) -> Statistics:
    """Totals, and a row a ply: positions and classes by outcome, finished games included. Values are MAX's.

    The games of a packed board with gravity are counted only for who is `patient`: about a second for a million positions.
    """
    # The counts first: if a rebuild has replaced the solution, the facts are then the new one's.
    by_ply: dict[int, dict[str, int]] = {}
    counts = solution.source.counts()
    for (ply, terminal, value), tally in counts.items():
        row = by_ply.setdefault(ply, {**dict.fromkeys(PlyCounts.__annotations__, 0), "ply": ply})
        outcome = "x_wins" if value > 0 else "o_wins" if value < 0 else "draws"
        row["positions"] += tally.positions
        row["classes"] += tally.classes
        row[outcome] += tally.positions
        row[f"{outcome}_classes"] += tally.classes
        if terminal:
            row["terminal"] += tally.positions
            row["terminal_classes"] += tally.classes
    longest, wins, losses = _outcomes(solution)
    facts = solution.source.facts
    ways = facts["games"], facts["tree_nodes"]
    if facts["games"] is None and knows(solution.game):
        ways = count_ways(solution.game, counts, patient=patient, progress=progress) or ways
    return Statistics(
        game=facts["game"],
        value=facts["value"],
        plies=facts["plies"],
        positions=facts["positions"],
        classes=facts["classes"],
        terminal=sum(row["terminal"] for row in by_ply.values()),
        games=ways[0],
        tree_nodes=ways[1],
        can_repeat=facts["can_repeat"],
        longest=longest,
        mover_wins=wins,
        mover_losses=losses,
        mover_draws=facts["positions"] - wins - losses,
        by_ply=[cast(PlyCounts, row) for row in by_ply.values()],
    )


def _outcomes(solution: Solution) -> tuple[int | None, int, int]:
    """The most plies of any win or loss, and the positions that the side to move wins and loses."""
    game, source, facts = solution.game, solution.source, solution.source.facts
    if facts["mover_wins"] is not None:
        return facts["longest"], facts["mover_wins"], facts["mover_losses"]
    # An older file, or a tablebase, does not say.
    if knows(game):
        # X moves where the number of stones is even.
        counts = source.counts().items()
        sides = [((value > 0) == (ply % 2 == 0), tally.positions) for (ply, _, value), tally in counts if value]
        wins = sum(number for wins, number in sides if wins)
        return _longest(source, game.board.cells), wins, sum(number for _, number in sides) - wins
    longest: int | None = None
    totals = [0, 0]
    for row in source.rows():
        if row.value:
            state = game.parse(row.board)
            size = len({symmetry(state) for symmetry in game.symmetries}) if source.by_class else 1
            totals[(row.value > 0) != (game.to_move(state) == game.players[0])] += size
            if row.plies is not None:
                longest = max(longest or 0, row.plies)
    return longest, totals[0], totals[1]


def _longest(source: Source, cells: int) -> int | None:
    """The most plies of any win or loss on a board, None where it has too many positions to look through."""
    if not isinstance(source, HasBlocks):
        return max((row.plies or 0 for row in source.rows() if row.value), default=None)
    if source.facts["positions"] > MOST:
        return None
    codes = (
        (byte - 256 if byte > 127 else byte, key.bit_count()) for key, data in source.blocks() for byte in set(data)
    )
    known = [outcome(code, cells, stones) for code, stones in codes]
    return max((plies for value, plies in filter(None, known) if value), default=None)
