"""The command line: parse, call, print. The only file that knows click or tqdm.

What a command needs beyond click is imported when it runs, so that a look-up starts quickly.
"""

import contextlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from solver.errors import OperationError, ZermeloError

if TYPE_CHECKING:
    from db.query import Solution
    from solver.exhaustive import Progress
    from solver.game import Game

Command = TypeVar("Command", bound=Callable[..., Any])


class OneLineErrors(click.Group):
    """A group of commands whose every error is one line on stderr and an exit code: 1 failed, 2 asked wrongly."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            code = 0
        except click.ClickException as error:
            code = _fail(error.format_message().replace("\n", " "), error.exit_code)
        except OperationError as error:
            code = _fail(str(error), 1)
        except ZermeloError as error:
            code = _fail(str(error), 2)
        except Exception as error:
            from solver.games import blame

            if (blamed := blame(error)) is not None:
                code = _fail(str(blamed), 2)
            elif isinstance(error, OSError):
                code = _fail(f"the output cannot be written: {error.strerror}", 1)
            else:
                raise
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.ClickException("interrupted") from None


def _fail(message: str, code: int) -> int:
    click.echo(f"zermelo: {_without_password(message)}", err=True)
    return code


def _without_password(text: str) -> str:
    return re.sub(r"(://[^:/@\s]*:)[^@\s]*@", r"\1***@", text)


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


def output_option(command: Command) -> Command:
    return click.option(
        "-o", "--output", type=click.File("w", encoding="utf-8", lazy=True), default="-", metavar="FILE",
        help="Where to write; - is standard output.",
    )(command)  # fmt: skip


def algorithm_option(*algorithms: str) -> Callable[[Command], Command]:
    return click.option(
        "--algorithm", type=click.Choice(algorithms), default=algorithms[0], show_default=True, help="How to search."
    )


def position_command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A command about one position, which may begin with - for an empty cell; without one it is the start."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        argument = click.argument("positions", nargs=-1, metavar="[POSITION]")
        return main.command(name, context_settings={"ignore_unknown_options": True})(argument(function))

    return decorate


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


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="zermelo", message="zermelo %(version)s")
def main() -> None:
    """Solve small two-player games completely, keep the answer, and ask it for the best move anywhere.

    \b
    Example:
      zermelo build
      zermelo query XO./.X./..O
    """


@main.command()
@db_option
@game_option
@click.option("--symmetry", is_flag=True, help="Store one position of each class; answers stay the same.")
@click.option("--force", is_flag=True, help="Build again what is there already.")
@progress_option
def build(db: str, game: str | None, symmetry: bool, force: bool, progress: bool | None) -> None:
    """Solve a game completely and store every position.

    \b
    Example:
      zermelo build -g mnk:4,3,3 --db boards.db
    """
    rules = _load(game)
    from db.show import outcome
    from db.store import build as build_solution

    with _bar(progress) as report:
        built = build_solution(db, rules, symmetry=symmetry, force=force, progress=report)
    click.echo(f"{built.game}: {outcome(rules, built.value, built.plies)}")
    click.echo(f"{built.positions:,} positions in {built.classes:,} classes, built in {built.seconds:.2f} s")
    click.echo(f"stored in {_without_password(db)}")


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("positions", nargs=-1, metavar="[POSITION]...")
@click.option("--moves", metavar="MOVES", help="Ask the position after these moves, such as 'b2 a1 c3'.")
@db_option
@game_option
@format_option("text", "json", "csv")
def query(positions: tuple[str, ...], moves: str | None, db: str, game: str | None, format_: str) -> None:
    """Show a position's value, best move and every other move, from the database.

    A POSITION is its rows from the top, such as X.O/.X./..O, and - reads positions from standard input, one a line.
    Without one, the start of the game is shown. Values are X's: +1 X wins, 0 draw, -1 O wins.

    \b
    Example:
      zermelo query XO./.X./..O --format json
      zermelo query --moves "b2 a1 c3"
    """
    _refuse_options(positions)
    from db.query import open_solution

    with open_solution(db, game) as solution:
        rules = solution.game
        texts: Iterable[tuple[str, str]] = _positions(positions)
        if moves is not None:
            from solver.play import play

            played = rules.format(play(rules, moves.replace(",", " ").split()))
            texts = [("", played), *texts]
        elif not positions:
            texts = [("", rules.format(rules.initial))]
        failures = _print_answers(solution, texts, format_)
    if failures:
        sys.exit(2)


def _refuse_options(positions: Iterable[str]) -> None:
    """With positions such as --X/-O-/--- about, click can't tell a mistyped option; this can."""
    for position in positions:
        if position.startswith("-") and position.strip("-_.xoXO/"):
            raise click.NoSuchOption(position)


