from __future__ import annotations

import logging
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.http import Headers, HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.responsetypes import responsetypes

from scrapy_mainpage.crawl.pages import mainpage
from scrapy_mainpage.downloadermiddlewares import ExtractionMiddleware
from scrapy_mainpage.extraction.algorithms import DEFAULT_ALGORITHM
from scrapy_mainpage.page import Page
from tests.crawling import make_crawler
from tests.mockserver import article

URL = "http://example.com/a"
HTML = article("trains").encode()


def middleware(**settings: object) -> ExtractionMiddleware:
    return ExtractionMiddleware.from_crawler(make_crawler(**settings))


def counted(ours: ExtractionMiddleware) -> dict[str, float]:
    return dict(ours.crawler.stats.get_stats())


def test_an_html_response_has_its_page_in_the_meta() -> None:
    ours, request = middleware(), Request(URL)
    response = ours.process_response(request, HtmlResponse(URL, body=HTML))
    page = request.meta["mainpage"]
    assert page.text.startswith("All about trains")
    assert mainpage(response) is page
    stats = counted(ours)
    assert stats["mainpage/extracted"] == 1
    assert stats["mainpage/words_kept"] == page.words
    assert stats["mainpage/words_dropped"] == page.words_total - page.words
    assert stats["mainpage/time"] > 0


SHELL = b"""<title>Trains</title><div id=app></div>
<script type="application/ld+json">{"@type": "Article", "headline": "Trains",
"articleBody": "The night train leaves at ten, and nobody on it sleeps before eleven."}
</script>"""


def test_content_from_outside_of_the_text_is_counted() -> None:
    ours, request = middleware(), Request(URL)
    ours.process_response(request, HtmlResponse(URL, body=SHELL))
    page = request.meta["mainpage"]
    assert page.text.startswith("Trains\n\nThe night train leaves")
    assert counted(ours)["mainpage/structured/json-ld"] == 1
    assert counted(ours)["mainpage/words_kept"] == page.words == 14


def test_the_page_comes_before_the_spider_s_changes_of_the_tree() -> None:
    ours, request = middleware(), Request(URL)
    response = ours.process_response(request, HtmlResponse(URL, body=HTML))
    response.css("body > *").drop()
    assert response.css("p").get() is None
    assert request.meta["mainpage"].text.startswith("All about trains")


def test_the_request_with_its_page_can_be_pickled() -> None:
    ours, request = middleware(), Request(URL)
    ours.process_response(request, HtmlResponse(URL, body=HTML))
    page = request.meta["mainpage"]
    again = pickle.loads(pickle.dumps(request.to_dict()))
    assert again["meta"]["mainpage"] == page
    assert again["meta"]["mainpage"].markdown == page.markdown


def test_the_page_of_an_earlier_response_is_forgotten() -> None:
    ours, request = middleware(), Request(URL, meta={"depth": 1})
    ours.process_response(request, HtmlResponse(URL, body=HTML))
    retried = request.copy()
    assert ours.process_request(retried) is None
    assert retried.meta == {"depth": 1}
    assert "mainpage" in request.meta


def test_what_the_spider_has_put_there_stays() -> None:
    ours, request = middleware(), Request(URL, meta={"mainpage": False})
    ours.process_request(request)
    ours.process_response(request, HtmlResponse(URL, body=HTML))
    assert request.meta == {"mainpage": False}


@pytest.mark.parametrize(
    ("request_", "response", "reason"),
    [
        (Request(URL, method="HEAD"), HtmlResponse(URL), "head"),
        (
            Request("http://example.com/robots.txt", callback=NO_CALLBACK),
            HtmlResponse(URL, body=HTML),
            "robotstxt",
        ),
        (
            Request(URL, meta={"mainpage": False}),
            HtmlResponse(URL, body=HTML),
            "disabled",
        ),
    ],
)
def test_what_is_skipped_is_counted_by_reason(
    request_: Request, response: Response, reason: str
) -> None:
    ours = middleware()
    assert ours.process_response(request_, response) is response
    assert not isinstance(request_.meta.get("mainpage"), Page)
    assert counted(ours) == {f"mainpage/skipped/{reason}": 1}


def other(content_type: str, name: str = "a", body: bytes = b"abc") -> Response:
    headers = {"Content-Type": content_type} if content_type else {}
    of = responsetypes.from_args(headers=Headers(headers), url=URL + name, body=body)
    return of(URL + name, headers=headers, body=body)


