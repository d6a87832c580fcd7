"""What a page's scripts are for, as far as that can be told without running them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST_SCRIPTS: Final = 300
LONGEST: Final = 20_000
"""Characters of a script's code that are read."""

MOST_CODE: Final = 100_000
"""Characters of code that are read, of all scripts."""

HEAVY: Final = 20_000
"""Characters of code that are more than a few lines for a page without text."""

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
_FILLS: Final = (
    "innerHTML",
    "insertAdjacentHTML",
    "appendChild",
    "append(",
    "replaceChildren",
    "replaceWith",
    "createRoot",
    "hydrate",
    "ReactDOM",
    "mount(",
    "render(",
    "createApp",
    "new Vue",
    "new Svelte",
    "textContent",
    "outerHTML",
    ".html(",
    ".load(",
    "insertBefore",
    "setHTML",
)
_LOADS: Final = (
    "fetch(",
    "XMLHttpRequest",
    "axios",
    ".ajax(",
    ".get(",
    "getJSON",
    ".load(",
    "import(",
    "EventSource",
    "WebSocket",
)
_CHALLENGES: Final = (
    "_cf_chl",
    "awswaf",
    "AwsWaf",
    "gokuProps",
    "ddos-guard",
    "_Incapsula_",
    "px-captcha",
    "_pxAppId",
    "captcha-delivery",
    "sucuri_cloudproxy",
)
_REDIRECT: Final = re.compile(
    r"\blocation(?:\.href)?\s*=(?!=)|\blocation\s*\.\s*(?:replace|assign)\s*\("
)


@dataclass(frozen=True)
class Scripts:
    """The scripts of a page that hold code.

    ``external`` are the addresses of those elsewhere, ``elements`` the others.
    """

    external: tuple[str, ...]
    elements: tuple[_Element, ...]

    def __bool__(self) -> bool:
        return bool(self.external or self.elements)

    @cached_property
    def inline(self) -> tuple[str, ...]:
        """The code on the page; the ends of long scripts are left out."""
        left = MOST_CODE
        texts: list[str] = []
        for script in self.elements:
            text = (script.text or "")[: min(LONGEST, left)]
            texts.append(text)
            left -= len(text)
            if left <= 0:
                break
        return tuple(filter(None, texts))

    @cached_property
    def application(self) -> bool:
        """Whether a script may be the site's own and build a page."""
        return bool(self.own or self.filling)

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The addresses of scripts that are none of the usual libraries."""
        return tuple(each for each in self.external if not _LIBRARY.search(each))

    @property
    def is_heavy(self) -> bool:
        """Whether there is much code."""
        return self.application and (
            len(self.own) > 2 or sum(map(len, self.inline)) > HEAVY
        )

    @cached_property
    def filling(self) -> tuple[str, ...]:
        """The scripts on the page that fill something."""
        return _with_any(_FILLS, self.inline)

    @cached_property
    def loading(self) -> tuple[str, ...]:
        """Those of them that load something first."""
        return _with_any(_FILLS, _with_any(_LOADS, self.inline))

    def fill(self, names: tuple[str, ...], *, loaded: bool) -> bool:
        """Whether a script that fills something has one of the *names* in it.

        With *loaded* only scripts count that load something first.
        """
        texts = self.loading if loaded else self.filling
        return any(
            name in text and _quotes(text, name)
            for name in names
            if len(name) > 1
            for text in texts
        )

    @property
    def challenges(self) -> bool:
        """Whether a script looks at the browser before it lets it in."""
        texts = (*self.inline, *self.external)
        return any(_is_any(_CHALLENGES, text) for text in texts)

    @property
    def redirects(self) -> bool:
        """Whether a script leads to another page."""
        return any(map(_REDIRECT.search, self.inline))


def _quotes(text: str, name: str) -> bool:
    """Whether code has *name* as a string or in a selector."""
    forms = (f"'{name}'", f'"{name}"', f"#{name}", f".{name}", f"`{name}`")
    return any(form in text for form in forms)


def _with_any(words: tuple[str, ...], texts: tuple[str, ...]) -> tuple[str, ...]:
    # Mostly none has any: one look at all of them is faster than one at each.
    if not _is_any(words, "\n".join(texts)):
        return ()
    return tuple(text for text in texts if _is_any(words, text))


def _is_any(words: tuple[str, ...], text: str) -> bool:
    return any(word in text for word in words)


def read_scripts(root: _Element) -> Scripts:
    """The scripts of the page below *root*; data in script elements left out."""
    external: list[str] = []
    elements: list[_Element] = []
    for script in islice(root.iter("script"), MOST_SCRIPTS):
        if not _CODE.fullmatch(script.get("type") or ""):
            continue
        if (address := script.get("src")) is not None:
            external.append(address)
        else:
            elements.append(script)
    return Scripts(tuple(external), tuple(elements))


__all__ = ["Scripts", "read_scripts"]
