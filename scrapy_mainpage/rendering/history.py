"""Rendering history of the sites of a crawl: where a browser has added main content.

A counter a site, in bounded memory. Within a site the counts are apart by rule (the
reason of the judgement, and the places where it was found): one sum over all rules
would either render pages in vain for ever or lose content on a site where one rule is
right and another is wrong. Counts decide, neither chance nor the clock.
"""

from __future__ import annotations

import json
import logging
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from zlib import crc32

from scrapy import signals
from scrapy.utils.job import job_dir

from ..addresses import parts_of
from ..crawl.crawl_state import CrawlState
from ..crawl.rendered_requests import get_state
from .detection.need import Need
from .gain import (
    MAX_TITLE_CHARS,
    estimate_gain,
    is_gain,
    is_other,
    is_worse,
    make_sketch,
    static_text,
)

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from ..crawl.rendered_requests import State
    from ..page import Page
    from .detection.need import Judgement

logger = logging.getLogger(__name__)

_Value = TypeVar("_Value")

MAX_SITES: Final = 5_000
MAX_ENTRIES: Final = 100
"""Sites, and rules and folders of each, that are kept: those used last."""

RECHECK_INTERVAL: Final = 20
"""One page in so many is handled contrary to the history, to notice changes."""

PURE_INTERVAL: Final = 100
MAX_INTERVAL: Final = 640
"""Pages rendered upfront before one is not: 20, or so many more while all pages of the
site gained; then twice as many, up to this."""

MIN_FOLDER_GAINS: Final = 3
"""Pages of a folder that gained before the others are rendered upfront."""

NEVER_UPFRONT: Final = -1
"""Count of a folder once one of its pages did not need rendering."""

MAX_RULE_MISSES: Final = 3
"""Vain renderings after which a rule that never gained on a site is ignored there."""

MAX_MISSES: Final = 16
"""The same, in a row, for a rule that gained, and for all clear signs together."""

MAX_TRIAL_MISSES: Final = 6
PAGES_PER_TRIAL: Final = 1000
"""Vain trials of all hints of a site, plus one per gain and per so many pages."""

MAX_FAILURES: Final = 5
"""Browser failures in a row after which a site is rendered only to recheck."""

_FILE: Final = "mainpage-rendering.json"

_SITE_REASONS: Final = ("network", "not_html", "refused", "status", "too_large")
"""Failures caused by the page or its site, not by the browser."""

_WALL_REASONS: Final = ("network", "status")
"""Failures by which a site keeps browsers out if its static pages load."""


@dataclass(slots=True)
class SiteCounter:
    """Counts of a site.

    ``credits`` are the vain renderings left to each rule, and ``folders`` count the
    pages that gained. ``trial_gains`` and ``trial_misses`` are of hints that are not
    proven; ``certain_misses`` and ``failures`` are those in a row. ``shells`` gained
    by clear signs; ``asked`` counts the static pages of folders since the first.
    """

    pages: int = 0
    trial_gains: int = 0
    trial_misses: int = 0
    certain_misses: int = 0
    failures: int = 0
    shells: int = 0
    skipped: int = 0
    upfront: int = 0
    interval: int = RECHECK_INTERVAL
    credits: dict[str, int] = field(default_factory=dict)
    folders: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)

    @property
    def is_pure(self) -> bool:
        """Whether all pages gained so far."""
        return NEVER_UPFRONT not in self.folders.values()

    def expects_shell(self, folder: str) -> bool:
        """Whether enough of the folder's pages await a verdict, on a site of shells."""
        if not self.shells or not self.is_pure:
            return False
        asked = self.asked.get(folder, 0) + 1
        _put(self.asked, folder, asked, MAX_ENTRIES)
        return asked > MIN_FOLDER_GAINS

    def can_gain(self, rule: str, certain: bool) -> bool:
        """Whether rendering a page of the rule is worth it, by the results so far."""
        credit = self.credits.get(rule, MAX_RULE_MISSES)
        if self.failures >= MAX_FAILURES:
            return False
        if credit > MAX_RULE_MISSES:
            return True
        if certain:
            return credit > 0 and self.certain_misses < MAX_MISSES
        # The first trial of another rule is more likely to gain than another of this.
        misses = self.trial_misses + 2 * (MAX_RULE_MISSES - credit)
        budget = MAX_TRIAL_MISSES + self.trial_gains + self.pages // PAGES_PER_TRIAL
        return credit > 0 and misses < budget

    def is_recheck(self, certain: bool) -> bool:
        """Whether to render a page without a chance: one of 20, but of clear signs."""
        if not certain and self.failures < MAX_FAILURES:
            return False
        self.skipped += 1
        return self.skipped % RECHECK_INTERVAL == 0

    def learn(
        self, rule: str, certain: bool, gained: bool, folder: str, *, counted: bool
    ) -> None:
        """Add the result of a rendered page, which was *counted* before or not."""
        credit = self.credits.get(rule, MAX_RULE_MISSES)
        self.failures = 0
        if certain:
            self.shells += gained
            self.certain_misses = 0 if gained else self.certain_misses + 1
        elif credit <= MAX_RULE_MISSES:
            self.trial_gains += gained
            self.trial_misses += not gained
        left = MAX_MISSES if gained else max(credit - 1, 0)
        _put(self.credits, rule, left, MAX_ENTRIES)
        if not gained:
            self.mark_static(folder)
        elif not counted:
            self.count_gain(folder)

    def count_gain(self, folder: str) -> None:
        """Count a page of the folder that gained, or that is a shell that gained."""
        gains = self.folders.get(folder, 0)
        if gains != NEVER_UPFRONT:
            _put(self.folders, folder, gains + 1, MAX_ENTRIES)

    def mark_static(self, folder: str) -> None:
        """Render no page of the folder upfront: one did not need it."""
        if self.is_pure:
            self.upfront = 0
        self.interval = RECHECK_INTERVAL
        _put(self.folders, folder, NEVER_UPFRONT, MAX_ENTRIES)


