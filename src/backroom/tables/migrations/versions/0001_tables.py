"""Tables, chairs, the record of entries, talk."""

import sqlalchemy as sql
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("game", sql.String(64), nullable=False),
        sql.Column("rules", sql.String(64), nullable=False),
        sql.Column("options", sql.Text, nullable=False),
        sql.Column("title", sql.Text, nullable=False),
        sql.Column("seed", sql.String(64), nullable=False),
        sql.Column("host", sql.Integer, nullable=False),
        sql.Column("creator", sql.String(64), nullable=False),
        sql.Column("create_id", sql.String(100), nullable=False),
        sql.Column("opening", sql.String(64), nullable=False),
        sql.Column("ply", sql.Integer, nullable=False),
        sql.Column("revision", sql.Integer, nullable=False),
        sql.Column("acting", sql.Text, nullable=False),
        sql.Column("over", sql.Integer, nullable=False),
        sql.Column("undo", sql.Text, nullable=False),
        sql.Column("next_table", sql.String(32), nullable=False),
        sql.Column("changed", sql.BigInteger, nullable=False),
        sql.UniqueConstraint("creator", "create_id"),
    )
    op.create_table(
        "chairs",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True),
        sql.Column("name", sql.String(64), nullable=False),
        sql.Column("token", sql.String(64), nullable=False),
        sql.Column("bot", sql.String(200), nullable=False),
        sql.Column("invite", sql.String(64), nullable=False),
        sql.Column("used_invite", sql.String(64), nullable=False),
        sql.Column("seen", sql.BigInteger, nullable=False),
        sql.Column("draft", sql.Text, nullable=False),
        sql.Column("notes", sql.Text, nullable=False),
    )
    op.create_index("ix_chairs_token", "chairs", ["token"])
    op.create_index("ix_chairs_invite", "chairs", ["invite"])
    op.create_table(
        "entries",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True),
        sql.Column("kind", sql.String(8), nullable=False),
        sql.Column("seat", sql.Integer, nullable=False),
        sql.Column("actions", sql.Text, nullable=False),
        sql.Column("text", sql.Text, nullable=False),
        sql.Column("move_id", sql.String(100), nullable=False),
        sql.Column("link", sql.String(64), nullable=False),
        sql.Column("at", sql.BigInteger, nullable=False),
        sql.UniqueConstraint("table_id", "move_id"),
    )
    op.create_table(
        "talk",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True),
        sql.Column("chair", sql.Integer, nullable=False),
        sql.Column("name", sql.String(64), nullable=False),
        sql.Column("text", sql.Text, nullable=False),
        sql.Column("talk_id", sql.String(100), nullable=False),
        sql.Column("at", sql.BigInteger, nullable=False),
        sql.UniqueConstraint("table_id", "talk_id"),
    )


def downgrade() -> None:
    for name in ("talk", "entries", "chairs", "tables"):
        op.drop_table(name)
