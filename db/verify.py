"""Proves a stored solution right from the rules alone, with nothing of the code that solved it.

Everything is worked out anew here: which positions play can reach, what each is worth given its successors, and every
count. Nothing is believed but the game's rules, so that a mistake of the solver's is not made twice.
"""

import hashlib
import random
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

from db.query import Solution
from db.source import Entry, HasBlocks, Row
from solver.errors import AmountError, RepetitionError
from solver.exhaustive import Progress
from solver.game import Game

MOST = 5_000_000
"""Positions that are proved without being asked for expressly."""
_MEMORY = 1000
"""Bytes that the proof takes for each position, about."""
SHOWN = 20
"""How many faults are kept with their words; the others are counted."""
_REPORT_EVERY = 1024


class Report:
    """What was proved, or what is wrong."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.proved: list[str] = []
        self.faults: list[str] = []
        self.more = 0

    def fault(self, what: str) -> None:
        """Put down something that is wrong."""
        if len(self.faults) < SHOWN:
            self.faults.append(what)
        else:
            self.more += 1

    def lines(self, where: str) -> Iterator[str]:
        """What was proved of what is found at `where`, or the faults and how many more there are."""
        if not self.faults:
            yield f"{where} is right:"
        yield from (f"  {line}" for line in self.faults or self.proved)
        if self.more:
            yield f"  and {self.more:,} more"


def check_amount(solution: Solution) -> None:
    """Refuse to prove very many positions: all of them are held in memory."""
    number = solution.source.facts["positions"]
    if number > MOST:
        raise AmountError(
            f"{solution.game.spec} has {number:,} positions, and to prove them all takes about {number * _MEMORY / 1e9:,.0f}"
            " GB of memory: look at some with --sample 10000, or add --yes to do it all the same"
        )


_Outcome = tuple[int, int]
"""Value from MAX's side and plies."""


def verify(solution: Solution, progress: Progress | None = None) -> Report:
    """Prove that the solution holds exactly the positions that play can reach, each with its right entry."""
    game, source = solution.game, solution.source
    report = Report(game.spec)
    stored = _read(solution, report)
    reached = _Reached(game)
    total = len(reached.plies)

    boards = {state: game.format(state) for state in reached.plies}
    classes: dict[Any, str] = {}
    for state in boards:
        if state not in classes:
            images = [symmetry(state) for symmetry in game.symmetries]
            classes.update(dict.fromkeys(images, min(map(game.format, images))))
    keys = classes if source.by_class else boards
    wanted = {keys[state] for state in boards}
    for board in sorted(wanted - stored.keys()):
        report.fault(f"{board}: play reaches it, but it is not stored")
    for board in sorted(stored.keys() - wanted):
        report.fault(f"{board}: it is stored, but play never reaches it")

    entries: list[str] = []
    told: set[str] = set()
    # From the ends backward, so that a wrong entry is told before those that are right but do not follow from it; and
    # where a row stands for a class, the position that it names before the others.
    order = sorted(boards, key=lambda state: (boards[state] != keys[state], -reached.plies[state]))
    for done, state in enumerate(order):
        if progress and not done % _REPORT_EVERY:
            progress(done, total)
        row = stored.get(keys[state])
        known = [stored.get(keys[child]) for child in reached.successors[state]]
        if row is None or None in known:
            continue
        board = boards[state]
        right = _right_entry(game, state, [(child.value, child.plies) for child in known if child is not None])
        # The best move of a class's row is that of the position which the row names.
        best_move = row.best_move if board == row.board else right.best_move
        entry = Entry(row.value, row.plies, best_move)
        if row.board not in told:
            if row.ply != reached.plies[state]:
                told.add(row.board)
                report.fault(f"{board}: stored is ply {row.ply}; play reaches it at {reached.plies[state]}")
            if entry != right:
                told.add(row.board)
                report.fault(_difference(board, entry, right))
        entries.append(f"{board} {row.value} {row.plies} {best_move or '-'}\n")
    if progress:
        progress(total, total)

    _check_digest(report, solution, entries)
    _check_counts(report, solution, reached, stored, keys, classes)
    finished = sum(not below for below in reached.successors.values())
    report.proved = [
        f"its {total:,} positions are exactly those that play can reach",
        f"its {finished:,} finished positions have the value that the rules give them",
        f"its {total - finished:,} others have the value, plies and best move that follow from their successors",
        "its digest, and all its counts by ply, outcome and class, are right",
    ]
    return report


def verify_sample(solution: Solution, count: int, seed: int | None = None, progress: Progress | None = None) -> Report:
    """Check `count` positions that random play comes by, each against its successors."""
    game, source = solution.game, solution.source
    report = Report(game.spec)
    chance = random.Random(seed)
    for done in range(count):
        if progress and not done % _REPORT_EVERY:
            progress(done, count)
        state = chance.choice(list(_random_game(game, chance)))
        board = game.format(state)
        actions = [] if game.is_terminal(state) else list(game.actions(state))
        children = source.lookup([game.result(state, action) for action in actions])
        entry = source.probe(state)
        if entry is None or None in children:
            report.fault(f"{board}: it or a successor of it is not stored")
            continue
        right = _right_entry(game, state, [(child.value, child.plies) for child in children if child is not None])
        if entry != right:
            report.fault(_difference(board, entry, right))
    if progress:
        progress(count, count)
    report.proved = [f"{count:,} positions that random play came by have the entries that follow from their successors"]
    return report


def _random_game(game: Game[Any, Any], chance: random.Random) -> Iterator[Any]:
    state = game.initial
    yield state
    while not game.is_terminal(state):
        state = game.result(state, chance.choice(list(game.actions(state))))
        yield state


