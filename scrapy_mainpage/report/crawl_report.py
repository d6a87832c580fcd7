"""The report of a crawl: counters of bounded size, and one HTML file made of them.

No page, tree or response is kept: of a page there are numbers.
"""

from __future__ import annotations

import shlex
from bisect import insort
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from ..addresses import parts_of
from ..redaction import hide_secrets, redacted
from ..text.words import number_of
from .page_report import (
    digest,
    make_environment,
    make_style,
    read_template,
)
from .wording import REASONS, explain_warning

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from ..page import Page

MAX_SITES: Final = 50
OTHERS: Final = "others"
"""Name of the sites beyond the maximum."""

MAX_EXAMPLES: Final = 5
MAX_LISTED: Final = 20
"""The least certain pages that are listed."""

MAX_URL_CHARS: Final = 1000
UNCERTAIN: Final = 0.5
"""A page with less confidence is uncertain; the least certain ones are listed."""

KEPT, DROPPED, SKIPPED, FAILED = "Kept", "Dropped", "Skipped", "Extraction failed"
HTTP_ERROR, NO_ITEM = "HTTP error", "No item"
OUTCOMES: Final = (KEPT, DROPPED, NO_ITEM, SKIPPED, HTTP_ERROR, FAILED)
RENDERED: Final = {True: "Rendered", False: "Not rendered"}

Outcome = tuple[str, str]
"""What became of a page, and the code of the reason."""


@dataclass(slots=True)
class Reason:
    """The number of pages with a reason, and examples: URLs with notes."""

    count: int = 0
    examples: list[tuple[str, str]] = field(default_factory=list)


class Tally(dict[Outcome, Reason]):
    """Counts pages by group and code, of which there are few."""

    def add(self, outcome: Outcome, url: str, note: str = "") -> None:
        """Count *outcome* for the page of *url*."""
        reason = self.setdefault(outcome, Reason())
        reason.count += 1
        if len(reason.examples) < MAX_EXAMPLES:
            reason.examples.append((show_url(url), note[:MAX_URL_CHARS]))

    def total(self, *groups: str) -> int:
        """The pages of *groups*."""
        return sum(r.count for (name, _), r in self.items() if name in groups)

    def ranked(self) -> list[tuple[Outcome, Reason]]:
        """The reasons that still have pages, the most frequent first."""
        found = [item for item in self.items() if item[1].count > 0]
        return sorted(found, key=lambda item: -item[1].count)


