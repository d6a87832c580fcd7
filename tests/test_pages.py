from __future__ import annotations

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
    known_page,
    record_of,
    right_encoding,
)
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.tree import Limits
from scrapy_mainpage.page import Page
from tests.mockserver import article

URL = "http://example.com/a"
RUSSIAN = "<h1>Река</h1><p>" + "Река течёт через старые города и под мостами. " * 9
LATIN_1 = {"Content-Type": "text/html; charset=iso-8859-1"}


def response(body: str = article("trains"), **options: object) -> HtmlResponse:
    return HtmlResponse(URL, body=body.encode(), **options)


def test_a_response_without_a_request_has_a_page() -> None:
    page = mainpage(response())
    assert page.url == URL
    assert page.text.startswith("All about trains")


def test_the_page_is_made_once() -> None:
    ours = response()
    assert mainpage(ours) is mainpage(ours)


def test_the_page_of_the_crawl_is_the_one() -> None:
    ours, page = response(), Page.empty(URL, "known")
    assert known_page(ours) is None
    record_of(ours).page = page
    assert mainpage(ours) is page


def test_a_page_in_the_meta_that_belongs_to_another_response_is_not_taken() -> None:
    request = Request(URL, meta={"mainpage": Page.empty(URL, "old")})
    first = response(request=request)
    changed = first.replace(body=article("ships").encode())
    assert mainpage(changed).text.startswith("All about ships")


def test_a_response_in_another_encoding_keeps_page_layout_and_class() -> None:
    ours = HtmlResponse(URL, body=RUSSIAN.encode(), headers=LATIN_1)
    page, layout = Page.empty(URL, "known"), object()
    record_of(ours).page = page
    record_of(ours).layout = layout
    right = right_encoding(ours, Extractor(detect_encoding=True))
    assert right is not ours
    assert type(right) is HtmlResponse
    assert known_page(right) is page
    assert record_of(right).layout is layout
    assert right_encoding(right, Extractor()) is right


class Repaired(HtmlResponse):
    """A response of a project that repairs the pages of a site."""

    @property
    def text(self) -> str:
        return super().text.replace("(p)", "<p>")


def test_a_class_of_the_project_s_own_has_its_own_text_and_selector() -> None:
    ours = Repaired(URL, body="<div>(p)thére".encode("latin-1"), encoding="utf-8")
    assert right_encoding(ours, Extractor()) is ours
    assert mainpage(ours).words_total == 1


def test_a_tree_that_a_middleware_has_changed_is_kept() -> None:
    ours = HtmlResponse(URL, body=b"<p>a</p><p class=ad>b</p>")
    for node in ours.css(".ad"):
        node.drop()
    assert right_encoding(ours, Extractor()) is ours
    assert [block.text for block in mainpage(ours).blocks] == ["a"]


def test_an_encoding_that_nothing_declares_is_that_of_the_tree() -> None:
    text = "河水流过古老的城镇，人们说那里以前更干净。" * 9
    html = {"Content-Type": "text/html"}
    ours = HtmlResponse(URL, body=f"<p>{text}".encode("gbk"), headers=html)
    right = right_encoding(ours, Extractor())
    assert isinstance(right, HtmlResponse)
    assert mainpage(right).text == right.css("p::text").get() == text


def test_too_many_elements_are_trimmed_even_if_they_were_parsed_before() -> None:
    extractor = Extractor(limits=Limits(max_elements=200))
    ours = HtmlResponse(URL, body=b"<p>mills" + b"<i></i>" * 90_000)
    assert ours.selector is not None
    page = mainpage(ours, extractor=extractor)
    assert page.warnings[0] == "elements"
    assert page.words_total == 1


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


@pytest.mark.parametrize("shares", [True, False])
@pytest.mark.parametrize("codec", ["utf-8", "windows-1251"])
def test_a_wrong_encoding_of_the_server_is_corrected_on_demand(
    codec: str, shares: bool
) -> None:
    for detects in (False, True):
        extractor = Extractor(detect_encoding=detects)
        given = HtmlResponse(URL, headers=LATIN_1, body=RUSSIAN.encode(codec))
        response = right_encoding(given, extractor) if shares else given
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
    response = right_encoding(given, extractor) if shares else given
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
