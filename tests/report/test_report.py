"""The visual report: complete, bounded, and safe to open whatever the page holds."""

from __future__ import annotations

import base64
import hashlib
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest
from parsel import Selector

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.tree import Limits
from scrapy_mainpage.page import Page
from scrapy_mainpage.report import ReportUnavailable, write_report
from scrapy_mainpage.report.page_report import make_environment
from tests.browser import Opened, open_page
from tests.extraction.records.test_posts import TALK, URL, post, thread
from tests.mockserver import Reply, article, serve

TAGS = set(
    "html head meta title style body header nav section h1 h2 h3 h4 h5 h6 p div span "
    "b i em strong code pre br hr ul ol li dl dt dd table tbody tr th td details "
    "summary figure figcaption bdi a blockquote".split()
)
ATTRIBUTES = set(
    "id dir lang charset http-equiv content name class title aria-label aria-hidden "
    "open href colspan rowspan start tabindex".split()
)

#: ``{url}`` is a server that reports must not contact; ``err`` is not defined, so that
#: every script that runs logs an error on the console.
HOSTILE = """<!doctype html><html lang="en'><script>err(1)</script>">
<head><title>&lt;/title>&lt;script>err(2)&lt;/script></title>
<meta name="description" content="&quot;>&lt;script>err(3)&lt;/script>">
<meta http-equiv="refresh" content="0;url={url}/refresh">
<link rel="stylesheet" href="{url}/style.css"><base href="javascript:err(4)//">
<style>@import url({url}/import.css); .b {{ background: url({url}/css.png) }}</style>
<script src="{url}/script.js"></script></head>
<body onload="err(5)"><script>err("ran")</script>
<article id='"><script>err(6)</script>' class="</svg><script>err(7)</script>">
<h1>&lt;/style>&lt;script>err(8)&lt;/script></h1>
<p onclick="err(9)" style="background:url({url}/p.png)">A paragraph with many words
to be main content, and <a href="javascript:err(10)">a link</a>, <a
href=" java&#10;script:err(11)">another</a>, <a href="{url}/fine">a third</a>.</p>
<p>More words <img src="{url}/a.png" srcset="{url}/b.png 2x" onerror="err(12)"
alt="&quot;>&lt;script>err(13)&lt;/script>" title="'>"> and <iframe
title="A map" src="{url}/frame"></iframe>
<video src="{url}/v.mp4" poster="{url}/v.png"></video>
<svg onload="err(14)"><script>err(15)</script><image href="{url}/i.png"/></svg></p>
<form action="{url}/form"><input autofocus onfocus="err(16)"><button>Go</button></form>
<x-y onclick="err(17)">odd \x01 \u202e text</x-y></article></body></html>"""


def report(html: str, url: str | None = "https://example.com/page") -> str:
    return write_report(extract(html, url=url, algorithm="semantic-markup"))


def read(text: str) -> Selector:
    return Selector(text=text, type="html")


def visible_text(text: str) -> str:
    return " ".join(read(text).xpath("//body//text()").getall())


