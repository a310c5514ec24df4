"""Inputs that nobody would type and files that nobody would write, made at random from a seed.

How many is one scale for all: `ZERMELO_FUZZ=1 pytest -m slow` makes all that docs/reliability.md names, in about an hour.
"""

import os

SCALE = float(os.environ.get("ZERMELO_FUZZ", "0.02"))


def scaled(count: int) -> int:
    """So many of the full count as are made in this run."""
    return max(1, round(count * SCALE))
