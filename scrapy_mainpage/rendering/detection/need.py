"""Judgement of a static page: whether it needs a browser, by rules over its signals.

The static page is enough if it has no script, or main content and no placeholder for
more. It needs a browser if it has next to no main content and a placeholder for it, or
a notice that asks for JavaScript. Pages in between may need one: the crawl learns the
gain of rendering such pages of a site.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from ...extraction.document.schema import Context
from ...extraction.page_warnings import FRAME_ONLY
from ...extraction.result import Extraction
from .placeholder_names import PlaceholderKind, is_text_name, normalize_name
from .signals import (
    MAX_LITTLE_WORDS,
    MAX_MODEST_WORDS,
    MIN_PLENTY_WORDS,
    SPECIFIC_KINDS,
    PageSignals,
    filter_kinds,
)

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ...extraction.document.document import Document
    from ...page import Page
    from .placeholders import Placeholder

MAX_BARE_WORDS: Final = 15.0
"""A page that shows fewer words is bare."""

MAX_NO_WORDS: Final = 3.0
"""A page that shows fewer words is empty, even without a placeholder."""

MAX_PLACES: Final = 3
_MAX_META_ELEMENTS: Final = 60
_MAX_FRAMES: Final = 10


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
    if judgement := _judge_frame(page.url or "", page.warnings, extraction.document):
        return judgement
    signals = PageSignals(root, extraction)
    for rule in _RULES:
        if judgement := rule(signals):
            return judgement
    return Judgement(Need.NO, "no_sign")


def _judge_frame(
    url: str, warnings: tuple[str, ...], document: Document
) -> Judgement | None:
    """A page that is nothing but the frame of another one of its site."""
    if FRAME_ONLY not in warnings:
        return None
    for frame in document.elements_with_tag("iframe")[:_MAX_FRAMES].tolist():
        with suppress(ValueError):
            address = urljoin(url, document.attribute(frame, "src") or "")
            if urlsplit(address)[:2] == urlsplit(url)[:2]:
                return Judgement(Need.MAYBE, FRAME_ONLY)
    return None


def _conclude(need: Need, reason: str, found: list[Placeholder]) -> Judgement:
    strongest = sorted(found, key=lambda it: -it.kind.value)[:MAX_PLACES]
    return Judgement(need, reason, tuple(sorted({it.place for it in strongest})))


# --- Rules, in the order of their evaluation ---------------------------------


def _apply_redirect(signals: PageSignals) -> Judgement | None:
    """Next to no text, and a redirect."""
    if signals.shown >= MAX_BARE_WORDS * 2:
        return None
    if signals.shown < MAX_BARE_WORDS and _has_refresh(signals.document):
        return Judgement(Need.YES, "meta_refresh")
    if signals.has_tag("script"):
        if signals.scripts.has_challenge:
            return Judgement(Need.YES, "challenge")
        if signals.scripts.has_redirect:
            return Judgement(Need.YES, "script_redirect")
    return None


def _apply_no_script(signals: PageSignals) -> Judgement | None:
    if not signals.has_tag("script"):
        return Judgement(Need.NO, "no_script")
    has_plenty = signals.main >= MIN_PLENTY_WORDS
    if has_plenty and not (signals.placeholders or signals.added):
        return Judgement(Need.NO, "enough_text")
    if not signals.scripts:
        return Judgement(Need.NO, "no_script")
    return None


def _apply_hydration(signals: PageSignals) -> Judgement | None:
    """Main content that comes from the page's embedded data for a good part."""
    if signals.added >= MAX_LITTLE_WORDS / 2 and signals.main >= MAX_LITTLE_WORDS:
        return Judgement(Need.NO, "hydration_data")
    return None


def _apply_noscript_content(signals: PageSignals) -> Judgement | None:
    """Main content inside ``noscript``."""
    if signals.main < MAX_LITTLE_WORDS:
        return None
    flags = signals.document.blocks.flags
    words = signals.main_words[(flags & int(Context.NOSCRIPT)) != 0].sum()
    if words >= signals.main / 2:
        return Judgement(Need.NO, "noscript_content")
    return None


