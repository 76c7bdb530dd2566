"""Runs migrations over the connection that `backroom.tables.store.Store` opened."""

from alembic import context

from backroom.tables.rows import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=False)
context.run_migrations()
