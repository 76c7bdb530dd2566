"""Whether the bots at a table chat."""

import sqlalchemy as sql
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("tables", sql.Column("quiet", sql.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("tables", "quiet")
