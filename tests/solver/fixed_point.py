"""A second opinion on any game, coming back or not: plain fixed-point iteration, sharing nothing with the solver.

Every position is looked at again and again until nothing changes. A position is settled in round n when its game ends in n
plies, so that a round settles what follows from the rounds before it.
"""

from typing import Any

Entry = tuple[int, int | None, Any]
"""Value for MAX, plies (None where play need not end), and the first best action."""


def solve(game: Any) -> dict[Any, Entry]:
    """The entry of every position that play can reach."""
    moves = reach(game)
    first = game.players[0]
    signs = {state: 1 if game.to_move(state) == first else -1 for state in moves}
    ends = {state: game.utility(state, first) for state, below in moves.items() if not below}
    known = without_coming_back(moves, signs, ends)
    if len(known) < len(moves):
        known = coming_back(moves, signs, ends, getattr(game, "endless", 0))
    return known


def reach(game: Any) -> dict[Any, list[tuple[Any, Any]]]:
    """Every position, with each action and what it leads to; a finished one has none."""
    found: dict[Any, list[tuple[Any, Any]]] = {}
    front = [game.initial]
    while front:
        state = front.pop()
        if state not in found:
            found[state] = [] if game.is_terminal(state) else [(a, game.result(state, a)) for a in game.actions(state)]
            front += [below for _, below in found[state] if below not in found]
    return found


def without_coming_back(moves: Any, signs: dict[Any, int], ends: dict[Any, int]) -> dict[Any, Entry]:
    """The positions from which play must end: the winner hurries, the loser delays, in a draw both hurry."""
    known: dict[Any, Entry] = {state: (value, 0, None) for state, value in ends.items()}
    waiting = [state for state in moves if state not in known]
    settled = True
    while settled:
        settled, left = False, []
        for state in reversed(waiting):
            if any(below not in known for _, below in moves[state]):
                left.append(state)
                continue
            options = []
            for order, (action, below) in enumerate(moves[state]):
                value, plies, _ = known[below]
                assert plies is not None
                gain = signs[state] * value
                options.append((-gain, plies if gain >= 0 else -plies, order, (value, plies + 1, action)))
            known[state] = min(options)[3]
            settled = True
        waiting = left[::-1]
    return known


def coming_back(moves: Any, signs: dict[Any, int], ends: dict[Any, int], endless: int) -> dict[Any, Entry]:
    """The same where play may return to a position: what nobody can force is worth `endless`."""
    values: dict[Any, int] = {}
    for sign in (1, -1):  # what MAX forces above `endless`, the most first; then what MIN forces below it
        for value in sorted({end for end in ends.values() if sign * end > sign * endless}, key=lambda end: -sign * end):
            forced = {state for state, end in ends.items() if sign * end >= sign * value}
            grew = True
            while grew:
                before = len(forced)
                for state, below in moves.items():
                    if below and state not in forced:
                        quantifier = any if signs[state] == sign else all
                        if quantifier(child in forced for _, child in below):
                            forced.add(state)
                grew = len(forced) > before
            for state in forced:
                values.setdefault(state, value)
    for state in moves:
        values.setdefault(state, endless)

    plies: dict[Any, int] = dict.fromkeys(ends, 0)
    waiting = [state for state in moves if state not in ends and values[state] != endless]
    round_ = 0
    while waiting:
        round_ += 1
        settled = []
        for state in waiting:
            own = [plies.get(below) for _, below in moves[state] if values[below] == values[state]]
            forcing = signs[state] * (values[state] - endless) > 0
            if (any if forcing else all)(known is not None for known in own):
                settled.append(state)
        assert settled
        plies.update(dict.fromkeys(settled, round_))
        waiting = [state for state in waiting if state not in plies]

    entries: dict[Any, Entry] = {}
    for state, below in moves.items():
        value, lasts = values[state], plies.get(state)
        best = [
            action
            for action, child in below
            if values[child] == value and (lasts is None or plies.get(child) == lasts - 1)
        ]
        entries[state] = value, lasts, best[0] if best else None
    return entries
