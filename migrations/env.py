"""What Alembic runs for every command: migrate over the connection that `db.schema` hands over."""

from alembic import context

from zermelo.db.models import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
