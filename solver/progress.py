"""How long work tells how far it is."""

from typing import Protocol


class Progress(Protocol):
    """Called now and then with how much is done, of how much if that is known, and what is being done."""

    def __call__(self, done: int, total: int | None, stage: str = ..., /) -> object: ...
