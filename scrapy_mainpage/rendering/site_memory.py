"""Memory of the sites of a crawl: where a browser has added main content.

Within a site the counts are apart by rule (the reason of the judgement, and the places
where it was found), as one rule may be right and another wrong there. Counts decide,
neither chance nor the clock.

The static page is gone when the rendered one arrives, so the beginning of its main text
travels with the request.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar
from zlib import crc32

from scrapy import signals

from ..addresses import parts_of
from ..crawl.crawl_state import CrawlState
from ..crawl.rendered_requests import get_state
from ..extraction.embedded.prose import split_words
from ..extraction.page_warnings import TROUBLES
from .need import Need

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler

    from ..crawl.rendered_requests import State
    from ..page import Page
    from .need import Judgement

_Value = TypeVar("_Value")

MAX_SITES: Final = 5_000
MAX_RULES: Final = 100
"""Sites, and rules of each, that are kept: those used last."""

RECHECK_INTERVAL: Final = 20
"""One of so many pages that are skipped is rendered, to notice changes."""

MAX_RULE_MISSES: Final = 3
MAX_HINT_MISSES: Final = 6
MAX_SIGN_MISSES: Final = 16
"""Vain renderings after which a rule is ignored on a site: in a row by the rule; by all
rules, plus one per rule that gains, for a hint and for a clear sign. A rule that did
gain has the last number, in a row."""

MAX_FAILURES: Final = 5
"""Browser failures in a row after which a site is rendered only to recheck."""

_SITE_REASONS: Final = ("not_html", "refused", "too_large")
"""Failures caused by the page, not by the browser or a site that keeps it out."""


@dataclass
class Site:
    """Counts of a site.

    ``misses`` counts the vain renderings by each rule in a row; a gain puts it below 0.
    Of this crawl alone: ``vain`` counts those by rules without a gain, ``failures``
    those of the browser in a row, ``skipped`` the pages left static.
    """

    misses: dict[str, int] = field(default_factory=dict)
    vain: int = 0
    failures: int = 0
    skipped: int = 0

    @classmethod
    def from_json(cls, text: str) -> Site:
        """Read what :meth:`to_json` wrote: what brought nothing is tried once more.

        Raises :exc:`ValueError` for another text.
        """
        stored = json.loads(text)
        if not isinstance(stored, dict) or {*map(type, stored.values())} - {int}:
            raise ValueError("these are no counts")
        return cls({rule: min(it, MAX_RULE_MISSES - 1) for rule, it in stored.items()})

    def to_json(self) -> str:
        """Return what the next crawl knows."""
        return json.dumps(self.misses)

    def can_gain(self, rule: str, certain: bool) -> bool:
        """Whether rendering a page of the rule is worth it, by the results so far."""
        misses = self.misses.get(rule, 0)
        if self.failures >= MAX_FAILURES or misses >= MAX_RULE_MISSES:
            return False
        vain = self.vain - sum(count < 0 for count in self.misses.values())
        if misses < 0 or certain:
            return misses < 0 or vain < MAX_SIGN_MISSES
        # The first trial of another rule is more likely to gain than another of this.
        return vain + 2 * misses < MAX_HINT_MISSES

    def is_recheck(self, certain: bool) -> bool:
        """Whether to render a page without a chance: one of 20, but of clear signs."""
        if not certain and self.failures < MAX_FAILURES:
            return False
        self.skipped += 1
        return self.skipped % RECHECK_INTERVAL == 0

    def learn(self, rule: str, gained: bool) -> None:
        """Add the result of a rendered page."""
        self.failures = 0
        misses = self.misses.get(rule, 0) + 1
        self.vain += misses > 0 and not gained
        most = MAX_RULE_MISSES - MAX_SIGN_MISSES
        _put(self.misses, rule, most if gained else misses, MAX_RULES)


class SiteMemory:
    """The counts of all sites, kept from crawl to crawl in the crawl's state.

    A page to be rendered begins in :meth:`begin`, :meth:`confirm` decides again when
    the browser is free, and :meth:`add_rendered` or :meth:`add_failure` ends it.
    """

    def __init__(self, stored: Mapping[str, str] | None = None):
        self._sites: dict[str, Site] = {}
        for host, text in (stored or {}).items():
            with suppress(ValueError):  # of another version
                self._sites[host] = Site.from_json(text)

    def to_json(self) -> dict[str, str]:
        """Return the counts of each site as the next crawl reads them."""
        return {host: site.to_json() for host, site in self._sites.items()}

    def save(self, spider: Spider) -> None:
        """Keep the counts for the next crawl, where it has a state."""
        CrawlState.of(spider.crawler).write_sites(self.to_json())

    def begin(self, url: str, page: Page, judgement: Judgement) -> State | None:
        """Return the state of a request that renders the page; ``None`` to skip it."""
        site = self._locate(url)
        # A short name of the rule that matched the page.
        name = "\n".join((judgement.reason, *judgement.places))
        rule = f"{crc32(name.encode('utf-8', 'surrogatepass')):08x}"
        certain = judgement.need is Need.YES
        probe = not site.can_gain(rule, certain)
        if probe and not site.is_recheck(certain):
            return None
        state: State = {
            "rendered": True,
            "reason": judgement.reason,
            "url": url,
            "rule": rule,
            "certain": certain,
            "probe": probe,
        }
        keep_static(state, page)
        return state

    def confirm(self, request: Request) -> bool:
        """Whether to render the page still; report nothing more of it if not."""
        state = get_state(request) or {}
        if "rule" not in state or state["probe"]:
            return True
        return self._locate(state["url"]).can_gain(state["rule"], state["certain"])

    def add_rendered(self, page: Page, state: State) -> str:
        """Record the rendered page; return ``yes``, ``no``, or ``worse``: its gain."""
        gain = find_gain(state, page)
        self._locate(state["url"]).learn(state["rule"], gain == "yes")
        return gain

    def add_failure(self, state: State, reason: str) -> None:
        """Record a page that could not be rendered; *reason* is the code in the stats.

        Sites on which the browser fails again and again are left alone after a while.
        """
        if "rule" in state and reason not in _SITE_REASONS:
            self._locate(state["url"]).failures += 1

    def _locate(self, url: str) -> Site:
        """Return the counts of the URL's site."""
        host = parts_of(url).netloc.rpartition("@")[2].lower()[:255]
        site = self._sites.get(host) or Site()
        _put(self._sites, host, site, MAX_SITES)
        return site


