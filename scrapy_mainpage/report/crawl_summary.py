"""Counters and samples of a crawl, of bounded size whatever the crawl's.

No page, tree or response is kept: of a page there are numbers, of at most
:data:`MAX_LISTED` pages a pickle for the visual report.
"""

from __future__ import annotations

import heapq
import pickle
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..extraction.labels import LABELS
from ..extraction.result import Extraction
from ..redaction import hide_secrets, redacted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..extraction.document.layout import Layout
    from ..extraction.document.schema import Ints
    from ..page import Page

MAX_SITES: Final = 1000
MAX_REASONS: Final = 100
OTHERS: Final = "others"
"""Name of the sites, or reasons, beyond the maximum."""

MAX_EXAMPLES: Final = 5
"""URLs per reason: a random sample."""

MAX_LISTED: Final = 20
"""Pages of a list, such as the least certain ones."""

MAX_SAMPLE: Final = 150
"""Pages whose type and labels are predicted, which takes longer than the extraction: a
random sample of the crawl."""

MAX_ANALYZED_BLOCKS: Final = 5000
MAX_ANALYZED_BYTES: Final = 500_000
"""Text blocks, and bytes of text, of a page in that sample, and of one with a visual
report."""

MAX_URL_CHARS: Final = 1000
CONFIDENCE_BINS: Final = 10
UNCERTAIN: Final = 0.5
"""A page with less confidence is uncertain."""

MAX_LISTED_CONFIDENCE: Final = 0.9
"""A page with more confidence is not listed among the least certain ones."""

KEPT, DROPPED, SKIPPED, FAILED = "kept", "dropped", "skipped", "failed"
HTTP_ERROR: Final = "HTTP error"
NO_ITEM: Final = "no item"

Outcome = tuple[str, str]
"""The end of a page, and the reason."""


@dataclass(slots=True)
class Reason:
    """The number of pages with a reason, and examples: URLs with notes."""

    count: int = 0
    examples: list[tuple[str, str]] = field(default_factory=list)


class Tally:
    """Counts reasons, with examples of each: at most :data:`MAX_REASONS`."""

    def __init__(self, random: Random) -> None:
        self.reasons: dict[Any, Reason] = {}
        self._random = random

    def add(self, reason: object, url: str, note: str = "") -> None:
        """Count *reason* for the page of *url*."""
        if reason not in self.reasons and len(self.reasons) >= MAX_REASONS:
            reason = OTHERS
        counted = self.reasons.setdefault(reason, Reason())
        place = _choose(self._random, counted.count, MAX_EXAMPLES)
        counted.count += 1
        if place is not None:
            counted.examples[place : place + 1] = [(show_url(url), note)]

    def remove(self, reason: object) -> None:
        """Take one page back."""
        reason = reason if reason in self.reasons else OTHERS
        self.reasons[reason].count -= 1

    def ranked(self) -> list[tuple[Any, Reason]]:
        """The reasons, the most frequent first."""
        found = [item for item in self.reasons.items() if item[1].count > 0]
        return sorted(found, key=lambda item: -item[1].count)


def _choose(random: Random, seen: int, size: int) -> int | None:
    """The place of the next of many in a random sample of *size* (algorithm R)."""
    place = seen if seen < size else random.randrange(seen + 1)
    return place if place < size else None


@dataclass(slots=True)
class Counts:
    """Sums over the pages of a site, or of a type."""

    pages: int = 0
    kept: int = 0
    dropped: int = 0
    words: int = 0
    words_total: int = 0
    rated: int = 0
    uncertain: int = 0
    confidence_sum: float = 0.0

    def add(self, words: int, words_total: int, confidence: float | None) -> None:
        """Add a page."""
        self.pages += 1
        self.words += words
        self.words_total += words_total
        if confidence is not None:
            self.rated += 1
            self.confidence_sum += confidence
            self.uncertain += confidence < UNCERTAIN

    @property
    def confidence(self) -> float | None:
        """The mean of the pages that have one."""
        return self.confidence_sum / self.rated if self.rated else None


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page of a list; ``saved`` is its pickle for the visual report, or empty."""

    url: str
    title: str
    words: int
    confidence: float | None
    seconds: float
    download_seconds: float
    size: int
    saved: bytes = b""

    def load(self) -> tuple[Page, Layout | None]:
        """The page that was saved, and its layout."""
        page, layout = pickle.loads(self.saved)
        return page, layout


class Top:
    """The :data:`MAX_LISTED` pages with the highest keys."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, ListedPage]] = []
        self._seen = 0

    def takes(self, key: float) -> bool:
        """Whether a page with this key is among them so far."""
        return len(self._heap) < MAX_LISTED or key > self._heap[0][0]

    def add(self, key: float, page: ListedPage) -> None:
        """Add a page in place of the lowest one."""
        self._seen += 1
        entry = (key, -self._seen, page)
        if len(self._heap) < MAX_LISTED:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heapreplace(self._heap, entry)

    def __iter__(self) -> Iterator[ListedPage]:
        return (page for *_, page in sorted(self._heap, reverse=True))


