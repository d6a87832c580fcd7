"""The report of a crawl: right numbers, and safe to open whatever its pages hold."""

from __future__ import annotations

import base64
import hashlib
import pickle
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from html import escape
from pathlib import Path
from random import Random
from typing import Any

import pytest
import scrapy
from parsel import Selector

from scrapy_mainpage import extract
from scrapy_mainpage.page import Page
from scrapy_mainpage.report.crawl_report import (
    DROPPED,
    KEPT,
    MAX_EXAMPLES,
    MAX_LISTED,
    MAX_SITES,
    OUTCOMES,
    SKIPPED,
    CrawlFacts,
    CrawlSummary,
    render_crawl_report,
)
from tests.browser import open_page
from tests.crawling import Crawl, crawl
from tests.mockserver import Reply, article, html, serve

NOW = datetime(2026, 11, 22, 12, tzinfo=timezone.utc)
FACTS = CrawlFacts("spider", "finished", NOW, {})
HOSTILE_TITLE = "</style></title><script>err(1)</script>"
HOSTILE_URL = "javascript:err(2)//<img src=x onerror=err(3)>"


class LinksSpider(scrapy.Spider):
    """Yields an item for each page but one, and two for the first."""

    name = "links"

    def __init__(self, url: str) -> None:
        super().__init__(start_urls=[url])

    def parse(self, response: scrapy.http.Response) -> Any:
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        if not response.url.endswith("/list"):
            yield {"url": response.url}
        if response.url.endswith("/"):
            yield {"url": response.url, "text": "Too short."}
        for link in response.css("article a::attr(href)").getall():
            yield response.follow(link)


PATHS = ("list", "copy", "thin", "unreadable", "gone", "file.txt")
LINKS = "".join(f"<a href=/{path}>{path}</a> " for path in PATHS)
#: Text of its own, that is not yet found by the algorithm with certainty.
DOUBTFUL = """<div><a href=/>Buy now</a> at home today</div>
<footer>Price 12, contact us by telephone or by letter</footer>"""
PAGES = {
    "/": html(article("trains", main=f"<p>{LINKS}</p>")),
    "/list": html(article("lists", main="<p>Different words are on this page.</p>")),
    "/copy": html(article("trains", main="<p>A copy.</p>")),
    "/thin": html(f"<title>{escape(HOSTILE_TITLE)}</title>{DOUBTFUL}"),
    "/unreadable": html("<p>It stumbles over this.</p>"),
    "/file.txt": Reply(b"text", 200, {"Content-Type": "text/plain"}),
}
SETTINGS = {
    "MAINPAGE_ALGORITHM": "tests.algorithms.Stumbling",
    "MAINPAGE_FILTER_ENABLED": True,
    "MAINPAGE_FILTER_MIN_WORDS": 30,
    "MAINPAGE_DUPLICATES_ENABLED": True,
    "CONCURRENT_REQUESTS": 1,
    "ROBOTSTXT_OBEY": True,
}


def read(text: str) -> Selector:
    return Selector(text=text, type="html")


def rows(report: Selector, heading: str) -> dict[str, int]:
    """Names and numbers of the table of reasons below a heading."""
    table = report.xpath(f"//*[@id='{heading}']/following::table[1]")
    found = {}
    for row in table.css("tr"):
        name = "".join(row.xpath("td[1]/text() | td[1]/b/text()").getall())
        found[name.strip()] = int(row.css("td.n::text").get("").replace(",", ""))
    return found


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Crawl, Path]:
    path = tmp_path_factory.mktemp("report") / "of %(name)s/crawl #1.html"
    with serve(dict(PAGES)) as site:
        settings = {**SETTINGS, "MAINPAGE_REPORT": str(path)}
        spider = f"{__name__}.LinksSpider"
        done = crawl(spider, settings, url=f"{site.url}/")
    return done, Path(str(path) % {"name": "links"})


