"""What is looked for at a table: the moves that decided its match, and a hint."""

import sqlalchemy as sql
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "findings",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("kind", sql.String(8), primary_key=True),
        sql.Column("ply", sql.Integer, nullable=False),
        sql.Column("done", sql.Integer, nullable=False),
        sql.Column("found", sql.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("findings")
