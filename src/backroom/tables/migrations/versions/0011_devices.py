"""A chair on more than one device: the browsers it is open in, and links that open it in one more."""

import sqlalchemy as sql
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "devices",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("token", sql.String(64), primary_key=True, index=True),
        sql.Column("holder", sql.String(64), nullable=False),
    )
    op.create_table(
        "passes",
        sql.Column("secret", sql.String(64), primary_key=True),
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id"), nullable=False),
        sql.Column("holder", sql.String(64), nullable=False),
        sql.Column("until", sql.BigInteger, nullable=False),
        sql.Column("used", sql.String(64), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("passes")
    op.drop_table("devices")
