"""The transposition table: what is known of a position, so that no position is worked out twice."""

from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Known = TypeVar("Known")


class TranspositionTable(Generic[Key, Known]):
    """A dictionary that counts how often it helped.

    >>> table = TranspositionTable[str, int]()
    >>> table.probe("X../.../...")
    >>> table.store("X../.../...", 0)
    >>> table.probe("X../.../...")
    0
    >>> table.hits, table.misses, table.stores
    (1, 1, 1)
    """

    def __init__(self) -> None:
        self.entries: dict[Key, Known] = {}
        self.hits = 0
        self.misses = 0
        self.stores = 0

    def __repr__(self) -> str:
        return (
            f"<TranspositionTable: {len(self.entries):,} entries, {self.stores:,} stores, {self.hits:,} hits,"
            f" {self.misses:,} misses>"
        )

    def clear(self) -> None:
        """Forget everything, the counts too."""
        self.entries.clear()
        self.hits = self.misses = self.stores = 0

    def probe(self, key: Key) -> Known | None:
        known = self.entries.get(key)
        if known is None:
            self.misses += 1
        else:
            self.hits += 1
        return known

    def store(self, key: Key, known: Known) -> None:
        self.stores += 1
        self.entries[key] = known
