"""The proof position by position, in plain Python: of whatever is stored, and of any game.

Everything is worked out anew here: which positions play can reach, what each is worth given its successors, and every
count. Nothing is believed but the game's rules, so that a mistake of the solver's is not made twice.
"""

import random
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

from zermelo.db.digests import digests_of
from zermelo.db.lookups import check_look_ups
from zermelo.db.proof.report import NEVER, Report, check_counts, check_figures, in_plies
from zermelo.db.query import Solution
from zermelo.db.source import Entry, HasStoredRows, Row
from zermelo.solver.errors import DamagedError
from zermelo.solver.game import Game
from zermelo.solver.progress import Progress

_REPORT_EVERY = 1024

_Outcome = tuple[int, int | None]
"""Value from MAX's side and plies, None where play need not end."""


def prove_all(solution: Solution, progress: Progress | None = None) -> Report:
    """Prove that the solution holds exactly the positions that play can reach, each with its right entry."""
    game, source = solution.game, solution.source
    report = Report(game.spec)
    told: set[str] = set()
    stored, changed = _read(solution, report, told)
    most = max(source.facts["positions"], len(stored) * len(game.symmetries))
    reached = _Reached(game, most)
    if reached.too_many:
        # What a file says of its size is no ground to go through all of a larger game.
        report.fault(f"play reaches more positions than the {most:,} that are stored")
        return report
    endless = game.endless if reached.can_repeat else None
    total = len(reached.plies)

    boards = {state: game.format(state) for state in reached.plies}
    classes: dict[Any, str] = {}
    for state in boards:
        if state not in classes:
            images = [symmetry(state) for symmetry in game.symmetries]
            classes.update(dict.fromkeys(images, min(map(game.format, images))))
    keys = classes if source.by_class else boards
    wanted = {keys[state] for state in boards}
    for board in sorted(wanted - stored.keys() - told):
        report.fault(f"{board}: play reaches it, but it is not stored")
    for board in sorted(stored.keys() - wanted):
        report.fault(f"{board}: it is stored, but play never reaches it")

    entries: list[str] = []
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
        right = _right_entry(game, state, [(child.value, child.plies) for child in known if child is not None], endless)
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
        plies = "-" if row.plies is None else row.plies
        entries.append(f"{board} {row.value} {plies} {best_move or '-'}\n")
    for board in sorted(changed - told):
        told.add(board)
        report.fault(f"{board}: its checksum is another than that of what is stored")
    check_look_ups(
        report.fault,
        solution,
        {state: stored.get(keys[state]) for state in order if boards[state] == keys[state]},
        told,
    )
    if progress:
        progress(total, total)

    digests = digests_of(solution, entries, stored)
    if source.facts["digest"] not in digests:
        report.fault(f"the digest is {digests[0]}, and {source.facts['digest']} is stored")
    _check_counts(report, solution, reached, stored, keys, classes)
    finished = sum(not below for below in reached.successors.values())
    report.prove(total, finished)
    return report


def prove_sample(solution: Solution, count: int, seed: int | None = None, progress: Progress | None = None) -> Report:
    """Check `count` positions that random play comes by, each against its successors."""
    game, source = solution.game, solution.source
    endless = game.endless if source.facts["can_repeat"] else None
    report = Report(game.spec, count)
    chance = random.Random(seed)
    for done in range(count):
        if progress and not done % _REPORT_EVERY:
            progress(done, count)
        state = chance.choice(list(_random_game(game, chance)))
        board = game.format(state)
        actions = [] if game.is_terminal(state) else list(game.actions(state))
        try:
            children = source.lookup([game.result(state, action) for action in actions])
            entry = source.probe(state)
        except DamagedError as error:
            report.fault(f"{board}: {error}")
            continue
        if entry is None or None in children:
            report.fault(f"{board}: it or a successor of it is not stored")
            continue
        right = _right_entry(
            game, state, [(child.value, child.plies) for child in children if child is not None], endless
        )
        if entry != right:
            report.fault(_difference(board, entry, right))
    if progress:
        progress(count, count)
    report.prove_sample()
    return report


def _random_game(game: Game[Any, Any], chance: random.Random) -> Iterator[Any]:
    state = game.initial
    yield state
    while not game.is_terminal(state):
        state = game.result(state, chance.choice(list(game.actions(state))))
        yield state


