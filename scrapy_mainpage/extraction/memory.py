"""Giving back the memory of a large tree."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from . import _freeing

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGE_TREE: Final = 1_000_000
"""Bytes of a page from which on it matters how its tree is freed."""


@contextmanager
def joined_frees() -> Iterator[None]:
    """Inside, memory that is freed is joined with what is free around it at once.

    By default glibc does that for small pieces later, when somebody asks for a large
    one: it then comes back to a million pieces that no cache holds any more, and a tree
    of 10 MB takes a third longer. Who has tuned this by the environment has the say.
    """
    if "mxfast" in os.environ.get("GLIBC_TUNABLES", ""):
        yield
        return
    _freeing.set_fast_bins(False)
    try:
        yield
    finally:
        _freeing.set_fast_bins(True)


__all__ = ["LARGE_TREE", "joined_frees"]
