"""Moves that chairs have prepared for their turn."""

import sqlalchemy as sql
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("chairs", sql.Column("plan", sql.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("chairs", "plan")