class TestCrawl:
    """The report of a real crawl."""

    def test_every_page_has_one_outcome(self, crawled: tuple[Crawl, Path]) -> None:
        done, path = crawled
        assert rows(read(path.read_text("utf-8")), "pages") == {
            "Kept": 1,
            "Dropped: nearly the text of another page": 1,
            "Dropped: too few words of main content": 1,
            "No item": 1,
            "Skipped: not HTML: text": 1,
            "HTTP error: 404": 1,
            "Extraction failed: RuntimeError": 1,
        }
        assert f"Report of the crawl: {path}" in done.log

    def test_numbers_are_those_of_the_statistics(
        self, crawled: tuple[Crawl, Path]
    ) -> None:
        done, path = crawled
        report = read(path.read_text("utf-8"))
        cards = dict(
            zip(
                report.css(".card span::text").getall(),
                report.css(".card b::text").getall(),
                strict=True,
            )
        )
        assert cards["pages kept"] == "1 of 7"
        (kept,) = (cards[name] for name in cards if name.startswith("words kept"))
        assert int(kept.replace(",", "")) == done.stat("mainpage/words_kept")
        shown = dict.fromkeys(name for name in done.stats if "mainpage/" in name)
        listed = report.xpath("//*[@id='stats']/following::th/text()").getall()
        assert listed == sorted(shown)

    def test_examples_name_the_page_and_say_why(
        self, crawled: tuple[Crawl, Path]
    ) -> None:
        report = read(crawled[1].read_text("utf-8"))
        notes = report.css("details .muted::text").getall()
        assert any(re.fullmatch(r"\d+ words, of at least 30", note) for note in notes)
        assert any(re.match(r"near copy \(\d\.\d+\) of http://", n) for n in notes)

    def test_the_least_certain_page_has_the_command_of_its_report(
        self, crawled: tuple[Crawl, Path]
    ) -> None:
        path = crawled[1]
        report = read(path.read_text("utf-8"))
        listed = report.xpath("//*[@id='least-certain']/following::table[1]")
        assert HOSTILE_TITLE in listed.css("b::text").getall()
        commands = listed.css(".command::text").getall()
        assert any(command.endswith("/thin --report page.html") for command in commands)

    def test_a_page_in_which_scripts_were_put_runs_none(
        self, crawled: tuple[Crawl, Path], requirement: Callable[[str], str]
    ) -> None:
        text = crawled[1].read_text("utf-8")
        shown, console = open_page(requirement("browser"), text)
        assert "Least certain pages" in shown
        assert console == ""

    def test_a_file_that_cannot_be_written_is_one_line_of_the_log(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "file").touch()
        settings = {"MAINPAGE_REPORT": str(tmp_path / "file/crawl.html")}
        with serve({"/": html(article("trains"))}) as site:
            done = crawl("page", settings, urls=[f"{site.url}/"])
        assert len(done.items) == 1
        assert re.search(r"ERROR: No report of the crawl: \S+: \w", done.log)
        assert "Traceback" not in done.log


class TestReport:
    """The report of made-up pages."""

    def test_texts_of_pages_are_escaped_and_only_web_addresses_are_links(self) -> None:
        summary = CrawlSummary()
        page = extract(f"<title>{escape(HOSTILE_TITLE)}</title><p>Words")
        page = replace(page, url=HOSTILE_URL, confidence=0.1)
        summary.count((DROPPED, HOSTILE_TITLE), HOSTILE_URL, HOSTILE_URL, HOSTILE_TITLE)
        summary.count((SKIPPED, "not_html"), "https://example.com/a", "example.com")
        summary.add_page(replace(page, warnings=(HOSTILE_TITLE,)), HOSTILE_TITLE)
        stats = {f"mainpage/failed/{HOSTILE_TITLE}": 1}
        facts = replace(FACTS, spider=HOSTILE_TITLE, finish_reason=HOSTILE_TITLE)
        report = read(render_crawl_report(summary, replace(facts, stats=stats)))
        assert report.css("script, img").getall() == []
        assert HOSTILE_URL in "".join(report.css("bdi::text").getall())
        links = report.xpath("//@href[not(starts-with(., '#'))]").getall()
        assert links == ["https://example.com/a"]

    def test_the_policy_allows_the_style_alone(self) -> None:
        report = read(render_crawl_report(CrawlSummary(), FACTS))
        style = report.css("style::text").get("")
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert report.xpath("//meta/@content").getall()[0] == (
            f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
            "form-action 'none'"
        )
        assert report.xpath("//*[@style]").getall() == []
        assert "url(" not in style

    def test_the_command_of_a_page_is_quoted_for_a_shell(self) -> None:
        summary = CrawlSummary()
        url = "https://example.com/?a=$(reboot)&b='c'"
        page = replace(Page.empty(url, "no_text"), confidence=0.1)
        summary.add_page(page, "example.com")
        report = read(render_crawl_report(summary, FACTS))
        (command,) = report.css(".command::text").getall()
        quoted = """'https://example.com/?a=$(reboot)&b='"'"'c'"'"''"""
        assert command == f"scrapy mainpage {quoted} --report page.html"

    def test_passwords_of_addresses_are_not_shown(self) -> None:
        summary = CrawlSummary()
        url = "https://me:s3cret@example.com/"
        summary.count((DROPPED, "NearDuplicate"), url, "example.com", f"copy of {url}")
        summary.add_page(replace(Page.empty(url, "no_text"), confidence=0.2), "x")
        text = render_crawl_report(summary, FACTS)
        assert "example.com" in text
        assert "s3cret" not in text

    def test_notes_say_what_needs_a_look(self) -> None:
        summary = CrawlSummary()
        for _ in range(10):
            page = Page.empty("https://example.com/", "no_text")
            summary.count((KEPT, ""), "https://example.com/", "example.com")
            summary.add_page(replace(page, confidence=0.3), "example.com")
        stats = {
            "start_time": NOW - timedelta(minutes=5),
            "log_count/ERROR": 2,
            "mainpage/index/dead": 1,
        }
        facts = CrawlFacts("spider", "closespider_timeout", NOW, stats)
        note = read(render_crawl_report(summary, facts)).css(".warning::text").get()
        assert note == (
            "The crawl was stopped early: timeout. 2 errors in the log. "
            "1 document not indexed: see the dead letters. "
            "10 pages with a confidence below 0.5. "
            '10 pages without main content; MAINPAGE_RENDER = "auto" may help.'
        )
        assert "No page was crawled." in render_crawl_report(CrawlSummary(), FACTS)
        assert "after 0:05:00" in render_crawl_report(summary, facts)

    def test_rendered_pages_say_why(self) -> None:
        summary = CrawlSummary()
        for rendered, reason in ((True, "always"), (True, "always"), (False, "worse")):
            page = Page.empty("https://example.com/", "no_text")
            summary.add_page(
                replace(page, rendered=rendered, render_reason=reason), "example.com"
            )
        report = read(render_crawl_report(summary, FACTS))
        assert rows(report, "rendering") == {
            "Rendered: always": 2,
            "Not rendered: worse": 1,
        }


