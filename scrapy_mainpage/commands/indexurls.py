"""What the commands take for an index: a file, a folder or a URL."""

from __future__ import annotations

import os


def index_url(name: str) -> str:
    """The URL of the index that the name stands for; a URL stands for itself.

    >>> index_url("site.db")
    'sqlite:///site.db'
    """
    if "://" in name:
        return name
    return f"{'tantivy' if os.path.isdir(name) else 'sqlite'}:///{name}"
