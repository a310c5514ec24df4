"""Everything that is stored: writing solutions and answering from them."""

from db.query import open_solution

__all__ = ["open_solution"]
