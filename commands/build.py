"""Solving and storing: build, and the schema of what is stored."""

import click

from commands.shared import bar, db_option, game_option, load, progress_option, without_password


@click.command()
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
    rules = load(game)
    from db.show import outcome
    from db.store import build as build_solution

    with bar(progress) as report:
        built = build_solution(db, rules, symmetry=symmetry, force=force, progress=report)
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
