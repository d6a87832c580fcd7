"""Text that is in a page and not in its document, by codes for the warnings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from .document.document import Document

UNSHOWN_TEXT: Final = "unshown_text"
"""Warning code of a page whose text is in elements that browsers do not show."""

PRIVATE_FONT: Final = "private_font"
"""Warning code of a page whose text needs a font of its own."""

MIN_UNSHOWN_CHARACTERS: Final = 100
MAX_SHOWN_BYTES: Final = 2_000
"""A page with more text is not one that lost it."""

MIN_PRIVATE_CHARACTERS: Final = 16
"""More than icons of a page, where they are a quarter of the text, too."""

_UNSHOWN_TAGS: Final = (
    "audio canvas datalist iframe noembed noframes object select template textarea "
    "title video"
).split()
_OPTIONS: Final = frozenset({"option", "optgroup"})
_TAG: Final = re.compile("<[^<>]*>")
_PRIVATE: Final = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")


def find_unread_text(document: Document, root: _Element) -> tuple[str, ...]:
    """The codes of text that *document*, made from the tree of *root*, is without."""
    unshown = len(document.text) < MAX_SHOWN_BYTES and _is_unshown(document, root)
    private = _is_private(document.text)
    return (UNSHOWN_TEXT,) * unshown + (PRIVATE_FONT,) * private


def _is_unshown(document: Document, root: _Element) -> bool:
    """Whether most of a page's text is in elements that browsers do not show."""
    missing = max(MIN_UNSHOWN_CHARACTERS, len(document.text.decode()))
    walker = etree.iterwalk(root, events=("start",), tag=_UNSHOWN_TAGS)
    for _, element in walker:
        walker.skip_subtree()
        if element.tag == "object" and not element.get("data"):
            continue
        if element.tag == "title" and "<" not in (element.text or ""):
            continue
        for text in _texts(element):
            missing -= len(" ".join(_TAG.sub(" ", text).split()))
            if missing < 0:
                return True
    return False


def _texts(element: _Element) -> Iterator[str]:
    """The texts in *element*, but for those of options, scripts and styles."""
    skipped = {*_OPTIONS, "script", "style"}
    yield element.text or ""
    for each in element.iterdescendants():
        if isinstance(each.tag, str) and each.tag not in skipped:
            yield each.text or ""
        yield each.tail or ""


def _is_private(text: bytes) -> bool:
    """Whether a quarter of *text* is of characters without a meaning of their own."""
    leads = text.count(b"\xee") + text.count(b"\xef")
    leads += text.count(b"\xf3") + text.count(b"\xf4")
    if leads < MIN_PRIVATE_CHARACTERS or 12 * leads < len(text):
        return False
    characters = "".join(text.decode().split())
    private = len(_PRIVATE.findall(characters))
    return private >= MIN_PRIVATE_CHARACTERS and 4 * private > len(characters)
