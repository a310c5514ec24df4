"""The textbook running: search, trace, tree, and the check of a game's rules."""

import sys
from collections.abc import Callable

import click

from zermelo.commands.shared import (
    MOST,
    Command,
    bar,
    chosen_format,
    file_option,
    format_option,
    game_option,
    load,
    one_state,
    picture_option,
    position_command,
    print_line,
    print_lines,
    progress_option,
    refuse_terminal,
    yes_option,
)
from zermelo.solver.search import ALGORITHMS, ORDERINGS, named
from zermelo.solver.texts import shown


def algorithm_option(*algorithms: str) -> Callable[[Command], Command]:
    return click.option(
        "--algorithm", type=click.Choice(algorithms), default=algorithms[0], show_default=True, help="How to search."
    )


numbering_option = click.option(
    "--numbering", type=click.Choice(["names", "rows", "columns"]), default="names", show_default=True,
    help="How to name a cell: a1, or by its number, counted along rows or columns and tried in that order.",
)  # fmt: skip


@position_command("search")
@game_option
@algorithm_option(*ALGORITHMS)
@click.option("--depth", type=int, metavar="PLIES", help="Look no further ahead than this, and guess what lies beyond.")
@click.option(
    "--time-limit", type=float, metavar="SECONDS", help="Stop after this time; deepening always has a move by then."
)
@click.option(
    "--ordering", type=click.Choice(ORDERINGS), default=ORDERINGS[0], show_default=True,
    help="Which moves alphabeta tries first: as the rules list them, or the most promising.",
)  # fmt: skip
@click.option("--table", is_flag=True, help="Give alphabeta a transposition table.")
@click.option("--quiescence", is_flag=True, help="Look beyond --depth while a win in one is on the board.")
@click.option("--compare", is_flag=True, help="Run every algorithm and print them side by side.")
@numbering_option
@format_option("text", "json", "csv")
@progress_option
def search_command(
    positions: tuple[str, ...], game: str | None, algorithm: str, depth: int | None, time_limit: float | None, ordering: str,
    table: bool, quiescence: bool, compare: bool, numbering: str, format_: str, progress: bool | None,
) -> None:  # fmt: skip
    """Search for the best move with an algorithm of the textbook.

    No database is needed. Values are X's: +1 X wins, 0 draw, -1 O wins, and guesses lie between.

    \b
    Example:
      zermelo search XOX/OO./.X.
      zermelo search --compare
      zermelo search -g mnk:5,5,4 --algorithm deepening --time-limit 1
    """
    from zermelo.solver.search import Settings, timed
    from zermelo.solver.search import compare as compare_all
    from zermelo.views.search.numbering import numbered
    from zermelo.views.search.results import as_row, as_text

    rules = numbered(load(game), numbering)
    state = one_state(rules, positions)
    settings = Settings(algorithm, depth, time_limit, ordering, table, quiescence)
    with bar(progress, "searches", f"searching with {algorithm}") as report:
        runs = list(compare_all(rules, state, settings, report)) if compare else [timed(rules, state, settings)]
    if format_ == "text" and not compare:
        print_lines([as_text(rules, state, runs[0])], rules.players)
    else:
        from zermelo.views.table import table as table_of

        rows = [as_row(rules, state, run, format_) for run in runs]
        print_lines(table_of(rows, tuple(rows[0]), format_))


@position_command("trace")
@game_option
@algorithm_option(*named())
@click.option("--depth", type=int, metavar="PLIES", help="Look no further ahead than this, and guess what lies beyond.")
@numbering_option
@file_option
@progress_option
def trace_command(
    positions: tuple[str, ...], game: str | None, algorithm: str, depth: int | None, numbering: str, output: str, force: bool,
    progress: bool | None,
) -> None:  # fmt: skip
    """Print every step of a search, as lecture slides do.

    What is entered, what comes back, and when v and move change.

    \b
    Example:
      zermelo trace XOX/OO./.X. --numbering columns
      zermelo trace -g figure:two-ply --algorithm alphabeta
    """
    from zermelo.db.files import output_stream
    from zermelo.solver.search import Settings
    from zermelo.views.search.trace import trace

    chosen_format(output, None, {"txt": "text"})
    rules = load(game)
    state = one_state(rules, positions)
    # What is written to the terminal shows by itself that it goes on.
    silent = output == "-" and sys.stdout and sys.stdout.isatty()
    with (
        bar(False if silent else progress, "lines", "searching") as report,
        output_stream(output, force=force) as stream,
    ):
        lines = 0

        def write(line: str) -> None:
            nonlocal lines
            stream.write(f"{shown(line)}\n".encode())
            lines += 1
            if report and not lines % 1000:
                report(lines, None)

        trace(rules, state, write, Settings(algorithm, depth), numbering)


