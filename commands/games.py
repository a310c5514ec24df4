"""Which games there are: games."""

import click

from zermelo.commands.shared import format_option, print_lines


@click.command()
@format_option("text", "json", "csv")
def games(format_: str) -> None:
    """List every game that can be named, and its rules.

    Games that installed packages register are among them. Small letters in a form are written as they are, and what is
    in capitals is replaced, as in the example.

    \b
    Example:
      zermelo games
      zermelo games --format json
    """
    from zermelo.solver.families import every_game
    from zermelo.views.games import game_lines

    print_lines(game_lines(every_game(), format_))
