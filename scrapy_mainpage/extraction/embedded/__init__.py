"""Embedded data: content in JSON-LD and hydration state.

Read for thin pages only, that is where the algorithm found few words of main content.
One exception: JSON-LD with an article's body that is much longer than the main content
found, as on pages whose text stands behind a paywall or a click.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..document.schema import RunKind
from ..output.text import write_text
from ..page_warnings import FRAME_ONLY, LOADING_ONLY, UNSHOWN_TEXT
from ..parsing.tree import NO_TEXT
from ..result import MAX_THIN_WORDS

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..result import Draft

EXPECTED_F1: Final = 0.6
"""Expected of added words: 0.56 on 327 labelled pages left with their scripts alone."""

_BODY: Final = b'"articleBody"'
_HEAD: Final = int(RunKind.HEAD)

_OBSOLETE: Final = frozenset({NO_TEXT, UNSHOWN_TEXT, FRAME_ONLY, LOADING_ONLY})
"""Warnings of a page whose text was not found where it is shown."""


def supplement(draft: Draft, root: _Element) -> None:
    """Add main content from the data below *root*, which is only read."""
    if draft.words >= MAX_THIN_WORDS and not _has_long_body(draft):
        return
    if draft.content.document.budget.is_over:
        return
    # Most pages are not thin, and the finder's imports are many.
    from .finder import EmbeddedFinder

    found = EmbeddedFinder(draft, root).found
    if not found:
        return
    contents = [item.content for item in found]
    words = sum(content.words for content in contents)
    if draft.confidence is not None:
        expected = draft.words * draft.confidence + words * EXPECTED_F1
        draft.confidence = expected / (draft.words + words)
    texts = (write_text(content.document, content.main) for content in contents)
    draft.text = "\n\n".join(filter(None, (draft.text, *texts)))
    draft.words += words
    draft.words_total += words
    draft.warnings = tuple(code for code in draft.warnings if code not in _OBSOLETE)
    draft.content = replace(draft.content, supplements=tuple(found))


def _has_long_body(draft: Draft) -> bool:
    """Whether JSON-LD may hold a body that is longer than all main content."""
    document, room = draft.content.document, 2 * len(draft.text)
    # The quickest questions first; a text has no more characters than bytes.
    if len(document.values) <= room:
        return False
    runs = document.runs
    heads = runs.kind == _HEAD
    longest = int((runs.end[heads] - runs.start[heads]).max(initial=0))
    return (
        longest > room
        and longest > 2 * len(draft.text.encode())
        and _BODY in document.values
    )