def test_without_jinja2_the_crawl_does_not_start(tmp_path: Path) -> None:
    from scrapy_mainpage.extensions import CrawlReport
    from scrapy_mainpage.report.page_report import make_environment
    from scrapy_mainpage.settings import SettingsError
    from tests.crawling import make_crawler

    crawler = make_crawler(MAINPAGE_REPORT=str(tmp_path / "crawl.html"))
    make_environment.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "jinja2", None)
        with pytest.raises(SettingsError, match=r"MAINPAGE_REPORT=.*\[report\]"):
            CrawlReport.from_crawler(crawler)


def summarise(
    pages: int, start: int = 0, summary: CrawlSummary | None = None
) -> CrawlSummary:
    """The summary of so many pages: each of a site of its own."""
    summary = summary or CrawlSummary()
    random, long = Random(start), "x" * 2_000
    for k in range(start, start + pages):
        url = f"https://site{k}.example.com/{long}"
        page = Page(url, "", "learned", 10, 20, random.random(), (f"warning{k % 9}",))
        summary.count((DROPPED, f"Reason{k % 9}"), url, f"site{k}", long)
        summary.add_page(page, f"site{k}")
    return summary


class TestSummary:
    def test_memory_is_bounded_whatever_the_number_of_pages(self) -> None:
        summary = summarise(2_000)
        before = len(pickle.dumps(summary))
        summarise(18_000, 2_000, summary)
        assert len(pickle.dumps(summary)) < 1.1 * before < 2_000_000
        assert len(summary.sites) == MAX_SITES + 1
        assert len(summary.outcomes[DROPPED, "Reason0"].examples) == MAX_EXAMPLES
        assert summary.outcomes.total(*OUTCOMES) == summary.total.pages == 20_000
        assert sum(site.pages for site in summary.sites.values()) == 20_000
        assert len(render_crawl_report(summary, FACTS)) < 1_000_000

    def test_the_least_certain_pages_are_listed_in_their_order(self) -> None:
        random = Random(0)
        known = sorted(random.random() for _ in range(1_000))
        listed = [page.confidence for page in summarise(1_000).least_certain]
        assert listed == known[:MAX_LISTED]

    def test_certain_pages_and_errors_are_not_among_the_least_certain(self) -> None:
        summary = CrawlSummary()
        page = Page("https://example.com/", "", "learned", 1, 1, 0.95)
        summary.add_page(page, "example.com")
        summary.add_page(replace(page, confidence=0.1), "example.com", is_error=True)
        assert summary.least_certain == []

    def test_a_page_whose_later_item_was_scraped_is_kept(self) -> None:
        summary = CrawlSummary()
        summary.count((DROPPED, "TooFewWords"), "https://example.com/", "example.com")
        summary.uncount((DROPPED, "TooFewWords"), "example.com")
        summary.count((KEPT, ""), "https://example.com/", "example.com")
        site = summary.sites["example.com"]
        assert (site.kept, site.dropped) == (1, 0)
        assert summary.outcomes.total(*OUTCOMES) == 1
        assert [outcome for outcome, _ in summary.outcomes.ranked()] == [(KEPT, "")]
