"""Main content from outside of a page's text, added to the page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from ..document.schema import RunKind
from ..page_warnings import UNSHOWN_TEXT
from ..parsing.limits import NO_TEXT
from ..result import MAX_THIN_WORDS

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ...page import Page
    from ..algorithms import Algorithm
    from ..result import Extraction, Supplement

EXPECTED_F1: Final = 0.6
"""Of added words: 0.56 on 327 labelled pages with nothing left but their scripts."""

_BODY: Final = b'"articleBody"'
_HEAD: Final = int(RunKind.HEAD)


def supplement(page: Page, root: _Element, algorithm: Algorithm) -> Page:
    """Return *page* with main content from embedded data of the tree below *root*.

    *algorithm* judges the content of templates. The tree is only read.
    """
    if page._extraction is None:
        return page
    content = cast("Extraction", page._extraction)
    if page.words >= MAX_THIN_WORDS and not _has_long_body(page, content):
        return page
    # Most pages are not thin, and the finder's imports are many.
    from .finder import EmbeddedFinder

    found = EmbeddedFinder(page, content, root, algorithm).found
    return _add(page, content, found) if found else page


def _has_long_body(page: Page, content: Extraction) -> bool:
    """Whether JSON-LD may hold a body that is longer than all main content."""
    room = 2 * len(page.text)
    # The quickest questions first; a text has no more characters than bytes.
    if len(content.document.values) <= room:
        return False
    runs = content.document.runs
    heads = runs.kind == _HEAD
    longest = int((runs.end[heads] - runs.start[heads]).max(initial=0))
    return (
        longest > room
        and longest > 2 * len(page.text.encode())
        and _BODY in content.document.values
    )


def _add(page: Page, content: Extraction, found: list[Supplement]) -> Page:
    words = sum(item.words for item in found)
    confidence = page.confidence
    if confidence is not None:
        expected = page.words * confidence + words * EXPECTED_F1
        confidence = expected / (page.words + words)
    texts = filter(None, (page.text, *(item.text for item in found)))
    return replace(
        page,
        text="\n\n".join(texts),
        words=page.words + words,
        words_total=page.words_total + words,
        confidence=confidence,
        warnings=tuple(code for code in page.warnings if code not in _OBSOLETE),
        _content=replace(content, supplements=tuple(found)),
    )


_OBSOLETE: Final = frozenset({NO_TEXT, UNSHOWN_TEXT})
"""Warnings of a page whose text was not found where it is shown."""
