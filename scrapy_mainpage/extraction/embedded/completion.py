"""When a page gets content from outside of its text, and from where."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..document.schema import RunKind

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ...page import Page
    from ..algorithms import Algorithm
    from ..result import Extraction
    from .supplement import Supplement

THIN: Final = 100
"""A page with fewer words of main content is thin."""

CONFIDENCE: Final = 0.6
"""The F1 to be expected of what is added: what it was on labelled pages (0.56 on 327 of
them) of which nothing but the scripts was left."""

_BODY: Final = b'"articleBody"'
_HEAD: Final = int(RunKind.HEAD)


def complete(page: Page, root: _Element, algorithm: Algorithm) -> Page:
    """*page* with what its text lacks and the tree below *root* holds elsewhere.

    *algorithm* judges what stands in templates. The tree is only read.
    """
    content = page._content
    if content is None or not (page.words < THIN or _has_long_body(page, content)):
        return page
    # Most pages are none of that, and there is much to import for it.
    from .search import Search

    found = Search(page, content, root, algorithm).found
    return _completed(page, content, found) if found else page


def _has_long_body(page: Page, content: Extraction) -> bool:
    """Whether JSON-LD may hold a body that is longer than all main content."""
    room = 2 * len(page.text)
    # The quickest questions first; there are no more characters than bytes.
    if len(content.document.values) <= room:
        return False
    runs = content.document.runs
    texts = runs.kind == _HEAD
    longest = int((runs.end - runs.start).max(initial=0, where=texts))
    return (
        longest > room
        and longest > 2 * len(page.text.encode())
        and _BODY in content.document.values
    )


def _completed(page: Page, content: Extraction, found: list[Supplement]) -> Page:
    words = sum(item.words for item in found)
    confidence = page.confidence
    if confidence is not None:
        expected = page.words * confidence + words * CONFIDENCE
        confidence = expected / (page.words + words)
    texts = filter(None, (page.text, *(item.text for item in found)))
    return replace(
        page,
        text="\n\n".join(texts),
        words=page.words + words,
        words_total=page.words_total + words,
        confidence=confidence,
        warnings=tuple(code for code in page.warnings if code != "no_text"),
        _content=replace(content, supplements=tuple(found)),
    )


__all__ = ["complete"]
