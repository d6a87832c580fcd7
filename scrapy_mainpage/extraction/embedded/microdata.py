"""The main content that microdata holds in attributes, where nobody sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..document.tags import ATTRIBUTE_CODES
from ..metadata.declarations import Microdata
from .markup import as_html

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document

_BODIES: Final = frozenset("articlebody text reviewbody".split())
_PARTS: Final = frozenset("description recipeinstructions recipeingredient".split())


def has_microdata(document: Document) -> bool:
    """Whether there is an element with a property."""
    return bool((document.attributes.name == ATTRIBUTE_CODES["itemprop"]).any())


def describe_item(document: Document) -> Iterator[tuple[int, str]]:
    """Element and HTML of what attributes of the page's item hold.

    The document does not keep attributes of more than 8,192 bytes.
    """
    microdata = Microdata(document)
    if microdata.item is None or microdata.item < 0:
        return
    kind = microdata.types[microdata.item].rpartition("/")[2]
    names = _BODIES if kind.endswith(("Article", "Posting")) else _BODIES | _PARTS
    for name in sorted(names):
        for element in microdata.elements(name):
            if text := microdata.attributes[element].get("content", "").strip():
                yield element, as_html(text)


__all__ = ["describe_item", "has_microdata"]
