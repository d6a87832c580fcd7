"""What a publisher says about a page: robots directives, canonical URL, parts."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Request

from scrapy_mainpage.crawl.crawl_state import ItemOrigin
from scrapy_mainpage.crawl.pages import mainpage
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.pipelines.publisher import PublisherReader, Wishes, parse
from scrapy_mainpage.settings import Settings
from tests.growth import grows_linearly
from tests.mockserver import article

URL = "https://example.com/docs/page?id=1"


def read(
    head: str = "",
    main: str = "",
    foot: str = "",
    headers: dict[str, str] | None = None,
    **settings: Any,
) -> Wishes:
    html = article("whales", main=main).replace("</head>", f"{head}</head>")
    html = html.replace("</body>", f"{foot}</body>")
    request = Request(URL)
    response = HtmlResponse(
        URL, body=html.encode(), headers=headers, request=request, encoding="utf-8"
    )
    reader = PublisherReader(Settings(**settings), Extractor())
    return reader.read(ItemOrigin(mainpage(response), None, response))


@pytest.mark.parametrize(
    ("line", "directives"),
    [
        ("noindex", {"noindex"}),
        (" NoIndex , nofollow", {"noindex", "nofollow"}),
        ("none", {"noindex", "nofollow"}),
        ("max-snippet:0", {"nosnippet"}),
        ("max-snippet: 20, noarchive", {"noarchive"}),
        ("unavailable_after: 25 Jun 2030 15:00:00 GMT", set()),
        ("otherbot: noindex, nofollow", set()),
        ("", set()),
    ],
)
def test_directives_for_every_robot_are_read(line: str, directives: set[str]) -> None:
    assert parse(line) == directives


def test_directives_of_markup_and_headers_are_joined() -> None:
    head = '<META NAME="Robots" CONTENT="noarchive"><meta name="otherbot" content="x">'
    found = read(head, headers={"X-Robots-Tag": "nosnippet"})
    assert found.directives == {"noarchive", "nosnippet"}
    ignored = read(head, headers={"X-Robots-Tag": "noindex"}, robots_meta="ignore")
    assert ignored.directives == frozenset()


@pytest.mark.parametrize(
    ("href", "setting", "canonical"),
    [
        ("/docs/page", "same-host", "https://example.com/docs/page"),
        ("/docs/page#part", "same-host", "https://example.com/docs/page"),
        ("/docs/page", "off", None),
        ("https://other.example/docs/page", "same-host", None),
        ("https://other.example/page", "any", "https://other.example/page"),
        (URL, "same-host", None),
        (URL.replace("https", "http"), "same-host", None),
        ("/", "same-host", None),
        ("http://[broken", "same-host", None),
        (f"/{'a' * 3000}", "same-host", None),
    ],
)
def test_the_canonical_url_is_the_address_of_the_page(
    href: str, setting: str, canonical: str | None
) -> None:
    found = read(f'<link rel="canonical" href="{href}">', canonical=setting)
    assert found.canonical == canonical


def test_the_address_in_other_metadata_is_no_canonical_url() -> None:
    head = '<meta property="og:url" content="https://example.com/other">'
    assert read(head).canonical is None


@pytest.mark.parametrize(
    "mark",
    [
        "data-nosnippet",
        "data-pagefind-ignore='all'",
        "data-elastic-exclude",
        "data-search-exclude",
    ],
)
def test_parts_are_left_out_and_what_follows_them_stays(mark: str) -> None:
    page = read(
        main=f"<p>One <b {mark}>secret <i {mark}>zebra</i></b> and two.</p>"
    ).page
    assert page is not None
    assert "zebra" not in page.text
    assert "One and two." in " ".join(page.text.split())
    assert read(main="<p>data-nosnippet is a word here.</p>").page is None
    assert read(main=f"<p {mark}>zebra</p>", robots_meta="ignore").page is None


@pytest.mark.parametrize(
    "main",
    [
        "<p><b data-nosnippet>zebra</b> is the first word of whales and their songs.",
        "<p>Whales and their songs, the last word of which is <b data-nosnippet>zebra",
        "<div data-nosnippet><p>The zebra is a horse without songs, say whales.</div>",
        "<p data-nosnippet>A zebra, of which whales that sing know nothing at all.<p>x",
    ],
)
def test_a_part_anywhere_in_the_text_is_left_out(main: str) -> None:
    page = read(main=main).page
    assert page is not None
    assert "zebra" not in page.text


def test_a_part_outside_of_the_text_costs_no_second_extraction() -> None:
    menu = "<nav data-nosnippet><ul><li><a href='/a'>Zebra</a><li>Owl</ul></nav>"
    assert read(main="<p>Whales sing.</p>", foot=menu).page is None


def test_a_page_of_parts_that_are_left_out_takes_time_in_proportion() -> None:
    def measure(count: int) -> float:
        start = process_time()
        page = read(main="<p>" + "<b data-nosnippet>x</b> text and more " * count).page
        assert page is not None
        assert page.words > 2 * count
        return process_time() - start

    assert grows_linearly(measure, 3_000, 12_000)
