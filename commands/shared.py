"""What commands share: options, positions, errors, lines and the bar."""

import contextlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from solver.game import Game
    from solver.packed import LayerProgress

Command = TypeVar("Command", bound=Callable[..., Any])


def db_option(command: Command) -> Command:
    return click.option(
        "--db", default="zermelo.db", envvar="ZERMELO_DB", show_default=True, show_envvar=True, metavar="PATH|URL",
        help="The database: a file, a tablebase (.ztb), or a SQLAlchemy URL.",
    )(command)  # fmt: skip


def game_option(command: Command) -> Command:
    return click.option(
        "-g", "--game", envvar="ZERMELO_GAME", show_default="tictactoe", show_envvar=True, metavar="GAME",
        help="The game, such as tictactoe, mnk:4,3,3 or nim:3,4,5, or module:attribute for your own; a tablebase knows its.",
    )(command)  # fmt: skip


def format_option(*formats: str) -> Callable[[Command], Command]:
    return click.option(
        "--format", "format_", type=click.Choice(formats), default=formats[0], show_default=True, help="How to print."
    )


def position_command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A command about one position, which may begin with - for an empty cell; without one it is the start."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        argument = click.argument("positions", nargs=-1, metavar="[POSITION]")
        return click.command(name, context_settings={"ignore_unknown_options": True})(argument(function))

    return decorate


def file_option(command: Command) -> Command:
    """For files that appear whole or not at all."""
    force = click.option("--force", is_flag=True, help="Write over a file that is there already.")
    return click.option(
        "-o", "--output", default="-", metavar="FILE", help="Where to write; - is standard output, the default."
    )(force(command))


yes_option = click.option("--yes", is_flag=True, help="Do it even if it is very much.")
progress_option = click.option("--progress/--no-progress", default=None, help="Show a bar; by default on a terminal.")


def _plies(_ctx: click.Context, _param: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """The first and the last ply of a range such as 4, 2..5, 6.. or ..3."""
    if text is None:
        return None
    first, dots, last = text.partition("..")
    if not (first or last) or not all(part.isascii() and part.isdigit() for part in (first, last) if part):
        raise click.BadParameter(f"{text!r} is no range of plies: write 4, 2..5, 6.. or ..3")
    return int(first or 0), int(last or sys.maxsize) if dots else int(first)


def selection_options(command: Command) -> Command:
    """Options for which positions are wanted, called as the fields of `db.positions.Selection` are."""
    for option in (
        click.option("--to-move", metavar="PLAYER", help="Only positions where this player is to move."),
        click.option(
            "--value", type=int, metavar="N", help="Only positions of this value: 1 X wins, 0 draw, -1 O wins."
        ),
        click.option("--ply", "plies", callback=_plies, metavar="A..B", help="Only positions after so many moves."),
    ):
        command = option(command)
    return command


def refuse_options(positions: Iterable[str]) -> None:
    """With positions such as --X/-O-/--- about, click can't tell a mistyped option; this can."""
    for position in positions:
        if position.startswith("-") and position.strip("-_.xoXO/"):
            raise click.NoSuchOption(position)


def one_state(rules: "Game[Any, Any]", positions: Sequence[str]) -> Any:
    """The position that a command is about: the one that was given, or the start of the game."""
    refuse_options(positions)
    if len(positions) > 1:
        raise click.UsageError(f"there are {len(positions)} positions, {' '.join(positions)}: give one")
    return rules.parse(positions[0]) if positions else rules.initial


def load(game: str | None) -> "Game[Any, Any]":
    from solver.games import load

    return load(game or "tictactoe")


def print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def fail(message: str, code: int) -> int:
    click.echo(f"zermelo: {without_password(message)}", err=True)
    return code


def without_password(text: str) -> str:
    return re.sub(r"(://[^:/@\s]*:)[^@\s]*@", r"\1***@", text)


@contextlib.contextmanager
def bar(wanted: bool | None) -> "Iterator[LayerProgress | None]":
    """A bar on stderr for long work: shown when wanted, and on a terminal when nothing was said."""
    if wanted is False or (wanted is None and not (sys.stderr and sys.stderr.isatty())):
        yield None
        return
    from tqdm import tqdm

    bar: tqdm[Any] | None = None

    def report(done: int, total: int | None, stage: str = "") -> None:
        nonlocal bar
        if bar is None:
            bar = tqdm(unit=" positions", unit_scale=True, file=sys.stderr)
        bar.total = total
        bar.set_description(stage, refresh=False)
        bar.update(done - bar.n)

    try:
        yield report
    finally:
        if bar is not None:
            bar.close()
