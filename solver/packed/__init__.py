"""The fast engine for boards: positions that share the cells that are taken are solved and stored as one block.

`blocks` says where a position is found and what its byte means, in plain Python: all that a look-up needs; `many` says it
for arrays. `regions` says which positions make a group. `estimate` says what solving will take, and `calibrate` how fast it
goes here. `solve` goes from group to group, in `threads` and within `memory`; `work` solves one, with what is compiled in
`cells`, `live`, `reach`, `ends` and `kernels` and looked up in `groups` and `tables`; that needs the extra `fast`. `cluster`
gives the groups to the `workers` of a Dask cluster instead, which do its `tasks`; that needs the extra `cluster`.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeGuard

from zermelo.solver.errors import MissingPackageError

if TYPE_CHECKING:
    from zermelo.solver.games.mnk import MNK


def knows(game: object) -> "TypeGuard[MNK]":
    """Whether the game says that its rules are those that the kernels play; see `Game.packed`.

    >>> from zermelo.solver.games.mnk import MNK
    >>> class Wild(MNK):
    ...     "Both sides may put down either stone."
    >>> knows(MNK(3, 3, 3)), knows(Wild(3, 3, 3))
    (True, False)
    """
    return bool(vars(type(game)).get("packed"))


def require(*packages: str, extra: str = "fast") -> None:
    """Refuse to go on without these packages, in one line that says which extra has them."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise MissingPackageError(
            f"this needs the extra {extra!r} ({', '.join(missing)})", package=", ".join(missing), extra=extra
        )
