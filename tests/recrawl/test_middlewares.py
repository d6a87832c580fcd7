"""Which requests have conditions, and which answers count as unchanged."""

from __future__ import annotations

import gc
import gzip
import time
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response, XmlResponse
from scrapy.http.request import NO_CALLBACK

from scrapy_mainpage.crawl.crawl_scope import load_request, request_hash
from scrapy_mainpage.memory import PageRow
from scrapy_mainpage.memory.tables import pack_numbers
from scrapy_mainpage.recrawl.middlewares import (
    ConditionalRequestMiddleware,
    OutcomeMiddleware,
)
from tests.crawling import make_crawler

URL = "https://example.com/page"
TYPED = {"Content-Type": "text/html"}
COMPRESSED = {**TYPED, "Content-Encoding": "gzip", "ETag": '"b"'}
NOTED = {"mainpage_state": request_hash(None)}
Make = Callable[..., ConditionalRequestMiddleware]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A middleware whose ledger knows a page of the bytes "same", with two links."""
    made = []

    def call(settings: dict[str, Any], **values: Any) -> ConditionalRequestMiddleware:
        crawler = make_crawler(MAINPAGE_STATE=str(tmp_path / "state.db"), **settings)
        middleware = ConditionalRequestMiddleware.from_crawler(crawler)
        made.append(crawler)
        ledger = middleware.ledger
        ledger.run = ledger.store.begin_run(ledger.scope)
        row, linked = (ledger.row(Request(f"{URL}{n}")) for n in ("", "/2"))
        row.body_hash = blake2b(b"text/html\0same", digest_size=12).digest()
        row.etag, row.config_hash = '"a"', ledger.config_of(Request(URL, meta=NOTED))
        row.requests = pack_numbers([row.id, linked.id])
        for name, value in values.items():
            setattr(row, name, value)
        return middleware

    yield call
    for crawler in made:
        ConditionalRequestMiddleware.from_crawler(crawler).ledger.store.close()


def test_a_page_with_the_same_bytes_is_unchanged(make: Make) -> None:
    middleware = make({})
    request = Request(URL, meta=NOTED)
    assert middleware.process_request(request) is None
    assert request.headers["If-None-Match"] == b'"a"'
    sent = Response(URL, body=b"same", headers=COMPRESSED)
    answer = middleware.process_response(request, sent)
    assert (answer.status, answer.body) == (304, b"")
    assert b"Content-Encoding" not in answer.headers  # there is nothing to decompress
    assert "If-None-Match" not in request.headers
    assert answer.request is not None
    assert answer.request.callback is not None
    followed = answer.request.callback(answer, **answer.request.cb_kwargs)
    assert {each.url for each in followed} == {URL, f"{URL}/2"}
    visit = middleware.ledger.begin(answer)
    assert visit is not None
    visit.has_ended = True
    middleware.ledger.finish_if_done(visit, answer)
    assert (visit.row.outcome, visit.row.etag) == ("unchanged", '"b"')


def test_responses_are_not_kept(make: Make) -> None:
    ledger = make({}).ledger
    response = Response(URL, request=Request(URL, meta=NOTED))
    assert ledger.begin(response) is ledger.begin(response)
    del response
    gc.collect()
    assert len(ledger.visits) == 0


@pytest.mark.parametrize(
    ("settings", "row", "request_values", "response"),
    [
        ({}, {}, {}, {"body": b"other"}),
        ({}, {}, {}, {"status": 203}),
        ({}, {}, {}, {"headers": {"Content-Type": "text/html; charset=utf-8"}}),
        ({}, {"last_seen_run": 1}, {}, {}),
        ({}, {}, {"meta": {"mainpage_state": request_hash('{"a": 1}')}}, {}),
        ({}, {}, {"meta": {"mainpage_state": True}}, {}),
        ({}, {}, {"meta": {"mainpage_state": False}}, {}),
        ({}, {}, {"headers": {"If-None-Match": '"own"'}}, {}),
        ({}, {"config_hash": b"other"}, {}, {}),
        ({}, {"requests": None}, {}, {}),
        ({"HTTPCACHE_ENABLED": True}, {}, {}, {}),
    ],
)
def test_any_other_page_is_the_spiders(
    make: Make,
    settings: dict[str, Any],
    row: dict[str, Any],
    request_values: dict[str, Any],
    response: dict[str, Any],
) -> None:
    middleware = make(settings, **row)
    request = Request(URL, **{"meta": NOTED, **request_values})
    before = dict(request.headers)
    has_conditions = middleware.process_request(request) or request.headers != before
    assert has_conditions == bool(response)
    sent = Response(URL, **{"body": b"same", "headers": TYPED, **response})
    assert middleware.process_response(request, sent) is sent


def test_a_robots_txt_fails_until_it_comes(make: Make) -> None:
    middleware = make({})
    request = Request("https://example.com/robots.txt", callback=NO_CALLBACK)
    for status, has_failed in ((503, True), (404, False), (429, True), (200, False)):
        middleware.process_response(request, Response(request.url, status))
        assert middleware.ledger.robots_failed == {request.url: has_failed}
    middleware.process_exception(request, TimeoutError())
    # That of another host comes, which says nothing of this one.
    other = request.replace(url="https://other.example/robots.txt")
    middleware.process_response(other, Response(other.url, 200))
    assert middleware.ledger.robots_failed == {request.url: True, other.url: False}


def test_a_page_that_came_while_it_was_asked_for_comes_whole(make: Make) -> None:
    middleware = make({})
    request = Request(URL, meta=NOTED)
    middleware.process_request(request)
    row = middleware.ledger.row(request)
    row.last_seen_run = middleware.ledger.run.id
    again = middleware.process_response(request, Response(URL, 304))
    assert isinstance(again, Request)
    assert again.dont_filter
    assert middleware.process_request(again) is None
    assert "If-None-Match" not in again.headers


def test_a_start_page_is_followed_with_the_request_of_its_links(make: Make) -> None:
    middleware = make({}, requested_run=0, request='{"callback": "parse"}')
    outcomes, ledger = OutcomeMiddleware(middleware.crawler), middleware.ledger
    start = Request(URL, dont_filter=True)
    assert outcomes.get_processed_request(start, None) is start
    row = ledger.row(start)
    assert start.meta["mainpage_state"] == request_hash(None)
    assert (row.request, row.start_run) == ('{"callback": "parse"}', ledger.run.id)
    assert row.id in ledger.unfiltered
    # A document that the page did not give in this run has it come whole again.
    visit = ledger.begin(response := Response(URL, body=b"a page", request=start))
    assert visit is not None
    row.content_hash, visit.has_ended = b"old", True
    ledger.finish_if_done(visit, response)
    assert row.config_hash is None
    row.document_run = ledger.run.id
    ledger.finish_if_done(visit, response)
    assert row.config_hash == ledger.config_of(start)


def test_a_page_that_leads_to_unfiltered_requests_comes_whole(make: Make) -> None:
    middleware = make({})
    outcomes, ledger = OutcomeMiddleware(middleware.crawler), middleware.ledger
    page = Response(URL, request=Request(URL))
    visit = ledger.begin(page)
    assert visit is not None
    outcomes.get_processed_request(Request(f"{URL}/2"), page)
    assert visit.repeats
    outcomes.get_processed_request(Request(f"{URL}/2", dont_filter=True), page)
    assert not visit.repeats


def test_a_page_unchanged_for_one_callback_keeps_what_another_does_not_give(
    make: Make,
) -> None:
    middleware = make({}, content_hash=b"document", document_run=0)
    ledger, request = middleware.ledger, Request(URL, meta=NOTED)
    for status in (304, 200):
        response = Response(URL, status, body=b"a page", request=request)
        visit = ledger.begin(response)
        assert visit is not None
        visit.has_ended = True
        ledger.finish_if_done(visit, response)
    assert ledger.store.documents_to_judge(ledger.scope, ledger.run.id) == []
    assert visit.row.config_hash is None


DATED = "<urlset><url><loc>{}</loc><lastmod>{}</lastmod></url></urlset>"
SITEMAP = DATED.format(f"{URL}/2", "2026").encode()


@pytest.mark.parametrize(
    ("name", "body", "kind", "date"),
    [
        ("a.xml", SITEMAP, "sitemap", "2026"),
        ("a.xml.gz", gzip.compress(SITEMAP, mtime=0), "sitemap", "2026"),
        ("a.xml.gz", gzip.compress(SITEMAP + b" " * 9**8, mtime=0), "sitemap", "2026"),
        ("a.xml.gz", gzip.compress(gzip.compress(SITEMAP)), None, None),
        ("a.xml.gz", gzip.compress(SITEMAP, mtime=0)[:30], "sitemap", None),
        ("a.xml", b"<!-- <urlset> -->", "sitemap", None),
        ("a.xml", SITEMAP.replace(b"2026", b"&#55296;"), "sitemap", None),
        ("a.xml", SITEMAP.replace(b"2026", b"2" * 100), "sitemap", None),
        ("a.xml", SITEMAP.replace(b"/2", b"2" * 9000), "sitemap", None),
        ("a.xml", SITEMAP.replace(b"https://", b"script:"), "sitemap", None),
        ("a.xml", b"<urlset>" + b"<a>" * 10_000 + SITEMAP, "sitemap", None),
        ("a.xml", b"\x1f\x8b\x08 <rss>", "feed", None),
        ("a.html", SITEMAP, None, None),
    ],
)
def test_a_sitemap_is_known_by_its_start_and_read_within_limits(
    make: Make, name: str, body: bytes, kind: str | None, date: str | None
) -> None:
    outcomes = OutcomeMiddleware(make(REVISITED).crawler)
    ledger, request = outcomes.ledger, Request(f"https://example.com/{name}")
    response_type = XmlResponse if name.endswith(".xml") else Response
    response = response_type(request.url, body=body, request=request)
    assert [*outcomes.process_spider_output(response, ["found"])] == ["found"]
    assert ledger.row(request).kind == kind
    assert ledger.row(Request(f"{URL}/2")).lastmod == date


REVISITED = {"MAINPAGE_REVISIT": (3600, 86400), "MAINPAGE_MAX_SIZE": 2**20}


def test_another_date_makes_a_page_due_unless_it_had_not_changed_before(
    make: Make,
) -> None:
    now = time.time()
    middleware = make(REVISITED, last_ok=now, next_visit=now + 60)
    outcomes, ledger = OutcomeMiddleware(middleware.crawler), middleware.ledger
    asked, sitemap = [], Request(f"{URL}.xml")
    for date in ("1", "2", "3", "3", "4", "4"):
        body = DATED.format(URL, date).encode()
        listed = XmlResponse(sitemap.url, body=body, request=sitemap)
        assert [*outcomes.process_spider_output(listed, [])] == []
        request = Request(URL, meta=NOTED)
        answer = middleware.process_request(request)
        asked.append(answer is None)
        answer = answer or middleware.process_response(request, Response(URL, 304))
        assert isinstance(answer, Response)
        visit = ledger.begin(answer)
        assert visit is not None
        visit.has_ended = True
        ledger.finish_if_done(visit, answer)
        assert visit.row.interval == (3600 if len(asked) < 5 else 3600 * 1.4)
        ledger.run = ledger.store.begin_run(ledger.scope)
        ledger.redated.clear()
    assert asked == [True, False, False, False, True, False]


def test_a_date_that_comes_after_its_page_makes_it_due_no_more(make: Make) -> None:
    middleware = make(REVISITED)
    ledger, request = middleware.ledger, Request(URL, meta=NOTED)
    visit = ledger.begin(response := Response(URL, body=b"a page", request=request))
    assert visit is not None
    visit.has_ended, visit.written = True, 1
    ledger.finish_if_done(visit, response)
    ledger.note_date(visit.row, "2026")
    assert visit.row.next_visit is not None


@pytest.mark.parametrize(
    ("location", "address"),
    [
        (b"/other?a#b", "https://example.com/other?a"),
        ("/caf\xe9".encode(), "https://example.com/caf%C3%A9"),
        (b"//other.example/", "https://other.example/"),
        (b"file:///etc/passwd", None),
        (b"file://example.com/etc/passwd", None),
        (b"javascript:alert(1)", None),
        (b"https://[", None),
    ],
)
def test_a_redirect_leads_where_scrapy_goes_and_never_to_a_file(
    make: Make, location: bytes, address: str | None
) -> None:
    middleware = make({})
    sent = Response(URL, 301, headers={"Location": location})
    middleware.process_response(Request(URL, meta=NOTED), sent)
    row = middleware.ledger.row(Request(URL))
    assert row.redirect_to == address
    assert row.outcome == ("failed" if address is None else "redirected")
    known = middleware.ledger.store.select("requested_run IS NOT NULL")
    assert [each.url for each in known] == ([] if address is None else [address])


def test_a_file_that_only_an_archive_names_is_not_asked_for(make: Make) -> None:
    spider = make({}).ledger.spider
    row = PageRow(1, 1, "file:///etc/passwd")
    assert load_request(row, spider) is None
    row.requested_run = 1  # by the spider, whose files they are
    assert getattr(load_request(row, spider), "url", None) == row.url


def test_another_site_gets_no_headers_of_the_page_that_leads_to_it(make: Make) -> None:
    secret = '{"callback": "parse_item", "headers": {"Authorization": ["secret"]}}'
    middleware = make({}, request=secret)
    for target, request in (
        (f"{URL}/3", secret),
        ("https://other.example/", '{"callback": "parse_item"}'),
    ):
        sent = Response(URL, 302, headers={"Location": target})
        middleware.process_response(Request(URL, meta=NOTED), sent)
        assert middleware.ledger.row(Request(target)).request == request


@pytest.mark.parametrize(
    ("tag", "asked"),
    [
        (b'W/"a b"', b'W/"a b"'),
        (b'"caf\xe9"', None),
        (b'"a\rX: y"', None),
        (b'"a\0"', None),
        (b"a" * 10_000, None),
    ],
)
def test_a_tag_is_sent_again_as_it_came_or_not_at_all(
    make: Make, tag: bytes, asked: bytes | None
) -> None:
    middleware = make({})
    request = Request(URL, meta=NOTED)
    visit = middleware.ledger.begin(
        response := Response(URL, headers={"ETag": tag}, request=request)
    )
    assert visit is not None
    visit.has_ended = True
    middleware.ledger.finish_if_done(visit, response)
    visit.row.last_seen_run = 0
    middleware.process_request(request)
    assert request.headers.get("If-None-Match") == asked


def test_pages_that_others_name_are_as_deep_and_no_endless_chain(make: Make) -> None:
    ledger = make({}).ledger
    request = Request(URL, meta={"depth": 3, "redirect_times": 19})
    for name, steps in (("a", 20), ("b", None)):
        visit = ledger.begin(Response(URL, request=request))
        assert visit is not None
        gives_way, wanted = ledger.gives_way(visit, f"{URL}/{name}")
        assert gives_way is (wanted is not None) is (steps is not None)
        if wanted is not None:
            assert (wanted.meta["depth"], wanted.meta["redirect_times"]) == (3, steps)
            request = wanted


def test_the_target_of_a_redirect_is_known_before_the_redirect_is(make: Make) -> None:
    ledger = make({}).ledger
    row, target = (ledger.row(Request(f"{URL}{n}")) for n in ("/old", "/new"))

    class KilledError(Exception):
        pass

    put = ledger.store.put

    def kill(page: PageRow) -> None:
        if page is row:
            raise KilledError
        put(page)

    ledger.store.put = kill  # type: ignore[method-assign]
    with pytest.raises(KilledError):
        ledger.redirected(row, 302, target)
    ledger.store.sync()
    wanted = ledger.store.select("requested_run = :run", run=ledger.run.id)
    assert [row.url for row in wanted] == [f"{URL}/new"]
