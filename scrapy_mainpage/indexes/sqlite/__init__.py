"""The embedded engine: one SQLite file with FTS5, ranked by BM25."""
