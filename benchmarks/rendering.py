"""The mixed site crawled without a browser, with one where needed, and with one always.

Every page's kind and main text are known. A page needs a browser if its main content,
or most of it, comes by script and is not in the page's data: shells and half-static
pages. The bars are those that rendering where needed has to hold.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from scrapy.settings import Settings

from scrapy_mainpage.evaluation.metrics import score_words, tokenize
from scrapy_mainpage.rendering.browser.launch import find_problem

from .mixedcrawl import Crawled, crawl
from .mixedsite import Kind, MixedSite, Page, serve_mixed
from .tables import Table

MODES = ("never", "auto", "always")
PAGES = 100
NEEDED = (Kind.SHELL, Kind.HALF)
JUDGED = (Kind.STATIC, *NEEDED)
MIN_F1 = 0.95
MAX_UNNEEDED = 5  # of a hundred pages
MAX_TIME_SHARE = 0.45  # of that of "always"
QUALITY = [
    "", "kind", "pages", "reached", "rendered", "missed", "unneeded",
    "F1", "lowest F1",
]  # fmt: skip
CRAWLS = [
    "", "seconds", "of always", "ms/page", "requests", "rendered", "browsers", "errors",
]  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """Outcome of a page in a crawl; ``f1`` is word F1 against the known text."""

    mode: str
    url: str
    kind: Kind
    reached: bool
    rendered: bool
    reason: str
    f1: float

    @property
    def missed(self) -> bool:
        """Whether the page needs a browser and had none."""
        return self.kind in NEEDED and not self.rendered

    @property
    def unneeded(self) -> bool:
        """Whether the page was rendered without need."""
        return self.kind not in NEEDED and self.rendered


def run(options: argparse.Namespace) -> list[Table]:
    if missing := find_problem(Settings()):
        return [Table(f"NOTHING MEASURED: rendering {missing}", [""])]
    crawls: dict[str, Crawled] = {}
    outcomes: dict[str, list[Outcome]] = {}
    requests: dict[str, int] = {}
    with serve_mixed(options.pages or PAGES) as site:
        for mode in MODES:
            site.server.log.clear()
            crawls[mode] = crawl(site.url, {"MAINPAGE_RENDER": mode})
            outcomes[mode] = [*judged(mode, site, crawls[mode])]
            requests[mode] = len(site.server.log)
    return [
        quality_table(outcomes),
        crawls_table(crawls, requests),
        bars_table(outcomes["auto"], crawls),
    ]


def judged(mode: str, site: MixedSite, crawled: Crawled) -> Iterable[Outcome]:
    """Compare what came of every page with what is known of it."""
    for url, page in site.pages.items():
        yield outcome(mode, url, page, crawled.items.get(url))


def outcome(mode: str, url: str, page: Page, item: dict[str, Any] | None) -> Outcome:
    """An unreached page counts as one without text."""
    found, gold = tokenize(item["text"] if item else ""), tokenize(page.text)
    return Outcome(
        mode,
        url,
        page.kind,
        item is not None,
        bool(item and item["rendered"]),
        str(item["reason"]) if item else "unreached",
        score_words(found, gold).f1,
    )


def quality_table(outcomes: dict[str, list[Outcome]]) -> Table:
    table = Table("the mixed site", QUALITY)
    for mode, found in outcomes.items():
        for kind in Kind:
            own = [each for each in found if each.kind is kind]
            table.rows.append([mode, kind.value, *quality(own, kind)])
    return table


def quality(own: list[Outcome], kind: Kind) -> list[object]:
    """Counts, and the scores of the kinds that have a main text."""
    scores = [each.f1 for each in own] if kind in JUDGED else []
    return [
        len(own),
        sum(each.reached for each in own),
        sum(each.rendered for each in own),
        sum(each.missed for each in own),
        sum(each.unneeded for each in own),
        fmean(scores) if scores else "-",
        min(scores) if scores else "-",
    ]


def crawls_table(crawls: dict[str, Crawled], requests: dict[str, int]) -> Table:
    table = Table("crawls", CRAWLS)
    for mode, crawled in crawls.items():
        stats, pages = crawled.stats, max(1, len(crawled.items))
        table.rows.append(
            [
                mode,
                crawled.seconds,
                crawled.seconds / crawls["always"].seconds,
                1000 * crawled.seconds / pages,
                requests[mode],
                stats.get("mainpage/render/rendered", 0),
                stats.get("mainpage/render/browsers", 0),
                crawled.errors,
            ]
        )
    return table


def bars_table(found: list[Outcome], crawls: dict[str, Crawled]) -> Table:
    """The bars of mode "auto", and whether they hold."""
    rows: list[list[object]] = []

    def bar(name: str, value: float, wanted: str, holds: bool) -> None:
        rows.append([name, value, wanted, "yes" if holds else "NO"])

    for kind in JUDGED:
        mean = fmean(each.f1 for each in found if each.kind is kind)
        bar(f"F1 of {kind.value} pages", mean, f">= {MIN_F1}", mean >= MIN_F1)
    missed = sum(each.missed for each in found)
    bar("needed but not rendered", missed, "0", missed == 0)
    unneeded = sum(each.unneeded for each in found)
    most = MAX_UNNEEDED * len(found) // PAGES
    bar("rendered without need", unneeded, f"<= {most}", unneeded <= most)
    share = crawls["auto"].seconds / crawls["always"].seconds
    bar("time, of always", share, f"< {MAX_TIME_SHARE:.3f}", share < MAX_TIME_SHARE)
    failed = sum(row[-1] == "NO" for row in rows)
    title = f"{failed} BARS MISSED" if failed else "all bars hold"
    header = ["auto", "value", "wanted", "holds"]
    return Table(f"{title}: {summary(rows)}", header, rows)


def summary(rows: list[list[object]]) -> str:
    """The values in a line."""
    return ", ".join(
        f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}"
        for name, value, *_ in rows
    )
