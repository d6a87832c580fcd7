"""What a crawl says that it knows of and has not got; what it finds by itself."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy import Spider
from scrapy.utils.test import get_crawler

from scrapy_mainpage import extract
from scrapy_mainpage.crawl.completeness import KINDS, Completeness
from scrapy_mainpage.crawl.unseen_entries import find_unseen
from scrapy_mainpage.memory import open_memory
from tests.crawling import Crawl, crawl
from tests.mockserver import Answer, Reply, article, html, serve

SPIDER = "scrapy_mainpage.spiders.MainpageSpider"
NAMES = (
    "Alpha Bravo Cedar Delta Ember Fjord Grove Haven Ivory Jumbo Kelp Lemon Maple "
    "Noble Ocean Pearl Quartz River Stone Tulip"
).split()
XML = {"Content-Type": "application/xml"}


def listing(above: str = "", below: str = "") -> str:
    cards = "".join(
        f"<div class=card><a href=/product/{name}><img src=/{name}.jpg alt=''></a><h3>"
        f"<a href=/product/{name}>{name} running shoe</a></h3><span class=price>$"
        f"{40 + place}.00</span></div>"
        for place, name in enumerate(NAMES)
    )
    return (
        "<html lang=en><title>Women</title><body><header><a href=/>Shop</a><nav>"
        "<a href=/women>Women</a> <a href=/men>Men</a></nav></header><main><h1>Women"
        f"</h1>{above}<div class=grid>{cards}</div>{below}</main><footer><p>Call us: "
        "555 123. Free from $50.</p><a href=/terms>Terms</a><p>Copyright 2025</footer>"
    )


def buttons(*texts: str) -> str:
    return "".join(f"<li><button>{text}</button></li>" for text in texts)


SCRIPTED = "".join(f"<li><a href='#'>{number}</a></li>" for number in range(1, 6))
PAGER = (
    f"<div><ul class='pagination flex'>{SCRIPTED}</ul><span>84 products</span></div>"
)


@pytest.mark.parametrize(
    ("above", "below", "unseen"),
    [
        ("", PAGER, {"entries": "20 of 84", "script_pagers": "1 of 5 pages"}),
        ("", f"<ul>{buttons('1', '2', '3', '…', '9', '›')}</ul>", "1 of 9 pages"),
        ("", "<a href='javascript:go(1)'>1 2 3 &raquo;</a>", "1 of 3 pages"),
        ("", "<div class=pager>Page 1 of 5 <a href='#'>next</a></div>", "1 of 5 pages"),
        ("", "<p>1–20 of 84 results</p>", "20 of 84"),
        ("<p>84件中 1～20件を表示</p>", "", "20 of 84"),
        ("<p>عرض ١–٢٠ من ٨٤ نتيجة</p>", "", "20 of 84"),
        ("<span>84 Artikel gefunden</span>", "", "20 of 84"),
        ("<span>20 products</span>", "", None),
        ("<span>Free from 50 EUR</span>", "<p>1–20 of 20 results</p>", None),
        ("<p>Collection 2025</p>", "<p>Updated 30 minutes ago</p>", None),
        ("<p>84 products</p>", "<a href='?page=2'>2</a> <a href='?page=3'>3</a>", None),
        ("", f"<ul class=dots>{buttons('1', '2', '3')}</ul>", None),
    ],
)
def test_a_listing_says_what_it_does_not_show(
    above: str, below: str, unseen: Any
) -> None:
    page = extract(listing(above, below), url="https://shop.example/women")
    assert len(page.entries) == len(NAMES)
    found = find_unseen(page)
    assert unseen == (
        found if isinstance(unseen, dict) else next(iter(found.values()), None)
    )


def shop() -> dict[str, Answer]:
    links = "<a href=/women>Women</a> <a href=/slow>Slow</a> <a href=/no>No</a>"
    pages: dict[str, Answer] = {
        "/": html(f"<title>Shop</title><nav>{links}</nav><h1>Welcome</h1><p>Shoes."),
        "/women": html(listing(below=PAGER)),
        "/slow": Reply(status=503),
        "/sitemap.xml": Reply(status=403),
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /no\n"),
        "/terms": html(article("terms")),
    }
    for name in NAMES:
        data = json.dumps({"@type": "Product", "name": name, "sku": name})
        script = f"<script type='application/ld+json'>{data}</script>"
        pages[f"/product/{name}"] = html(f"{script}<h1>{name}</h1><p>A light shoe.")
    return pages


def missing(done: Crawl) -> dict[str, int]:
    found = {kind: done.stat(f"mainpage/missing/{kind}") for kind in KINDS}
    return {kind: number for kind, number in found.items() if number}


def test_stats_log_report_and_state_say_what_is_missing(tmp_path: Path) -> None:
    state, report = f"sqlite:///{tmp_path}/state.db", tmp_path / "report.html"
    settings: dict[str, Any] = {"ROBOTSTXT_OBEY": True, "RETRY_ENABLED": False}
    settings |= {"MAINPAGE_STATE": state, "MAINPAGE_REPORT": str(report)}
    pages = shop()
    with serve(pages) as site:
        first = crawl(SPIDER, settings, start=f"{site.url}/")
        locations = "".join(
            f"<url><loc>{site.url}/product/{n}</loc></url>" for n in NAMES
        )
        pages["/sitemap.xml"] = Reply(
            f"<urlset>{locations}</urlset>".encode(), 200, XML
        )
        pages["/slow"] = html(article("patience"))
        pages["/robots.txt"] = Reply(b"")
        second = crawl(SPIDER, settings, start=f"{site.url}/")
    assert len(first.items) == len(NAMES)
    counts = dict.fromkeys(("failed", "robotstxt", "entries", "script_pagers"), 1)
    assert missing(first) == counts
    line = f"failed requests: 1 ({site.url}/slow (503)); requests that robots.txt"
    shown = f"show a part of their entries: 1 ({site.url}/women (20 of 84))"
    assert line in first.log
    assert shown in first.log
    assert first.log.count("WARNING: The crawl knows of more than it got") == 1
    assert missing(second) == {}  # the sitemap names what the listing shows
    with closing(open_memory(state)) as memory:
        (scope,) = memory.scopes()
        after, before = memory.runs(scope)
    assert (before.complete, before.counts["missing"]) == (False, counts)
    assert after.complete


class TwoSpider(scrapy.Spider):
    """Follows all links, without a pager or a sitemap."""

    name = "two"

    def __init__(self, url: str):
        super().__init__(start_urls=[url])

    def parse(self, response: scrapy.http.Response) -> Any:
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)


@pytest.mark.parametrize(
    ("settings", "counts"),
    [
        ({}, {}),
        ({"DEPTH_LIMIT": 1}, {"depth_limit": 1}),
        ({"DOWNLOAD_MAXSIZE": 1500}, {"failed": 1}),
        ({"CLOSESPIDER_PAGECOUNT": 1, "CONCURRENT_REQUESTS": 1}, {"ended": 3}),
    ],
)
def test_a_spider_of_one_s_own_has_failures_and_limits(
    settings: dict[str, Any], counts: dict[str, int]
) -> None:
    pages: dict[str, Answer] = {
        "/": html("<a href=/>Home</a> <a href=/a>A</a> <a href=/gone>Gone</a>"),
        "/a": html("<a href=/>Home</a> <a href=/b>B</a> <a href=/a>A</a>"),
        "/b": html(article("the end") + "<!--" + "x" * 2000 + "-->"),
    }
    with serve(pages) as site:
        done = crawl(f"{__name__}.TwoSpider", settings, url=f"{site.url}/")
    found = missing(done)
    assert {**found, **counts} == found
    assert found.keys() == counts.keys()


OLDER = [
    "<p class=paginator><a href=URL>⟩</a></p>",
    "<div><a href=URL>»</a></div>",
    "<div><a href=URL>&gt;</a></div>",
    "<div><a href=URL>Older posts</a></div>",
]
"""Links to the next page of a blog."""


def blog(older: Sequence[str]) -> dict[str, Answer]:
    """Three posts a page, the first of them whole; pages link to the next by turns."""
    pages: dict[str, Answer] = {}
    for number in range(1, 13):
        found = []
        for k in range(3 * number - 3, 3 * number):
            whole = article(f"boats {k}").partition("<p>")[2].partition("</")[0]
            text = "<p>".join([whole] * (8 if k % 3 == 0 else 1))
            title = f"<a href=/post-{k}.html>All about boats {k}</a>"
            found.append(f"<article><h2>{title}</h2><p>{text}</p></article>")
            pages[f"/post-{k}.html"] = html(article(f"boats {k}"))
        more = older[number % len(older)] * (number < 12)
        more = more.replace("URL", f"/index{number + 1}.html")
        path = f"/index{number}.html" if number > 1 else "/"
        pages[path] = html(f"<title>Boats</title><h1>Boats</h1>{''.join(found)}{more}")
    return pages


def test_a_blog_is_found_whole_from_its_first_page() -> None:
    with serve(blog(OLDER)) as site:
        start = f"{site.url}/"
        done = crawl(SPIDER, start=start, item_type="article", max_depth="2")
    paths = sorted(item["url"].removeprefix(site.url) for item in done.items)
    assert paths == sorted(f"/post-{k}.html" for k in range(36))
    assert missing(done) == {}


def test_sitemaps_are_read_and_links_that_are_too_deep_are_told() -> None:
    chain = {
        f"/c/{k}": html(f"<a href=/c/{k + 1}>On</a>{article(f'c {k}')}")
        for k in range(4)
    }
    home = html("<h1>Home</h1><a href=/c/0>Begin</a>")
    pages: dict[str, Answer] = {"/": home, **chain}
    with serve(pages) as site:
        pages["/robots.txt"] = Reply(f"Sitemap: {site.url}/index.xml".encode())
        inner = f"<sitemap><loc>{site.url}/a.xml.gz</loc></sitemap>"
        index = f"<sitemapindex>{inner}</sitemapindex>"
        pages["/index.xml"] = Reply(index.encode(), 200, XML)
        named = f"<urlset><url><loc>{site.url}/hidden</loc></url></urlset>"
        packed = {"Content-Type": "application/gzip"}
        pages["/a.xml.gz"] = Reply(gzip.compress(named.encode()), 200, packed)
        pages["/given.xml"] = Reply(named.replace("hidden", "given").encode(), 200, XML)
        pages |= {f"/{name}": html(article(name)) for name in ("hidden", "given")}
        options = {"item_type": "page", "max_depth": "2"}
        options |= {"start": f"{site.url}/", "sitemap_urls": f"{site.url}/given.xml"}
        done = crawl(SPIDER, None, **options)
    paths = {item["url"].removeprefix(site.url) for item in done.items}
    assert {"/hidden", "/given", "/c/0", "/c/1"} <= paths
    assert "/c/2" not in paths
    assert f"links deeper than max_depth: 1 ({site.url}/c/2" in done.log


# A crawl that ends after few pages says why


def said(
    caplog: pytest.LogCaptureFixture, reason: str = "finished", **stats: Any
) -> str:
    """What is logged at the end of a crawl with the statistics."""
    crawler = get_crawler(Spider)
    assert crawler.stats is not None
    for name, value in stats.items():
        crawler.stats.set_value(name.replace("__", "/"), value)
    with caplog.at_level(logging.INFO):
        crawler.spider = Spider.from_crawler(crawler, "short")
        Completeness(crawler).spider_closed(crawler.spider, reason)
    return caplog.text


def test_links_that_nobody_followed_are_a_cause(
    caplog: pytest.LogCaptureFixture,
) -> None:
    text = said(caplog, response_received_count=1)
    assert "ended after 1 responses: no callback has followed a link" in text


def test_filtered_requests_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    stats = {"request_depth_max": 1, "offsite__filtered": 7, "robotstxt__forbidden": 2}
    text = said(caplog, response_received_count=3, **stats)
    assert (
        "ended after 3 responses: 2 requests that robots.txt forbids; "
        "7 requests to hosts outside of allowed_domains"
    ) in text


@pytest.mark.parametrize(("count", "reason"), [(5, "finished"), (1, "shutdown")])
def test_other_crawls_need_no_explanation(
    caplog: pytest.LogCaptureFixture, count: int, reason: str
) -> None:
    assert said(caplog, reason, response_received_count=count) == ""
