"""The script that Alembic runs for a migration: with the caller's connection, or dialect."""

from alembic import context

from saloon.station.store.schema import metadata

connection = context.config.attributes.get("connection")
if connection is None:
    context.configure(
        dialect_name=context.config.attributes["dialect"], target_metadata=metadata, literal_binds=True
    )
else:
    context.configure(connection=connection, target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
