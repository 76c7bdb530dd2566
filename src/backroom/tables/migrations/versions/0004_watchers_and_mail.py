"""Watchers, mail addresses, the outbox, and the wish for mail in a chair."""

import sqlalchemy as sql
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("chairs", sql.Column("tell", sql.String(300), nullable=False, server_default=""))
    op.create_table(
        "watchers",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("token", sql.String(64), primary_key=True),
        sql.Column("name", sql.String(64), nullable=False),
        sql.Column("seen", sql.BigInteger, nullable=False),
        sql.Column("follows", sql.Integer, nullable=False),
        sql.Column("asks", sql.String(64), nullable=False),
    )
    op.create_index("ix_watchers_token", "watchers", ["token"])
    op.create_table(
        "people",
        sql.Column("token", sql.String(64), primary_key=True),
        sql.Column("address", sql.String(254), nullable=False),
        sql.Column("confirmed", sql.Integer, nullable=False),
        sql.Column("secret", sql.String(64), nullable=False),
        sql.Column("changed", sql.BigInteger, nullable=False),
    )
    op.create_index("ix_people_secret", "people", ["secret"])
    op.create_table(
        "outbox",
        sql.Column("id", sql.String(64), primary_key=True),
        sql.Column("kind", sql.String(8), nullable=False),
        sql.Column("token", sql.String(64), nullable=False),
        sql.Column("mailbox", sql.String(64), nullable=False),
        sql.Column("table_id", sql.String(32), nullable=False),
        sql.Column("chair", sql.Integer, nullable=False),
        sql.Column("ply", sql.Integer, nullable=False),
        sql.Column("mover", sql.String(64), nullable=False),
        sql.Column("origin", sql.String(300), nullable=False),
        sql.Column("state", sql.String(8), nullable=False),
        sql.Column("made", sql.BigInteger, nullable=False),
        sql.Column("due", sql.BigInteger, nullable=False),
        sql.Column("tries", sql.Integer, nullable=False),
        sql.Column("sent", sql.BigInteger, nullable=False),
    )
    op.create_index("ix_outbox_state_due", "outbox", ["state", "due"])
    op.create_index("ix_outbox_token", "outbox", ["token"])


def downgrade() -> None:
    for name in ("outbox", "people", "watchers"):
        op.drop_table(name)
    op.drop_column("chairs", "tell")
