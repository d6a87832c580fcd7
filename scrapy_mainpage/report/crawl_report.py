"""The report of a crawl: one HTML file, safe to open, with nothing to load.

Visual reports of the least certain pages are beside it, in a folder of its name.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from ..addresses import parts_of
from ..extraction.result import Extraction
from ..text.words import number_of
from . import crawl_tables as tables
from .crawl_summary import MAX_LISTED, MAX_LISTED_CONFIDENCE, UNCERTAIN
from .page_report import (
    digest,
    make_environment,
    make_style,
    read_template,
    write_report,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from ..extraction.algorithms import Algorithm
    from .crawl_summary import CrawlSummary

MAX_REPORT_SECONDS: Final = 5.0
"""Time for the visual reports of pages, which hold the event loop."""

MIN_NOTED_SHARE: Final = 0.2
"""A note says so if this share of the pages is uncertain."""


@dataclass(frozen=True)
class CrawlFacts:
    """What a crawl knows of itself at its end; ``stats`` are Scrapy's."""

    spider: str
    finish_reason: str
    finished: datetime
    stats: Mapping[str, Any]
    renders: bool = False

    @property
    def seconds(self) -> float:
        """The duration of the crawl; 0 if its start is not known."""
        started = self.stats.get("start_time")
        return (self.finished - started).total_seconds() if started else 0.0


def write_crawl_report(
    summary: CrawlSummary, facts: CrawlFacts, path: Path, algorithm: Algorithm
) -> None:
    """Write the report to *path*, and the visual reports of pages beside it.

    *algorithm* is the one that made the pages. Raises :exc:`OSError`.
    """
    folder = path.with_name(f"{path.stem}_pages")
    folder.mkdir(parents=True, exist_ok=True)
    reports = dict(_write_page_reports(summary, folder, algorithm))
    text = render_crawl_report(summary, facts, reports)
    path.write_text(text, "utf-8", errors="replace")


def _write_page_reports(
    summary: CrawlSummary, folder: Path, algorithm: Algorithm
) -> Iterator[tuple[str, str]]:
    """Write the reports of pages as long as there is time: their URLs and links."""
    for number in range(1, MAX_LISTED + 1):
        # Of an earlier crawl.
        (folder / f"{number:02}.html").unlink(missing_ok=True)
    started = perf_counter()
    for number, listed in enumerate(summary.least_certain, 1):
        if not listed.saved or perf_counter() - started > MAX_REPORT_SECONDS:
            continue
        page, layout = listed.load()
        content = page._extraction
        if isinstance(content, Extraction):
            # A pickle has no algorithm, which the reasons of the report need.
            page = replace(page, _content=replace(content, algorithm=algorithm))
        text = write_report(page, layout=layout, algorithm=algorithm)
        file = folder / f"{number:02}.html"
        file.write_text(text, "utf-8", errors="replace")
        yield listed.url, quote(f"{folder.name}/{file.name}")


def render_crawl_report(
    summary: CrawlSummary, facts: CrawlFacts, reports: Mapping[str, str] | None = None
) -> str:
    """The report as an HTML document; *reports* are links to those of pages, by URL."""
    style = make_style() + read_template("crawl.css")
    environment = make_environment()
    environment.filters["is_web"] = is_web
    environment.filters["quote"] = shlex.quote
    return environment.get_template("crawl.html").render(
        facts=facts,
        duration=_write_duration(facts.seconds),
        digest=digest(style),
        style=style,
        cards=[*_cards(summary, facts)],
        notes=[*_notes(summary, facts)],
        outcomes=tables.list_outcomes(summary),
        requests=tables.list_requests(facts.stats),
        warnings=tables.list_warnings(summary),
        confidences=tables.list_confidences(summary),
        page_types=tables.count_page_types(summary),
        sites=tables.list_sites(summary),
        labels=tables.count_labels(summary),
        sample=len(summary.sample),
        total=summary.total,
        uncertain=UNCERTAIN,
        max_listed_confidence=MAX_LISTED_CONFIDENCE,
        least_certain=[*summary.least_certain],
        slowest=[*summary.slowest],
        reports=reports or {},
        rendering=tables.list_rendering(summary),
        rendering_facts=tables.list_known(facts.stats, tables.RENDERING),
        stores=tables.list_known(facts.stats, tables.STORES),
        stats=tables.list_stats(facts.stats),
    )


def is_web(url: str) -> bool:
    """Whether *url* may be a link: scripts and files may not.

    >>> is_web("https://example.com/"), is_web("javascript:alert(1)")
    (True, False)
    """
    return parts_of(url).scheme in ("http", "https")


def _write_duration(seconds: float) -> str:
    """*seconds* in hours, minutes and seconds, as far as they are there.

    >>> _write_duration(7384.6), _write_duration(8.25)
    ('2 h 3 min', '8.2 s')
    """
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest:.0f} s" if minutes else f"{rest:.1f} s"


def _cards(summary: CrawlSummary, facts: CrawlFacts) -> Iterator[tuple[str, str]]:
    """The figures at the top: values and names."""
    responses, total = tables.count_responses(summary), summary.total
    kept = tables.count_kept(summary)
    share = f" ({kept / responses:.0%})" if responses else ""
    yield f"{kept:,} of {responses:,}", f"pages kept{share}"
    share = f" ({total.words / total.words_total:.0%})" if total.words_total else ""
    yield f"{total.words:,}", f"words kept{share}"
    yield f"{total.words_total - total.words:,}", "words dropped"
    mean = total.confidence
    yield "none" if mean is None else f"{mean:.2f}", "mean confidence"
    if facts.seconds:
        minutes = facts.seconds / 60
        yield f"{responses / minutes:,.0f}", "pages per minute"


def _notes(summary: CrawlSummary, facts: CrawlFacts) -> Iterator[str]:
    """Sentences on what needs a look."""
    get, total = facts.stats.get, summary.total
    if facts.finish_reason != "finished":
        reason = facts.finish_reason.removeprefix("closespider_")
        yield f"The crawl was stopped early: {reason}."
    if not tables.count_responses(summary):
        yield "No page was crawled."
    if errors := get("log_count/ERROR", 0):
        yield f"{number_of(errors, 'error')} in the log."
    if lost := get("mainpage/index/dead", 0) + get("mainpage/index/lost", 0):
        yield f"{number_of(lost, 'document')} not indexed: see the dead letters."
    if total.rated and total.uncertain >= MIN_NOTED_SHARE * total.rated:
        share = total.uncertain / total.rated
        yield f"{share:.0%} of the pages have a confidence below {UNCERTAIN}."
    shells = [
        reason.count
        for code, reason in summary.warnings.ranked()
        if code in ("no_text", "no_main_content")
    ]
    if shells and not facts.renders:
        shown = number_of(sum(shells), "page")
        yield f'{shown} without main content; MAINPAGE_RENDER = "auto" may help.'
