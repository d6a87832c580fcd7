from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, JsonResponse

from scrapy_mainpage import linkextractors
from scrapy_mainpage.crawl.pages import record_of
from scrapy_mainpage.label import MAIN_LABELS, Label
from scrapy_mainpage.linkextractors import MainContentLinkExtractor, read_labels
from scrapy_mainpage.page import Link, Page
from tests.mockserver import article

URL = "http://example.com/a/b"
INNER = (
    '<p>A paragraph that links to <a href="c">the next page</a>, to '
    '<a href=" /Über?q=ä b#top ">an odd one</a>, to <a href="d.zip">a file</a> and '
    'to <a href="http://other.example/">somewhere else</a>, as paragraphs do.</p>'
)


def response(**options: Any) -> HtmlResponse:
    body = article("links", main=INNER).encode()
    return HtmlResponse(URL, body=body, encoding="utf-8", **options)


def urls(extractor: MainContentLinkExtractor, page: Any = None) -> list[str]:
    return [link.url for link in extractor.extract_links(page or response())]


def test_by_default_the_links_of_the_main_content_are_found() -> None:
    assert urls(MainContentLinkExtractor()) == [
        "http://example.com/a/c",
        "http://example.com/%C3%9Cber?q=%C3%A4%20b#top",
        "http://other.example/",
    ]


def test_other_labels_are_found_by_name() -> None:
    found = urls(MainContentLinkExtractor(labels={"navigation"}))
    menu = [f"http://example.com/{x}" for x in ("", "news", "contact", "shop")]
    assert found[: len(menu)] == menu
    assert not {"http://example.com/a/c", "http://example.com/imprint"} & set(found)
    assert urls(MainContentLinkExtractor(labels=Label.NAVIGATION)) == found


def test_labels_can_be_joined() -> None:
    found = urls(MainContentLinkExtractor(labels=["main", "navigation"]))
    assert {"http://example.com/a/c", "http://example.com/news"} <= set(found)
    assert "http://example.com/imprint" not in found


def test_the_filters_of_scrapy_apply() -> None:
    assert urls(MainContentLinkExtractor(allow=r"/c$")) == ["http://example.com/a/c"]
    assert "http://other.example/" not in urls(
        MainContentLinkExtractor(deny_domains="other.example")
    )
    assert urls(MainContentLinkExtractor(restrict_text="next")) == [
        "http://example.com/a/c"
    ]
    assert "http://example.com/a/d.zip" in urls(
        MainContentLinkExtractor(deny_extensions=[])
    )
    assert urls(MainContentLinkExtractor(restrict_css="nav")) == []


def test_canonical_urls_still_match() -> None:
    found = urls(MainContentLinkExtractor(canonicalize=True, allow="q="))
    assert found == ["http://example.com/%C3%9Cber?q=%C3%A4+b"]


def test_values_are_processed_before_they_are_compared() -> None:
    def process(url: str) -> str | None:
        return None if "other" in url else url + "?page=1"

    found = urls(MainContentLinkExtractor(process_value=process, allow="/a/"))
    assert found == ["http://example.com/a/c?page=1"]


def test_a_link_in_several_blocks_has_all_of_their_labels() -> None:
    body = article(
        "links", main='<p>A link in a paragraph: <a href="/news">news</a>.</p>'
    )
    page = HtmlResponse(URL, body=body.encode())
    for label in ("main", "navigation"):
        found = urls(MainContentLinkExtractor(labels=label), page)
        assert "http://example.com/news" in found


def test_links_are_relative_to_the_base_of_the_page() -> None:
    body = article("bases", main=INNER).replace("<title>", '<base href="/x/"><title>')
    found = urls(MainContentLinkExtractor(), HtmlResponse(URL, body=body.encode()))
    assert "http://example.com/x/c" in found


def test_nofollow_and_text_are_kept() -> None:
    inner = '<p>Some paragraph, with <a rel="nofollow" href="/ad">a link</a> in it.</p>'
    page = HtmlResponse(URL, body=article("ads", main=inner).encode())
    (link,) = MainContentLinkExtractor(allow="/ad$").extract_links(page)
    assert link.nofollow
    assert link.text == "a link"


def test_what_has_no_page_has_no_links() -> None:
    extractor = MainContentLinkExtractor()
    assert extractor.extract_links(JsonResponse(URL, body=b'{"a": 1}')) == []
    failed = response(request=Request(URL))
    record_of(failed).page = Page.empty(URL, "failed:ValueError")
    assert extractor.extract_links(failed) == []


def test_main_stands_for_all_main_content() -> None:
    assert read_labels("main") == MAIN_LABELS
    assert read_labels(["main", Label.FOOTER]) == MAIN_LABELS | {Label.FOOTER}


def test_an_unknown_label_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown label 'menu'; allowed: main, title"):
        MainContentLinkExtractor(labels=["menu"])


def test_of_a_hub_the_related_links_are_taken_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def page(main: int, related: int) -> SimpleNamespace:
        links = [Link(f"{URL}?{n}", "", Label.PARAGRAPH) for n in range(main)]
        links += [Link(f"{URL}?r{n}", "", Label.RELATED) for n in range(related)]
        return SimpleNamespace(all_links=links)

    body = "".join(f'<a href="?r{n}">{n}</a>' for n in range(20)) + '<a href="?0">x</a>'
    served = HtmlResponse(URL, body=body.encode(), encoding="utf-8")
    for found, expected in ((page(1, 20), 21), (page(9, 20), 1), (page(1, 9), 1)):
        monkeypatch.setattr(linkextractors, "mainpage", lambda _, found=found: found)
        assert len(urls(MainContentLinkExtractor(), served)) == expected
