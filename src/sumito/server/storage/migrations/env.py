"""Alembic runs the migrations on the connection that `database.migrate` hands it."""

from alembic import context

from sumito.server.storage.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
