"""How much memory a proof may take."""

from zermelo.solver.errors import MemoryLimitError, size_text
from zermelo.solver.packed.estimate import free_memory, resident_memory

_SHARE = 0.8
"""Of the memory that is free, what is used where no limit is given."""
_OVERHEAD = 64 << 20
"""Bytes that go beyond what is counted: tables, blocks on their way, what the system's own bookkeeping leaves unused."""


def room_for(game: str, least: int, memory: int | None) -> float:
    """Bytes for positions where the process may take `memory` of them, or most of what is free; `least` are needed."""
    taken = (resident_memory() or 0) + _OVERHEAD
    free = free_memory() if memory is None else None
    room = memory - taken if memory is not None else float("inf") if free is None else _SHARE * free
    if room < least:
        given = "may be used" if memory is not None else "is free"
        have = size_text(memory if memory is not None else free or 0)
        raise MemoryLimitError(
            f"to prove {game} takes at least {size_text(least + taken)} of memory, and {have} {given}",
            game=game,
            memory=least + taken,
        )
    return room
