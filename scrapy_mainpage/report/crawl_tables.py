"""The tables of a crawl's report: rows from its summary and its statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..extraction.labels import LABELS
from .annotated_page import group_of
from .crawl_summary import (
    CONFIDENCE_BINS,
    DROPPED,
    FAILED,
    HTTP_ERROR,
    KEPT,
    NO_ITEM,
    OTHERS,
    SKIPPED,
    Counts,
)
from .wording import explain_reason, explain_warning

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .crawl_summary import CrawlSummary, Reason

MAX_SHOWN_SITES: Final = 50

_OUTCOMES: Final = {
    KEPT: "Kept",
    DROPPED: "Dropped",
    NO_ITEM: "No item",
    SKIPPED: "Skipped",
    HTTP_ERROR: "HTTP error",
    FAILED: "Extraction failed",
}

_REQUESTS: Final = {
    "robotstxt/forbidden": "forbidden by robots.txt",
    "offsite/filtered": "on another site (offsite)",
    "dupefilter/filtered": "requested before",
    "retry/count": "repeated after a failure",
    "retry/max_reached": "given up after the last retry",
    "spider_exceptions/count": "errors in callbacks",
    "item_error_count": "errors in pipelines",
}
STORES: Final = {
    "item_scraped_count": "items scraped",
    "item_dropped_count": "items dropped, for any reason",
    "item_dropped_reasons_count/ExactDuplicate": "exact duplicates dropped",
    "item_dropped_reasons_count/NearDuplicate": "near-duplicates dropped",
    "mainpage/duplicates/replaced": "items replaced by a better copy",
    "mainpage/duplicates/unknown": "items without a text to compare",
    "mainpage/index/put": "documents indexed",
    "mainpage/index/superseded": "documents replaced by a later one of the same URL",
    "mainpage/index/retried": "repeated attempts to index a document",
    "mainpage/index/dead": "dead letters",
    "mainpage/index/lost": "documents lost",
    "mainpage/index/restored": "documents that an earlier crawl left in the outbox",
    "mainpage/index/lag_max": "longest time until a document was indexed, in seconds",
}
RENDERING: Final = {
    "mainpage/render/rendered": "pages rendered",
    "mainpage/render/gain/yes": "with more main content than the static page",
    "mainpage/render/gain/no": "without a gain",
    "mainpage/render/gain/worse": "with less than the static page, which is used",
    "mainpage/render/time": "time in the browser, in seconds",
    "mainpage/render/browsers": "browsers started",
}


@dataclass(frozen=True)
class Row:
    """A line of a table of reasons; ``share`` is of all pages."""

    group: str
    text: str
    code: str
    count: int
    share: float
    examples: list[tuple[str, str]]


@dataclass(frozen=True)
class LabelRow:
    """Blocks and words of a label; the shares are of all blocks and words."""

    label: str
    group: str
    blocks: float
    words: float


def count_responses(summary: CrawlSummary) -> int:
    """The number of responses that went to a callback."""
    outcomes = summary.outcomes.values()
    return sum(reason.count for t in outcomes for reason in t.reasons.values())


def count_kept(summary: CrawlSummary) -> int:
    """The number of pages with an item that was scraped."""
    kept = summary.outcomes.get(KEPT)
    return sum(r.count for r in kept.reasons.values()) if kept else 0


def list_outcomes(summary: CrawlSummary) -> list[Row]:
    """The ends of the pages by reason, in the order of :data:`_OUTCOMES`."""
    responses = count_responses(summary)
    rows = []
    for group, name in _OUTCOMES.items():
        tally = summary.outcomes.get(group)
        for code, reason in tally.ranked() if tally else ():
            row = _row(name, explain_reason(code), code, reason, responses)
            rows.append(row)
    return rows


def _row(group: str, text: str, code: str, reason: Reason, total: int) -> Row:
    # Of most pages without an item at first, one came later.
    hidden = group in (_OUTCOMES[NO_ITEM], _OUTCOMES[KEPT])
    examples = [] if hidden else reason.examples
    shown = "" if text == code else code
    return Row(group, text, shown, reason.count, reason.count / total, examples)


def list_warnings(summary: CrawlSummary) -> list[Row]:
    """The warnings of the pages."""
    pages = max(summary.total.pages, 1)
    return [
        _row("", explain_warning(code), code, reason, pages)
        for code, reason in summary.warnings.ranked()
    ]


def list_rendering(summary: CrawlSummary) -> list[Row]:
    """The pages that a browser rendered, or did not, by reason."""
    pages = max(summary.total.pages, 1)
    rows = [
        _row(
            "Rendered" if key != OTHERS and key[0] else "Not rendered",
            explain_reason(key[1]) if key != OTHERS else OTHERS,
            key[1] if key != OTHERS else OTHERS,
            reason,
            pages,
        )
        for key, reason in summary.rendering.ranked()
    ]
    return sorted(rows, key=lambda row: row.group != "Rendered")


def list_confidences(summary: CrawlSummary) -> list[tuple[str, int, float]]:
    """The ranges of confidence, the highest first: names, pages, shares."""
    bins, total = summary.confidences, max(sum(summary.confidences), 1)
    names = [
        f"{k / CONFIDENCE_BINS:.1f} to {(k + 1) / CONFIDENCE_BINS:.1f}"
        for k in range(CONFIDENCE_BINS)
    ]
    rows = [(name, n, n / total) for name, n in zip(names, bins, strict=True)]
    return rows[::-1] if any(bins) else []


def list_sites(summary: CrawlSummary) -> list[tuple[str, Counts]]:
    """The largest sites; then the sum of all others."""
    ranked = sorted(summary.sites.items(), key=lambda item: -item[1].pages)
    named = [item for item in ranked if item[0] != OTHERS]
    shown, rest = named[:MAX_SHOWN_SITES], named[MAX_SHOWN_SITES:]
    left = [*rest, *(item for item in ranked if item[0] == OTHERS)]
    if left:
        shown.append(("other sites", _sum(counts for _, counts in left)))
    return shown


def _sum(parts: Iterable[Counts]) -> Counts:
    total = Counts()
    for part in parts:
        for name in Counts.__slots__:
            setattr(total, name, getattr(total, name) + getattr(part, name))
    return total


def count_page_types(summary: CrawlSummary) -> list[tuple[str, Counts]]:
    """The types of the sampled pages, the most frequent first."""
    found: dict[str, Counts] = {}
    for page in summary.sample:
        counts = found.setdefault(page.page_type or "not certain", Counts())
        counts.add(page.words, page.words_total, page.confidence)
    return sorted(found.items(), key=lambda item: -item[1].pages)


def count_labels(summary: CrawlSummary) -> list[LabelRow]:
    """The labels of the sampled pages, those with most words first."""
    sums = np.zeros((2, len(LABELS)))
    for page in summary.sample:
        sums += page.labels
    shares = sums / np.maximum(sums.sum(axis=1, keepdims=True), 1)
    return [
        LabelRow(label.value, group_of(label), float(blocks), float(words))
        for label, blocks, words in sorted(
            zip(LABELS, *shares, strict=True), key=lambda row: -row[2]
        )
        if blocks
    ]


def list_requests(stats: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The requests without a response for a callback, and errors in the project."""
    rows = list_known(stats, _REQUESTS)
    prefix = "downloader/exception_type_count/"
    for name in sorted(stats):
        error = name.rpartition(".")[2]
        # Counted already: robots.txt, other sites.
        if name.startswith(prefix) and error != "IgnoreRequest":
            rows.append((f"failed attempts to download: {error}", _value(stats[name])))
    return rows


def list_known(
    stats: Mapping[str, Any], names: Mapping[str, str]
) -> list[tuple[str, str]]:
    """The statistics with one of the *names* that are not 0, in words."""
    return [
        (text, _value(stats[name])) for name, text in names.items() if stats.get(name)
    ]


def list_stats(stats: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The plugin's own statistics."""
    own = sorted(name for name in stats if name.startswith("mainpage/"))
    return [(name, _value(stats[name])) for name in own]


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
