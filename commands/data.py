"""Taking a solution elsewhere and proving it: export, verify."""

from typing import Any

import click

from zermelo.commands.shared import (
    MOST,
    bar,
    chosen_format,
    db_option,
    file_option,
    game_option,
    memory_option,
    print_lines,
    progress_option,
    refuse_terminal,
    selection_options,
    yes_option,
)
from zermelo.db.formats import FORMATS
from zermelo.solver.errors import OperationError
from zermelo.solver.texts import without_password

FORMATS["html"] = "zermelo.web.single"  # the page is made in a room above `db`


@click.command()
@db_option
@game_option
@click.option(
    "--format", "format_", type=click.Choice(tuple(FORMATS)),
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
    """Write a solution as a table, a tablebase or a page.

    The columns are position, ply, to_move, terminal, value, plies, best_move and optimal_moves. Values are X's:
    +1 X wins, 0 draw, -1 O wins.

    \b
    Example:
      zermelo export -o tictactoe.csv --ply 0..5
      zermelo export -o tictactoe.csv.gz
      zermelo export -o tictactoe.ztb
      zermelo export -o tictactoe.html
    """
    from zermelo.db.export import check_amount, check_packing, module_of
    from zermelo.db.export import export as export_solution
    from zermelo.db.files import output_stream
    from zermelo.db.formats import split_packing
    from zermelo.db.positions import Selection
    from zermelo.db.query import open_solution

    name, packing = split_packing(output, format_)
    chosen = chosen_format(name, format_, {name: name for name in FORMATS})
    if packing:
        check_packing(chosen, packing)
    if module_of(chosen).BINARY:
        refuse_terminal(output, chosen)
    selection = Selection(**wanted)
    with open_solution(db, game) as solution:
        if not yes:
            check_amount(solution, chosen, selection)
        with bar(progress) as report, output_stream(output, force=force) as stream:
            export_solution(stream, solution, chosen, selection, report, packing)


@click.command()
@db_option
@game_option
@click.option("--sample", type=click.IntRange(1, MOST), metavar="N", help="Only look at N positions of random play.")
@memory_option
@yes_option
@progress_option
def verify(db: str, game: str | None, sample: int | None, memory: int | None, yes: bool, progress: bool | None) -> None:
    """Prove from the rules alone that a solution is right.

    No position is missing or extra, and every entry and every count is right. The proof shares no code with what solved it. Packed solutions are proved by compiled code, within the memory that you allow. Faults are printed with their positions, and the exit code is then 1.

    \b
    Example:
      zermelo verify --db tictactoe.ztb
      zermelo verify -g mnk:4,4,4 --memory 1G
    """
    from zermelo.db.query import open_solution
    from zermelo.db.verify import check_amount, verify_sample
    from zermelo.db.verify import verify as verify_all
    from zermelo.views.verify import verify_lines

    with open_solution(db, game) as solution, bar(progress) as report:
        if sample is None and not yes:
            check_amount(solution)
        if sample is None:
            result = verify_all(solution, report, memory=memory)
        else:
            result = verify_sample(solution, sample, progress=report)
    where = f"{result.game} in {without_password(db)}"
    print_lines(verify_lines(result, where))
    if result.faults:
        raise OperationError(f"{where} has {len(result.faults) + result.more:,} faults")
