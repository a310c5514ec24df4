"""What a proof says of a solution: what it proved, or what is wrong."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.db.source import Source

SHOWN = 20
"""How many faults are kept with their words; the others are counted."""
NEVER = -1
"""Plies that no stored entry can have."""


class Report:
    """What was proved, or what is wrong."""

    def __init__(self, game: str, sample: int | None = None) -> None:
        self.game = game
        self.sample = sample
        """How many positions of random play were looked at, None where all positions were."""
        self.proved: list[str] = []
        self.faults: list[str] = []
        self.more = 0

    def __repr__(self) -> str:
        faults = len(self.faults) + self.more
        return f"<Report of {self.game}: {f'{faults:,} faults' if faults else 'right'}>"

    def fault(self, what: str, times: int = 1) -> None:
        """Put down something that is wrong, and how many more such faults there are that are not told."""
        if len(self.faults) < SHOWN:
            self.faults.append(what)
            self.more += times - 1
        else:
            self.more += times

    def prove(self, positions: int, finished: int) -> None:
        """Put down what holds of a whole solution where there is no fault."""
        self.proved = [
            f"its {positions:,} positions are exactly those that play can reach",
            f"its {finished:,} finished positions have the value that the rules give them",
            f"its {positions - finished:,} others have the value, plies and best move that follow from their successors",
            "its digest, and all its counts by ply, outcome and class, are right",
        ]

    def prove_sample(self) -> None:
        """Put down what holds of a sample where there is no fault."""
        self.proved = [
            f"{self.sample:,} positions that random play came by have the entries that follow from their successors"
        ]


def check_counts(report: Report, source: "Source", counted: Mapping[tuple[int, bool, int], tuple[int, int]]) -> None:
    """Hold the stored counts, by ply, whether the game is over, and value, to the positions and classes that there are."""
    found = {(ply, end, value): tuple(tally) for (ply, end, value), tally in source.counts().items()}
    for category in sorted(counted.keys() | found.keys(), key=str):
        right, kept = counted.get(category, (0, 0)), found.get(category, (0, 0))
        if right != kept:
            ply, finished, value = category
            report.fault(
                f"ply {ply}, value {value}, {'finished' if finished else 'unfinished'}: {kept[0]} positions in"
                f" {kept[1]} classes are counted, and there are {right[0]} in {right[1]}"
            )


def check_rows(report: Report, source: "Source", right: int) -> None:
    """Hold a database to the number of blocks that there should be: going through them misses what no look-up asks for."""
    from zermelo.db.stored import Stored

    if isinstance(source, Stored) and (stored := source.count_blocks()) != right:
        report.fault(f"{stored:,} rows of blocks are stored, and there should be {right:,}")


def check_figures(
    report: Report, facts: Mapping[str, Any], figures: Mapping[str, Any], told: Iterable[str] = ()
) -> None:
    """Hold what is stored of the whole to the right figures. Who counted nothing stores nothing, but for what must be `told`."""
    must = {"plies", "positions", "classes", "value", "can_repeat", *told}
    for name, figure in figures.items():
        if facts[name] != figure and (facts[name] is not None or name in must):
            report.fault(f"{name.replace('_', ' ')}: {facts[name]} is stored, and it is {figure}")


def in_plies(plies: int | None) -> str:
    """How far off the end is, in words."""
    return "without end" if plies is None else "in no number of plies" if plies == NEVER else f"in {plies} plies"
