from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest
from scrapy import Request
from scrapy.http import (
    HtmlResponse,
    JsonResponse,
    Response,
    TextResponse,
    XmlResponse,
)

from scrapy_mainpage import extract, mainpage
from scrapy_mainpage.crawl.pages import (
    NotHtmlError,
    keep_page,
    known_page,
    record_of,
    share_tree,
)
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.page import Page
from tests.mockserver import article

URL = "http://example.com/a"


def response(body: str = article("trains"), **options: object) -> HtmlResponse:
    return HtmlResponse(URL, body=body.encode(), **options)


def test_a_response_without_a_request_has_a_page() -> None:
    page = mainpage(response())
    assert page.url == URL
    assert page.text.startswith("All about trains")


def test_the_page_is_made_once() -> None:
    ours = response()
    assert mainpage(ours) is mainpage(ours)


def test_the_page_goes_with_its_response() -> None:
    ours = response()
    page = weakref.ref(mainpage(ours))
    del ours
    gc.collect()
    assert page() is None


def test_the_page_of_the_crawl_is_the_one() -> None:
    ours, page = response(), Page.empty(URL, "known")
    assert known_page(ours) is None
    keep_page(ours, page)
    assert mainpage(ours) is page


def test_a_page_in_the_meta_that_belongs_to_another_response_is_not_taken() -> None:
    request = Request(URL, meta={"mainpage": Page.empty(URL, "old")})
    first = response(request=request)
    changed = first.replace(body=article("ships").encode())
    assert mainpage(changed).text.startswith("All about ships")


def test_a_skipped_response_is_read_by_the_algorithm_of_the_crawl() -> None:
    ours = response(request=Request(URL, meta={"mainpage": False}))
    record_of(ours).extractor = Extractor("semantic-markup")
    assert mainpage(ours).algorithm == "semantic-markup"


def test_a_shared_tree_has_the_page_and_layout_of_the_response() -> None:
    ours, page, layout = response(), Page.empty(URL, "known"), object()
    keep_page(ours, page)
    record_of(ours).layout = layout
    shared = share_tree(ours)
    assert known_page(shared) is page
    assert record_of(shared).layout is layout
    assert share_tree(shared) is shared


def test_the_caller_may_choose_the_extractor_of_an_unread_response() -> None:
    page = mainpage(response(), extractor=Extractor("semantic-markup"))
    assert page.algorithm == "semantic-markup"


def test_the_tree_is_shared_with_the_selector_and_not_changed() -> None:
    ours = response()
    before = ours.selector.get()
    mainpage(ours)
    assert ours.selector.get() == before


def test_an_empty_body_has_an_empty_page() -> None:
    assert mainpage(response(" \n")) == Page.empty(URL, "empty")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (Response(URL, body=b"abc"), "Response of content type unknown"),
        (TextResponse(URL, body=b"abc"), "TextResponse"),
        (JsonResponse(URL, body=b"{}"), "JsonResponse"),
        (XmlResponse(URL, body=b"<a/>"), "XmlResponse"),
        (
            Response(URL, headers={"Content-Type": "image/png"}),
            "Response of content type image/png",
        ),
        (HtmlResponse(URL, body=b"%PDF-1.7 ..."), "begins as a binary file does"),
    ],
)
def test_what_is_not_html_says_what_it_is(other: Response, said: str) -> None:
    with pytest.raises(NotHtmlError) as caught:
        mainpage(other)
    assert URL in str(caught.value)
    assert said in str(caught.value)


class OddSelectorResponse(HtmlResponse):
    """A response with a selector that holds no tree, as for JSON."""

    @property
    def selector(self) -> object:
        class Odd:
            root = {"a": 1}

        return Odd()


def test_a_selector_without_a_tree_falls_back_to_the_body() -> None:
    odd = OddSelectorResponse(URL, body=article("trains").encode())
    assert mainpage(odd).text == mainpage(response()).text


def test_pages_are_compared_by_what_they_say() -> None:
    page = mainpage(response())
    assert page == mainpage(response())
    assert page != replace(page, words=0)


RUSSIAN = "<h1>Река</h1><p>" + "Река течёт через старые города и под мостами. " * 9
LATIN_1 = {"Content-Type": "text/html; charset=iso-8859-1"}


@pytest.mark.parametrize("shares", [True, False])
@pytest.mark.parametrize("codec", ["utf-8", "windows-1251"])
def test_a_wrong_encoding_of_the_server_is_corrected_on_demand(
    codec: str, shares: bool
) -> None:
    for detects in (False, True):
        extractor = Extractor(detect_encoding=detects)
        given = HtmlResponse(URL, headers=LATIN_1, body=RUSSIAN.encode(codec))
        response = share_tree(given, extractor) if shares else given
        assert isinstance(response, HtmlResponse)
        page = mainpage(response, extractor=extractor)
        assert ("Река течёт" in page.text) == detects
        assert ("encoding_suspect" in page.warnings) != detects
        if shares:
            assert ("Река течёт" in response.text) == detects


@pytest.mark.parametrize("shares", [True, False])
def test_utf_8_shows_whatever_the_markup_declares(shares: bool) -> None:
    body = f"<meta charset=windows-1251>{RUSSIAN}".encode()
    extractor = Extractor()
    given = HtmlResponse(URL, headers={"Content-Type": "text/html"}, body=body)
    assert "Река" not in given.text
    response = share_tree(given, extractor) if shares else given
    page = mainpage(response, extractor=extractor)
    assert "Река течёт" in page.text
    assert page.text == extract(body).text
    assert page.warnings == ()
    if shares:
        assert "Река течёт" in response.text  # type: ignore[attr-defined]


@pytest.mark.parametrize(("status", "warnings"), [(200, ()), (404, ("error_page",))])
def test_the_status_of_an_error_is_a_warning(
    status: int, warnings: tuple[str, ...]
) -> None:
    body = f"<meta charset=utf-8>{RUSSIAN}".encode()
    page = mainpage(HtmlResponse(URL, status=status, body=body))
    assert page.warnings == warnings
    assert "Река течёт" in page.markdown
