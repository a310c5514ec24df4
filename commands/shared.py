"""What commands share: options, positions, errors, lines and the bar."""

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from zermelo.solver.errors import quoted
from zermelo.solver.texts import shown, without_password

if TYPE_CHECKING:
    from zermelo.solver.game import Game
    from zermelo.solver.progress import Progress

Command = TypeVar("Command", bound=Callable[..., Any])


def db_option(command: Command) -> Command:
    return click.option(
        "--db", default="zermelo.db", envvar="ZERMELO_DB", show_default=True, show_envvar=True, metavar="PATH|URL",
        help="The database: a file, a tablebase (.ztb), or a SQLAlchemy URL.",
    )(command)  # fmt: skip


def _complete_game(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """The names of games that a shell offers."""
    from zermelo.solver.games import GAMES, SHORT

    return [name for name in (*SHORT, *(f"{family}:" for family in GAMES)) if name.startswith(begun)]


def game_option(command: Command) -> Command:
    return click.option(
        "-g", "--game", envvar="ZERMELO_GAME", shell_complete=_complete_game, show_default="tictactoe", show_envvar=True, metavar="GAME",
        help="The game, such as tictactoe, mnk:4,3,3 or nim:3,4,5, or module:attribute for your own; `zermelo games` lists them. A tablebase names its own.",
    )(command)  # fmt: skip


def format_option(*formats: str) -> Callable[[Command], Command]:
    return click.option(
        "--format", "format_", type=click.Choice(formats), default=formats[0], show_default=True, help="How to print."
    )


def picture_option(*formats: str) -> Callable[[Command], Command]:
    """What to draw; by default what the file's name ends with."""
    return click.option(
        "--format", "format_", type=click.Choice(formats),
        help=f"What to write; by default what the file's name ends with, else {formats[0]}.",
    )  # fmt: skip


def chosen_format(output: str, format_: str | None, endings: Mapping[str, str]) -> str:
    """The format that was asked for, or else that the file's name ends with, or else the first."""
    from zermelo.db.formats import format_by_ending

    return format_ or format_by_ending(output, endings) or next(iter(endings.values()))


def refuse_terminal(output: str, format_: str) -> None:
    """Refuse to write bytes that are not for a terminal to one."""
    if output == "-" and sys.stdout and sys.stdout.isatty():
        raise click.UsageError(f"{format_} is not for a terminal: name a file with -o, such as -o file.{format_}")


def position_command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A command about one position, which may begin with - for an empty cell; without one it is the start."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        argument = click.argument("positions", nargs=-1, metavar="[POSITION]")
        return click.command(name, context_settings={"ignore_unknown_options": True})(argument(function))

    return decorate


def file_option(command: Command) -> Command:
    """For files that appear whole or not at all."""
    force = click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
    return click.option(
        "-o", "--output", default="-", metavar="FILE", help="Where to write; - is standard output, the default."
    )(force(command))


MOST = 10**9
"""What numbers that people give are bounded by: no database and no table holds larger ones."""


def _bytes(_ctx: click.Context, _param: click.Parameter, text: str | None) -> int | None:
    """The number of bytes that a text such as 2G, 1.5G or 500M stands for."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([MG])B?", text.strip(), re.ASCII | re.IGNORECASE)
    if match is None or not float(match[1]):
        raise click.BadParameter(f"{text!r} is not an amount of memory: write 500M or 2G")
    return int(float(match[1]) * {"M": 10**6, "G": 10**9}[match[2].upper()])


memory_option = click.option(
    "--memory",
    callback=_bytes,
    metavar="SIZE",
    help="Memory to take at the most, such as 2G; by default most of what is free.",
)
yes_option = click.option("--yes", is_flag=True, help="Do it even if it takes long.")
progress_option = click.option("--progress/--no-progress", default=None, help="Show a bar; by default on a terminal.")


def _plies(_ctx: click.Context, _param: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """The first and the last ply of a range such as 4, 2..5, 6.. or ..3."""
    if text is None:
        return None
    first, dots, last = text.partition("..")
    if not (first or last) or not all(
        part.isascii() and part.isdigit() and len(part) < 10 for part in (first, last) if part
    ):
        raise click.BadParameter(f"{quoted(text)} is not a range of plies: write 4, 2..5, 6.. or ..3")
    least, most = int(first or 0), int(last or sys.maxsize) if dots else int(first)
    if least > most:
        raise click.BadParameter(f"{quoted(text)} is a range that ends before it begins: write {most}..{least}")
    return least, most


def selection_options(command: Command) -> Command:
    """Options for which positions are wanted, called as the fields of `db.positions.Selection` are."""
    for option in (
        click.option("--to-move", metavar="PLAYER", help="Only positions where this player is to move."),
        click.option(
            "--value",
            type=click.IntRange(-MOST, MOST),
            metavar="N",
            help="Only positions of this value: 1 X wins, 0 draw, -1 O wins.",
        ),
        click.option("--ply", "plies", callback=_plies, metavar="A..B", help="Only positions after so many moves."),
    ):
        command = option(command)
    return command


def refuse_options(positions: Iterable[str]) -> None:
    """With positions such as --X/-O-/--- about, click can't tell a mistyped option; this can."""
    for position in positions:
        if position.startswith("-") and position.strip("-_.xoXO/:"):
            option, options = position.partition("=")[0], click.get_current_context().command.params
            known = [name for each in options for name in (*each.opts, *each.secondary_opts) if name[0] == "-"]
            raise click.NoSuchOption(option, possibilities=did_you_mean(option, known))


def one_state(rules: "Game[Any, Any]", positions: Sequence[str]) -> Any:
    """The position that a command is about: the one that was given, or the start of the game."""
    refuse_options(positions)
    if len(positions) > 1:
        raise click.UsageError(f"there are {len(positions)} positions, {' '.join(positions)}: give one")
    return rules.parse(positions[0]) if positions else rules.initial


def load(game: str | None) -> "Game[Any, Any]":
    from zermelo.solver.games import load

    return load(game or "tictactoe")


def print_lines(lines: Iterable[str], players: Sequence[str] = ()) -> None:
    """Print lines; those about a game, whose `players` are given, in colour on a terminal that wants it."""
    lines = (shown(line, keep="\n\t") for line in lines)  # before our own colours
    if players and sys.stdout and sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        from zermelo.views.colour import painted

        lines = painted(lines, players)
    for line in lines:
        print_line(line)


def print_line(line: str) -> None:
    """Print what was asked for; where there is no standard output, that is a failure."""
    if sys.stdout is None:
        raise click.ClickException("standard output is closed: open it, or direct it to a file")
    try:
        click.echo(line)
    except UnicodeEncodeError as error:  # a terminal that knows fewer characters
        click.echo(line.encode(error.encoding, "backslashreplace").decode(error.encoding))


def did_you_mean(word: str, known: Iterable[str]) -> list[str]:
    """What is known and much like the word."""
    from difflib import get_close_matches  # only a mistake needs it

    return get_close_matches(word, list(known), n=2)


def fail(message: str, code: int) -> int:
    click.echo(f"zermelo: {shown(without_password(message))}", err=True)
    return code


def _size() -> dict[str, Any]:
    """How large a terminal is that says that it has no columns, as those of some programs do; a bar would not be seen."""
    try:
        sized = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        return {}
    return {} if sized else {"ncols": 80, "nrows": 24}


PATIENCE = 2
"""Seconds that a command may be at work without a sign of life on a terminal."""


@contextlib.contextmanager
def bar(wanted: bool | None, unit: str = "positions", task: str = "") -> "Iterator[Progress | None]":
    """A bar on stderr for long work: shown when wanted, and on a terminal when nothing was said.

    It appears with the first report, or when nothing was said for a while, and its clock goes on whatever is reported. Where
    a `task` is named, which may be short, it waits before it appears, and is gone when the task is done.
    """
    if wanted is False or (wanted is None and not (sys.stderr and sys.stderr.isatty())):
        yield None
        return
    from threading import Event, Lock, Thread

    from tqdm import tqdm

    drawn = tqdm(
        desc=task or None, unit=f" {unit}", unit_scale=True, file=sys.stderr, delay=0 if wanted else PATIENCE, leave=not task,
        bar_format="{desc} [{elapsed}]" if task else None, **_size(),
    )  # fmt: skip
    one_at_a_time, over = Lock(), Event()

    def report(done: int, total: int | None, stage: str = "") -> None:
        with one_at_a_time:
            if task:
                of = "" if total is None else f" of {total:,}"
                new = bool(stage) and not drawn.desc.startswith(f"{stage}: ") and not drawn.delay
                drawn.set_description_str(f"{stage or task}: {done:,}{of} {unit}", refresh=new)
            else:
                drawn.total, drawn.delay = total, 0
                drawn.set_description(stage, refresh=False)
            drawn.update(done - drawn.n)

    def beat() -> None:
        pause = PATIENCE
        while not over.wait(pause):
            pause = 1
            with one_at_a_time:
                drawn.delay = 0  # from here on it is to be cleared or kept when it is closed
                drawn.refresh()

    heart = Thread(target=beat, daemon=True)
    heart.start()
    try:
        yield report
    finally:
        over.set()
        heart.join()
        drawn.close()
