"""The script that Alembic runs for a migration, with the caller's connection."""

from alembic import context

from station.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
