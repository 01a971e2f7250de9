"""How the tables came to be, step by step; Alembic runs the missing steps when a server starts."""
