"""Giving back the memory of a large tree, and not looking for garbage in vain."""

from __future__ import annotations

import gc
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


@contextmanager
def no_collections() -> Iterator[None]:
    """Inside, Python does not collect garbage: what is made there is none.

    JSON of 100,000 small parts would have it walk through all objects of the process
    several times.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


__all__ = ["LARGE_TREE", "joined_frees", "no_collections"]
