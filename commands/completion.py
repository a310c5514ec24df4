"""Completing what is typed: completion."""

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes a shell complete commands and options.

    To have it always, add a line to the file that your shell reads when it starts, such as eval "$(zermelo completion bash)"
    to ~/.bashrc.

    \b
    Example:
      eval "$(zermelo completion bash)"
      zermelo completion fish | source
    """
    from click.shell_completion import get_completion_class

    program = click.get_current_context().find_root().command
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(program, {}, "zermelo", "_ZERMELO_COMPLETE").source())
