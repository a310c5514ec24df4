"""The textbook running: search, trace, tree, and the check of a game's rules."""

import sys
from collections.abc import Callable
from typing import IO

import click

from commands.shared import (
    Command,
    bar,
    format_option,
    game_option,
    load,
    one_state,
    position_command,
    print_lines,
    progress_option,
)


def output_option(command: Command) -> Command:
    return click.option(
        "-o", "--output", type=click.File("w", encoding="utf-8", lazy=True), default="-", metavar="FILE",
        help="Where to write; - is standard output.",
    )(command)  # fmt: skip


def algorithm_option(*algorithms: str) -> Callable[[Command], Command]:
    return click.option(
        "--algorithm", type=click.Choice(algorithms), default=algorithms[0], show_default=True, help="How to search."
    )


@position_command("search")
@game_option
@algorithm_option("minimax", "alphabeta", "limited", "deepening", "multiplayer")
@click.option("--depth", type=int, metavar="PLIES", help="Look no further ahead than this, and guess what lies beyond.")
@click.option("--time-limit", type=float, metavar="SECONDS", help="Stop then; deepening always has a move by then.")
@click.option(
    "--ordering", type=click.Choice(["rules", "evaluation"]), default="rules", show_default=True,
    help="Which moves alphabeta tries first: as the rules list them, or the most promising.",
)  # fmt: skip
@click.option("--table", is_flag=True, help="Give alphabeta a transposition table.")
@click.option("--quiescence", is_flag=True, help="Look beyond --depth while a win in one is on the board.")
@click.option("--compare", is_flag=True, help="Run every algorithm and print them side by side.")
@format_option("text", "json", "csv")
def search_command(
    positions: tuple[str, ...], game: str | None, algorithm: str, depth: int | None, time_limit: float | None, ordering: str,
    table: bool, quiescence: bool, compare: bool, format_: str,
) -> None:  # fmt: skip
    """Search for the best move in a position with an algorithm of the textbook; no database is needed.

    Values are X's: +1 X wins, 0 draw, -1 O wins, and guesses lie between.

    \b
    Example:
      zermelo search XOX/OO./.X.
      zermelo search --compare
      zermelo search -g mnk:5,5,4 --algorithm deepening --time-limit 1
    """
    from solver.drawing.results import as_row, as_text
    from solver.search import Settings, timed
    from solver.search import compare as compare_all

    rules = load(game)
    state = one_state(rules, positions)
    settings = Settings(algorithm, depth, time_limit, ordering, table, quiescence)
    runs = compare_all(rules, state, settings) if compare else iter([timed(rules, state, settings)])
    if format_ == "text" and not compare:
        click.echo(as_text(rules, state, next(runs)))
    else:
        from db.show import table as table_of

        rows = [as_row(rules, state, run, format_) for run in runs]
        print_lines(table_of(rows, tuple(rows[0]), format_))


@position_command("trace")
@game_option
@algorithm_option("minimax", "alphabeta", "multiplayer")
@click.option("--depth", type=int, metavar="PLIES", help="Look no further ahead than this, and guess what lies beyond.")
@click.option(
    "--numbering", type=click.Choice(["names", "rows", "columns"]), default="names", show_default=True,
    help="How to name a cell: a1, or by its number, counted along rows or columns.",
)  # fmt: skip
@output_option
def trace_command(
    positions: tuple[str, ...], game: str | None, algorithm: str, depth: int | None, numbering: str, output: IO[str]
) -> None:
    """Print every step of a search, as lecture slides do: what is entered, what comes back, when v and move change.

    \b
    Example:
      zermelo trace XOX/OO./.X. --numbering columns
      zermelo trace -g figure:two-ply --algorithm alphabeta
    """
    from solver.drawing.trace import trace
    from solver.search import Settings

    rules = load(game)
    state = one_state(rules, positions)
    trace(rules, state, lambda line: output.write(f"{line}\n"), Settings(algorithm, depth), numbering)


@position_command("tree")
@game_option
@algorithm_option("minimax", "alphabeta", "multiplayer")
@click.option("--depth", type=int, default=2, show_default=True, metavar="PLIES", help="How many plies to draw.")
@click.option("--estimate", is_flag=True, help="Guess the values at --depth; they are solved otherwise.")
@click.option("--fold", is_flag=True, help="Draw one of each set of symmetric moves, and say how many it stands for.")
@format_option("text", "dot", "json", "svg")
@output_option
def tree_command(
    positions: tuple[str, ...], game: str | None, algorithm: str, depth: int, estimate: bool, fold: bool, format_: str,
    output: IO[str],
) -> None:  # fmt: skip
    """Draw the first plies of the game tree below a position, with the value of every node.

    With alphabeta, branches that it never looks at are shown as pruned.

    \b
    Example:
      zermelo tree XOX/OO./.X. --depth 3
      zermelo tree --depth 2 --fold --format svg -o tree.svg
    """
    from solver.drawing.diagram import grow
    from solver.drawing.formats import draw

    rules = load(game)
    root = grow(rules, one_state(rules, positions), depth, algorithm, estimate=estimate, fold=fold)
    output.write(draw(rules, root, format_) + "\n")


@click.command()
@game_option
@click.option("--limit", type=click.IntRange(1), default=100_000, show_default=True, help="How many positions to try.")
@progress_option
@format_option("text", "json")
def check(game: str | None, limit: int, progress: bool | None, format_: str) -> None:
    """Test a game's rules on every position that play can reach, before anyone trusts a result.

    \b
    Example:
      zermelo check -g nim:3,4,5
      zermelo check -g mygame:game
    """
    from solver.check import as_text, check_game

    rules = load(game)
    with bar(progress) as report:
        verdict = check_game(rules, limit, report)
    if format_ == "json":
        import json

        failures = [failure._asdict() for failure in verdict.failures]
        click.echo(json.dumps({"game": rules.spec, **verdict._asdict(), "failures": failures}))
    else:
        click.echo(as_text(rules, verdict))
    if verdict.failures:
        sys.exit(1)
