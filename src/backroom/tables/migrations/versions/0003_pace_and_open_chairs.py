"""How long a decision may take and what happens then, since when one is owed; chairs for anybody; how a match ended."""

from typing import Any

import sqlalchemy as sql
from alembic import op

revision = "0003"
down_revision = "0002"

Columns = dict[str, tuple[type[sql.types.TypeEngine[Any]] | sql.types.TypeEngine[Any], str]]

TABLES: Columns = {
    "pace": (sql.Integer, "0"),
    "out_of_time": (sql.String(8), "wait"),
    "due": (sql.BigInteger, "0"),
    "created": (sql.BigInteger, "0"),
    "ended": (sql.BigInteger, "0"),
    "result": (sql.Text, ""),
}
CHAIRS: Columns = {
    "asked": (sql.BigInteger, "0"),
    "lost": (sql.Integer, "0"),
    "anybody": (sql.Integer, "0"),
}


def upgrade() -> None:
    for table, columns in (("tables", TABLES), ("chairs", CHAIRS)):
        for name, (kind, default) in columns.items():
            op.add_column(table, sql.Column(name, kind, nullable=False, server_default=default))
    op.create_index("ix_tables_due", "tables", ["due"])
    op.create_index("ix_chairs_used_invite", "chairs", ["used_invite"])
    op.create_index("ix_chairs_anybody", "chairs", ["anybody"])
    op.execute("UPDATE tables SET created = changed")
    last = "SELECT max(at) FROM entries WHERE entries.table_id = tables.id"
    op.execute(f"UPDATE tables SET ended = coalesce(({last}), 0) WHERE over <> 0")


def downgrade() -> None:
    op.drop_index("ix_chairs_anybody", "chairs")
    op.drop_index("ix_chairs_used_invite", "chairs")
    op.drop_index("ix_tables_due", "tables")
    for table, columns in (("tables", TABLES), ("chairs", CHAIRS)):
        for name in columns:
            op.drop_column(table, name)
