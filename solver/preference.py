"""What a player prefers, as the rule that the best moves, their order and their proofs all refer to."""

from collections.abc import Sequence

Outcome = tuple[int, int | None]
"""Value from MAX's side and plies, None where play need not end."""


def preference(value: int, plies: int | None, maximising: bool, endless: int | None = None) -> tuple[int, int]:
    """A key that sorts outcomes best first for the player: `value` is MAX's, `plies` is how far the end is.

    MAX wants the higher value and MIN the lower. Among equal values the winning side hurries, the
    losing side delays, and in a draw both hurry.

    >>> outcomes = [(-1, 4), (0, 5), (1, 3), (-1, 2), (0, 1), (1, 7)]
    >>> sorted(outcomes, key=lambda outcome: preference(*outcome, maximising=True))
    [(1, 3), (1, 7), (0, 1), (0, 5), (-1, 4), (-1, 2)]
    >>> sorted(outcomes, key=lambda outcome: preference(*outcome, maximising=False))
    [(-1, 2), (-1, 4), (0, 1), (0, 5), (1, 7), (1, 3)]

    Where play can come back to a position, `endless` is what play without an end is worth to MAX. What is worth more is
    what MAX forces: then MAX hurries and MIN delays; for less it is the other way round; and between outcomes that are
    worth just that, nobody has a preference, whether they end (0 plies) or need not (None).

    >>> outcomes = [(2, 4), (1, 0), (2, 3), (1, None), (0, 2), (0, 6)]
    >>> sorted(outcomes, key=lambda outcome: preference(*outcome, maximising=True, endless=1))
    [(2, 3), (2, 4), (1, 0), (1, None), (0, 6), (0, 2)]
    """
    gain = value if maximising else -value
    if plies is None or value == endless:
        return -gain, 0
    hurries = gain >= 0 if endless is None else (value > endless) == maximising
    return -gain, plies if hurries else -plies


def is_best(own: Outcome, after: Outcome) -> bool:
    """Whether a move from a position with the value and plies `own` to one with those `after` is one of the best.

    It keeps the value and comes a ply nearer to the end; where play need not end, it is enough to keep the value.

    >>> is_best((1, 3), (1, 2)), is_best((1, 3), (1, 4)), is_best((0, None), (0, None)), is_best((0, None), (0, 0))
    (True, False, True, True)
    """
    (value, plies), (value_after, plies_after) = own, after
    return value == value_after and (plies is None or plies_after == plies - 1)


def following(successors: Sequence[Outcome], maximising: bool, endless: int | None = None) -> tuple[Outcome, int]:
    """The value and plies of a position that follow from its successors', and which of these is the first of the best.

    >>> following([(0, 4), (1, 2), (1, 2)], maximising=True), following([(1, 0), (0, None)], maximising=False, endless=0)
    (((1, 3), 1), ((0, None), 1))
    """
    ranks = [preference(value, plies, maximising, endless) for value, plies in successors]
    best = ranks.index(min(ranks))
    value, plies = successors[best]
    return (value, None if plies is None or value == endless else plies + 1), best
