"""Judgement of a static page: whether it needs a browser. Knows nothing of Scrapy.

The static page is enough if it has no script, or main content and no placeholder for
more. It needs a browser if it has next to no main content and a sign of the reason: a
placeholder, a notice that asks for JavaScript, a script that fills an element. Pages in
between may need one: the crawl learns the gain of rendering such pages of a site.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

import numpy as np

from ..extraction.document.schema import Context
from ..extraction.page_warnings import FRAME_ONLY
from ..extraction.result import Extraction
from ..extraction.vocabulary import read_words
from .placeholders import ASIDE, Kind, Outline, find_placeholders, find_places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element

    from ..extraction.document.document import Document
    from ..extraction.document.schema import Mask
    from ..page import Page
    from .placeholders import Placeholder

MAX_NO_WORDS: Final = 3.0
MAX_BARE_WORDS: Final = 15.0
MAX_LITTLE_WORDS: Final = 100.0
MAX_MODEST_WORDS: Final = 250.0
MIN_PLENTY_WORDS: Final = 400.0
"""Words by which a page is empty, is bare, has little or modest text, or has plenty.
With little main content every placeholder waits for content, with plenty few do."""

MAX_SHARE_AFTER: Final = 0.15
MAX_SHARE_AFTER_MODEST: Final = 0.5
"""Share of the main content that may follow a placeholder for more of it: the second
where there are fewer than :data:`MAX_MODEST_WORDS` words."""

MAX_WORDS_BETWEEN: Final = 12.0
"""Words of other text between main content and such a placeholder."""

MAX_CONTAINER_RATIO: Final = 1.5
"""Words in a container of the main content, as a multiple of the main content."""

_MAX_FRAMES: Final = 10
_MAX_READ_BLOCKS: Final = 30


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
    document = extraction.document
    if FRAME_ONLY in page.warnings and _has_own_frame(page.url or "", document):
        return Judgement(Need.MAYBE, FRAME_ONLY)
    signs = _Signs(root, extraction)
    for rule in (_judge_redirect, _judge_complete, _judge_shell, _judge_half):
        if judgement := rule(signs):
            return judgement
    has_text = signs.main >= MAX_LITTLE_WORDS
    return Judgement(Need.NO, "enough_text" if has_text else "no_sign")


def _has_own_frame(url: str, document: Document) -> bool:
    """Whether the page has a frame of its own site."""
    for frame in document.elements_with_tag("iframe")[:_MAX_FRAMES].tolist():
        with suppress(ValueError):
            address = urljoin(url, document.attribute(frame, "src") or "")
            if urlsplit(address)[:2] == urlsplit(url)[:2]:
                return True
    return False


# --- Signs ---------------------------------------------------------------------


class _Signs:
    """Signs in a page. Word counts take two CJK characters for a word.

    ``main`` is the main content, ``added`` its part from embedded data, ``shown`` all
    visible text, ``flow`` the text outside header, menus and footer.
    """

    def __init__(self, root: _Element, content: Extraction) -> None:
        self.root, self.content = root, content
        self.document: Document = content.document
        self.scripts = Scripts(root)
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
        everywhere = not self.has_plenty
        after = self._select_after()
        found = find_placeholders(self.root, self.outline, after, everywhere=everywhere)
        return list(found)

    @property
    def named(self) -> list[Placeholder]:
        """Placeholders for sections that have an id, or are ``main``."""
        return [
            it
            for it in self.placeholders
            if it.is_after and not it.is_minor and (it.id or it.kind is Kind.MAIN)
        ]

    @property
    def strong(self) -> list[Placeholder]:
        """Placeholders that are named after content, an application, or loading."""
        found = self.placeholders
        return [it for it in found if it.is_after and it.kind >= Kind.CONTENT]

    def _select_after(self) -> Mask:
        """Mark elements after the main content; all if there is little."""
        first = self.document.elements.first_block
        if self.has_little:
            return np.ones(len(first), bool)
        before = np.concatenate(([0.0], np.cumsum(self.words)))[first]
        others = np.where(self.content.main, 0.0, self.outline.words)
        passed = np.concatenate(([0.0], np.cumsum(others)))
        reset = np.maximum.accumulate(np.where(self.content.main, passed[1:], 0.0))
        since = passed[first] - np.concatenate(([0.0], reset))[first]
        is_modest = self.main < MAX_MODEST_WORDS
        share = MAX_SHARE_AFTER_MODEST if is_modest else MAX_SHARE_AFTER
        total = before.max(initial=0.0)
        mask: Mask = (before > 0) & (total - before <= share * total)
        return mask & (since <= MAX_WORDS_BETWEEN)

    @property
    def scripted(self) -> list[Placeholder]:
        """Placeholders that a script names where it fills elements.

        On a page with text it has to load something, too; as little text may be
        something else than the main content, the placeholder may then be anywhere.
        """
        if self.has_little:
            return [it for it in self.placeholders if self.scripts.fill(it.names)]
        return [
            it
            for it in self.placeholders
            if ((it.is_after and it.id and not it.is_minor) or it.kind >= Kind.CONTENT)
            and self.scripts.fill(it.names, loaded=True)
        ]

    @property
    def extended(self) -> tuple[str, ...]:
        """Names of the main content's containers that a script loads something into.

        The ids, and the tags ``main`` and ``article``.
        """
        main = np.flatnonzero(self.content.main)
        if not len(main) or self.has_plenty:
            return ()
        elements = self.document.elements
        total = np.concatenate(([0.0], np.cumsum(self.outline.words)))
        element = int(self.document.blocks.element[main[0]])
        names: list[str] = []
        while element > 0:
            end, first = elements.end_block[element], elements.first_block[element]
            if total[end] - total[first] > MAX_CONTAINER_RATIO * self.main:
                break
            tag = self.document.tag_name(element)
            names += [tag] if tag in ("main", "article") else []
            names += [self.document.attribute(element, "id") or ""]
            element = int(elements.parent[element])
        return tuple(name for name in names if self.scripts.fill((name,), loaded=True))

    @property
    def asks_for_scripts(self) -> bool:
        """Whether ``noscript``, or a text of a page with few, asks for JavaScript."""
        mask = (self.document.blocks.flags & int(Context.NOSCRIPT)) != 0
        if self.flow < MAX_LITTLE_WORDS:
            mask |= self.outline.words > 0
        found = np.flatnonzero(mask)[:_MAX_READ_BLOCKS].tolist()
        return any(_NOTICE.search(self.document.block_text(block)) for block in found)


_NOTICE: Final = re.compile(
    r"java\s*-?script|джаваскрипт|جاف[ا]?\s?سكر[ي]?بت|ジャバスクリプト|자바\s?스크립트"
    r"|\bJS\b",
    re.IGNORECASE,
)


# --- Rules, in the order of their evaluation -------------------------------------


def _judge_redirect(signs: _Signs) -> Judgement | None:
    """Next to no text, and a redirect or a check of the browser."""
    if signs.shown < MAX_BARE_WORDS and _has_refresh(signs.root):
        return Judgement(Need.YES, "meta_refresh")
    if signs.shown < 2 * MAX_BARE_WORDS and signs.scripts.has_challenge:
        return Judgement(Need.YES, "challenge")
    if signs.shown < 2 * MAX_BARE_WORDS and signs.scripts.has_redirect:
        return Judgement(Need.YES, "script_redirect")
    return None


def _has_refresh(root: _Element) -> bool:
    return any(
        (meta.get("http-equiv") or "").lower() == "refresh"
        and "url" in (meta.get("content") or "").lower()
        for meta in islice(root.iter("meta"), _MAX_READ_BLOCKS)
    )


def _judge_complete(signs: _Signs) -> Judgement | None:
    """No script, or main content in embedded data or in ``noscript``."""
    if not signs.scripts:
        return Judgement(Need.NO, "no_script")
    if signs.added >= MAX_LITTLE_WORDS / 2 and not signs.has_little:
        return Judgement(Need.NO, "hydration_data")
    flags = signs.document.blocks.flags
    words = signs.words[(flags & int(Context.NOSCRIPT)) != 0].sum()
    if words >= signs.main / 2 and not signs.has_little:
        return Judgement(Need.NO, "noscript_content")
    return None


def _judge_shell(signs: _Signs) -> Judgement | None:
    """Next to no main content, and a sign of the reason."""
    if not signs.has_little:
        return None
    # A page with much other text is often complete without main content.
    need = Need.YES if signs.flow < MAX_MODEST_WORDS else Need.MAYBE
    found = signs.placeholders
    for reason, places in (
        ("empty_root", [it for it in signs.named if it.kind is Kind.ROOT]),
        ("empty_main", [it for it in found if it.kind is Kind.MAIN]),
        ("scripted_container", signs.scripted),
        ("deferred_fragment", [it for it in found if it.is_deferred]),
    ):
        if places:
            return _conclude(need, reason, places)
    if signs.flow < MAX_LITTLE_WORDS and (judgement := _judge_bare(signs)):
        return judgement
    if signs.asks_for_scripts:
        return _conclude(need, "script_notice", found)
    if signs.flow >= MAX_LITTLE_WORDS:
        strong = [it for it in signs.strong if not it.is_minor]
        found = signs.named or strong
    if found and signs.scripts.has_application:
        return _conclude(Need.MAYBE, "empty_container", found)
    return None


def _judge_bare(signs: _Signs) -> Judgement | None:
    """A page with little text outside its header, menus and footer."""
    found, has_application = signs.placeholders, signs.scripts.has_application
    is_bare = signs.flow < MAX_BARE_WORDS
    if any(it.waits for it in found) or (is_bare and signs.outline.waiting.any()):
        return _conclude(Need.YES, "placeholder_text", found)
    if has_application and signs.strong:
        return _conclude(Need.YES, "empty_container", signs.strong)
    limit = MAX_BARE_WORDS if found else MAX_NO_WORDS
    if signs.flow < limit and (found or has_application):
        return _conclude(Need.YES, "no_text", found)
    return None


def _judge_half(signs: _Signs) -> Judgement | None:
    """Some main content, and a placeholder for the rest."""
    if signs.has_little:
        return None
    after = [it for it in signs.placeholders if it.is_after]
    # On a page with plenty of text only a placeholder with an id counts.
    deferred = [
        it for it in after if it.is_deferred and (it.id or not signs.has_plenty)
    ]
    filled = [it for it in signs.placeholders if it.fills_itself]
    likely = signs.named if not signs.has_plenty else signs.strong
    for reason, found in (
        ("empty_main", [it for it in signs.named if it.kind is Kind.MAIN]),
        ("scripted_container", signs.scripted),
        ("placeholder_text", [it for it in after if it.waits]),
        ("deferred_fragment", deferred or filled),
        ("empty_container", [it for it in likely if it.id and it.is_after]),
    ):
        if found and (reason != "empty_container" or signs.scripts.has_application):
            return _conclude(Need.MAYBE, reason, found)
    return _judge_extended(signs)


def _judge_extended(signs: _Signs) -> Judgement | None:
    """A script that loads something and names the container of the main content."""
    if names := signs.extended:
        return Judgement(Need.MAYBE, "scripted_container", tuple(sorted(names)[:3]))
    return None


def _conclude(need: Need, reason: str, found: Sequence[Placeholder]) -> Judgement:
    return Judgement(need, reason, find_places(found))


# --- Scripts ---------------------------------------------------------------------

MAX_SCRIPTS: Final = 300
MAX_CODE_CHARS: Final = 100_000
"""Scripts of a page, and characters of their code, that are read."""

_CODE: Final = re.compile(
    r"(?:(?:text|application)/(?:x-)?(?:java|ecma|live)script.*|module|text/babel)?\s*",
    re.IGNORECASE,
)
_LIBRARY: Final = re.compile(
    r"jquery|(?<![a-z_-])bootstrap|analytics|gtag|gtm\.js|googletagmanager"
    r"|googlesyndication"
    r"|doubleclick|adsbygoogle|/ads?[-_./]|adservice|matomo|piwik|statcounter|hotjar"
    r"|cookie|consent|onetrust|polyfill|modernizr|html5shiv|respond(?:\.min)?\.js"
    r"|font-?awesome|lightbox|fancybox|slick|swiper|owl\.carousel|lazysizes|disqus"
    r"|addthis|sharethis|platform\.twitter|connect\.facebook|recaptcha|mathjax|katex"
    r"|prism|highlight|email-decode|rocket-loader|wp-emoji|comment-reply|leaflet"
    r"|maps\.google|metrics|tracking|tracker|pixel|beacon|insights|newrelic|sentry"
    r"|chartbeat|cloudflareinsights|plausible|umami|stats|widget|embed|vimeo|youtube",
    re.IGNORECASE,
)
_MAX_URL: Final = 500
_FILLS: Final = (
    "innerHTML|insertAdjacentHTML|appendChild|append(|replaceChildren|replaceWith"
    "|createRoot|hydrate|ReactDOM|mount(|render(|createApp|new Vue|new Svelte"
    "|textContent|outerHTML|.html(|.load(|insertBefore|setHTML"
).split("|")
_LOADS: Final = (
    "fetch(|XMLHttpRequest|axios|.ajax(|.get(|getJSON|.load(|import(|EventSource"
    "|WebSocket"
).split("|")
_CHALLENGES: Final = sorted(frozenset().union(*read_words("challenges").values()))
_REDIRECT: Final = re.compile(
    r"\blocation(?:\.href)?\s*=(?!=)|\blocation\s*\.\s*(?:replace|assign)\s*\("
)


class Scripts:
    """The scripts of a page, without data blocks: their likely purpose.

    ``external`` are the URLs of scripts elsewhere, ``inline`` the code of the others.
    """

    def __init__(self, root: _Element):
        self.external: list[str] = []
        self.inline: list[str] = []
        room = MAX_CODE_CHARS
        for script in islice(root.iter("script"), MAX_SCRIPTS):
            if not _CODE.fullmatch(script.get("type") or ""):
                continue
            if (url := script.get("src")) is not None:
                self.external.append(url)
            elif room > 0 and script.text:
                self.inline.append(script.text[:room])
                room -= len(script.text)

    def __bool__(self) -> bool:
        return bool(self.external or self.inline)

    @cached_property
    def own(self) -> list[str]:
        """The URLs of scripts other than well-known libraries."""
        return [url for url in self.external if not _LIBRARY.search(url[:_MAX_URL])]

    @cached_property
    def filling(self) -> list[str]:
        """The inline scripts that fill elements."""
        return [code for code in self.inline if _has_any(_FILLS, code)]

    @property
    def has_application(self) -> bool:
        """Whether a script may be the site's own and build a page."""
        return bool(self.own or self.filling)

    def fill(self, names: tuple[str, ...], *, loaded: bool = False) -> bool:
        """Whether a script that fills elements has one of the *names* in a string.

        With *loaded* only scripts count that load something first.
        """
        forms = [
            f"{before}{name}{behind}"
            for name in names
            if len(name) > 1
            for before, behind in ("''", '""', ("#", ""), (".", ""), "``")
        ]
        return any(
            _has_any(forms, code)
            for code in self.filling
            if not loaded or _has_any(_LOADS, code)
        )

    @property
    def has_challenge(self) -> bool:
        """Whether a script checks the browser before it lets it in."""
        codes = (*self.inline, *self.external)
        return any(_has_any(_CHALLENGES, code) for code in codes)

    @property
    def has_redirect(self) -> bool:
        """Whether a script goes to another page."""
        return any(map(_REDIRECT.search, self.inline))


def _has_any(words: list[str], text: str) -> bool:
    return any(word in text for word in words)
