"""The command line: which commands there are, and what their errors look like. The commands are in `commands/`.

A command's module is imported when it is asked for, and what it needs beyond click when it runs: a look-up starts quickly.
"""

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click

from zermelo.commands.shared import did_you_mean, fail
from zermelo.solver.errors import OperationError, RulesError, ZermeloError

COMMANDS = {
    "build": "zermelo.commands.build:build",
    "list": "zermelo.commands.ask:list_command",
    "remove": "zermelo.commands.build:remove",
    "verify": "zermelo.commands.data:verify",
    "db": "zermelo.commands.build:db",
    "query": "zermelo.commands.ask:query",
    "stats": "zermelo.commands.ask:stats",
    "find": "zermelo.commands.ask:find",
    "play": "zermelo.commands.play:play",
    "serve": "zermelo.commands.play:serve",
    "map": "zermelo.commands.play:map_command",
    "export": "zermelo.commands.data:export",
    "search": "zermelo.commands.learn:search_command",
    "trace": "zermelo.commands.learn:trace_command",
    "tree": "zermelo.commands.learn:tree_command",
    "board": "zermelo.commands.learn:board_command",
    "games": "zermelo.commands.games:games",
    "check": "zermelo.commands.learn:check",
    "completion": "zermelo.commands.completion:completion",
}
"""Where each command is, in the order in which the help lists them."""
HEADINGS = {
    "build": "Solve games and keep the solutions",
    "query": "Ask, play and see a solution",
    "search": "Run the textbook's searches, without a database",
    "games": "Games, and this program",
}
"""What the help writes above the commands from this one on."""


class Zermelo(click.Group):
    """The commands, each loaded when needed; every error is one line on stderr and an exit code: 1 failed, 2 asked wrongly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:  # a shell asks what could be typed next
                return None
            meant = "".join(f"did you mean {name}? " for name in did_you_mean(cmd_name, COMMANDS)[:1])
            raise click.UsageError(
                f"No such command {cmd_name!r}: {meant}{'T' if meant else 't'}he commands are {', '.join(COMMANDS)}.",
                ctx,
            )
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands under their headings, each with the whole of its summary."""
        sections: list[tuple[str, list[tuple[str, str]]]] = []
        for name in self.list_commands(ctx):
            if name in HEADINGS or not sections:
                sections.append((HEADINGS.get(name, "Commands"), []))
            command = self.get_command(ctx, name)
            assert command is not None
            sections[-1][1].append((name.ljust(max(map(len, COMMANDS))), command.get_short_help_str(limit=1000)))
        for heading, rows in sections:
            with formatter.section(heading):
                formatter.write_dl(rows)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            try:
                code = super().main(*args, **kwargs)
            except click.exceptions.NoArgsIsHelpError as error:
                click.echo(error.format_message())
                code = 0
        except click.ClickException as error:
            code = fail(error.format_message().replace("\n", " "), error.exit_code)
        except RulesError as error:
            from zermelo.solver.blame import located

            code = _told(located(error))
        except ZermeloError as error:
            code = _told(error)
        except MemoryError:
            code = fail(_NO_MEMORY, 1)
        except Exception as error:
            from zermelo.solver.blame import blame

            blamed = blame(error)
            code = fail(_unforeseen(error), 1) if blamed is None else _told(blamed)
            _drop_unwritten()
        sys.exit(code if isinstance(code, int) else 0)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _interruptible():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _interruptible():
            return super().invoke(ctx)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Make an interrupt an error like any other, before click has its own words for it."""
    try:
        yield
    except KeyboardInterrupt:
        raise click.ClickException("interrupted") from None


def _told(error: ZermeloError) -> int:
    from zermelo.commands.hints import with_hint  # only an error needs them

    return fail(with_hint(error), 1 if isinstance(error, OperationError) else 2)


def _unforeseen(error: Exception) -> str:
    """What to say of an error that is nobody's fault but the machine's, or ours."""
    if (isinstance(error, OSError) and error.errno == errno.ENOMEM) or "start new thread" in str(error):
        return _NO_MEMORY
    if isinstance(error, OSError):
        return f"the output cannot be written: {error.strerror}" if error.strerror else str(error)
    if os.environ.get("ZERMELO_TRACEBACK"):
        raise error
    import traceback

    from zermelo.solver.blame import described

    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"this is a mistake in Zermelo: {described(error, set())} (at {place.filename}:{place.lineno}):"
        " please report it, with what ZERMELO_TRACEBACK=1 shows"
    )


def _drop_unwritten() -> None:
    """Keep Python from trying again at its end, and telling in its own words, that the output cannot be written."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        from zermelo.db.files import discard_output

        discard_output()


_NO_MEMORY = "there is not enough memory for this: close other programs, or do less at once"


@click.group(cls=Zermelo, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="zermelo", message="zermelo %(version)s")
def main() -> None:
    """Solve small two-player games completely, keep the answer, and ask it for the best move anywhere.

    \b
    Example:
      zermelo build
      zermelo query XO./.X./..O
    """


if __name__ == "__main__":
    main()