def _one_state(rules: "Game[Any, Any]", positions: Sequence[str]) -> Any:
    """The position that a command is about: the one that was given, or the start of the game."""
    _refuse_options(positions)
    if len(positions) > 1:
        raise click.UsageError(f"there are {len(positions)} positions, {' '.join(positions)}: give one")
    return rules.parse(positions[0]) if positions else rules.initial


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


def _print_answers(solution: "Solution", texts: Iterable[tuple[str, str]], format_: str) -> int:
    from db.show import answers

    failures = 0
    lines = answers(solution.game, format_)
    for origin, text in texts:
        try:
            answer = solution.answer(text)
        except OperationError:
            raise
        except ZermeloError as error:
            failures += 1
            _fail(f"{origin}{error}", 2)
        else:
            _print(lines(answer))
    return failures


@main.command("list")
@db_option
@format_option("text", "json", "csv")
def list_command(db: str, format_: str) -> None:
    """List the solutions that a database holds.

    \b
    Example:
      zermelo list --db boards.db
    """
    from db.catalogue import solutions_in
    from db.show import table

    solutions = solutions_in(db)
    columns = (
        "game", "status", "value", "plies", "positions", "classes", "layout", "symmetry", "finished_at", "digest",
    )  # fmt: skip
    _print(table([{column: solution[column] for column in columns} for solution in solutions], columns, format_))
    if not solutions and format_ == "text":
        click.echo(f"{db} holds no solution yet: add one with `zermelo build`", err=True)


@main.command()
@db_option
@game_option
@format_option("text", "json", "csv")
def stats(db: str, game: str | None, format_: str) -> None:
    """Count a solution's positions and classes, by ply and outcome.

    Finished games are counted among the won and the drawn. `games` are the ways to play from start to end,
    `tree_nodes` the nodes of the whole game tree.

    \b
    Example:
      zermelo stats --format json
    """
    from db.query import open_solution
    from db.show import counts
    from db.stats import statistics

    with open_solution(db, game) as solution:
        figures = statistics(solution)
        _print(counts(solution.game, figures, format_))


@main.command()
@db_option
@game_option
@click.option(
    "--format", "format_", type=click.Choice(("csv", "jsonl", "parquet", "ztb")),
    help="What to write; by default what the file's name ends with, else csv.",
)  # fmt: skip
@click.option("-o", "--output", default="-", metavar="FILE", help="Where to write; - is standard output, the default.")
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
@click.option("--classes", is_flag=True, help="Only one position of each class.")
@selection_options
@progress_option
def export(
    db: str, game: str | None, format_: str | None, output: str, force: bool, progress: bool | None, **wanted: Any
) -> None:
    """Write a solution's positions as a table for other programs, or all of it as a tablebase file.

    The columns are board, ply, to_move, terminal, value, plies, best_move and optimal_moves. Values are X's:
    +1 X wins, 0 draw, -1 O wins.

    \b
    Example:
      zermelo export -o tictactoe.csv --ply 0..5
      zermelo export -o tictactoe.ztb
    """
    from db.export import BINARY, format_of
    from db.export import export as export_solution
    from db.files import output_stream
    from db.positions import Selection
    from db.query import open_solution

    chosen = format_ or format_of(output)
    if output == "-" and chosen in BINARY and sys.stdout and sys.stdout.isatty():
        raise click.UsageError(f"{chosen} is not for a terminal: name a file with -o, such as -o solution.{chosen}")
    with (
        open_solution(db, game) as solution,
        _bar(progress) as report,
        output_stream(output, force=force) as stream,
    ):
        export_solution(stream, solution, chosen, Selection(**wanted), report)


@main.command()
@db_option
@game_option
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Only look at N positions of random play.")
@progress_option
def verify(db: str, game: str | None, sample: int | None, progress: bool | None) -> None:
    """Prove from the rules alone that a solution is right: no position missing or extra, every entry, every count.

    Nothing of what solved it is used. Faults are printed with their positions, and the exit code is then 1.

    \b
    Example:
      zermelo verify --db tictactoe.ztb
    """
    from db.query import open_solution
    from db.verify import verify as verify_all
    from db.verify import verify_sample

    with open_solution(db, game) as solution, _bar(progress) as report:
        result = verify_all(solution, report) if sample is None else verify_sample(solution, sample, progress=report)
    where = f"{result.game} in {_without_password(db)}"
    _print(result.lines(where))
    if result.faults:
        raise OperationError(f"{where} has {len(result.faults) + result.more:,} faults")


