"""The command line: which commands there are, and what their errors look like. The commands are in `commands/`.

A command's module is imported when it is asked for, and what it needs beyond click when it runs: a look-up starts quickly.
"""

import sys
from importlib import import_module
from typing import Any

import click

from commands.shared import fail
from solver.errors import OperationError, ZermeloError

COMMANDS = {
    "build": "commands.build:build",
    "query": "commands.ask:query",
    "list": "commands.ask:list_command",
    "stats": "commands.ask:stats",
    "find": "commands.ask:find",
    "export": "commands.data:export",
    "verify": "commands.data:verify",
    "play": "commands.play:play",
    "map": "commands.play:map_command",
    "serve": "commands.play:serve",
    "search": "commands.learn:search_command",
    "trace": "commands.learn:trace_command",
    "tree": "commands.learn:tree_command",
    "check": "commands.learn:check",
    "db": "commands.build:db",
}
"""Where each command is, in the order in which the help lists them."""


class Zermelo(click.Group):
    """The commands, each loaded when needed; every error is one line on stderr and an exit code: 1 failed, 2 asked wrongly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            raise click.UsageError(f"No such command {cmd_name!r}: the commands are {', '.join(COMMANDS)}.", ctx)
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            code = 0
        except click.ClickException as error:
            code = fail(error.format_message().replace("\n", " "), error.exit_code)
        except OperationError as error:
            code = fail(str(error), 1)
        except ZermeloError as error:
            code = fail(str(error), 2)
        except Exception as error:
            from solver.games import blame

            if (blamed := blame(error)) is not None:
                code = fail(str(blamed), 2)
            elif isinstance(error, OSError):
                code = fail(f"the output cannot be written: {error.strerror}", 1)
            else:
                raise
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.ClickException("interrupted") from None


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