def _read(solution: Solution, report: Report, told: set[str]) -> tuple[dict[str, Row], set[str]]:
    """Every row by its board, those aside that are no rows at all, and the boards of those that have been changed."""
    source = solution.source
    rows = source.stored_rows() if isinstance(source, HasStoredRows) else ((row, True) for row in source.rows())
    stored: dict[str, Row] = {}
    changed: set[str] = set()
    for row, intact in rows:
        board, ply, value, plies, best_move = row
        if row.board in stored:
            report.fault(f"{row.board}: it is stored twice")
        if not (
            isinstance(board, str)
            and type(ply) is type(value) is int
            and (plies is None or type(plies) is int)
            and isinstance(best_move, str | None)
        ):
            told.add(str(board))
            report.fault(f"{board}: stored is {tuple(row[1:])}, where numbers and a move belong")
            continue
        stored[board] = row
        if not intact:
            changed.add(board)
    return stored, changed


class _Reached:
    """Everything that play reaches from the start, breadth first, and in how many ways."""

    def __init__(self, game: Game[Any, Any], most: int) -> None:
        self.plies = {game.initial: 0}
        self.too_many = False
        """Whether there are more positions than `most`, and not all were looked for."""
        self.successors: dict[Any, list[Any]] = {}
        arrivals: Counter[Any] = Counter()
        queue = deque([game.initial])
        while queue and not self.too_many:
            state = queue.popleft()
            self.too_many = len(self.plies) > most
            below = [] if game.is_terminal(state) else [game.result(state, action) for action in game.actions(state)]
            self.successors[state] = below
            arrivals.update(below)
            for child in below:
                if child not in self.plies:
                    self.plies[child] = self.plies[state] + 1
                    queue.append(child)

        self.ways: Counter[Any] = Counter()
        self.can_repeat = False
        if self.too_many:
            return
        # A position's ways are known once everything before it has been counted, which never is where a way leads back.
        self.ways[game.initial] = 1
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
        self.can_repeat = counted != len(self.plies)


def _right_entry(game: Game[Any, Any], state: Any, outcomes: list[_Outcome], endless: int | None) -> Entry:
    """What the rules say of a finished position, and of another the values and plies of its successors, in order.

    `endless` is what play without an end is worth to MAX, None where play always ends. Off that value, plies are
    always told, so that nothing is called a win because play could go on for ever: successors that lack them are passed
    over, and where all of them do, no number of plies is right. At that value the first move that keeps it is the best.
    """
    if not outcomes:
        return Entry(game.utility(state, game.players[0]), 0, None)
    maximising = game.to_move(state) == game.players[0]
    value = (max if maximising else min)(value for value, _ in outcomes)
    left = {i: plies for i, (its, plies) in enumerate(outcomes) if its == value}
    actions = game.actions(state)
    if value == endless:
        return Entry(value, None, game.format_action(actions[min(left)]))
    known = {i: plies for i, plies in left.items() if plies is not None}
    if not known:
        return Entry(value, NEVER, game.format_action(actions[min(left)]))
    if endless is None:
        delays = value < 0 if maximising else value > 0
    else:
        delays = value < endless if maximising else value > endless
    plies = (max if delays else min)(known.values())
    return Entry(value, plies + 1, game.format_action(actions[next(i for i in known if known[i] == plies)]))


def _difference(board: str, entry: Entry, right: Entry) -> str:
    found, wanted = (f"value {one.value} {in_plies(one.plies)}, best move {one.best_move}" for one in (entry, right))
    why = "its successors give" if right.best_move else "the rules give"
    return f"{board}: stored is {found}; {why} {wanted}"


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
    check_counts(report, solution.source, {key: (number, len(members[key])) for key, number in positions.items()})
    start = stored.get(keys[game.initial])
    figures = {
        "positions": len(reached.plies),
        "classes": len({classes[state] for state in reached.plies}),
        "value": None if start is None else start.value,
        "plies": None if start is None else start.plies,
        "can_repeat": reached.can_repeat,
        **_counted(game, reached, {state: stored.get(keys[state]) for state in reached.plies}),
    }
    check_figures(
        report, facts, figures, ("games", "tree_nodes") if reached.can_repeat or facts["layout"] == "rows" else ()
    )


def _counted(game: Game[Any, Any], reached: _Reached, rows: dict[Any, Row | None]) -> dict[str, int | None]:
    """What is counted of all positions together: ways to play, where they are finite, and outcomes for the side to move."""
    ends = [ways for state, ways in reached.ways.items() if not reached.successors[state]]
    decided = {state: row for state, row in rows.items() if row is not None and row.value}
    wins = sum((row.value > 0) == (game.to_move(state) == game.players[0]) for state, row in decided.items())
    return {
        "games": None if reached.can_repeat else sum(ends),
        "tree_nodes": None if reached.can_repeat else reached.ways.total(),
        "longest": max((row.plies for row in decided.values() if row.plies is not None), default=None),
        "mover_wins": wins,
        "mover_losses": len(decided) - wins,
    }
