"""Playing a solved game and seeing it: play, map, serve."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from commands.shared import db_option, file_option, game_option, refuse_options

if TYPE_CHECKING:
    from solver.game import Game


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("position", required=False, metavar="[POSITION]")
@db_option
@game_option
@click.option("--side", metavar="PLAYER", help="Whom you play, such as X or O, or both for two people. [default: X]")
@click.option(
    "--random/--stored", default=True, help="Choose among equally good moves, or play the one that is stored."
)
@click.option("--seed", type=int, metavar="N", help="Choose the same way again.")
def play(position: str | None, db: str, game: str | None, side: str | None, random: bool, seed: int | None) -> None:
    """Play against the perfect player, or two people against each other, from the start or from a POSITION.

    Moves are cells by name or number. hint shows what every move leads to, undo takes your last move back, quit ends.

    \b
    Example:
      zermelo play --side O
      zermelo play XO./.X./..O --side both
    """
    refuse_options([position] if position else [])
    from random import Random

    from db.match import Match, converse
    from db.query import open_solution

    with open_solution(db, game) as solution:
        people = _people(solution.game, side)
        match = Match(solution, people, position, Random(seed) if random else None)
        converse(match, _ask, click.echo)


def _people(rules: "Game[Any, Any]", side: str | None) -> Sequence[str]:
    """The players that are people, from what --side says."""
    return rules.players if side and side.lower() == "both" else [_player(rules, side, ", or both")]


def _player(rules: "Game[Any, Any]", side: str | None, instead: str = "") -> str:
    """The player that --side names, the first where it says nothing."""
    for player in rules.players:
        if side is None or player.lower() == side.lower():
            return player
    raise click.BadParameter(f"{side!r} is no player of {rules.spec}: say {' or '.join(rules.players)}{instead}")


def _ask(prompt: str) -> str | None:
    """The next line of the standard input, None where there is none; the prompt is for people at a terminal."""
    if sys.stdin is None:
        return None
    if sys.stdin.isatty():
        click.echo(prompt, nl=False)
    line = sys.stdin.buffer.readline()
    return line.decode(errors="replace") if line else None


@click.command("map")
@db_option
@game_option
@click.option("--side", metavar="PLAYER", help="Whose moves to show, such as X or O. [default: X]")
@file_option
def map_command(db: str, game: str | None, side: str | None, output: str, force: bool) -> None:
    """Draw the map of perfect play as SVG, to print on a page: nested boards that answer every reply.

    \b
    Example:
      zermelo map --side O -o map-o.svg
    """
    from db.files import output_stream
    from db.map import draw_map
    from db.query import open_solution

    with open_solution(db, game) as solution:
        drawing = draw_map(solution, _player(solution.game, side))
        with output_stream(output, force=force) as stream:
            stream.write(drawing.encode())


@click.command()
@db_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 takes any.")
def serve(db: str, host: str, port: int) -> None:
    """Serve the explorer page and a read-only JSON API, until interrupted.

    \b
    Example:
      zermelo serve --db boards.db --port 8080
    """
    from db.catalogue import solutions_in

    solutions_in(db)  # so that a database that is not there is told at once
    try:
        from web.server import serve as serve_database
    except ModuleNotFoundError as error:
        from solver.errors import MissingPackageError

        raise MissingPackageError(
            f"serve needs the Python package {error.name}: install it with `pip install zermelo[web]`"
        ) from error
    serve_database(
        db,
        host,
        port,
        lambda address: click.echo(f"The explorer is at {address} and the API at {address}docs", err=True),
    )
