"""The question to whom a chair is given, and from where a watcher looks; invitations to matches that have begun end."""

import sqlalchemy as sql
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("tables", sql.Column("giving", sql.Text, nullable=False, server_default=""))
    op.add_column("watchers", sql.Column("client", sql.String(64), nullable=False, server_default=""))
    op.execute("UPDATE chairs SET invite = '' WHERE table_id IN (SELECT id FROM tables WHERE opening <> '')")


def downgrade() -> None:
    op.drop_column("watchers", "client")
    op.drop_column("tables", "giving")
