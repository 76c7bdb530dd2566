"""What a table owes as rows of its own, and the address that a table was made from."""

import json

import sqlalchemy as sql
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("tables", sql.Column("client", sql.String(64), nullable=False, server_default=""))
    op.drop_index("ix_tables_due", "tables")
    op.create_table(
        "owed",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("kind", sql.String(8), primary_key=True),
        sql.Column("ply", sql.Integer, nullable=False),
        sql.Column("due", sql.BigInteger, nullable=False),
        sql.Column("claim", sql.String(64), nullable=False),
        sql.Column("tries", sql.Integer, nullable=False),
        sql.Column("waited", sql.BigInteger, nullable=False),
    )
    op.create_index("ix_owed_due", "owed", ["due"])
    _owe_what_is_owed(op.get_bind())


def _owe_what_is_owed(connection: sql.Connection) -> None:
    chairs = connection.execute(
        sql.text(
            "SELECT tables.id, tables.ply, tables.acting, chairs.number, chairs.bot, chairs.plan "
            "FROM tables JOIN chairs ON chairs.table_id = tables.id "
            "WHERE tables.over = 0 AND tables.opening <> '' AND (chairs.bot <> '' OR chairs.plan <> '')"
        )
    )
    owed = {}
    for table, ply, acting, number, bot, plan in chairs:
        if number in json.loads(acting) and (bot or json.loads(plan)["text"]):
            owed[table, "bot" if bot else "plan"] = (ply, 0)
    for table, ply, due in connection.execute(sql.text("SELECT id, ply, due FROM tables WHERE due > 0 AND over = 0")):
        owed[table, "clock"] = (ply, due)
    rows = [
        {"table": table, "kind": kind, "ply": ply, "due": due} for (table, kind), (ply, due) in sorted(owed.items())
    ]
    if rows:
        insert = "INSERT INTO owed VALUES (:table, :kind, :ply, :due, '', 0, 0)"
        connection.execute(sql.text(insert), rows)


def downgrade() -> None:
    op.drop_table("owed")
    op.create_index("ix_tables_due", "tables", ["due"])
    op.drop_column("tables", "client")
