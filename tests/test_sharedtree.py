from __future__ import annotations

import gc
import json
from weakref import ref

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree, html
from scrapy import Selector
from scrapy.http import HtmlResponse
from scrapy.utils import trackref

from scrapy_mainpage.crawl.pages import mainpage
from scrapy_mainpage.crawl.response_tree import is_parsed, shared_root
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.limits import Limits

URL = "http://a.example/b/c"
PAGE = "<html><base href='/d/'><p id=x>Grüße <a href=e>there</a></p></html>"
PIECES = [
    *("<p>", "</p>", "<b id=c>", "<!--", "-->", "&amp;", "é", "\xa0", "\x00", "\x1c"),
    *("\n", "<title>", "a", "\ufeff", "\u3000", "<svg>", "<base href=d>", "\udc80"),
]
MARKUP = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)
BYTES = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60).map(str.encode),
    MARKUP.map(lambda text: text.encode(errors="surrogatepass")),
)
HEADERS = [
    {"Content-Type": "text/html; charset=utf-8"},
    {"Content-Type": "text/html"},
    {"Content-Type": "text/html; charset=windows-1252"},
    {},
]


def response_of(body: bytes, headers: dict[str, str] | None = None) -> HtmlResponse:
    return HtmlResponse(URL, body=body, headers=headers or HEADERS[0])


def written(root: object) -> bytes | None:
    return etree.tostring(root, encoding="utf-8") if etree.iselement(root) else None


@given(BYTES, st.sampled_from(HEADERS))
@example(b"<p>a\xc3", HEADERS[0])
@example("\ufeff<p>ä\u3000".encode(), HEADERS[0])
@example(b"\x00\x1c<p>a\x00b", HEADERS[1])
def test_the_tree_is_the_one_that_a_selector_would_have(
    body: bytes, headers: dict[str, str]
) -> None:
    try:
        expected = Selector(response_of(body, headers)).root
    except ValueError:
        expected = None
    root = shared_root(response_of(body, headers))
    assert written(root) == written(expected)
    if root is not None:
        assert root.base == expected.base
        assert root.getroottree().docinfo.doctype == (
            expected.getroottree().docinfo.doctype
        )


def test_the_spider_s_selector_is_as_usual() -> None:
    response, usual = response_of(PAGE.encode()), response_of(PAGE.encode())
    root = shared_root(response)
    selector = response.selector
    assert selector.root is root
    assert selector.response is response
    assert selector.type == usual.selector.type
    assert isinstance(selector, Selector)
    assert repr(selector) == repr(usual.selector)
    assert isinstance(root, html.HtmlElement)
    assert selector.get() == usual.selector.get()
    assert response.xpath('id("x")/text()').get() == "Grüße "
    assert response.css("a::attr(href)").getall() == ["e"]
    assert response.urljoin("e") == usual.urljoin("e")
    root.make_links_absolute()
    assert response.css("a::attr(href)").get() == "http://a.example/d/e"


class Repaired(HtmlResponse):
    """A response of a project that repairs what a site sends."""

    @property
    def text(self) -> str:
        return super().text.replace("(p)", "<p>")


def test_a_text_of_the_project_s_own_is_what_its_selector_has() -> None:
    response = Repaired(URL, body=b"<div>(p)there", encoding="utf-8")
    assert shared_root(response) is not None
    assert response.css("p::text").get() == "there"


def test_scrapy_counts_the_selectors_among_its_own() -> None:
    response = response_of(PAGE.encode())
    shared_root(response)
    link = response.css("a")[0]
    assert type(link) is Selector
    live = list(trackref.iter_all("Selector"))
    assert any(each is response.selector for each in live)
    assert any(each is link for each in live)


def test_a_response_goes_with_its_last_user_and_its_selector_remains() -> None:
    response = response_of(PAGE.encode())
    shared_root(response)
    selector, link = response.selector, response.css("a")[0]
    known = ref(response)
    gc.disable()
    try:
        del response
        assert known() is None
    finally:
        gc.enable()
    assert selector.response is None
    assert selector.css("a::text").get() == link.css("::text").get() == "there"
    assert link.response is None


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"\xef\xbb\xbf <p>\xc3\xa4</p>", HEADERS[1]),
        (b"<p>\xc3\xa4</p>", HEADERS[0]),
        (b"<p>\xc3</p>", HEADERS[0]),
    ],
)
def test_the_text_of_a_page_in_utf_8_is_not_made(
    body: bytes, headers: dict[str, str]
) -> None:
    response = response_of(body, headers)
    assert shared_root(response) is not None
    assert response._cached_ubody is None
    assert (
        response.css("p").get() == Selector(response_of(body, headers)).css("p").get()
    )


def test_json_that_is_served_as_html_is_to_the_selector_what_it_was() -> None:
    response = response_of(json.dumps({"a": ["b"]}).encode())
    usual = response_of(response.body)
    shared_root(response)
    assert response.jmespath("a").getall() == usual.jmespath("a").getall()


def test_a_selector_that_was_made_before_is_kept() -> None:
    response = response_of(PAGE.encode())
    assert not is_parsed(response)
    selector = response.selector
    assert is_parsed(response)
    assert shared_root(response) is selector.root
    assert response.selector is selector


def test_a_page_that_was_parsed_before_is_not_surveyed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    response = response_of(PAGE.encode())
    assert response.selector is not None
    monkeypatch.delattr(Limits, "needs_bounding")
    assert mainpage(response).words_total == 2


def test_too_many_elements_are_trimmed_even_if_they_were_parsed_before() -> None:
    extractor = Extractor(limits=Limits(max_elements=200))
    response = response_of(b"<p>mills" + b"<i></i>" * 90_000)
    assert response.selector is not None
    page = mainpage(response, extractor=extractor)
    assert page.warnings[0] == "elements"
    assert page.words_total == 1
