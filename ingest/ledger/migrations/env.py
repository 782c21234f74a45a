"""Alembic's entry: runs on the connection that `ingest.ledger.database` hands over."""

from alembic import context

from ingest.ledger.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
