"""Counters of a crawl: of bounded size, and random samples where that is needed."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from random import Random

from scrapy_mainpage import extract
from scrapy_mainpage.page import Page
from scrapy_mainpage.report.crawl_report import CrawlFacts, render_crawl_report
from scrapy_mainpage.report.crawl_summary import (
    DROPPED,
    KEPT,
    MAX_EXAMPLES,
    MAX_LISTED,
    MAX_REASONS,
    MAX_SAMPLE,
    MAX_SITES,
    OTHERS,
    CrawlSummary,
)
from scrapy_mainpage.report.crawl_tables import count_labels, count_responses
from tests.mockserver import article
from tests.report.test_crawl_report import NOW

FACTS = CrawlFacts("spider", "finished", NOW, {})
LONG = "x" * 2_000


def crawl(
    pages: int, start: int = 0, summary: CrawlSummary | None = None
) -> CrawlSummary:
    """The summary of so many pages: each of a site and with a reason of its own."""
    summary = summary or CrawlSummary()
    random = Random(start)
    for k in range(start, start + pages):
        url = f"https://site{k}.example.com/{LONG}"
        page = Page(url, "", "learned", 10, 20, random.random(), (f"warning{k}",))
        summary.count((DROPPED, f"Reason{k}"), url, f"site{k}", LONG)
        summary.add_page(page, f"site{k}", seconds=random.random())
    return summary


def test_memory_is_bounded_whatever_the_number_of_pages() -> None:
    summary = crawl(5_000)
    before = len(pickle.dumps(summary))
    crawl(95_000, 5_000, summary)
    assert len(pickle.dumps(summary)) < 1.1 * before < 2_000_000
    assert len(summary.sites) == MAX_SITES + 1
    reasons = summary.outcomes[DROPPED].reasons
    assert len(reasons) == MAX_REASONS + 1
    assert reasons[OTHERS].count == 100_000 - MAX_REASONS
    assert len(reasons[OTHERS].examples) == MAX_EXAMPLES
    assert count_responses(summary) == summary.total.pages == 100_000
    assert sum(site.pages for site in summary.sites.values()) == 100_000
    assert len(render_crawl_report(summary, FACTS)) < 1_500_000


def test_the_least_certain_pages_are_listed_in_their_order() -> None:
    summary = crawl(1_000)
    random = Random(0)
    known = sorted(random.random() for _ in range(2_000))
    listed = [page.confidence for page in summary.least_certain]
    assert len(listed) == MAX_LISTED
    assert listed == sorted(listed)
    assert set(listed) <= set(known)
    assert max(listed) < 0.1


def test_certain_pages_and_errors_are_not_among_the_least_certain() -> None:
    summary = CrawlSummary()
    page = Page("https://example.com/", "", "learned", 1, 1, 0.95)
    summary.add_page(page, "example.com")
    summary.add_page(replace(page, confidence=0.1), "example.com", is_error=True)
    assert [*summary.least_certain] == []
    assert sum(summary.confidences) == 1


def test_the_slowest_pages_are_the_slowest() -> None:
    summary = CrawlSummary()
    for seconds in range(100):
        page = Page(f"https://example.com/{seconds}", "", "learned")
        summary.add_page(page, "example.com", seconds=seconds)
    assert [page.seconds for page in summary.slowest] == [*range(99, 79, -1)]


def test_labels_and_types_are_those_of_a_random_sample() -> None:
    summary, page = CrawlSummary(), extract(article("trains"))
    for k in range(2 * MAX_SAMPLE):
        summary.add_page(replace(page, words=k), "example.com")
    assert len(summary.sample) == MAX_SAMPLE
    late = sum(sampled.words >= MAX_SAMPLE for sampled in summary.sample)
    assert MAX_SAMPLE / 3 < late < 2 * MAX_SAMPLE / 3  # half of the pages
    rows = {row.label: row for row in count_labels(summary)}
    labels = Counter(block.label.value for block in page.blocks)
    assert rows["paragraph"].blocks == labels["paragraph"] / labels.total()
    words = sum(block.words for block in page.blocks if block.label == "navigation")
    assert rows["navigation"].words == words / page.words_total


def test_an_example_of_many_may_be_any_of_them() -> None:
    summary = CrawlSummary()
    for k in range(1_000):
        summary.count((DROPPED, "TooFewWords"), f"https://example.com/{k}", "x")
    examples = summary.outcomes[DROPPED].reasons["TooFewWords"].examples
    assert len(examples) == MAX_EXAMPLES
    assert any(int(url.rpartition("/")[2]) > 100 for url, _ in examples)


def test_a_page_whose_later_item_was_scraped_is_kept() -> None:
    summary = CrawlSummary()
    summary.count((DROPPED, "TooFewWords"), "https://example.com/", "example.com")
    summary.uncount((DROPPED, "TooFewWords"), "example.com")
    summary.count((KEPT, ""), "https://example.com/", "example.com")
    site = summary.sites["example.com"]
    assert (site.kept, site.dropped) == (1, 0)
    assert count_responses(summary) == 1
    assert summary.outcomes[DROPPED].ranked() == []
