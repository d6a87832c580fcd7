"""Judgement of a static page: whether it needs a browser. Knows nothing of Scrapy.

The static page is enough if it has no script, or main content and no placeholder for
more. It needs a browser if it has next to no main content and a sign of the reason: a
placeholder, or no text at all. Pages in between may need one: the
crawl learns the gain of rendering such pages of a site.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.document.schema import Context
from ..extraction.result import Extraction
from .placeholders import ASIDE, Kind, Outline, find_placeholders, find_places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element

    from ..extraction.document.document import Document
    from ..extraction.document.schema import Mask
    from ..page import Page
    from .placeholders import Placeholder

MAX_BARE_WORDS: Final = 15.0
MAX_LITTLE_WORDS: Final = 100.0
MIN_PLENTY_WORDS: Final = 400.0
"""Words by which a page is bare, has little text, or has plenty.
With little main content every placeholder waits for content, with plenty few do."""

_REASONS: Final = (
    "empty_root",
    "empty_main",
    "deferred_fragment",
    "placeholder_text",
    "empty_container",
)
"""Why a placeholder waits for main content, the clearest first."""


class Need(str, Enum):
    """Whether a page is to be rendered."""

    YES = "yes"
    MAYBE = "maybe"
    NO = "no"


@dataclass(frozen=True)
class Judgement:
    """Result of the rules: pages of a site with the same reason and places are alike.

    ``reason`` is a stable code; ``places`` are placeholders (tag, id and class names,
    digits as 0), sorted.
    """

    need: Need
    reason: str
    places: tuple[str, ...] = ()


def judge(root: _Element, page: Page) -> Judgement:
    """Judge whether a browser would bring main content that the static *page* lacks.

    *root* is the tree that the page was extracted from; it is only read.
    """
    extraction = page._extraction
    if not isinstance(extraction, Extraction):
        return Judgement(Need.NO, "no_page")
    signs = _Signs(root, extraction)
    if signs.shown < 2 * MAX_BARE_WORDS and any(map(_leads_on, signs.scripts)):
        return Judgement(Need.YES, "script_redirect")
    if reason := _find_complete(signs):
        return Judgement(Need.NO, reason)
    if judgement := _judge_content(signs) or _judge_bare(signs):
        return judgement
    return Judgement(Need.NO, "no_sign" if signs.has_little else "enough_text")


# --- Signs ---------------------------------------------------------------------


class _Signs:
    """Signs in a page. Word counts take two CJK characters for a word.

    ``main`` is the main content, ``added`` its part from embedded data, ``shown`` all
    visible text, ``flow`` the text outside header, menus and footer.
    """

    def __init__(self, root: _Element, content: Extraction) -> None:
        self.root, self.content = root, content
        self.document: Document = content.document
        self.scripts = _find_scripts(root)
        self.outline = Outline(self.document)
        blocks, words = self.document.blocks, self.outline.words
        weight = blocks.words - blocks.cjk * 0.5
        self.words = np.where(content.main & ~self.outline.waiting, weight, 0.0)
        self.added = sum(item.content.words for item in content.supplements)
        self.main = float(self.words.sum()) + self.added
        self.shown = max(float(words.sum()), self.main)
        in_flow = (blocks.flags & (ASIDE & ~int(Context.FORM))) == 0
        self.flow = float(words[in_flow].sum())
        self.has_little = self.main < MAX_LITTLE_WORDS
        self.has_plenty = self.main >= MIN_PLENTY_WORDS

    @cached_property
    def placeholders(self) -> list[Placeholder]:
        """Empty containers that may wait for main content."""
        after = self._select_after()
        return find_placeholders(
            self.root, self.outline, after, only_after=self.has_plenty
        )

    def _select_after(self) -> Mask:
        """Mark elements after the main content; all if there is little."""
        first = self.document.elements.first_block
        if self.has_little:
            return np.ones(len(first), bool)
        before = np.concatenate(([0.0], np.cumsum(self.words)))[first]
        total = before.max(initial=0.0)
        mask: Mask = (before > 0) & (before >= total)
        return mask

    def reason_of(self, it: Placeholder) -> str | None:
        """Return why a placeholder waits for main content, if it does.

        With plenty of text only those with ids do. One that is named for content may be
        anywhere else, as little text may be something else than the main content.
        """
        is_content = it.kind >= Kind.CONTENT
        is_likely = (it.is_after or is_content) and (it.id or not self.has_plenty)
        if self.has_little and it.kind is Kind.ROOT and it.id:
            return "empty_root"
        if is_likely and it.kind is Kind.MAIN:
            return "empty_main"
        if is_likely and it.is_deferred:
            return "deferred_fragment"
        if is_likely and it.waits:
            return "placeholder_text"
        is_named = is_content or (it.id and not self.has_plenty)
        is_waiting = is_likely and is_named and not self.has_little
        return "empty_container" if is_waiting else None


# --- Rules ---------------------------------------------------------------------


def _find_complete(signs: _Signs) -> str | None:
    """Return why nothing is missing: no script, or text in data or in ``noscript``."""
    if not signs.scripts:
        return "no_script"
    if signs.has_little:
        return None
    if signs.added >= MAX_LITTLE_WORDS / 2:
        return "hydration_data"
    flags = signs.document.blocks.flags
    words = signs.words[(flags & int(Context.NOSCRIPT)) != 0].sum()
    return "noscript_content" if words >= signs.main / 2 else None


def _judge_content(signs: _Signs) -> Judgement | None:
    """An element that waits for main content."""
    need = Need.YES if signs.has_little else Need.MAYBE
    found = [(signs.reason_of(it), it) for it in signs.placeholders]
    for reason in _REASONS:
        if waiting := [it for because, it in found if because == reason]:
            return _conclude(need, reason, waiting)
    return None


def _judge_bare(signs: _Signs) -> Judgement | None:
    """Next to no main content."""
    if not signs.has_little:
        return None
    found = signs.placeholders
    if signs.flow <= 1 or (found and signs.flow < MAX_BARE_WORDS):
        return _conclude(Need.YES, "no_text", found)
    if not found:
        return None
    is_strong = any(it.kind >= Kind.CONTENT for it in found)
    is_clear = is_strong and signs.flow < MAX_LITTLE_WORDS
    return _conclude(Need.YES if is_clear else Need.MAYBE, "empty_container", found)


def _conclude(need: Need, reason: str, found: Sequence[Placeholder]) -> Judgement:
    return Judgement(need, reason, find_places(found))


# --- Scripts ---------------------------------------------------------------------

_CODE: Final = re.compile(
    r"(?:(?:text|application)/(?:x-)?(?:java|ecma|live)script.*|module|text/babel)?\s*",
    re.IGNORECASE,
)
_REDIRECT: Final = re.compile(
    r"\blocation(?:\.href)?\s*=(?!=)|\blocation\s*\.\s*(?:replace|assign)\s*\("
)


def _find_scripts(root: _Element) -> list[_Element]:
    """The scripts of a page, without data blocks."""
    return [n for n in root.iter("script") if _CODE.fullmatch(n.get("type") or "")]


def _leads_on(script: _Element) -> bool:
    """Whether a script goes to another page."""
    code = "" if script.get("src") else script.text or ""
    return _REDIRECT.search(code) is not None
