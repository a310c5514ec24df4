"""Taking a solution elsewhere and proving it: export, verify."""

import sys
from typing import Any

import click

from commands.shared import (
    bar,
    db_option,
    file_option,
    game_option,
    print_lines,
    progress_option,
    selection_options,
    without_password,
    yes_option,
)
from solver.errors import OperationError


@click.command()
@db_option
@game_option
@click.option(
    "--format", "format_", type=click.Choice(("csv", "jsonl", "parquet", "ztb", "html")),
    help="What to write; by default what the file's name ends with, else csv.",
)  # fmt: skip
@file_option
@click.option("--classes", is_flag=True, help="Only one position of each class.")
@selection_options
@yes_option
@progress_option
def export(
    db: str, game: str | None, format_: str | None, output: str, force: bool, yes: bool, progress: bool | None,
    **wanted: Any,
) -> None:  # fmt: skip
    """Write a solution's positions as a table for other programs, or all of it as a tablebase file or an explorer page.

    The columns are board, ply, to_move, terminal, value, plies, best_move and optimal_moves. Values are X's:
    +1 X wins, 0 draw, -1 O wins.

    \b
    Example:
      zermelo export -o tictactoe.csv --ply 0..5
      zermelo export -o tictactoe.ztb
      zermelo export -o tictactoe.html
    """
    from db.export import BINARY, check_amount, format_of
    from db.export import export as export_solution
    from db.files import output_stream
    from db.positions import Selection
    from db.query import open_solution

    chosen = format_ or format_of(output)
    if output == "-" and chosen in BINARY and sys.stdout and sys.stdout.isatty():
        raise click.UsageError(f"{chosen} is not for a terminal: name a file with -o, such as -o solution.{chosen}")
    selection = Selection(**wanted)
    with open_solution(db, game) as solution:
        if not yes:
            check_amount(solution, chosen, selection)
        with bar(progress) as report, output_stream(output, force=force) as stream:
            if chosen == "html":
                from web.single import write_html

                write_html(stream, solution, selection)
            else:
                export_solution(stream, solution, chosen, selection, report)


@click.command()
@db_option
@game_option
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Only look at N positions of random play.")
@yes_option
@progress_option
def verify(db: str, game: str | None, sample: int | None, yes: bool, progress: bool | None) -> None:
    """Prove from the rules alone that a solution is right: no position missing or extra, every entry, every count.

    Nothing of what solved it is used. Faults are printed with their positions, and the exit code is then 1.

    \b
    Example:
      zermelo verify --db tictactoe.ztb
    """
    from db.query import open_solution
    from db.verify import check_amount, verify_sample
    from db.verify import verify as verify_all

    with open_solution(db, game) as solution, bar(progress) as report:
        if sample is None and not yes:
            check_amount(solution)
        result = verify_all(solution, report) if sample is None else verify_sample(solution, sample, progress=report)
    where = f"{result.game} in {without_password(db)}"
    print_lines(result.lines(where))
    if result.faults:
        raise OperationError(f"{where} has {len(result.faults) + result.more:,} faults")