@main.command()
@db_option
@game_option
@click.option("--only-move", is_flag=True, help="Only positions where a single move holds the value.")
@click.option("--sort", type=click.Choice(("plies", "losing")), help="Longest to the end, or most losing moves, first.")
@click.option("--trickiest", is_flag=True, help="The draws with the most losing moves: --value 0 --sort losing.")
@selection_options
@click.option("--every", is_flag=True, help="Every position, not only one of each class.")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="At most N.")
@format_option("text", "json", "csv")
@progress_option
def find(
    db: str, game: str | None, only_move: bool, sort: str | None, trickiest: bool, every: bool, limit: int,
    format_: str, progress: bool | None, **wanted: Any,
) -> None:  # fmt: skip
    """Find positions worth a look: with only one good move, far from the end, or easy to go wrong in.

    \b
    Example:
      zermelo find --trickiest --limit 3
      zermelo find --value 1 --sort plies
      zermelo find --only-move --to-move O --ply 2..4
    """
    from db.find import find as find_positions
    from db.positions import Selection
    from db.query import open_solution
    from db.show import found

    if trickiest:
        if sort == "plies" or wanted["value"]:
            raise click.UsageError("--trickiest is --value 0 --sort losing: leave out --value and --sort")
        wanted["value"], sort = 0, "losing"
    with open_solution(db, game) as solution:
        selection = Selection(**wanted, classes=not every)
        with _bar(progress) as report:
            positions = find_positions(
                solution, selection, only_move=only_move, sort=sort, limit=limit, progress=report
            )
        _print(found(solution.game, positions, format_))
    if not positions:
        click.echo("no position is like that", err=True)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


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

    rules = _load(game)
    state = _one_state(rules, positions)
    settings = Settings(algorithm, depth, time_limit, ordering, table, quiescence)
    runs = compare_all(rules, state, settings) if compare else iter([timed(rules, state, settings)])
    if format_ == "text" and not compare:
        click.echo(as_text(rules, state, next(runs)))
    else:
        from db.show import table as table_of

        rows = [as_row(rules, state, run, format_) for run in runs]
        _print(table_of(rows, tuple(rows[0]), format_))


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

    rules = _load(game)
    state = _one_state(rules, positions)
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

    rules = _load(game)
    root = grow(rules, _one_state(rules, positions), depth, algorithm, estimate=estimate, fold=fold)
    output.write(draw(rules, root, format_) + "\n")


@main.command()
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

    rules = _load(game)
    with _bar(progress) as report:
        verdict = check_game(rules, limit, report)
    if format_ == "json":
        import json

        failures = [failure._asdict() for failure in verdict.failures]
        click.echo(json.dumps({"game": rules.spec, **verdict._asdict(), "failures": failures}))
    else:
        click.echo(as_text(rules, verdict))
    if verdict.failures:
        sys.exit(1)


@main.group("db")
def db_group() -> None:
    """See or upgrade a database's schema.

    \b
    Example:
      zermelo db current
    """


@db_group.command()
@db_option
def current(db: str) -> None:
    """Print the revision of a database's schema.

    \b
    Example:
      zermelo db current --db boards.db
    """
    from db.readers import read_revision
    from db.schema import NEWEST

    revision = read_revision(db)
    click.echo(f"{revision or 'none'}{' (newest)' if revision == NEWEST else ''}")


@db_group.command()
@db_option
def upgrade(db: str) -> None:
    """Bring a database to the newest schema, keeping what it holds.

    \b
    Example:
      zermelo db upgrade --db boards.db
    """
    from db.readers import read_revision
    from db.store import upgrade as upgrade_database

    read_revision(db)  # so that a database that is not there is refused, not made
    before, after = upgrade_database(db)
    done = "has the newest schema already:" if before == after else f"upgraded from {before or 'nothing'} to"
    click.echo(f"{_without_password(db)} {done} {after}")


def _load(game: str | None) -> "Game[Any, Any]":
    from solver.games import load

    return load(game or "tictactoe")


@contextlib.contextmanager
def _bar(wanted: bool | None) -> "Iterator[Progress | None]":
    """A bar on stderr for long work: shown when wanted, and on a terminal when nothing was said."""
    if wanted is False or (wanted is None and not (sys.stderr and sys.stderr.isatty())):
        yield None
        return
    from tqdm import tqdm

    bar: tqdm[Any] | None = None

    def report(done: int, total: int | None) -> None:
        nonlocal bar
        if bar is None:
            bar = tqdm(unit=" positions", unit_scale=True, file=sys.stderr)
        bar.total = total
        bar.update(done - bar.n)

    try:
        yield report
    finally:
        if bar is not None:
            bar.close()


if __name__ == "__main__":
    main()
