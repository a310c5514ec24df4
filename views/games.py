"""Which games can be named, as lines."""

from collections.abc import Iterable, Iterator

from zermelo.solver.families import Named
from zermelo.views.table import table


def game_lines(games: Iterable[Named], format_: str) -> Iterator[str]:
    """A game's form and an example, and below it the rules; or the same as JSON or CSV.

    >>> games = [Named("chomp", "chomp:W,H", "chomp:4,3", "Bite."), Named("own", "own:...", None, "")]
    >>> print(*game_lines(games, "text"), sep="\\n")
    chomp:W,H, such as chomp:4,3
      Bite.
    own:...
    """
    if format_ != "text":
        yield from table([game._asdict() for game in games], Named._fields, format_)
        return
    for game in games:
        example = f", such as {game.example}" if game.example not in (None, game.form) else ""
        yield f"{game.form}{example}"
        if game.rules:
            yield f"  {game.rules}"