def _put(entries: dict[str, _Value], name: str, value: _Value, limit: int) -> None:
    """Set an entry as the last one, and drop the first one over the limit."""
    entries.pop(name, None)
    entries[name] = value
    if len(entries) > limit:
        del entries[next(iter(entries))]


def get_memory(crawler: Crawler) -> SiteMemory:
    """Return the memory of a crawl, kept from crawl to crawl in its state."""
    return CrawlState.of(crawler).keep(_open_memory)


def _open_memory(crawler: Crawler) -> SiteMemory:
    memory = SiteMemory(CrawlState.of(crawler).read_sites())
    crawler.signals.connect(memory.save, signals.spider_closed)
    return memory


# --- Gain ----------------------------------------------------------------------

MIN_GAIN: Final = 0.1
MIN_NEW_WORDS: Final = 20
"""Share of new main text, and new words, from which rendering was worth it: a quote or
a date that differs at each visit has fewer."""

MIN_KEPT: Final = 0.7
"""Share of the static page's main text; with less of it the rendered page is another
one, and only the better where ..."""

MIN_STATIC_WORDS: Final = 20
"""... the static page had fewer words, or the rendered one has more and no warning."""

MIN_NAMED: Final = 0.6
"""Share of the words of a page's title that its text has, too."""

MAX_STATIC_CHARS: Final = 4_000
MAX_TITLE_CHARS: Final = 200
"""Characters of the static page's main text and of its title that are kept."""


def keep_static(state: State, page: Page) -> None:
    """Keep in the *state* of a request what compares its static *page* later."""
    state["words"] = page.words
    state["title"] = (page.title or "")[:MAX_TITLE_CHARS]
    has_text = page.words >= MIN_STATIC_WORDS
    state["static"] = page.text[:MAX_STATIC_CHARS] if has_text else ""


def find_gain(state: State, rendered: Page) -> str:
    """Return ``yes``, ``no`` or ``worse`` for a *rendered* page.

    The gain is the growth of the main text, or another text that is the better one. The
    state keeps the static page's text only where the page shows another one.
    """
    static, words, title = state["static"], state["words"], state.pop("title", "")
    if _is_other(static, rendered):
        return "worse" if _is_worse(words, title, static, rendered) else "yes"
    state.pop("static")
    new = rendered.words - words
    is_gain = new >= max(MIN_NEW_WORDS, MIN_GAIN * rendered.words)
    return "yes" if is_gain else "no"


def _is_other(static: str, rendered: Page) -> bool:
    """Whether most of the *static* page's main text is none of *rendered*."""
    known, found = _find_shingles(static), _find_shingles(rendered.text)
    return len(known & found) < MIN_KEPT * len(known)


def _is_worse(words: int, title: str, static: str, rendered: Page) -> bool:
    """Whether the static page, with *words* of main content, was better than another.

    What came for it is less, no longer what the static page's *title* says, or a wall,
    a login, an error, a challenge.
    """
    if rendered.words < words or not TROUBLES.isdisjoint(rendered.warnings):
        return True
    names = set(split_words(title.lower()))
    had = len(names.intersection(split_words(static.lower())))
    has = len(names.intersection(split_words(rendered.text.lower())))
    return has < MIN_NAMED * len(names) <= had


def _find_shingles(text: str) -> set[tuple[str, ...]]:
    """Return the different runs of three words; none crosses the end of a line."""
    found: set[tuple[str, ...]] = set()
    for line in text.splitlines():
        words = [*split_words(line), "", ""]
        found.update(zip(words, words[1:], words[2:], strict=False))
    return found
