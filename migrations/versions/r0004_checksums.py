"""Checksums of solutions, of their counts and of their positions; null where an earlier version stored them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("solutions", sa.Column("counts_checksum", sa.BigInteger()))
    op.add_column("solutions", sa.Column("checksum", sa.BigInteger()))
    op.add_column("positions", sa.Column("checksum", sa.BigInteger()))


def downgrade() -> None:
    op.drop_column("positions", "checksum")
    op.drop_column("solutions", "checksum")
    op.drop_column("solutions", "counts_checksum")
