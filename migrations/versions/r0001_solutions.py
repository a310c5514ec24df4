"""Solutions, their counts, and their positions in rows or in packed blocks."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "solutions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(200), nullable=False),
        sa.Column("layout", sa.String(10), nullable=False),
        sa.Column("symmetry", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("value", sa.Integer()),
        sa.Column("plies", sa.Integer()),
        sa.Column("positions", sa.BigInteger()),
        sa.Column("classes", sa.BigInteger()),
        sa.Column("games", sa.Text()),
        sa.Column("tree_nodes", sa.Text()),
        sa.Column("digest", sa.String(64)),
        sa.Column("zermelo_version", sa.String(40), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("finished_at", sa.DateTime()),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "status", name="uq_solutions_game_status"),
        sa.CheckConstraint("layout in ('rows', 'packed')", name="ck_solutions_layout"),
        sa.CheckConstraint("status in ('building', 'complete')", name="ck_solutions_status"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "counts",
        sa.Column("solution_id", sa.Integer(), sa.ForeignKey("solutions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("terminal", sa.Boolean(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("positions", sa.BigInteger(), nullable=False),
        sa.Column("classes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("solution_id", "ply", "terminal", "value"),
    )
    op.create_table(
        "positions",
        sa.Column("solution_id", sa.Integer(), sa.ForeignKey("solutions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("board", sa.String(200), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("best_move", sa.String(50)),
        sa.PrimaryKeyConstraint("solution_id", "board"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "blocks",
        sa.Column("solution_id", sa.Integer(), sa.ForeignKey("solutions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("occupancy", sa.BigInteger(), nullable=False),
        sa.Column("layer", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("solution_id", "occupancy"),
    )


def downgrade() -> None:
    for table in ("blocks", "positions", "counts", "solutions"):
        op.drop_table(table)
