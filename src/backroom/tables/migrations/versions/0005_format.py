"""The version of the match file that a table was begun under: it decides how its opening is hashed."""

import sqlalchemy as sql
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tables", sql.Column("format", sql.Integer, nullable=False, server_default="1"))


def downgrade() -> None:
    op.drop_column("tables", "format")
