"""Solving and storing: build, and the schema of what is stored."""

import click

from commands.shared import bar, db_option, game_option, load, progress_option, without_password


@click.command()
@db_option
@game_option
@click.option(
    "--layout", type=click.Choice(["rows", "packed"]), help="How to store it; by default packed for large boards."
)
@click.option("--symmetry", is_flag=True, help="Store one position of each class; answers stay the same.")
@click.option("--force", is_flag=True, help="Build again what is there already.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processors for a packed build; by default all.")
@click.option("--dry-run", is_flag=True, help="Only say what a packed build will take.")
@progress_option
def build(
    db: str,
    game: str | None,
    layout: str | None,
    symmetry: bool,
    force: bool,
    jobs: int | None,
    dry_run: bool,
    progress: bool | None,
) -> None:
    """Solve a game completely and store every position.

    Boards of 13 cells and more are packed, which needs zermelo[fast]. A packed build that is stopped goes on where it
    was when the same command is given again.

    \b
    Example:
      zermelo build -g mnk:4,3,3 --db boards.db
      zermelo build -g mnk:5,5,4 --dry-run
    """
    rules = load(game)
    from solver.packed import choose_layout
    from solver.packed.estimate import describe

    packed = choose_layout(rules, layout, symmetry=symmetry) == "packed"
    if packed or dry_run:
        click.echo(describe(rules, packed, jobs), err=not dry_run)
    if dry_run:
        return
    from db.show import outcome
    from db.store import build as build_solution

    try:
        with bar(progress) as report:
            built = build_solution(db, rules, layout=layout, symmetry=symmetry, force=force, jobs=jobs, progress=report)
    except KeyboardInterrupt:
        if not packed:
            raise
        message = "interrupted: what is finished is kept, and the same command goes on from there"
        raise click.ClickException(message) from None
    click.echo(f"{built.game}: {outcome(rules, built.value, built.plies)}")
    click.echo(f"{built.positions:,} positions in {built.classes:,} classes, built in {built.seconds:.2f} s")
    click.echo(f"stored in {without_password(db)}")


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
    from db.readers import read_revision
    from db.schema import NEWEST

    revision = read_revision(db)
    click.echo(f"{revision or 'none'}{' (newest)' if revision == NEWEST else ''}")


@db.command()
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
    click.echo(f"{without_password(db)} {done} {after}")
