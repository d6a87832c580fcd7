"""Scripts of a page: their likely purpose, found without running them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from ...extraction.vocabulary import read_words

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_URL: Final = 500
MAX_SCRIPTS: Final = 300
MAX_SCRIPT_CHARS: Final = 20_000
"""Characters that are read of a script."""

MAX_CODE_CHARS: Final = 100_000
"""Characters that are read of all scripts."""

MIN_HEAVY_CHARS: Final = 20_000
"""Characters of code that do more than a page without text needs."""

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
# Searched as words: in code, that is quicker than one regular expression.
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


@dataclass(frozen=True)
class Scripts:
    """The scripts of a page, without data blocks.

    ``external`` are the URLs of scripts elsewhere, ``elements`` the inline ones.
    """

    external: tuple[str, ...]
    elements: tuple[_Element, ...]

    def __bool__(self) -> bool:
        return bool(self.external or self.elements)

    @cached_property
    def inline(self) -> tuple[str, ...]:
        """The inline code, with the ends of long scripts left out."""
        left = MAX_CODE_CHARS
        texts: list[str] = []
        for script in self.elements:
            text = (script.text or "")[: min(MAX_SCRIPT_CHARS, left)]
            texts.append(text)
            left -= len(text)
            if left <= 0:
                break
        return tuple(filter(None, texts))

    @cached_property
    def has_application(self) -> bool:
        """Whether a script may be the site's own and build a page."""
        return bool(self.own or self.filling)

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The URLs of scripts other than well-known libraries."""
        return tuple(url for url in self.external if not _is_library(url[:MAX_URL]))

    @property
    def is_heavy(self) -> bool:
        """Whether the page has much code of its own."""
        return self.has_application and (
            len(self.own) > 2 or sum(map(len, self.inline)) > MIN_HEAVY_CHARS
        )

    @cached_property
    def filling(self) -> tuple[str, ...]:
        """The inline scripts that fill elements."""
        return _filter_any(_FILLS, self.inline)

    @cached_property
    def loading(self) -> tuple[str, ...]:
        """The inline scripts that load something and fill elements."""
        return _filter_any(_FILLS, _filter_any(_LOADS, self.inline))

    def fill(self, names: tuple[str, ...], *, loaded: bool) -> bool:
        """Whether a script that fills elements mentions one of the *names*.

        With *loaded* only scripts count that load something first.
        """
        texts = self.loading if loaded else self.filling
        return any(
            name in text and _mentions(text, name)
            for name in names
            if len(name) > 1
            for text in texts
        )

    @property
    def has_challenge(self) -> bool:
        """Whether a script checks the browser before it lets it in."""
        texts = (*self.inline, *self.external)
        return any(_has_any(_CHALLENGES, text) for text in texts)

    @property
    def has_redirect(self) -> bool:
        """Whether a script goes to another page."""
        return any(map(_REDIRECT.search, self.inline))


@lru_cache(maxsize=5_000)
def _is_library(url: str) -> bool:
    return bool(_LIBRARY.search(url))


def _mentions(text: str, name: str) -> bool:
    """Whether code has *name* as a string or in a selector."""
    forms = (f"'{name}'", f'"{name}"', f"#{name}", f".{name}", f"`{name}`")
    return any(form in text for form in forms)


def _filter_any(words: list[str], texts: tuple[str, ...]) -> tuple[str, ...]:
    # Usually none matches: one search in all texts is quicker than one in each.
    if not _has_any(words, "\n".join(texts)):
        return ()
    return tuple(text for text in texts if _has_any(words, text))


def _has_any(words: list[str], text: str) -> bool:
    return any(word in text for word in words)


def read_scripts(root: _Element) -> Scripts:
    """Return the scripts of the page below *root*."""
    external: list[str] = []
    elements: list[_Element] = []
    for script in islice(root.iter("script"), MAX_SCRIPTS):
        if not _CODE.fullmatch(script.get("type") or ""):
            continue
        if (url := script.get("src")) is not None:
            external.append(url)
        else:
            elements.append(script)
    return Scripts(tuple(external), tuple(elements))
