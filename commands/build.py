"""Solving and storing: build, and the schema of what is stored."""

import click

from zermelo.commands.shared import bar, db_option, game_option, load, memory_option, print_line, progress_option
from zermelo.solver.errors import SolutionExistsError
from zermelo.solver.texts import without_password


@click.command()
@db_option
@game_option
@click.option(
    "--layout", type=click.Choice(["rows", "packed"]), help="How to store it; by default packed for large boards."
)
@click.option("--symmetry", is_flag=True, help="Store one position of each class; answers stay the same.")
@click.option("--force", is_flag=True, help="Build it again if it is stored already.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processors for a packed build; by default all.")
@memory_option
@click.option(
    "--cluster", metavar="ADDRESS", help="Solve a packed board on a Dask cluster: tcp://HOST:PORT, or local:N."
)
@click.option("--dry-run", is_flag=True, help="Only say how much time and room a build takes.")
@progress_option
def build(
    db: str,
    game: str | None,
    layout: str | None,
    symmetry: bool,
    force: bool,
    jobs: int | None,
    memory: int | None,
    cluster: str | None,
    dry_run: bool,
    progress: bool | None,
) -> None:
    """Solve a game completely and store every position.

    Boards of 13 cells and more with over 10,000 positions are packed, which needs zermelo[fast]. A packed build that
    was stopped continues when the same command is given again.

    \b
    Example:
      zermelo build -g mnk:4,3,3 --db boards.db
      zermelo build -g mnk:5,5,4 --dry-run
      zermelo build -g mnk:5,5,4 --memory 2G
    """
    rules = load(game)
    from zermelo.db.layouts import choose_layout
    from zermelo.db.packed import begin_workers, begun
    from zermelo.solver.packed import knows
    from zermelo.views.estimate import estimate_line

    packed = choose_layout(rules, layout, symmetry=symmetry) == "packed"
    if cluster is not None and packed and not dry_run:
        begin_workers(cluster)
    if packed or dry_run:
        told = estimate_line(rules, packed, jobs, memory, symmetry=symmetry, elsewhere=cluster is not None)
        click.echo(told, err=not dry_run)
    if dry_run:
        return
    if packed and (stopped := begun(db, rules)):
        click.echo(
            f"{rules.spec}: going on where an earlier build was stopped, with {stopped.groups:,} of"
            f" {stopped.of:,} groups, {stopped.share:.0%} of the places, stored",
            err=True,
        )
    from zermelo.db.store import build as build_solution
    from zermelo.views.words import outcome_text

    try:
        with bar(progress, "places" if packed and knows(rules) else "positions") as report:
            built = build_solution(
                db,
                rules,
                layout=layout,
                symmetry=symmetry,
                force=force,
                jobs=jobs,
                memory=memory,
                cluster=cluster,
                progress=report,
            )
    except SolutionExistsError as there:
        click.echo(
            f"{there.game} is in {without_password(db)} already: ask it with `zermelo query`, or build it again with --force"
        )
        return
    except KeyboardInterrupt:
        if not (packed and knows(rules)):
            raise
        message = "interrupted: what is finished is kept, and the same command goes on from there"
        raise click.ClickException(message) from None
    click.echo(f"{built.game}: {outcome_text(rules, built.value, built.plies)}")
    click.echo(f"{built.positions:,} positions in {built.classes:,} classes, built in {built.seconds:.2f} s")
    click.echo(f"stored in {without_password(db)}")


@click.command()
@db_option
@game_option
@progress_option
def remove(db: str, game: str | None, progress: bool | None) -> None:
    """Take a solution out of a database, and give its space back.

    \b
    Example:
      zermelo remove -g mnk:4,3,3
    """
    from zermelo.db.catalogue import names_in
    from zermelo.db.store import take_out
    from zermelo.solver.games import SHORT

    name = SHORT.get(game or "tictactoe", game or "tictactoe")
    # Somebody's own game can be taken out by its name, without its rules.
    spec = name if name in names_in(db) else load(name).spec
    with bar(progress, task=f"taking {spec} out"):
        take_out(db, spec)
    click.echo(f"{spec} is no longer in {without_password(db)}")


@click.group("db")
def db() -> None:
    """See or upgrade a database's schema.

    \b
    Example:
      zermelo db current
    """


@db.command()
@db_option
def current(db: str) -> None:
    """Print the revision of a database's schema.

    \b
    Example:
      zermelo db current --db boards.db
    """
    from zermelo.db.readers import read_revision
    from zermelo.db.schema import NEWEST

    revision = read_revision(db)
    print_line(f"{revision or 'none'}{' (newest)' if revision == NEWEST else ''}")


@db.command()
@db_option
@progress_option
def upgrade(db: str, progress: bool | None) -> None:
    """Bring a database to the newest schema, keeping what it holds.

    \b
    Example:
      zermelo db upgrade --db boards.db
    """
    from zermelo.db.catalogue import without_checksums
    from zermelo.db.readers import read_revision
    from zermelo.db.schema import REVISIONS
    from zermelo.db.store import upgrade as upgrade_database

    read_revision(db)  # so that a database that is not there is refused, not made
    with bar(progress, task="upgrading"):
        before, after = upgrade_database(db)
    done = "has the newest schema already:" if before == after else f"upgraded from {before or 'nothing'} to"
    print_line(f"{without_password(db)} {done} {after}")
    for revision, brings in REVISIONS.items():
        if before is None or revision > before:
            print_line(f"  {revision}: {brings}")
    for game in without_checksums(db):
        print_line(f"  {game} was stored without checksums: to have them, build it again with --force")
