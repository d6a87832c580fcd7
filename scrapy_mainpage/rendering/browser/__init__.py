"""The browser: its start, its contexts, and the reading of a page."""