def _apply_shell(signals: PageSignals) -> Judgement | None:
    """Next to no main content, and a sign of the reason."""
    if signals.main >= MAX_LITTLE_WORDS:
        return None
    # A page with much other text is often complete without main content.
    need = Need.YES if signals.flow < MAX_MODEST_WORDS else Need.MAYBE
    for reason, found in (
        ("empty_root", filter_kinds(signals.named, PlaceholderKind.ROOT)),
        ("empty_main", filter_kinds(signals.placeholders, PlaceholderKind.MAIN)),
        ("scripted_container", signals.scripted),
        ("deferred_fragment", signals.deferred),
    ):
        if found:
            return _conclude(need, reason, found)
    if _NOTICE.search(signals.read_noscript()):
        return _conclude(need, "noscript_notice", signals.placeholders)
    if signals.flow < MAX_LITTLE_WORDS:
        return _judge_bare(signals)
    found = signals.named or [
        it
        for it in filter_kinds(signals.placeholders, *SPECIFIC_KINDS)
        if not it.is_minor
    ]
    if found and signals.scripts.has_application:
        return _conclude(Need.MAYBE, "empty_container", found)
    return None


def _judge_bare(signals: PageSignals) -> Judgement | None:
    """A page with little text outside its header, menus and footer."""
    found, has_application = signals.placeholders, signals.scripts.has_application
    is_bare = signals.flow < MAX_BARE_WORDS
    if any(it.waits for it in found) or (is_bare and signals.outline.waiting.any()):
        return _conclude(Need.YES, "placeholder_text", found)
    if has_application and (specific := filter_kinds(found, *SPECIFIC_KINDS)):
        return _conclude(Need.YES, "empty_container", specific)
    limit = MAX_BARE_WORDS if found else MAX_NO_WORDS
    if signals.flow < limit and (found or has_application):
        return _conclude(Need.YES, "no_text", found)
    if _NOTICE.search(signals.read_text()):
        return _conclude(Need.YES, "script_notice", found)
    if found and has_application:
        return _conclude(Need.MAYBE, "empty_container", found)
    if is_bare and signals.scripts.is_heavy:
        return Judgement(Need.MAYBE, "script_weight")
    return None


def _apply_half(signals: PageSignals) -> Judgement | None:
    """Some main content, and a placeholder for the rest."""
    placeholders = signals.placeholders
    has_little = signals.main < MAX_LITTLE_WORDS
    if has_little or not (placeholders or signals.scripted):
        return None
    has_plenty = signals.main >= MIN_PLENTY_WORDS
    # On a page with plenty of text only a placeholder with an id counts.
    deferred = [it for it in signals.deferred if it.id or not has_plenty]
    for reason, found in (
        ("empty_main", filter_kinds(signals.named, PlaceholderKind.MAIN)),
        ("scripted_container", signals.scripted),
        ("placeholder_text", [it for it in placeholders if it.waits]),
        ("deferred_fragment", deferred),
    ):
        if found:
            return _conclude(Need.MAYBE, reason, found)
    if signals.scripts.has_application:
        if found := [it for it in signals.named if is_text_name(it.id)]:
            return _conclude(Need.MAYBE, "empty_container", found)
        if not has_plenty and signals.named:
            return _conclude(Need.MAYBE, "empty_container", signals.named)
    return None


def _apply_bound(signals: PageSignals) -> Judgement | None:
    """Next to no or some main content, and an element that a framework fills."""
    if signals.main >= MIN_PLENTY_WORDS or not signals.bound:
        return None
    places = tuple(sorted(signals.bound)[:MAX_PLACES])
    return Judgement(Need.MAYBE, "deferred_fragment", places)


def _apply_extended(signals: PageSignals) -> Judgement | None:
    """A script that loads something and names the container of the main content."""
    if signals.main >= MIN_PLENTY_WORDS or not signals.around:
        return None
    need = Need.YES if signals.flow < MAX_BARE_WORDS else Need.MAYBE
    places = {normalize_name(name) for name in signals.around}
    return Judgement(need, "scripted_main", tuple(sorted(places)[:MAX_PLACES]))


def _apply_enough(signals: PageSignals) -> Judgement | None:
    if signals.main >= MAX_LITTLE_WORDS:
        return Judgement(Need.NO, "enough_text")
    return None


_RULES: Final = (
    _apply_redirect,
    _apply_no_script,
    _apply_hydration,
    _apply_noscript_content,
    _apply_shell,
    _apply_half,
    _apply_bound,
    _apply_extended,
    _apply_enough,
)
_NOTICE: Final = re.compile(
    r"java\s*-?script|джаваскрипт|جاف[ا]?\s?سكر[ي]?بت|ジャバスクリプト|자바\s?스크립트"
    r"|\bJS\b",
    re.IGNORECASE,
)


def _has_refresh(document: Document) -> bool:
    """Whether a ``meta`` element redirects."""
    metas = document.elements_with_tag("meta")[:_MAX_META_ELEMENTS].tolist()
    return any(
        (document.attribute(k, "http-equiv") or "").lower() == "refresh"
        and "url" in (document.attribute(k, "content") or "").lower()
        for k in metas
    )