KINDS = {
    "pdf": [
        other("application/pdf;x=y"),
        other("text/html", "a.html", b"%PDF-1.7"),
        other("", "a.pdf"),
        other("application/x-download", "a.PDF"),
    ],
    "text": [other("text/plain", "a.txt"), other("", "a"), other("text/x-log")],
    "image": [
        other("image/svg+xml", body=b"<svg><a/></svg>"),
        other("application/octet-stream", "a.png"),
        other("text/html", body=b"\x89PNG\r\n\x1a\n"),
    ],
    "json": [other("application/ld+json"), other("application/json", "a.php")],
    "xml": [
        other("application/rss+xml", body=b"<?xml version='1.0'?>\n<rss><image/>"),
        other("text/xml", body=b"<glue/>"),
        other("application/xml", body=b"<urlset xmlns:image='image/1.1'>"),
    ],
    "zip": [
        other("", "a.zip", b"PK\x03\x04"),
        other(
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            body=b"PK\x03\x04",
        ),
    ],
    "video": [other("video/mp4")],
    "other": [other("application/octet-stream", body=b"\0\1")],
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_html_is_counted_by_kind_and_summed_up(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    ours = middleware()
    for response in KINDS[kind]:
        assert ours.process_response(Request(response.url), response) is response
    expected = len(KINDS[kind])
    counts = counted(ours)
    assert counts.pop(f"mainpage/skipped/{kind}") == sum(counts.values()) == expected
    assert {*counts} <= {"mainpage/skipped/not_html", "mainpage/skipped/binary"}
    for response in KINDS["xml"] if kind != "xml" else ():
        ours.process_response(Request(response.url), response)
    ours.report_kinds()
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == (kind != "xml")
    assert all(f"{expected} responses are not HTML" in line for line in lines)
    assert all(f"({kind} {expected})" in line for line in lines)


def test_a_skipped_page_is_made_on_demand_with_the_algorithm_of_the_crawl() -> None:
    ours = middleware(MAINPAGE_ALGORITHM="semantic-markup")
    response = HtmlResponse(URL, body=HTML)
    ours.process_response(Request(URL, meta={"mainpage": False}), response)
    assert mainpage(response).algorithm == "semantic-markup"


def test_a_failed_extraction_is_counted_logged_once_and_passes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours = middleware(MAINPAGE_ALGORITHM="tests.algorithms.Failing")
    request, response = Request(URL), HtmlResponse(URL, body=HTML)
    assert ours.process_response(request, response).css("p")
    assert request.meta["mainpage"] == Page.empty(URL, "failed:RuntimeError")
    stats = counted(ours)
    assert stats["mainpage/failed/RuntimeError"] == 1
    assert "mainpage/extracted" not in stats
    assert stats["mainpage/loop/longest"] == stats["mainpage/time"] > 0
    (record,) = caplog.records
    assert URL in record.getMessage()
    assert record.exc_info is not None


@pytest.mark.parametrize("algorithm", ["layout-analysis", "first-impression"])
def test_without_a_layout_the_default_algorithm_takes_over(algorithm: str) -> None:
    ours, request = middleware(MAINPAGE_ALGORITHM=algorithm), Request(URL)
    ours.process_response(request, HtmlResponse(URL, body=HTML))
    page = request.meta["mainpage"]
    assert page.algorithm == DEFAULT_ALGORITHM
    assert page.warnings == ("no_layout",)
    assert page.text.startswith("All about trains")
    assert counted(ours)["mainpage/fallback/no_layout"] == 1


OURS = middleware()


@given(
    st.one_of(
        st.binary(max_size=300),
        st.text(alphabet="<>/ap!-&;\0\x01 \"'=", max_size=300).map(str.encode),
        st.binary(max_size=60).map(lambda noise: b"<p>a" + noise + b"</p>" * 3),
    ),
    st.sampled_from(["utf-8", "latin-1", "utf-16", "gb18030", "shift_jis", "cp037"]),
)
def test_no_body_in_no_encoding_fails(body: bytes, encoding: str) -> None:
    OURS.crawler.stats.clear_stats()
    request = Request(URL)
    OURS.process_response(request, HtmlResponse(URL, body=body, encoding=encoding))
    failed = [name for name in counted(OURS) if name.startswith("mainpage/failed")]
    assert not failed
    page = request.meta.get("mainpage")
    if page is not None:
        page.text.encode()
