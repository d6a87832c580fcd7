"""What a picture is: figures with captions, and what had to be left out of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...extraction.document.document import Document
    from .svg import Svg


@dataclass(frozen=True)
class Figure:
    """A drawing, what it shows, and the colours in it: pairs of colour and meaning."""

    svg: Svg
    caption: str
    legend: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Picture:
    """The figures of one algorithm; ``notes`` say what was found and what left out."""

    title: str
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()


def describe(document: Document, element: int, most: int = 40) -> str:
    """An element as people name it: its tag with its id or its first class."""
    values = document.attributes_of(element)
    name = document.tag_name(element)
    classes = (values.get("class") or "").split()
    if (values.get("id") or "").strip():
        name += "#" + values["id"].strip()
    elif classes:
        name += "." + classes[0]
    return name if len(name) <= most else name[: most - 1] + "…"


def beginning(document: Document, first: int, end: int, most: int = 80) -> str:
    """The first *most* characters of the text from byte *first* to byte *end*."""
    text = document.text[first : min(end, first + 4 * most)].decode("utf-8", "replace")
    text = " ".join(text.split())
    return text if len(text) <= most and end - first <= 4 * most else text[:most] + "…"


def count(n: int, noun: str) -> str:
    """*n* with its noun, which takes an s in the plural.

    >>> count(1, "zone"), count(1200, "zone")
    ('1 zone', '1,200 zones')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


__all__ = ["Figure", "Picture", "beginning", "count", "describe"]
