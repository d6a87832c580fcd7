"""Judgement of a static page: whether it needs a browser. Knows nothing of Scrapy.

The static page is enough if it has no script, or main content and no placeholder for
more. It needs a browser if it has next to no main content and a sign of the reason: a
placeholder, or a script that fills an element. Pages in between may need one: the
crawl learns the gain of rendering such pages of a site.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import islice
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
MAX_MODEST_WORDS: Final = 250.0
MIN_PLENTY_WORDS: Final = 400.0
"""Words by which a page is bare, has little or modest text, or has plenty.
With little main content every placeholder waits for content, with plenty few do."""

MAX_SHARE_AFTER: Final = 0.15
MAX_SHARE_AFTER_MODEST: Final = 0.5
"""Share of the main content that may follow a placeholder for more of it: the second
where there are fewer than :data:`MAX_MODEST_WORDS` words."""

MAX_WORDS_BETWEEN: Final = 12.0
"""Words of other text between main content and such a placeholder."""


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
    for rule in (_judge_redirect, _judge_complete, _judge_content, _judge_bare):
        if judgement := rule(signs):
            return judgement
    has_text = signs.main >= MAX_LITTLE_WORDS
    return Judgement(Need.NO, "enough_text" if has_text else "no_sign")


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
        return find_placeholders(self.root, self.outline, after, everywhere=everywhere)

    @property
    def likely(self) -> list[Placeholder]:
        """The placeholders after the main content: the more there is, the fewer."""
        found = [it for it in self.placeholders if it.is_after]
        if not self.has_little:
            found = [it for it in found if it.id or it.kind is Kind.MAIN]
        if self.has_plenty:
            found = [it for it in found if it.kind >= Kind.CONTENT]
        return found

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
        loaded = not self.has_little
        return [
            it
            for it in self.placeholders
            if (not loaded or (it.is_after and it.id) or it.kind >= Kind.CONTENT)
            and self.scripts.fill(it.names, loaded=loaded)
        ]

    @property
    def deferred(self) -> list[Placeholder]:
        """Placeholders that an attribute fills; with plenty of text, those with ids."""
        return [
            it
            for it in self.placeholders
            if it.is_deferred and it.is_after and (it.id or not self.has_plenty)
        ]


# --- Rules, in the order of their evaluation -------------------------------------


def _judge_redirect(signs: _Signs) -> Judgement | None:
    """Next to no text, and a script that goes to another page."""
    if signs.shown < 2 * MAX_BARE_WORDS and signs.scripts.has_redirect:
        return Judgement(Need.YES, "script_redirect")
    return None


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


def _judge_content(signs: _Signs) -> Judgement | None:
    """An element that waits for main content."""
    # A page with much other text is often complete without main content.
    is_shell = signs.has_little and signs.flow < MAX_MODEST_WORDS
    likely = signs.likely
    waiting = [it for it in signs.placeholders if it.waits and it.is_after]
    roots = [it for it in likely if it.kind is Kind.ROOT and it.id]
    for reason, found in (
        ("empty_root", roots if signs.has_little else []),
        ("empty_main", [it for it in likely if it.kind is Kind.MAIN]),
        ("scripted_container", signs.scripted),
        ("deferred_fragment", signs.deferred),
        ("placeholder_text", waiting),
    ):
        if found:
            return _conclude(Need.YES if is_shell else Need.MAYBE, reason, found)
    named = [it for it in likely if it.id]
    if named and not signs.has_little and signs.scripts.has_application:
        return _conclude(Need.MAYBE, "empty_container", named)
    return None


def _judge_bare(signs: _Signs) -> Judgement | None:
    """Next to no main content."""
    if not signs.has_little:
        return None
    found, has_application = signs.placeholders, signs.scripts.has_application
    strong = [it for it in found if it.kind >= Kind.CONTENT]
    is_empty = signs.flow < MAX_LITTLE_WORDS
    is_bare = signs.flow < MAX_BARE_WORDS
    if is_bare and signs.outline.waiting.any():
        return _conclude(Need.YES, "placeholder_text", found)
    if is_empty and has_application and strong:
        return _conclude(Need.YES, "empty_container", strong)
    if is_bare and (found or (has_application and signs.flow <= 1)):
        return _conclude(Need.YES, "no_text", found)
    likely = found if is_empty else [it for it in found if it.id] or strong
    if likely and has_application:
        return _conclude(Need.MAYBE, "empty_container", likely)
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
    def has_redirect(self) -> bool:
        """Whether a script goes to another page."""
        return any(map(_REDIRECT.search, self.inline))


def _has_any(words: list[str], text: str) -> bool:
    return any(word in text for word in words)
