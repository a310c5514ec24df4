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
    from db.query import Answer, Move, Solution
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
        help="The database: a file, or a SQLAlchemy URL.",
    )(command)  # fmt: skip


def game_option(command: Command) -> Command:
    return click.option(
        "-g", "--game", default="tictactoe", envvar="ZERMELO_GAME", show_default=True, show_envvar=True, metavar="GAME",
        help="The game, such as tictactoe, mnk:4,3,3 or nim:3,4,5, or module:attribute for your own.",
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
@click.option("--progress/--no-progress", default=None, help="Show a bar; by default on a terminal.")
def build(db: str, game: str, symmetry: bool, force: bool, progress: bool | None) -> None:
    """Solve a game completely and store every position.

    \b
    Example:
      zermelo build -g mnk:4,3,3 --db boards.db
    """
    rules = _load(game)
    from db.store import build as build_solution

    with _bar(progress) as report:
        built = build_solution(db, rules, symmetry=symmetry, force=force, progress=report)
    click.echo(f"{built.game}: {_outcome(rules, built.value, built.plies)}")
    click.echo(f"{built.positions:,} positions in {built.classes:,} classes, built in {built.seconds:.2f} s")
    click.echo(f"stored in {_without_password(db)}")


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("positions", nargs=-1, metavar="[POSITION]...")
@click.option("--moves", metavar="MOVES", help="Ask the position after these moves, such as 'b2 a1 c3'.")
@db_option
@game_option
@format_option("text", "json", "csv")
def query(positions: tuple[str, ...], moves: str | None, db: str, game: str, format_: str) -> None:
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

    rules = _load(game)
    with open_solution(db, rules) as solution:
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
    failures = 0
    write = _WRITERS[format_](solution.game)
    for origin, text in texts:
        try:
            answer = solution.answer(text)
        except OperationError:
            raise
        except ZermeloError as error:
            failures += 1
            _fail(f"{origin}{error}", 2)
        else:
            write(answer)
    return failures


def _json_writer(_game: "Game[Any, Any]") -> "Callable[[Answer], None]":
    import json

    return lambda answer: click.echo(json.dumps(answer.as_dict()))


def _csv_writer(_game: "Game[Any, Any]") -> "Callable[[Answer], None]":
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    columns = ("game", "position", "ply", "to_move", "terminal", "value", "plies", "best_move")
    writer.writerow([*columns, "optimal_moves"])

    def write(answer: "Answer") -> None:
        row = {**answer._asdict(), "terminal": int(answer.terminal)}
        optimal = " ".join(move.move for move in answer.moves if move.optimal)
        writer.writerow([*(row[column] for column in columns), optimal])

    return write


def _text_writer(game: "Game[Any, Any]") -> "Callable[[Answer], None]":
    first = True

    def write(answer: "Answer") -> None:
        nonlocal first
        if not first:
            click.echo()
        first = False
        click.echo(game.draw(game.parse(answer.position)))
        click.echo()
        if answer.terminal:
            click.echo(f"The game is over: {_outcome(game, answer.value, 0)}.")
            return
        click.echo(
            f"{answer.to_move} to move: {_outcome(game, answer.value, answer.plies)}. Best move: {answer.best_move}."
        )
        width = max(len(move.move) for move in answer.moves)
        for move in answer.moves:
            click.echo(f"  {move.move:<{width}}  {_after(game, move)}{'  *' if move.optimal else ''}")

    return write


_WRITERS: "dict[str, Callable[[Game[Any, Any]], Callable[[Answer], None]]]" = {
    "text": _text_writer,
    "json": _json_writer,
    "csv": _csv_writer,
}


def _after(game: "Game[Any, Any]", move: "Move") -> str:
    return _outcome(game, move.value, move.plies) if move.plies else f"{_outcome(game, move.value, 0)} at once"


def _outcome(game: "Game[Any, Any]", value: int, plies: int) -> str:
    """The value in words, and how far off the end is."""
    first, second = game.players
    words = {1: f"{first} wins", 0: "draw", -1: f"{second} wins"}.get(value, f"value {value:+d} for {first}")
    return f"{words} in {plies} {'ply' if plies == 1 else 'plies'}" if plies else words


@main.command("list")
@db_option
@format_option("text", "json", "csv")
def list_command(db: str, format_: str) -> None:
    """List the solutions that a database holds.

    \b
    Example:
      zermelo list --db boards.db
    """
    from db.catalogue import list_solutions
    from db.readers import open_reader

    with contextlib.closing(open_reader(db)) as reader:
        solutions = list_solutions(reader)
    columns = (
        "game",
        "status",
        "value",
        "plies",
        "positions",
        "classes",
        "layout",
        "symmetry",
        "finished_at",
        "digest",
    )
    _print_table([{column: solution[column] for column in columns} for solution in solutions], columns, format_)
    if not solutions and format_ == "text":
        click.echo(f"{db} holds no solution yet: add one with `zermelo build`", err=True)


@main.command()
@db_option
@game_option
@format_option("text", "json", "csv")
def stats(db: str, game: str, format_: str) -> None:
    """Count a solution's positions and classes, by ply and outcome.

    Finished games are counted among the won and the drawn. `games` are the ways to play from start to end,
    `tree_nodes` the nodes of the whole game tree.

    \b
    Example:
      zermelo stats --format json
    """
    from db.query import open_solution
    from db.stats import statistics

    with open_solution(db, _load(game)) as solution:
        figures = statistics(solution)
    by_ply = figures["by_ply"]
    if format_ == "json":
        import json

        click.echo(json.dumps(figures))
        return
    if format_ == "text":
        rules = solution.game
        click.echo(f"{figures['game']}: {_outcome(rules, figures['value'], figures['plies'])}")
        click.echo(
            f"{figures['positions']:,} positions in {figures['classes']:,} classes, {figures['terminal']:,} of them finished"
        )
        if figures["games"] is not None:
            click.echo(f"{figures['games']:,} games, {figures['tree_nodes']:,} nodes in the whole game tree")
        click.echo()
    _print_table(by_ply, tuple(by_ply[0]), format_)


def _print_table(rows: Sequence[dict[str, Any]], columns: Sequence[str], format_: str) -> None:
    if format_ == "json":
        import json

        for row in rows:
            click.echo(json.dumps(row))
    elif format_ == "csv":
        import csv

        writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {name: int(value) if isinstance(value, bool) else value for name, value in row.items()} for row in rows
        )
    elif rows:
        table = [
            [column.replace("_", " ") for column in columns],
            *([_cell(row[column]) for column in columns] for row in rows),
        ]
        widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
        numeric = [any(type(row[column]) is int for row in rows) for column in columns]
        for line in table:
            cells = [
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, numeric, strict=True)
            ]
            click.echo("  ".join(cells).rstrip())


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


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
    positions: tuple[str, ...], game: str, algorithm: str, depth: int | None, time_limit: float | None, ordering: str,
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
        rows = [as_row(rules, state, run, format_) for run in runs]
        _print_table(rows, tuple(rows[0]), format_)


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
    positions: tuple[str, ...], game: str, algorithm: str, depth: int | None, numbering: str, output: IO[str]
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
    positions: tuple[str, ...], game: str, algorithm: str, depth: int, estimate: bool, fold: bool, format_: str,
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
@click.option("--progress/--no-progress", default=None, help="Show a bar; by default on a terminal.")
@format_option("text", "json")
def check(game: str, limit: int, progress: bool | None, format_: str) -> None:
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


def _load(game: str) -> "Game[Any, Any]":
    from solver.games import load

    return load(game)


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