class SiteHistory:
    """The counters of all sites; with *path*, kept there from crawl to crawl.

    A static page ends in :meth:`add_static` or :meth:`begin`. When the browser is free,
    :meth:`confirm` decides again, by the results since; the page ends in
    :meth:`add_rendered` or :meth:`add_failure`, under the URL that it began with. A
    page rendered upfront ends in :meth:`add_success` or :meth:`add_failure`.
    """

    def __init__(self, path: Path | None = None, *, is_other_crawl: bool = False):
        self._path = path
        self._sites: dict[str, SiteCounter] = {}
        if path:
            self._sites = _load(path, is_other_crawl=is_other_crawl)

    def is_rendered_upfront(self, url: str) -> bool:
        """Whether to render *url* without its static page.

        Call it once per download: after a number of pages one is not.
        """
        site, folder = self._locate(url)
        if site.failures >= MAX_FAILURES:
            return False
        gains = site.folders.get(folder, 0)
        if gains < MIN_FOLDER_GAINS and not site.expects_shell(folder):
            return False
        site.upfront += 1
        interval = max(site.interval, PURE_INTERVAL if site.is_pure else 0)
        if site.upfront < interval:
            return True
        site.upfront, site.interval = 0, min(2 * interval, MAX_INTERVAL)
        return False

    def add_static(self, url: str) -> None:
        """Record a page that needs no rendering."""
        site, folder = self._locate(url)
        site.pages += 1
        site.mark_static(folder)

    def begin(
        self, url: str, page: Page, judgement: Judgement, *, replayed: bool = False
    ) -> State | None:
        """Return the state of a request that renders the page; ``None`` to skip it.

        It holds a sketch of the static page, to measure the gain later, and the URL,
        as the site may redirect the browser. *replayed*: render in any case.
        """
        site, folder = self._locate(url)
        site.pages += 1
        # A short name of the rule that matched the page.
        name = "\n".join((judgement.reason, *judgement.places))
        rule = f"{crc32(name.encode('utf-8', 'surrogatepass')):08x}"
        certain = judgement.need is Need.YES
        probe = not site.can_gain(rule, certain)
        if probe and not replayed and not site.is_recheck(certain):
            site.mark_static(folder)
            return None
        # The shell of a page that gained: the others of the folder need not wait.
        is_known = certain and site.credits.get(rule) == MAX_MISSES
        if counted := is_known and not static_text(page):
            site.count_gain(folder)
        return {
            "rendered": True,
            "reason": judgement.reason,
            "url": url,
            "rule": rule,
            "certain": certain,
            "probe": probe,
            "counted": counted,
            "sketch": make_sketch(page),
            "words": page.words,
            "static": static_text(page),
            "title": (page.title or "")[:MAX_TITLE_CHARS],
        }

    def confirm(self, request: Request) -> bool:
        """Whether to render the page still, by the results since :meth:`begin`.

        After ``False`` the static page goes on; report nothing more about it.
        """
        state = get_state(request) or {}
        if "rule" not in state or state["probe"]:
            return True
        site, folder = self._locate(state["url"])
        if site.can_gain(state["rule"], state["certain"]):
            return True
        site.mark_static(folder)
        return False

    def add_rendered(self, page: Page, state: State) -> str:
        """Record the rendered page; return ``yes``, ``no``, or ``worse``: its gain.

        The state keeps the static page's text only where the page shows another one.
        """
        gain = "yes" if is_gain(estimate_gain(state["sketch"], page), page) else "no"
        static, title = state.get("static", ""), state.pop("title", "")
        if not is_other(static, page):
            state.pop("static", None)
        elif is_worse(state.get("words", 0), title, static, page):
            gain = "worse"
        site, folder = self._locate(state["url"])
        site.learn(
            state["rule"],
            state["certain"],
            gain == "yes",
            folder,
            counted=state.get("counted", False),
        )
        return gain

    def add_success(self, url: str) -> None:
        """Record a page that was rendered upfront."""
        self._locate(url)[0].failures = 0

    def add_failure(self, url: str, state: State, reason: str) -> None:
        """Record a page that could not be rendered; *reason* is the code in the stats.

        Sites on which the browser fails again and again, or that keep it out, are left
        alone after a while.
        """
        site, folder = self._locate(state.get("url", url))
        begun = "rule" in state
        if not begun and reason == "not_html":
            # Files among the pages of a folder: it has to gain anew.
            site.folders.pop(folder, None)
        elif reason not in _SITE_REASONS or (begun and reason in _WALL_REASONS):
            site.failures += 1

    def save(self) -> None:
        """Replace the file by the history, atomically."""
        if self._path is None:
            return
        draft = self._path.with_name(self._path.name + ".part")
        data = {host: asdict(site) for host, site in self._sites.items()}
        try:
            draft.write_text(json.dumps(data), "utf-8")
            draft.replace(self._path)
        except OSError as error:
            logger.warning("Rendering history not saved: %(error)s", {"error": error})

    def _locate(self, url: str) -> tuple[SiteCounter, str]:
        """Return the counter of the URL's site, and its folder there."""
        host, folder = split_url(url)
        site = self._sites.get(host) or SiteCounter()
        _put(self._sites, host, site, MAX_SITES)
        return site, folder


