"""Rendered pages: what a browser tells of them."""
