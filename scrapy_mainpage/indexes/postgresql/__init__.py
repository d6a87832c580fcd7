"""The engine of PostgreSQL and its full-text search."""
