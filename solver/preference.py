"""What a player prefers, as the rule that the best moves, their order and their proofs all refer to."""


def preference(value: int, plies: int, maximising: bool) -> tuple[int, int]:
    """A key that sorts outcomes best first for the player: `value` is MAX's, `plies` is how far the end is.

    MAX wants the higher value and MIN the lower. Among equal values the winning side hurries, the
    losing side delays, and in a draw both hurry.

    >>> outcomes = [(-1, 4), (0, 5), (1, 3), (-1, 2), (0, 1), (1, 7)]
    >>> sorted(outcomes, key=lambda outcome: preference(*outcome, maximising=True))
    [(1, 3), (1, 7), (0, 1), (0, 5), (-1, 4), (-1, 2)]
    >>> sorted(outcomes, key=lambda outcome: preference(*outcome, maximising=False))
    [(-1, 2), (-1, 4), (0, 1), (0, 5), (1, 7), (1, 3)]
    """
    gain = value if maximising else -value
    return -gain, plies if gain >= 0 else -plies
