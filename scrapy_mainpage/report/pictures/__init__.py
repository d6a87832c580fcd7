"""Pictures of what the algorithms see in a page, as their papers draw it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from .base import Figure, Picture

if TYPE_CHECKING:
    from ...extraction.algorithms import Algorithm
    from ...extraction.document.document import Document
    from ...extraction.document.layout import Layout

_MODULES: Final = (
    "layout-analysis",
    "text-block-context",
    "danag",
    "first-impression",
    "centroid",
)


def has_picture(algorithm: Algorithm) -> bool:
    """Whether there is a picture of the *algorithm*."""
    return algorithm.name in _MODULES


def draw_picture(
    document: Document, algorithm: Algorithm, layout: Layout | None = None
) -> Picture:
    """The picture of an *algorithm* at work on *document*.

    Raises :exc:`ValueError` for one without a picture, and its subclass
    :exc:`~scrapy_mainpage.extraction.algorithms.LayoutRequired` for one that needs the
    *layout* of a rendered page and gets none.
    """
    if not has_picture(algorithm):
        raise ValueError(f"there is no picture of the algorithm {algorithm.name!r}")
    module = import_module(f".{algorithm.name.replace('-', '_')}", __name__)
    picture: Picture = module.draw(document, algorithm, layout)
    return picture


__all__ = ["Figure", "Picture", "draw_picture", "has_picture"]