def _read(solution: Solution, report: Report) -> dict[str, Row]:
    stored: dict[str, Row] = {}
    for row in solution.source.rows():
        if row.board in stored:
            report.fault(f"{row.board}: it is stored twice")
        stored[row.board] = row
    return stored


class _Reached:
    """Everything that play reaches from the start, breadth first, and in how many ways."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.plies = {game.initial: 0}
        self.successors: dict[Any, list[Any]] = {}
        arrivals: Counter[Any] = Counter()
        queue = deque([game.initial])
        while queue:
            state = queue.popleft()
            below = [] if game.is_terminal(state) else [game.result(state, action) for action in game.actions(state)]
            self.successors[state] = below
            arrivals.update(below)
            for child in below:
                if child not in self.plies:
                    self.plies[child] = self.plies[state] + 1
                    queue.append(child)

        # A position's ways are known once everything before it has been counted.
        self.ways = Counter({game.initial: 1})
        ready = [game.initial]
        counted = 0
        while ready:
            state = ready.pop()
            counted += 1
            for child in self.successors[state]:
                self.ways[child] += self.ways[state]
                arrivals[child] -= 1
                if not arrivals[child]:
                    ready.append(child)
        if counted != len(self.plies):
            repeated = next(state for state in self.plies if arrivals[state])
            raise RepetitionError(f"game {game.spec!r} can repeat positions, such as {game.format(repeated)!r}")


def _right_entry(game: Game[Any, Any], state: Any, outcomes: list[_Outcome]) -> Entry:
    """What the rules say of a finished position, and of another the values and plies of its successors, in order."""
    if not outcomes:
        return Entry(game.utility(state, game.players[0]), 0, None)
    maximising = game.to_move(state) == game.players[0]
    best = 0
    for i in range(1, len(outcomes)):
        if _beats(outcomes[i], outcomes[best], maximising):
            best = i
    value, plies = outcomes[best]
    return Entry(value, plies + 1, game.format_action(game.actions(state)[best]))


def _beats(one: _Outcome, other: _Outcome, maximising: bool) -> bool:
    """Whether a player strictly prefers `one`: the better value, then the sooner end, or the later one if it loses."""
    (value, plies), (other_value, other_plies) = one, other
    if value != other_value:
        return (value > other_value) == maximising
    losing = value < 0 if maximising else value > 0
    return plies > other_plies if losing else plies < other_plies


def _difference(board: str, entry: Entry, right: Entry) -> str:
    found, wanted = (f"value {one.value} in {one.plies} plies, best move {one.best_move}" for one in (entry, right))
    why = "its successors give" if right.best_move else "the rules give"
    return f"{board}: stored is {found}; {why} {wanted}"


def _check_digest(report: Report, solution: Solution, entries: list[str]) -> None:
    source, stored = solution.source, solution.source.facts["digest"]
    digests = []
    if source.facts["layout"] != "packed":
        # A line starts with its board, and a board that starts like another is told apart by what follows it.
        text = "".join(sorted(entries, key=lambda line: line.rsplit(" ", 3)[0]))
        digests.append(hashlib.sha256(text.encode()).hexdigest())
    # A tablebase has the digest of what it was made from, which may have been packed.
    if isinstance(source, HasBlocks) and stored not in digests:
        digests.append(_digest_of_blocks(source, solution.game.board.cells))  # type: ignore[attr-defined]
    if stored not in digests:
        report.fault(f"the digest is {digests[0]}, and {stored} is stored")


def _digest_of_blocks(source: HasBlocks, cells: int) -> str:
    """A chain over the layers from the full board down: each link is of the one before and the layer's bytes."""
    link = b""
    for stones in range(cells, -1, -1):
        digest = hashlib.sha256(link)
        for _, data in source.blocks(stones):
            digest.update(data)
        link = digest.digest()
    return link.hex()


def _check_counts(
    report: Report,
    solution: Solution,
    reached: _Reached,
    stored: dict[str, Row],
    keys: dict[Any, str],
    classes: dict[Any, str],
) -> None:
    game, facts = solution.game, solution.source.facts
    positions: Counter[tuple[int, bool, int]] = Counter()
    members: dict[tuple[int, bool, int], set[str]] = {}
    for state, ply in reached.plies.items():
        row = stored.get(keys[state])
        if row is not None:
            category = (ply, not reached.successors[state], row.value)
            positions[category] += 1
            members.setdefault(category, set()).add(classes[state])
    counted = {category: (number, len(members[category])) for category, number in positions.items()}
    found = {(ply, end, value): tally for (ply, end, value), tally in solution.source.counts().items()}
    for category in sorted(counted.keys() | found.keys()):
        right, kept = counted.get(category, (0, 0)), found.get(category, (0, 0))
        if right != kept:
            ply, finished, value = category
            report.fault(
                f"ply {ply}, value {value}, {'finished' if finished else 'unfinished'}: {kept[0]} positions in"
                f" {kept[1]} classes are counted, and there are {right[0]} in {right[1]}"
            )
    start = stored.get(keys[game.initial])
    figures = {
        "positions": len(reached.plies),
        "classes": len({classes[state] for state in reached.plies}),
        "games": sum(ways for state, ways in reached.ways.items() if not reached.successors[state]),
        "tree_nodes": reached.ways.total(),
        "value": None if start is None else start.value,
        "plies": None if start is None else start.plies,
    }
    for name, figure in figures.items():
        if facts[name] != figure and facts[name] is not None:
            report.fault(f"{name.replace('_', ' ')}: {facts[name]} is stored, and it is {figure}")
