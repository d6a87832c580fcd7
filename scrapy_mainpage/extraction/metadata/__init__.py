"""Metadata that a page declares: title, language, author, dates, description, image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .reader import read_metadata


def __getattr__(name: str) -> Any:
    if name != "read_metadata":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .reader import read_metadata

    return read_metadata


__all__ = ["read_metadata"]