class TestContents:
    def test_figures_metadata_and_title_are_given(self) -> None:
        url = "https://example.com/trains"
        page = extract(article("trains"), url=url, algorithm="danag")
        said = visible_text(write_report(page))
        assert "All about trains" in said
        assert url in said
        assert f"{page.words:,} words kept" in said
        assert f"{page.words_total - page.words:,} words dropped" in said
        assert "algorithm danag" in " ".join(said.split())
        assert "not predicted confidence" in said

    def test_a_page_that_was_asked_about_says_whether_it_was_rendered(self) -> None:
        page = extract("<p>Some words to read.", algorithm="semantic-markup")
        assert "by a browser" not in write_report(page)
        from_browser = replace(page, rendered=True, render_reason="empty_root")
        static = replace(page, render_reason="no_script")
        assert "· rendered by a browser <strong>empty_root<" in write_report(
            from_browser
        )
        assert "not rendered by a browser <strong>no_script<" in write_report(static)

    def test_the_page_stands_beside_what_was_extracted(self) -> None:
        said = read(report(article("trains")))
        page, extracted = said.css(".panes > .pane")
        assert len(page.css(".g-nav")) > 0
        assert "Contact" in "".join(page.css("::text").getall())
        assert extracted.css(".text h1::text").getall() == ["All about trains"]
        assert "Contact" not in "".join(extracted.css("::text").getall())

    def test_the_legend_counts_blocks_and_words_per_label(self) -> None:
        html = "<article><p>three</p><p>four five</p></article><footer>A b</footer>"
        legend = read(report(html)).css(".legend")[0].css("li::text").getall()
        assert legend == ["paragraph (2, 3 words)", "footer (1, 2 words)"]

    def test_the_first_link_leads_to_the_first_main_block(self) -> None:
        html = "<nav>one two</nav><article><p>three</p></article>"
        assert read(report(html)).css(".jumps a::attr(href)").get() == "#b1"
        assert "To the main content" not in report("<nav>one two</nav>")

    def test_browsers_find_the_direction_of_a_page_by_its_own_letters(self) -> None:
        arabic = read(report("<article><p>المكتبة التي تسافر بالقارب HTTP</p>"))
        assert arabic.css(".pane::attr(dir)").getall() == ["auto", "auto"]
        assert arabic.css(".pane .tag::attr(dir)").get() == "ltr"

    def test_images_in_the_extracted_text_are_boxes(self) -> None:
        html = '<article>Words <img src="https://e.org/a.png" alt="A & B"></article>'
        said = read(report(html)).css(".text .img::text").getall()
        assert said == ["image: A & B"]

    def test_a_page_without_content_says_why(self) -> None:
        said = visible_text(write_report(Page.empty("https://example.com/", "empty")))
        assert "The response is empty." in said
        assert "What was extracted" not in said

    def test_without_jinja2_the_error_names_the_package_to_install(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_environment.cache_clear()
        monkeypatch.setitem(sys.modules, "jinja2", None)
        with pytest.raises(
            ReportUnavailable, match=r"pip install 'scrapy-mainpage\[rep"
        ):
            write_report(Page.empty(None, "empty"))

    def test_a_page_without_text_has_a_report(self) -> None:
        said = visible_text(report("<html><body></body></html>", url=None))
        assert "No text." in said
        assert "No main content." in said


class TestSafety:
    def test_only_known_tags_and_attributes_are_written(self) -> None:
        said = read(report(HOSTILE.format(url="https://evil.example")))
        tags = {node.root.tag for node in said.xpath("//*")}
        assert tags <= TAGS
        names = {name.lower() for node in said.xpath("//*") for name in node.attrib}
        assert names <= ATTRIBUTES

    def test_links_lead_to_the_web_alone(self) -> None:
        said = read(report(HOSTILE.format(url="https://evil.example")))
        assert said.css("a").xpath("@href").getall() == said.xpath("//@href").getall()
        links = said.xpath("//@href[not(starts-with(., '#'))]").getall()
        assert len(links) == 3
        assert all(link.startswith("https://evil.example/") for link in links)

    def test_the_policy_allows_the_style_of_the_report_alone(self) -> None:
        said = read(report(HOSTILE.format(url="https://evil.example")))
        (policy,) = said.xpath(
            "//meta[@http-equiv='Content-Security-Policy']/@content"
        ).getall()
        (style,) = said.xpath("//style/text()").getall()
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert policy == (
            f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
            "form-action 'none'"
        )
        assert said.css("script").getall() == []
        # The policy applies only to the elements after it, so it must come first.
        head = [node.root.tag for node in said.xpath("/html/head/*")][:2]
        assert head == ["meta", "meta"]

    def test_the_style_loads_nothing(self) -> None:
        style = read(report(article("trains"))).xpath("//style/text()").get("")
        assert "url(" not in style
        assert "@import" not in style


def unlimited(html: str) -> str:
    """The report of a page of that size."""
    limits = Limits(max_elements=10**9, max_text_node=10**9)
    return write_report(Extractor("semantic-markup", limits=limits).extract(html))


class TestLargePages:
    def test_the_report_of_many_blocks_is_bounded_and_says_so(self) -> None:
        parts = "<p>A paragraph of some <a href=x>words</a> and more.</p>" * 100_000
        text = unlimited(f"<nav>{'<a href=x>l</a><br>' * 999}</nav><article>{parts}")
        assert len(text) < 4_000_000
        said = visible_text(text)
        assert "of its 100,001 text blocks are shown" in said
        assert "more blocks of the main content are left out here" in said

    def test_a_block_of_megabytes_does_not_make_the_report_large(self) -> None:
        text = unlimited(f"<article><p>{'word ' * 1_000_000}</p></article>")
        assert len(text) < 1_500_000
        said = visible_text(text)
        assert "…" in said
        assert "1 more blocks of the main content are left out here" in said

    def test_attributes_of_megabytes_do_not_make_the_report_large(self) -> None:
        name = "x" * 1_000_000
        text = report(
            f"<title>{name}</title><article id='{name}' lang='{name}'><p>"
            f"<img alt='{name}' src=a>Words</p></article>",
            url=f"https://example.com/{name}",
        )
        assert len(text) < 300_000


class TestInABrowser:
    """The report of a hostile page in a browser: shown, and nothing runs."""

    @pytest.fixture
    def opened(self, requirement: Callable[[str], str]) -> Callable[[str], Opened]:
        browser = requirement("browser")
        return lambda html: open_page(browser, html, "--virtual-time-budget=2000")

    def test_the_report_of_a_hostile_page_runs_and_loads_nothing(
        self, opened: Callable[[str], Opened]
    ) -> None:
        with serve({}) as site:
            document, console = opened(report(HOSTILE.format(url=site.url)))
            assert "What was extracted" in document
            assert console == ""
            assert not site.requests

    def test_the_hostile_page_itself_does_both(
        self, opened: Callable[[str], Opened]
    ) -> None:
        page = HOSTILE.replace('<meta http-equiv="refresh"', "<meta")
        with serve({"/script.js": Reply(b"")}) as site:
            _, console = opened(page.format(url=site.url))
            assert "err is not defined" in console
            assert site.requests["/script.js"] == 1

    def test_the_style_of_the_report_is_applied(
        self, opened: Callable[[str], Opened]
    ) -> None:
        # An added rule changes the digest, and the browser reports an error.
        text = report(article("trains"))
        assert opened(text)[1] == ""
        assert "style" in opened(text.replace("<style>", "<style>p{color:red}"))[1]

    def test_the_policy_stops_scripts_that_escaping_would_let_through(
        self, opened: Callable[[str], Opened]
    ) -> None:
        script, event = "<script>err(1)</script>", "<svg onload=err(2)></svg>"
        text = report(article("trains")).replace("<title>", f"{script}<title>", 1)
        text = text.replace("</body>", f"{script}{event}</body>", 1)
        console = opened(text).console
        assert console.count("violates the following Content Security Policy") == 3
        assert "err is not defined" not in console
        without_policy = text.replace("Content-Security-Policy", "x-policy", 1)
        assert opened(without_policy).console.count("err is not defined") == 3


def test_a_rule_between_the_posts_of_a_thread() -> None:
    rows = (post(k, *row) for k, row in enumerate(TALK))
    report = write_report(extract(thread("".join(rows)), url=URL))
    assert report.count("<hr>") == len(TALK) - 1
