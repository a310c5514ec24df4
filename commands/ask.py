"""Asking a stored solution: query, list, stats, find."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from zermelo.commands.shared import (
    MOST,
    bar,
    db_option,
    fail,
    format_option,
    game_option,
    print_lines,
    progress_option,
    refuse_options,
    selection_options,
    yes_option,
)
from zermelo.solver.errors import OperationError, ZermeloError
from zermelo.solver.texts import without_password

if TYPE_CHECKING:
    from zermelo.db.query import Solution


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("positions", nargs=-1, metavar="[POSITION]...")
@click.option("--moves", metavar="MOVES", help="Ask the position after these moves, such as 'b2 a1 c3'.")
@click.option("--line", is_flag=True, help="Show the best moves to the end of the game too.")
@db_option
@game_option
@format_option("text", "json", "csv")
def query(positions: tuple[str, ...], moves: str | None, line: bool, db: str, game: str | None, format_: str) -> None:
    """Show a position's value, best move and all other moves.

    A POSITION is its rows from the top, such as X.O/.X./..O, and - reads positions from standard input, one per line.
    Without one, the start of the game is shown. Values are X's: +1 X wins, 0 draw, -1 O wins.

    \b
    Example:
      zermelo query XO./.X./..O --format json
      zermelo query --moves "b2 a1 c3"
      zermelo query XO./.X./..O --line
    """
    refuse_options(positions)
    from zermelo.db.query import open_solution

    with open_solution(db, game) as solution:
        rules = solution.game
        texts: Iterable[tuple[str, str]] = _positions(positions)
        if moves is not None:
            from zermelo.solver.play import play, split_moves

            played = rules.format(play(rules, split_moves(moves)))
            texts = [("", played), *texts]
        elif not positions:
            texts = [("", rules.format(rules.initial))]
        failures = _print_answers(solution, texts, format_, line)
    if failures:
        sys.exit(2)


def _positions(arguments: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each position asked for, and where it came from if that needs saying."""
    for argument in arguments:
        if argument == "-":
            if sys.stdin is None:
                raise click.UsageError("standard input is closed: give positions as arguments, or a line each on it")
            for number, line in enumerate(sys.stdin.buffer, 1):
                if text := line.decode(errors="replace").strip("\ufeff \t\r\n"):
                    yield f"line {number}: ", text
        else:
            yield "", argument


def _print_answers(solution: "Solution", texts: Iterable[tuple[str, str]], format_: str, line: bool) -> int:
    from zermelo.views.answer import answer_writer

    failures = 0
    lines = answer_writer(solution.game, format_)
    for origin, text in texts:
        try:
            answer = solution.answer(text, line=line)
        except OperationError:
            raise
        except ZermeloError as error:
            from zermelo.commands.hints import with_hint

            failures += 1
            fail(f"{origin}{with_hint(error)}", 2)
        else:
            print_lines(lines(answer), solution.game.players if format_ == "text" else ())
    return failures


@click.command("list")
@db_option
@format_option("text", "json", "csv")
def list_command(db: str, format_: str) -> None:
    """List the solutions that a database holds.

    \b
    Example:
      zermelo list --db boards.db
    """
    from zermelo.db.catalogue import survey
    from zermelo.views.table import table

    solutions, damaged = survey(db)
    columns = (
        "game", "status", "value", "plies", "can_repeat", "positions", "classes", "layout", "symmetry", "finished_at", "digest",
    )  # fmt: skip
    print_lines(table([{column: solution[column] for column in columns} for solution in solutions], columns, format_))
    if damaged:
        from zermelo.commands.hints import with_hint

        for error in damaged:
            fail(with_hint(error), 1)
        sys.exit(1)
    if not solutions and format_ == "text":
        click.echo(f"{without_password(db)} holds no solution yet: add one with `zermelo build`", err=True)


@click.command()
@db_option
@game_option
@format_option("text", "json", "csv")
@progress_option
def stats(db: str, game: str | None, format_: str, progress: bool | None) -> None:
    """Count a solution's positions and classes, by ply and outcome.

    Finished games are counted among the won and the drawn. `games` are the ways to play from start to end,
    `tree_nodes` the nodes of the whole game tree.

    \b
    Example:
      zermelo stats --format json
    """
    from zermelo.db.query import open_solution
    from zermelo.db.stats import statistics
    from zermelo.views.stats import stats_lines

    with open_solution(db, game) as solution:
        with bar(progress) as report:
            figures = statistics(solution, patient=True, progress=report)
        print_lines(stats_lines(solution.game, figures, format_))


@click.command()
@db_option
@game_option
@click.option("--only-move", is_flag=True, help="Only positions where a single move holds the value.")
@click.option("--sort", type=click.Choice(("plies", "losing")), help="Longest to the end, or most losing moves, first.")
@click.option("--trickiest", is_flag=True, help="The draws with the most losing moves: --value 0 --sort losing.")
@selection_options
@click.option("--every", is_flag=True, help="Every position, not only one of each class.")
@click.option("--limit", type=click.IntRange(1, MOST), default=10, show_default=True, metavar="N", help="At most N.")
@format_option("text", "json", "csv")
@yes_option
@progress_option
def find(
    db: str, game: str | None, only_move: bool, sort: str | None, trickiest: bool, every: bool, limit: int,
    format_: str, yes: bool, progress: bool | None, **wanted: Any,
) -> None:  # fmt: skip
    """Find positions worth a look.

    Those with only one good move, far from the end, or easy to go wrong in.

    \b
    Example:
      zermelo find --trickiest --limit 3
      zermelo find --value 1 --sort plies
      zermelo find --only-move --to-move O --ply 2..4
    """
    from zermelo.db.find import check_amount
    from zermelo.db.find import find as find_positions
    from zermelo.db.positions import Selection
    from zermelo.db.query import open_solution
    from zermelo.views.find import find_lines

    if trickiest:
        if sort == "plies" or wanted["value"]:
            raise click.UsageError("--trickiest is --value 0 --sort losing: leave out --value and --sort")
        wanted["value"], sort = 0, "losing"
    with open_solution(db, game) as solution:
        selection = Selection(**wanted, classes=not every)
        if not yes:
            check_amount(solution, selection, sort)
        with bar(progress) as report:
            positions = find_positions(
                solution, selection, only_move=only_move, sort=sort, limit=limit, progress=report
            )
        print_lines(find_lines(solution.game, positions, format_), solution.game.players if format_ == "text" else ())
    if not positions:
        click.echo("no such position was found", err=True)
