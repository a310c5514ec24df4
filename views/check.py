"""What the check of a game's rules found, as lines."""

from collections.abc import Iterator
from typing import Any

from zermelo.solver.check import RULES, Verdict
from zermelo.solver.compiled.engine import is_compiled
from zermelo.solver.game import Game


def check_lines(game: Game[Any, Any], verdict: Verdict) -> Iterator[str]:
    """A line for each rule, a second one where it does not hold, and one on whether play can come back to a position.

    >>> from zermelo.solver.check import check_game
    >>> from zermelo.solver.games import load
    >>> *_, last = check_lines(load("nim:1,2"), check_game(load("nim:1,2")))
    >>> last
    'nim:1,2: 8 positions tried, 2 of them finished: every position'
    """
    failed = {failure.rule: failure for failure in verdict.failures}
    for rule, words in RULES.items():
        if rule == "compiled" and not is_compiled(game):
            continue
        yield f"{'FAIL' if rule in failed else 'ok':<4}  {rule}: {words}"
        if failure := failed.get(rule):
            yield f"      {failure.position!r} {failure.reason} ({failure.times:,} in all)"
    if verdict.comes_back is not None:
        yield f"note  play can come back to a position, such as {verdict.comes_back!r}, and need not end"
    elif verdict.complete:
        yield "note  play never comes back to a position"
    else:
        yield "note  play comes back to none of the positions that were tried"
    tried = "every position" if verdict.complete else "not every position"
    yield f"{game.spec}: {verdict.positions:,} positions tried, {verdict.finished:,} of them finished: {tried}"