@dataclass(frozen=True, slots=True)
class Sampled:
    """Type, numbers and labels of a page: blocks and words per label."""

    page_type: str | None
    words: int
    words_total: int
    confidence: float | None
    labels: Ints


class CrawlSummary:
    """All that the report of a crawl needs to know of its pages and items."""

    def __init__(self) -> None:
        self._random = Random(0)
        self.outcomes: dict[str, Tally] = {}
        self.total = Counts()
        self.sites: dict[str, Counts] = {}
        self.confidences = [0] * CONFIDENCE_BINS
        self.warnings = Tally(self._random)
        self.rendering = Tally(self._random)
        self.sample: list[Sampled] = []
        self.least_certain, self.slowest = Top(), Top()
        self._sampled = 0

    def count(self, outcome: Outcome, url: str, site: str, note: str = "") -> None:
        """Count the end of a page, with a *note* for its examples."""
        group, reason = outcome
        if "@" in url:
            note = hide_secrets(note, url)
        tally = self.outcomes.setdefault(group, Tally(self._random))
        tally.add(reason, url, note[:MAX_URL_CHARS])
        if group in (KEPT, DROPPED):
            counts = self._site(site)
            counts.kept += group == KEPT
            counts.dropped += group == DROPPED

    def uncount(self, outcome: Outcome, site: str) -> None:
        """Take the end of a page back, which another one replaces."""
        group, reason = outcome
        self.outcomes[group].remove(reason)
        self._site(site).dropped -= group == DROPPED

    def add_page(
        self,
        page: Page,
        site: str,
        *,
        is_error: bool = False,
        seconds: float = 0.0,
        download_seconds: float = 0.0,
        size: int = 0,
        layout: Layout | None = None,
    ) -> None:
        """Add the numbers of a page; an HTTP error is not among the least certain."""
        url, confidence = page.url or "", page.confidence
        for counts in (self.total, self._site(site)):
            counts.add(page.words, page.words_total, confidence)
        for warning in page.warnings:
            self.warnings.add(warning, url)
        if page.render_reason is not None:
            self.rendering.add((page.rendered, page.render_reason), url)
        self._add_to_sample(page)
        measured = (seconds, download_seconds, size)
        if self.slowest.takes(seconds):
            self.slowest.add(seconds, _list(page, *measured))
        if confidence is None or is_error:
            return
        place = min(int(confidence * CONFIDENCE_BINS), CONFIDENCE_BINS - 1)
        self.confidences[place] += 1
        is_listed = confidence <= MAX_LISTED_CONFIDENCE
        if is_listed and self.least_certain.takes(-confidence):
            saved = pickle.dumps((page, layout)) if _is_small(page) else b""
            self.least_certain.add(-confidence, _list(page, *measured, saved))

    def _site(self, site: str) -> Counts:
        if site not in self.sites and len(self.sites) >= MAX_SITES:
            site = OTHERS
        return self.sites.setdefault(site, Counts())

    def _add_to_sample(self, page: Page) -> None:
        content = page._extraction
        if not isinstance(content, Extraction) or not _is_small(page):
            return
        place = _choose(self._random, self._sampled, MAX_SAMPLE)
        self._sampled += 1
        if place is None:
            return
        words = content.document.blocks.words
        counts = np.bincount(content.labels, minlength=len(LABELS))
        sums = np.bincount(content.labels, words, len(LABELS))
        labels = np.array([counts, sums], np.int32)
        known = (page.page_type, page.words, page.words_total, page.confidence)
        self.sample[place : place + 1] = [Sampled(*known, labels)]


def show_url(url: str) -> str:
    """*url* without a password, cut to :data:`MAX_URL_CHARS`."""
    return (redacted(url) if "@" in url else url)[:MAX_URL_CHARS]


def _is_small(page: Page) -> bool:
    content = page._extraction
    if not isinstance(content, Extraction):
        return False
    document = content.document
    is_short = len(document.text) <= MAX_ANALYZED_BYTES
    return is_short and document.n_blocks <= MAX_ANALYZED_BLOCKS


def _list(page: Page, *measured: Any) -> ListedPage:
    title = (page.title or "")[:MAX_URL_CHARS]
    known = (show_url(page.url or ""), title, page.words, page.confidence)
    return ListedPage(*known, *measured)
