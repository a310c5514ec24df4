"""Asking a stored solution: query, list, stats, find."""

import sys
from collections.abc import Iterable, Iterator
from io import BufferedReader
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, cast

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
@click.option(
    "--by", type=click.Choice(["traps"]),
    help="Among equal moves, first those after which most of the opponent's replies would be mistakes.",
)  # fmt: skip
@db_option
@game_option
@format_option("text", "json", "csv")
def query(
    positions: tuple[str, ...], moves: str | None, line: bool, by: str | None, db: str, game: str | None, format_: str
) -> None:
    """Show a position's value, best move and all other moves.

    A POSITION is its rows from the top, such as X.O/.X./..O, and - reads positions from standard input, one per line.
    Without one, the start of the game is shown. Values are X's: +1 X wins, 0 draw, -1 O wins. Traps are the replies with which the opponent would do worse.

    \b
    Example:
      zermelo query XO./.X./..O --format json
      zermelo query --moves "b2 a1 c3"
      zermelo query XO./.X./..O --line
      zermelo query X../.../... --by traps
    """
    refuse_options(positions)
    from zermelo.db.query import open_solution

    with open_solution(db, game) as solution:
        rules = solution.game
        asked: Iterable[list[tuple[str, str]]] = _positions(positions)
        if moves is not None:
            from zermelo.solver.play import play, split_moves

            played = rules.format(play(rules, split_moves(moves)))
            asked = chain([[("", played)]], asked)
        elif not positions:
            asked = [[("", rules.format(rules.initial))]]
        failures = _print_answers(solution, asked, format_, line, by)
    if failures:
        sys.exit(2)


def _positions(arguments: Iterable[str]) -> Iterator[list[tuple[str, str]]]:
    """The positions asked for, as many at a time as are at hand, each with where it came from if that needs saying."""
    number = 0
    for is_input, some in groupby(arguments, key=lambda argument: argument == "-"):
        if not is_input:
            yield [("", argument) for argument in some]
            continue
        for lines in _lines_at_hand():
            texts = [line.decode(errors="replace").strip("\ufeff \t\r\n") for line in lines]
            yield [(f"line {i}: ", text) for i, text in enumerate(texts, number + 1) if text]
            number += len(lines)


def _lines_at_hand() -> Iterator[list[bytes]]:
    """The lines of the standard input, all that have come so far at a time: who writes one is answered before the next."""
    if sys.stdin is None:
        raise click.UsageError("standard input is closed: give positions as arguments, or a line each on it")
    begun: list[bytes] = []
    stream = cast(BufferedReader, sys.stdin.buffer)
    while some := stream.read1(1 << 16):
        head, newline, rest = some.rpartition(b"\n")
        if newline:
            yield b"".join([*begun, head]).split(b"\n")
            begun.clear()
        begun.append(rest)
    if any(begun):
        yield [b"".join(begun)]


def _print_answers(
    solution: "Solution", positions: Iterable[list[tuple[str, str]]], format_: str, line: bool, by: str | None
) -> int:
    from zermelo.views.answer import answer_writer

    failures = 0
    lines = answer_writer(solution.game, format_)
    traps = format_ != "csv" or by == "traps"
    for some in positions:
        answers = solution.answers([text for _, text in some], line=line, traps=traps)
        for (origin, _), answer in zip(some, answers, strict=True):
            if isinstance(answer, OperationError):
                raise answer
            if isinstance(answer, ZermeloError):
                from zermelo.commands.hints import with_hint

                failures += 1
                fail(f"{origin}{with_hint(answer)}", 2)
            else:
                shown = answer.by_traps() if by == "traps" else answer
                print_lines(lines(shown), solution.game.players if format_ == "text" else ())
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