@dataclass(slots=True)
class Counts:
    """Sums over the pages of a site, or of all."""

    pages: int = 0
    kept: int = 0
    dropped: int = 0
    words: int = 0
    words_total: int = 0
    rated: int = 0
    uncertain: int = 0
    confidence_sum: float = 0.0

    def add(self, page: Page) -> None:
        """Add a page."""
        self.pages += 1
        self.words += page.words
        self.words_total += page.words_total
        if page.confidence is not None:
            self.rated += 1
            self.confidence_sum += page.confidence
            self.uncertain += page.confidence < UNCERTAIN

    @property
    def confidence(self) -> float | None:
        """The mean of the pages that have one."""
        return self.confidence_sum / self.rated if self.rated else None


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page of low confidence."""

    url: str
    title: str
    words: int
    confidence: float


class CrawlSummary:
    """All that the report of a crawl needs to know of its pages and items."""

    def __init__(self) -> None:
        self.outcomes, self.warnings, self.rendering = Tally(), Tally(), Tally()
        self.total = Counts()
        self.sites: dict[str, Counts] = {}
        self.least_certain: list[ListedPage] = []

    def count(self, outcome: Outcome, url: str, site: str, note: str = "") -> None:
        """Count what became of a page, with a *note* for the examples."""
        self.outcomes.add(outcome, url, hide_secrets(note, url) if "@" in url else note)
        self._count_items(outcome, site, 1)

    def uncount(self, outcome: Outcome, site: str) -> None:
        """Take back what became of a page, which another outcome replaces."""
        self.outcomes[outcome].count -= 1
        self._count_items(outcome, site, -1)

    def _count_items(self, outcome: Outcome, site: str, number: int) -> None:
        if outcome[0] in (KEPT, DROPPED):
            counts = self._site(site)
            counts.kept += number * (outcome[0] == KEPT)
            counts.dropped += number * (outcome[0] == DROPPED)

    def add_page(self, page: Page, site: str, *, is_error: bool = False) -> None:
        """Add the numbers of a page; an HTTP error is not among the least certain."""
        url, confidence = page.url or "", page.confidence
        self.total.add(page)
        self._site(site).add(page)
        for warning in page.warnings:
            self.warnings.add(("", warning), url)
        if page.render_reason is not None:
            self.rendering.add((RENDERED[page.rendered], page.render_reason), url)
        if confidence is None or is_error or confidence >= UNCERTAIN:
            return
        title = (page.title or "")[:MAX_URL_CHARS]
        own = ListedPage(show_url(url), title, page.words, confidence)
        insort(self.least_certain, own, key=lambda each: each.confidence)
        del self.least_certain[MAX_LISTED:]

    def _site(self, site: str) -> Counts:
        if site not in self.sites and len(self.sites) >= MAX_SITES:
            site = OTHERS
        return self.sites.setdefault(site, Counts())


def show_url(url: str) -> str:
    """*url* without a password, cut to :data:`MAX_URL_CHARS`."""
    return (redacted(url) if "@" in url else url)[:MAX_URL_CHARS]


@dataclass(frozen=True)
class CrawlFacts:
    """What a crawl knows of itself at its end; ``stats`` are Scrapy's.

    ``missing`` says what it knows of and has not got.
    """

    spider: str
    finish_reason: str
    finished: datetime
    stats: Mapping[str, Any]
    renders: bool = False
    missing: str = ""

    @property
    def seconds(self) -> float:
        """The duration of the crawl; 0 if its start is not known."""
        started = self.stats.get("start_time")
        return (self.finished - started).total_seconds() if started else 0.0


def render_crawl_report(summary: CrawlSummary, facts: CrawlFacts) -> str:
    """The report as an HTML document."""
    style = make_style() + read_template("crawl.css")
    environment = make_environment()
    environment.filters |= {"is_web": is_web, "quote": shlex.quote}
    outcomes = sorted(
        summary.outcomes.ranked(), key=lambda item: OUTCOMES.index(item[0][0])
    )
    return environment.get_template("crawl.html").render(
        facts=facts,
        duration=timedelta(seconds=round(facts.seconds)),
        digest=digest(style),
        style=style,
        cards=[*_cards(summary, facts)],
        notes=[*_notes(summary, facts)],
        outcomes=outcomes,
        responses=max(summary.outcomes.total(*OUTCOMES), 1),
        warnings=summary.warnings.ranked(),
        rendering=summary.rendering.ranked(),
        pages=max(summary.total.pages, 1),
        reason_texts=REASONS,
        explain_warning=explain_warning,
        sites=sorted(summary.sites.items(), key=lambda item: -item[1].pages),
        uncertain=UNCERTAIN,
        least_certain=summary.least_certain,
        stats=[(k, v) for k, v in sorted(facts.stats.items()) if "mainpage/" in k],
    )


def is_web(url: str) -> bool:
    """Whether *url* may be a link: scripts and files may not.

    >>> is_web("https://example.com/"), is_web("javascript:alert(1)")
    (True, False)
    """
    return parts_of(url).scheme in ("http", "https")


def _cards(summary: CrawlSummary, facts: CrawlFacts) -> Iterator[tuple[str, str]]:
    """The figures at the top: values and names."""
    responses, total = summary.outcomes.total(*OUTCOMES), summary.total
    yield f"{summary.outcomes.total(KEPT):,} of {responses:,}", "pages kept"
    share = f" ({total.words / total.words_total:.0%})" if total.words_total else ""
    yield f"{total.words:,}", f"words kept{share}"
    yield f"{total.words_total - total.words:,}", "words dropped"
    mean = total.confidence
    yield "none" if mean is None else f"{mean:.2f}", "mean confidence"
    if facts.seconds:
        yield f"{60 * responses / facts.seconds:,.0f}", "pages per minute"


def _notes(summary: CrawlSummary, facts: CrawlFacts) -> Iterator[str]:
    """Sentences on what needs a look."""
    get, total = facts.stats.get, summary.total
    if facts.finish_reason != "finished":
        reason = facts.finish_reason.removeprefix("closespider_")
        yield f"The crawl was stopped early: {reason}."
    if facts.missing:
        yield f"The crawl knows of more than it got: {facts.missing}."
    if not summary.outcomes:
        yield "No page was crawled."
    if errors := get("log_count/ERROR", 0):
        yield f"{number_of(errors, 'error')} in the log."
    if lost := get("mainpage/index/dead", 0) + get("mainpage/index/lost", 0):
        yield f"{number_of(lost, 'document')} not indexed: see the dead letters."
    if total.uncertain:
        shown = number_of(total.uncertain, "page")
        yield f"{shown} with a confidence below {UNCERTAIN}."
    codes = (("", "no_text"), ("", "no_main_content"))
    shells = sum(summary.warnings[c].count for c in codes if c in summary.warnings)
    if shells and not facts.renders:
        shown = number_of(shells, "page")
        yield f'{shown} without main content; MAINPAGE_RENDER = "auto" may help.'
