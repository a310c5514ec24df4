"""Proves a stored solution right from the rules alone, with nothing of the code that solved it; `proof` says how."""

from importlib.util import find_spec

from zermelo.db.proof import plain
from zermelo.db.proof.report import SHOWN, Report
from zermelo.db.query import Solution
from zermelo.solver.errors import AmountError
from zermelo.solver.progress import Progress

__all__ = ["MOST", "SHOWN", "Report", "check_amount", "verify", "verify_sample"]

MOST = 5_000_000
"""Positions that are proved one by one without being asked for expressly."""
_MEMORY = 1000
"""Bytes that this takes for each position, about."""


def check_amount(solution: Solution) -> None:
    """Refuse to prove very many positions one by one: all of them are held in memory."""
    number = solution.source.facts["positions"]
    if number > MOST and _compiled(solution) is None:
        spec, memory = solution.game.spec, number * _MEMORY / 1e9
        raise AmountError(
            f"{spec} has {number:,} positions, and to prove them all takes about {memory:,.0f} GB of memory",
            game=spec,
            positions=number,
            task="verify",
        )


def verify(solution: Solution, progress: Progress | None = None, *, memory: int | None = None) -> Report:
    """Prove that the solution holds exactly the positions that play can reach, each with its right entry.

    Packed solutions are proved by compiled code, which takes `memory` bytes at the most, or most of what is free.
    """
    codec = _compiled(solution)
    if codec == "board":
        from zermelo.db.proof.boards import prove_board

        return prove_board(solution, memory, progress)
    if codec == "keyed":
        from zermelo.db.proof.keyed import prove_keyed

        return prove_keyed(solution, memory, progress)
    return plain.prove_all(solution, progress)


def verify_sample(solution: Solution, count: int, seed: int | None = None, progress: Progress | None = None) -> Report:
    """Check `count` positions that random play comes by, each against its successors."""
    codec = _compiled(solution)
    if codec == "board":
        from zermelo.db.proof.sample import sample_board

        return sample_board(solution, count, seed, progress)
    if codec == "keyed":
        from zermelo.db.proof.sample import sample_keyed

        return sample_keyed(solution, count, seed, progress)
    return plain.prove_sample(solution, count, seed, progress)


def _compiled(solution: Solution) -> str | None:
    """The codec of a packed solution that compiled code can prove, None where it goes position by position.

    A tablebase that was made of rows has their digest and their counts of games, so it is proved as they are.
    """
    facts = solution.source.facts
    if facts["codec"] is None or find_spec("numba") is None:
        return None
    if facts["codec"] == "keyed":
        return "keyed" if solution.game.compiled else None
    return "board" if facts["layout"] == "packed" or facts["games"] is None else None
