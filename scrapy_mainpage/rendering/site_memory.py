"""Memory of the sites of a crawl: where a browser has added main content.

Within a site the counts are apart by rule (the reason of the judgement, and the places
where it was found), as one rule may be right and another wrong there. Counts decide,
neither chance nor the clock.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar
from zlib import crc32

from scrapy import signals

from ..addresses import parts_of
from ..crawl.crawl_state import CrawlState
from ..crawl.rendered_requests import get_state
from .gain import add_sketch, find_gain
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
"""Vain renderings after which a rule that never gained on a site is ignored there: in a
row by the rule; by all such rules, plus one per gain, for a hint and for a clear sign.
A rule that did gain has the last number, in a row."""

MAX_FAILURES: Final = 5
"""Browser failures in a row after which a site is rendered only to recheck."""

_SITE_REASONS: Final = ("not_html", "refused", "too_large")
"""Failures caused by the page, not by the browser or a site that keeps it out."""


@dataclass
class Site:
    """Counts of a site.

    ``misses`` has the vain renderings by each rule since it gained, and ``proven`` the
    rules that did; ``gained`` and ``vain`` count renderings by the others, ``failures``
    those of the browser in a row.
    """

    gained: int = 0
    vain: int = 0
    failures: int = 0
    skipped: int = 0
    misses: dict[str, int] = field(default_factory=dict)
    proven: dict[str, bool] = field(default_factory=dict)

    def can_gain(self, rule: str, certain: bool) -> bool:
        """Whether rendering a page of the rule is worth it, by the results so far."""
        misses = self.misses.get(rule, 0)
        if self.failures >= MAX_FAILURES:
            return False
        if self.proven.get(rule):
            return misses < MAX_SIGN_MISSES
        if misses >= MAX_RULE_MISSES:
            return False
        if certain:
            return self.vain < MAX_SIGN_MISSES + self.gained
        # The first trial of another rule is more likely to gain than another of this.
        return self.vain + 2 * misses < MAX_HINT_MISSES + self.gained

    def is_recheck(self, certain: bool) -> bool:
        """Whether to render a page without a chance: one of 20, but of clear signs."""
        if not certain and self.failures < MAX_FAILURES:
            return False
        self.skipped += 1
        return self.skipped % RECHECK_INTERVAL == 0

    def learn(self, rule: str, gained: bool) -> None:
        """Add the result of a rendered page."""
        self.failures = 0
        if not self.proven.get(rule):
            self.gained += gained
            self.vain += not gained
        misses = 0 if gained else self.misses.get(rule, 0) + 1
        _put(self.misses, rule, misses, MAX_RULES)
        if gained:
            _put(self.proven, rule, True, MAX_RULES)


class SiteMemory:
    """The counts of all sites, kept from crawl to crawl in the crawl's state.

    A page to be rendered begins in :meth:`begin`, :meth:`confirm` decides again when
    the browser is free, and :meth:`add_rendered` or :meth:`add_failure` ends it.
    """

    def __init__(self, stored: Mapping[str, str] | None = None):
        self._sites: dict[str, Site] = {}
        for host, text in (stored or {}).items():
            with suppress(AttributeError, TypeError, ValueError):  # of another version
                site = Site(**{**json.loads(text), "failures": 0, "vain": 0})
                # What brought nothing is tried once more.
                for rule, misses in site.misses.items():
                    site.misses[rule] = min(misses, MAX_RULE_MISSES - 1)
                self._sites[host] = site

    def to_json(self) -> dict[str, str]:
        """Return the counts of each site as the next crawl reads them."""
        return {host: json.dumps(asdict(site)) for host, site in self._sites.items()}

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
        add_sketch(state, page)
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
