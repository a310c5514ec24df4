"""The schema's history, applied by Alembic. It ships with the package, so that any database can be upgraded."""
