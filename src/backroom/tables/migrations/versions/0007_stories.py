"""The story of a match that is over, so that it can be read under later rules; which chair has the first seat."""

import sqlalchemy as sql
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("tables", sql.Column("rotation", sql.Integer, nullable=False, server_default="-1"))
    op.create_table(
        "stories",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("story", sql.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("stories")
    op.drop_column("tables", "rotation")