@position_command("tree")
@game_option
@algorithm_option(*named())
@click.option("--depth", type=int, default=2, show_default=True, metavar="PLIES", help="How many plies to draw.")
@click.option("--estimate", is_flag=True, help="Guess the values at --depth; they are solved otherwise.")
@click.option("--fold", is_flag=True, help="Draw one of each set of symmetric moves, and say how many it stands for.")
@numbering_option
@click.option("--title", metavar="TEXT", help="What to write above a picture. [default: the game and the position]")
@click.option("--legend/--no-legend", default=True, help="Say below a picture what its signs mean.")
@click.option(
    "--frames", metavar="DIR", help="Write a picture for each step of the search into this new folder, for slides."
)
@picture_option("text", "svg", "png", "pdf", "tikz", "dot", "json")
@file_option
@yes_option
@progress_option
def tree_command(
    positions: tuple[str, ...], game: str | None, algorithm: str, depth: int, estimate: bool, fold: bool, numbering: str,
    title: str | None, legend: bool, frames: str | None, format_: str | None, output: str, force: bool, yes: bool,
    progress: bool | None,
) -> None:  # fmt: skip
    """Draw the game tree below a position, with every value.

    With alphabeta, branches that it never looks at are shown as pruned, and the frames show [alpha, beta]. PNG and PDF
    need zermelo[pictures].

    \b
    Example:
      zermelo tree XOX/OO./.X. --depth 3
      zermelo tree --depth 2 --fold -o tree.pdf
      zermelo tree -g figure:two-ply --algorithm alphabeta --frames slides
    """
    from zermelo.db.files import output_stream
    from zermelo.views.render import PICTURES, pictured
    from zermelo.views.search.diagram import MOST_DRAWN, grow, walk
    from zermelo.views.search.formats import ENDINGS, FOR_PEOPLE, draw
    from zermelo.views.search.numbering import numbered

    chosen = chosen_format(output, format_, ENDINGS)
    if chosen in ("png", "pdf") and frames is None:
        refuse_terminal(output, chosen)
    rules = numbered(load(game), numbering)
    state = one_state(rules, positions)
    if frames is not None:
        if fold:
            raise click.UsageError("--frames shows every move that the search tries: leave out --fold")
        if chosen not in ("text", "svg", "png", "pdf"):
            raise click.UsageError(f"--frames are pictures, not {chosen}: choose --format svg, png or pdf")
        from zermelo.db.files import whole_folder
        from zermelo.views.search.film import FRAMES, film
        from zermelo.views.search.svg import frames as draw_frames

        kind = "svg" if chosen == "text" else chosen
        with bar(progress, "pictures", "searching") as report, whole_folder(frames, FRAMES, force=force) as folder:
            shown_search = film(rules, state, depth, algorithm, estimate=estimate)
            for number, picture in enumerate(draw_frames(rules, shown_search, title=title, legend=legend), 1):
                (folder / f"frame-{number:03}.{kind}").write_bytes(pictured([picture], kind))
                if report:
                    report(number, len(shown_search.steps), "drawing")
        return
    most = MOST_DRAWN if chosen in FOR_PEOPLE and not yes else None
    with bar(progress, "nodes", "searching") as report, output_stream(output, force=force) as stream:
        root = grow(rules, state, depth, algorithm, estimate=estimate, fold=fold, most=most)
        if report:
            report(sum(1 for _ in walk(root)), None, "drawing")
        drawn = draw(rules, root, "svg" if chosen in PICTURES else chosen, title=title, legend=legend)
        drawn = shown(drawn, keep="\n")
        stream.write(pictured([drawn], chosen) if chosen in PICTURES else f"{drawn}\n".encode())


@position_command("board")
@game_option
@numbering_option
@picture_option("text", "svg", "png", "pdf")
@file_option
def board_command(
    positions: tuple[str, ...], game: str | None, numbering: str, format_: str | None, output: str, force: bool
) -> None:
    """Draw a position, as text or as a picture.

    No database is needed. PNG and PDF need zermelo[pictures].

    \b
    Example:
      zermelo board XO./.X./..O -o board.svg
    """
    from zermelo.db.files import output_stream
    from zermelo.views.board import draw_board
    from zermelo.views.render import pictured
    from zermelo.views.search.numbering import numbered

    chosen = chosen_format(output, format_, {"txt": "text", "svg": "svg", "png": "png", "pdf": "pdf"})
    if chosen in ("png", "pdf"):
        refuse_terminal(output, chosen)
    rules = numbered(load(game), numbering)
    state = one_state(rules, positions)
    if chosen == "text" and output == "-":
        print_lines([rules.draw(state)], rules.players)
        return
    with output_stream(output, force=force) as stream:
        if chosen == "text":
            stream.write(f"{shown(rules.draw(state), keep=chr(10))}\n".encode())
        else:
            stream.write(pictured([draw_board(rules, state, numbers=numbering != "names")], chosen))


@click.command()
@game_option
@click.option(
    "--limit", type=click.IntRange(1, MOST), default=100_000, show_default=True, help="How many positions to try."
)
@progress_option
@format_option("text", "json")
def check(game: str | None, limit: int, progress: bool | None, format_: str) -> None:
    """Test a game's rules before anyone trusts a result.

    They are tried on every position that play can reach.

    \b
    Example:
      zermelo check -g nim:3,4,5
      zermelo check -g mygame:game
    """
    from zermelo.solver.check import check_game

    rules = load(game)
    with bar(progress) as report:
        verdict = check_game(rules, limit, report)
    if format_ == "json":
        import json

        failures = [failure._asdict() for failure in verdict.failures]
        print_line(json.dumps({"game": rules.spec, **verdict._asdict(), "failures": failures}))
    else:
        from zermelo.views.check import check_lines

        print_lines(check_lines(rules, verdict))
        if not verdict.complete and verdict.positions == limit:
            click.echo("raise --limit to try more positions", err=True)
    if verdict.failures:
        sys.exit(1)
