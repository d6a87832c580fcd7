from __future__ import annotations

import gc
import json
import pickle
from copy import copy
from typing import Any
from weakref import ref

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree, html
from scrapy import Selector
from scrapy.http import HtmlResponse, TextResponse

from scrapy_mainpage.crawl.pages import TreeResponse, mainpage, share_tree, tree_of
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.tree import Limits

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


def plain(body: bytes, headers: dict[str, str] | None = None) -> HtmlResponse:
    return HtmlResponse(URL, body=body, headers=headers or HEADERS[0])


def shared(body: bytes, headers: dict[str, str] | None = None) -> HtmlResponse:
    response = share_tree(plain(body, headers))
    assert isinstance(response, TreeResponse)
    return response


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
        expected = Selector(plain(body, headers)).root
    except ValueError:
        expected = None
    root = tree_of(shared(body, headers))
    assert written(root) == written(expected)
    if root is not None:
        assert root.base == expected.base
        assert root.getroottree().docinfo.doctype == (
            expected.getroottree().docinfo.doctype
        )


def test_the_spider_s_selector_is_as_usual() -> None:
    response, usual = shared(PAGE.encode()), plain(PAGE.encode())
    root = tree_of(response)
    selector = response.selector
    assert selector.root is root
    assert type(selector) is Selector
    assert selector.type == usual.selector.type
    assert repr(selector) == repr(usual.selector)
    assert isinstance(root, html.HtmlElement)
    assert selector.get() == usual.selector.get()
    assert response.xpath('id("x")/text()').get() == "Grüße "
    assert response.css("a::attr(href)").getall() == ["e"]
    assert response.urljoin("e") == usual.urljoin("e")
    assert response.follow(response.css("a")[0]).url == "http://a.example/d/e"
    root.make_links_absolute()
    assert response.css("a::attr(href)").get() == "http://a.example/d/e"


def test_the_response_is_the_same_but_for_its_class() -> None:
    usual = plain(PAGE.encode("latin-1"), HEADERS[2])
    response = share_tree(usual)
    assert (response.text, response.headers) == (usual.text, usual.headers)
    assert response.replace(url="http://b.example/").css("p") != []


@pytest.mark.parametrize(
    "copied", [copy, lambda each: pickle.loads(pickle.dumps(each))]
)
def test_a_copy_and_a_pickle_are_plain_responses_without_a_tree(copied: Any) -> None:
    response = shared(PAGE.encode())
    assert tree_of(response) is not None
    again = copied(response)
    assert type(again) is HtmlResponse
    assert (again.url, again.body, again.headers) == (
        *(response.url, response.body, response.headers),
    )


class Repaired(HtmlResponse):
    """A response of a project that repairs the pages of a site."""

    @property
    def text(self) -> str:
        return super().text.replace("(p)", "<p>")


def test_a_class_of_the_project_s_own_has_its_own_text_and_selector() -> None:
    response = Repaired(URL, body=b"<div>(p)there", encoding="utf-8")
    assert share_tree(response) is response
    assert mainpage(response).words_total == 1
    assert response.css("p::text").get() == "there"


def test_a_response_and_its_tree_go_with_their_last_user() -> None:
    response = shared(PAGE.encode())
    selector, link = response.selector, response.css("a")[0]
    known = ref(response)
    gc.disable()
    try:
        del response
        assert known() is None
    finally:
        gc.enable()
    assert selector.css("a::text").get() == link.css("::text").get() == "there"


def test_json_that_is_served_as_html_is_to_the_selector_what_it_was() -> None:
    response = shared(json.dumps({"a": ["b"]}).encode())
    usual = plain(response.body)
    assert response.jmespath("a").getall() == usual.jmespath("a").getall()


def test_too_many_elements_are_trimmed_even_if_they_were_parsed_before() -> None:
    extractor = Extractor(limits=Limits(max_elements=200))
    response = plain(b"<p>mills" + b"<i></i>" * 90_000)
    assert response.selector is not None
    page = mainpage(response, extractor=extractor)
    assert page.warnings[0] == "elements"
    assert page.words_total == 1


def test_sharing_the_tree_does_not_detect_the_encoding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    response = HtmlResponse("http://a.example/", body="<p>Grüße".encode("latin-1"))
    monkeypatch.setattr(TextResponse, "encoding", property(lambda self: 1 / 0))
    assert isinstance(share_tree(response), TreeResponse)


def test_an_encoding_that_nothing_declares_is_that_of_the_tree() -> None:
    text = "河水流过古老的城镇，人们说那里以前更干净。" * 9
    response = shared(f"<p>{text}".encode("gbk"), HEADERS[1])
    assert mainpage(response).text == response.css("p::text").get() == text


def test_a_tree_that_a_middleware_has_changed_is_kept() -> None:
    response = HtmlResponse("http://a.example/", body=b"<p>a</p><p class=ad>b</p>")
    for node in response.css(".ad"):
        node.drop()
    assert share_tree(response) is response
    assert [block.text for block in mainpage(response).blocks] == ["a"]


def test_attributes_of_a_response_are_kept_where_it_can_have_any() -> None:
    response = HtmlResponse("http://a.example/", body=b"<p>a</p>")
    try:
        response.proxy = "b"
    except AttributeError:
        pytest.skip("responses of this Scrapy have slots")
    assert share_tree(response).proxy == "b"
