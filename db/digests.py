"""The digest of a solution worked out anew, from what is stored of every position."""

import hashlib
import struct
from typing import Any

from zermelo.db.query import Solution
from zermelo.db.source import HasBlocks, Row
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.regions import group_of, regions_of


def digests_of(solution: Solution, entries: list[str], rows: dict[str, Row]) -> list[str]:
    """The digests that a solution may have: the way of its layout and codec first, then those of earlier versions."""
    source, stored = solution.source, solution.source.facts["digest"]
    digests = []
    if source.facts["codec"] == "keyed":
        digests.append(_digest_of_states(solution, rows))
    elif source.facts["layout"] != "packed":
        # A line starts with its board, and a board that starts like another is told apart by what follows it.
        text = "".join(sorted(entries, key=lambda line: line.rsplit(" ", 3)[0]))
        digests.append(hashlib.sha256(text.encode()).hexdigest())
    # A tablebase has the digest of what it was made from, which may have been packed.
    if isinstance(source, HasBlocks) and stored not in digests:
        digests.append(_digest_of_groups(source, solution.game))  # type: ignore[arg-type]
    if isinstance(source, HasBlocks) and stored not in digests:
        digests.append(digest_of_layers(source, solution.game.board.cells))  # type: ignore[attr-defined]
    return digests


def _digest_of_states(solution: Solution, rows: dict[str, Row]) -> str:
    """Of every position in the order of the states: state, value, and plies and one more, 0 where play need not end."""
    digest = hashlib.sha256()
    states = {solution.game.parse(board): row for board, row in rows.items()}
    for state in sorted(states):
        row = states[state]
        digest.update(struct.pack("<qiI", state, row.value, 0 if row.plies is None else row.plies + 1))
    return digest.hexdigest()


def _digest_of_groups(source: HasBlocks, game: MNK) -> str:
    """Of the groups' digests in the order of their numbers, each of the group's bytes in the order of occupancies."""
    regions = regions_of(game)
    groups: dict[int, Any] = {}
    for occupancy, data in source.blocks():
        groups.setdefault(group_of(regions, occupancy), hashlib.sha256()).update(data)
    return hashlib.sha256(b"".join(groups[number].digest() for number in sorted(groups))).hexdigest()


def digest_of_layers(source: HasBlocks, cells: int) -> str:
    """What builds put down before they went by groups: a chain over the layers from the full board down.

    Each link is of the one before and the layer's bytes.
    """
    link = b""
    for stones in range(cells, -1, -1):
        digest = hashlib.sha256(link)
        for _, data in source.blocks(stones):
            digest.update(data)
        link = digest.digest()
    return link.hex()
