"""Tables that begin at a position, with where it is from, and positions that are shared by a link."""

import sqlalchemy as sql
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("tables", sql.Column("position", sql.Text, nullable=False, server_default=""))
    op.add_column("tables", sql.Column("origin", sql.Text, nullable=False, server_default=""))
    op.create_table(
        "positions",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id"), nullable=False),
        sql.Column("ply", sql.Integer, nullable=False),
        sql.Column("move", sql.Integer, nullable=False),
        sql.Column("viewer", sql.Integer, nullable=False),
        sql.Column("position", sql.Text, nullable=False),
        sql.UniqueConstraint("table_id", "ply", "move", "viewer"),
    )


def downgrade() -> None:
    op.drop_table("positions")
    op.drop_column("tables", "origin")
    op.drop_column("tables", "position")
