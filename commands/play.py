"""Playing a solved game and seeing it: play, map, serve."""

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from zermelo.commands.shared import (
    bar,
    chosen_format,
    db_option,
    file_option,
    game_option,
    load,
    picture_option,
    print_lines,
    progress_option,
    refuse_options,
    refuse_terminal,
)

if TYPE_CHECKING:
    from zermelo.solver.game import Game


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("position", required=False, metavar="[POSITION]")
@db_option
@game_option
@click.option(
    "--side", metavar="PLAYER", help="The side you play, such as X or O, or both for two people. [default: X]"
)
@click.option(
    "--random/--stored",
    default=True,
    help="Choose among the equally good moves that ask most of you, or play the one that is stored.",
)
@click.option("--seed", type=int, metavar="N", help="Make the same choices again.")
def play(position: str | None, db: str, game: str | None, side: str | None, random: bool, seed: int | None) -> None:
    """Play against the perfect player, or against each other.

    The game begins at the start, or at a POSITION. Moves are cells by name or number. hint shows what every move leads to, undo takes your last move back, quit ends. The third time that the same position comes up, the game is drawn.

    \b
    Example:
      zermelo play --side O
      zermelo play XO./.X./..O --side both
    """
    refuse_options([position] if position else [])
    from random import Random

    from zermelo.db.query import open_solution
    from zermelo.views.match import Match, converse

    with open_solution(db, game) as solution:
        people = _people(solution.game, side)
        match = Match(solution, people, position, Random(seed) if random else None)
        converse(match, _ask, lambda text: print_lines([text], solution.game.players))


def _people(rules: "Game[Any, Any]", side: str | None) -> Sequence[str]:
    """The players that are people, from what --side says."""
    return rules.players if side and side.lower() == "both" else [_player(rules, side, ", or both")]


def _player(rules: "Game[Any, Any]", side: str | None, instead: str = "") -> str:
    """The player that --side names, the first where it says nothing."""
    for player in rules.players:
        if side is None or player.lower() == side.lower():
            return player
    raise click.BadParameter(f"{side!r} is not a player of {rules.spec}: say {' or '.join(rules.players)}{instead}")


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
@click.option("--paper", type=click.Choice(["a4", "a3"]), default="a4", show_default=True, help="How large a page is.")
@click.option(
    "--pages", is_flag=True, help="A page for each first move of the opponent, or as many as it takes, in a PDF."
)
@click.option(
    "--numbered",
    is_flag=True,
    help="Number the boards, each drawn once; so is every game whose moves are not made in one cell.",
)
@picture_option("svg", "png", "pdf")
@file_option
@progress_option
def map_command(
    db: str, game: str | None, side: str | None, paper: str, pages: bool, numbered: bool, format_: str | None, output: str,
    force: bool, progress: bool | None,
) -> None:  # fmt: skip
    """Draw the map of perfect play, to print on a page.

    Nested boards answer every reply, or numbered ones where moves are not made in one cell. PNG and PDF need zermelo[pictures].

    \b
    Example:
      zermelo map --side O --paper a3 -o map-o.pdf
      zermelo map --side O --pages -o map-o.pdf
      zermelo map -g morris:three --pages -o morris.pdf
    """
    from zermelo.db.files import output_stream
    from zermelo.db.query import open_solution
    from zermelo.views.map import draw_map
    from zermelo.views.render import PICTURES, pictured

    chosen = chosen_format(output, format_, {name: name for name in PICTURES})
    if pages and chosen != "pdf":
        raise click.UsageError(f"--pages are those of a PDF, and {chosen} has one: write them with -o map.pdf")
    if chosen != "svg":
        refuse_terminal(output, chosen)
    with (
        open_solution(db, game) as solution,
        bar(progress, "boards", "drawing") as report,
        output_stream(output, force=force) as stream,
    ):
        player = _player(solution.game, side)
        drawing = draw_map(solution, player, paper, pages=pages, numbered=numbered, progress=report)
        stream.write(pictured(drawing, chosen))


@click.command()
@db_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 takes any.")
@click.option(
    "-g", "--game", "games", multiple=True, metavar="GAME",
    help="Rules of your own that the database needs, as module:attribute; may be given more than once.",
)  # fmt: skip
@click.option(
    "--root-path", default="", metavar="PATH", help="The path that a proxy serves it under, such as /zermelo."
)
@click.option("--cors", multiple=True, metavar="ORIGIN", help="Let pages of this origin read the API; * is all.")
@click.option(
    "--embed",
    is_flag=False,
    flag_value="*",
    metavar="[ORIGIN]",
    help="Let pages hold the explorer in a frame: of any origin, or of this one.",
)
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, metavar="N",
    help="Answer with N processes, so that more than one processor is used.",
)  # fmt: skip
@click.option("--access-log", is_flag=True, help="Write a line to the standard error for each request.")
def serve(
    db: str,
    host: str,
    port: int,
    games: tuple[str, ...],
    root_path: str,
    cors: tuple[str, ...],
    embed: str | None,
    workers: int,
    access_log: bool,
) -> None:
    """Serve the explorer page and a read-only JSON API.

    It goes on until it is interrupted.

    \b
    Example:
      zermelo serve --db boards.db --port 8080
      zermelo serve --root-path /zermelo --cors https://example.org --embed https://example.org
    """
    from zermelo.db.catalogue import solutions_in

    root = _root_path(root_path)
    for origin in (*cors, *([embed] if embed else [])):
        _check_origin(origin)
    own = [load(game) for game in games]

    solutions_in(db)  # so that a database that is not there is told at once
    try:
        from zermelo.web.guard import Hosting
        from zermelo.web.server import serve as serve_database
    except ModuleNotFoundError as error:
        from zermelo.solver.errors import MissingPackageError

        raise MissingPackageError(
            f"serve needs the Python package {error.name}, of the extra 'web'", package=error.name, extra="web"
        ) from error
    serve_database(
        db,
        host,
        port,
        Hosting(root, cors, embed or "'none'", access_log),
        lambda address: click.echo(f"The explorer is at {address} and the API at {address}docs", err=True),
        own,
        workers,
    )


def _root_path(text: str) -> str:
    """The path in front of every address, without a slash at its end."""
    path = text.rstrip("/")
    if path and not re.fullmatch(r"(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+)+", path):
        raise click.BadParameter(f"--root-path {text!r} is not a path: write it as /zermelo")
    return path


def _check_origin(text: str) -> None:
    """Refuse what is not an origin; what is taken goes into headers."""
    if text != "*" and not re.fullmatch(
        r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?|https?://\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?", text
    ):
        raise click.BadParameter(f"{text!r} is not an origin: write it as https://example.org, or * for all")
