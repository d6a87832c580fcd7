"""The fast embedded engine: a folder with a tantivy index."""
