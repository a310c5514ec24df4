"""Games in which play can come back to a position, packed solutions of any game, and counts from the mover's side."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("solutions", sa.Column("codec", sa.String(10)))
    op.add_column("solutions", sa.Column("can_repeat", sa.Boolean()))
    op.add_column("solutions", sa.Column("longest", sa.Integer()))
    op.add_column("solutions", sa.Column("mover_wins", sa.BigInteger()))
    op.add_column("solutions", sa.Column("mover_losses", sa.BigInteger()))
    solutions = sa.table("solutions", sa.column("layout"), sa.column("codec"), sa.column("can_repeat", sa.Boolean()))
    op.execute(solutions.update().where(solutions.c.layout == "packed").values(codec="board"))
    # Until this revision, games in which play can come back were not solved.
    op.execute(solutions.update().values(can_repeat=False))
    _set_nullable(True)


def downgrade() -> None:
    _set_nullable(False)
    for column in ("mover_losses", "mover_wins", "longest", "can_repeat", "codec"):
        op.drop_column("solutions", column)


def _set_nullable(nullable: bool) -> None:
    # SQLite cannot change a column: there the rows are copied to a new table of the same kind.
    with op.batch_alter_table("positions", table_kwargs={"sqlite_with_rowid": False}) as positions:
        positions.alter_column("plies", existing_type=sa.Integer(), existing_nullable=not nullable, nullable=nullable)
