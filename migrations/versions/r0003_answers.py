"""Where the rules of somebody's own game were found, and a view that answers positions in one plain select."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("solutions", sa.Column("rules_at", sa.Text()))
    op.execute(
        "create view answers as"
        " select solutions.game, positions.board as position, positions.ply, positions.value, positions.plies,"
        " positions.best_move from solutions join positions on positions.solution_id = solutions.id"
        " where solutions.status = 'complete'"
    )


def downgrade() -> None:
    op.execute("drop view answers")
    op.drop_column("solutions", "rules_at")