def _load(path: Path, *, is_other_crawl: bool) -> dict[str, SiteCounter]:
    """Read a saved history; browsers get another chance. A broken file is ignored.

    In another crawl each rule has one trial, as what failed may have been the site; a
    folder of which all pages gained is rendered upfront, and rarely seen again.
    """
    try:
        data: dict[str, Any] = json.loads(path.read_text("utf-8"))
        sites = {
            host: SiteCounter(**{**counts, "failures": 0})
            for host, counts in data.items()
        }
        for site in sites.values() if is_other_crawl else ():
            site.trial_misses = site.certain_misses = 0
            site.credits = {rule: left or 1 for rule, left in site.credits.items()}
            if site.is_pure:
                site.interval = MAX_INTERVAL
            gained = (name for name, gains in site.folders.items() if gains > 0)
            site.folders = dict.fromkeys(gained, MIN_FOLDER_GAINS)
        return sites
    except FileNotFoundError:
        return {}
    except (AttributeError, OSError, TypeError, ValueError) as error:
        logger.warning("Rendering history in %s is ignored: %s", path, error)
        return {}


def _put(entries: dict[str, _Value], name: str, value: _Value, limit: int) -> None:
    """Set an entry as the last one, and drop the first one over the limit."""
    entries.pop(name, None)
    entries[name] = value
    if len(entries) > limit:
        del entries[next(iter(entries))]


def get_history(crawler: Crawler) -> SiteHistory:
    """Return the history of a crawl, kept from crawl to crawl beside its state.

    Without a state it is kept in the JOBDIR, while the crawl is paused. Each worker of
    a shared crawl learns for itself.
    """
    return CrawlState.of(crawler).keep(_open_history)


def _open_history(crawler: Crawler) -> SiteHistory:
    folder = job_dir(crawler.settings)
    path = Path(folder, _FILE) if folder else None
    if is_kept := bool(CrawlState.of(crawler).settings.state):
        from ..crawl.crawl_ledger import CrawlLedger

        path = CrawlState.of(crawler).keep(CrawlLedger).file(_FILE)
    history = SiteHistory(path, is_other_crawl=is_kept)
    crawler.signals.connect(history.save, signals.spider_closed)
    return history


def split_url(url: str) -> tuple[str, str]:
    """Return host and port of a URL, and its first folder, with 0 for numbers.

    The folder is empty for pages right below the root, both are for no URL.
    """
    parts = parts_of(url)
    host = parts.netloc.rpartition("@")[2].lower()
    first, slash, _ = parts.path.strip("/").partition("/")
    return host[:255], re.sub(r"\d+", "0", first)[:40] if slash else ""
