"""OpenSearch and Elasticsearch: what the servers are asked, and what goes wrong.

What every engine must do is in the other files of this folder, which run with both.
"""

from __future__ import annotations

import json
import ssl
import threading
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from scrapy_mainpage.indexes import (
    BlockingIndex,
    IndexDocument,
    IndexFailure,
    IndexUnavailable,
    Passage,
    Rejection,
    open_index,
    searchserverbulk,
    searchservercalls,
)
from scrapy_mainpage.indexes.documents import WEIGHTS

from ..servers.searchserver import Request, SearchServer
from ..servers.searchserveranalysis import RefusedError
from .helpers import found, put

PRODUCTS = ("opensearch", "elasticsearch")


@pytest.fixture(params=PRODUCTS)
def server(request: pytest.FixtureRequest) -> Iterator[SearchServer]:
    with SearchServer(request.param) as started:
        yield started


@pytest.fixture
def index(server: SearchServer) -> Iterator[BlockingIndex]:
    with open_index(server.url(options="refresh=true")) as opened:
        yield opened


def documents(count: int, words: str = "words") -> list[IndexDocument]:
    return [IndexDocument(f"https://e.example/{n}", words) for n in range(count)]


def requests_to(server: SearchServer, call: str) -> list[Request]:
    return [request for request in server.requests if request.path.endswith(call)]


def lines(request: Request) -> list[dict[str, Any]]:
    return [json.loads(line) for line in request.body.splitlines()]


class TestFirstUse:
    def test_makes_a_template_and_the_index(self, server: SearchServer) -> None:
        open_index(server.url("my-pages")).close()
        template = server.templates["mainpage-my-pages"]
        assert template["index_patterns"] == ["my-pages"]
        assert template["_meta"]["application"] == "scrapy-mainpage"
        assert template["_meta"]["schema_version"] == template["version"] == 1
        assert template["_meta"]["weights"] == WEIGHTS
        assert server.indexes["my-pages"].body == template["template"]

    def test_mapping_takes_no_fields_from_pages(self, server: SearchServer) -> None:
        open_index(server.url()).close()
        mappings = server.indexes["pages"].body["mappings"]
        assert mappings["dynamic"] is False
        properties = mappings["properties"]
        for name in WEIGHTS:
            assert (properties[name]["type"], properties[name]["analyzer"]) == (
                "text",
                "mainpage",
            )
        assert properties["date_published"]["ignore_malformed"] is True
        assert properties["hit"]["enabled"] is False

    def test_second_use_changes_nothing(self, server: SearchServer) -> None:
        open_index(server.url()).close()
        server.requests.clear()
        open_index(server.url()).close()
        assert [request.method for request in server.requests] == ["GET"]

    def test_index_that_is_removed_under_a_crawl_comes_back_whole(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        put(index, "café one")
        del server.indexes["pages"]
        put(index, "café two")
        assert found(index, "cafe") == ["0"]
        assert index.search("cafe")[0].snippet == "**café** two"
        assert index.delete(["https://example.com/0"]) == 1

    def test_removed_index_has_nothing_to_delete(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        put(index, "words")
        del server.indexes["pages"]
        assert index.delete(["https://example.com/0"]) == 0
        assert not server.indexes

    @pytest.mark.parametrize("read_only", [True, False])
    def test_index_of_another_program_is_left_alone(
        self, server: SearchServer, read_only: bool
    ) -> None:
        theirs = {"mappings": {"properties": {"text": {"type": "keyword"}}}}
        server.answer(
            Request(
                "PUT",
                "/pages",
                {},
                {"content-type": "application/json"},
                json.dumps(theirs).encode(),
            )
        )
        with pytest.raises(IndexUnavailable, match="not one of scrapy-mainpage"):
            open_index(server.url(), read_only=read_only)
        assert server.indexes["pages"].body == theirs
        assert not server.templates

    def test_template_of_another_program_is_left_alone(
        self, server: SearchServer
    ) -> None:
        theirs = {"index_patterns": ["x"], "priority": 1, "template": {}}
        server.templates["mainpage-pages"] = theirs
        with pytest.raises(IndexUnavailable, match="'mainpage-pages' is not one of"):
            open_index(server.url())
        assert server.templates["mainpage-pages"] is theirs
        assert not server.indexes

    def test_other_schema_version_is_named(self, server: SearchServer) -> None:
        open_index(server.url()).close()
        server.indexes["pages"].body["mappings"]["_meta"]["schema_version"] = 99
        with pytest.raises(IndexUnavailable, match=r"schema version 99.* version 1"):
            open_index(server.url())

    def test_template_that_an_older_version_left_is_replaced(
        self, server: SearchServer
    ) -> None:
        open_index(server.url()).close()
        del server.indexes["pages"]
        server.templates["mainpage-pages"]["_meta"]["schema_version"] = 0
        open_index(server.url()).close()
        assert server.templates["mainpage-pages"]["_meta"]["schema_version"] == 1


class TestRequests:
    def test_page_without_passages_takes_one_bulk_request(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        put(index, *["words"] * 20)
        (bulk,) = requests_to(server, "_bulk")
        assert len(lines(bulk)) == 40

    def test_ids_are_short_for_any_url(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        url = f"https://e.example/{'x' * 40_000}"
        passage = Passage("p", 0, "owl")
        assert not index.put_many([IndexDocument(url, "words", passages=(passage,))])
        assert list(index.urls()) == [url]
        assert [hit.url for hit in index.search("owl", passages=True)] == [url]
        assert index.delete([url]) == 1

    def test_host_and_language_of_any_length_are_kept(
        self, index: BlockingIndex
    ) -> None:
        host = ".".join(["a"] * 3_000)
        language = "-".join(["en"] * 3_000)
        page = IndexDocument(f"https://{host}/", "words", language=language)
        assert not index.put_many([page])
        (hit,) = index.search("words", site="a.a.a", language="en-en")
        assert (hit.site, hit.language) == (host, language)
        assert index.search("words", site=host)[0].site == host

    def test_date_that_is_none_harms_nothing(self, index: BlockingIndex) -> None:
        page = IndexDocument("u", "words", date_published="yesterday, or so")
        assert not index.put_many([page])
        assert index.search("words")[0].date_published == "yesterday, or so"

    def test_long_batch_is_several_requests(
        self,
        server: SearchServer,
        index: BlockingIndex,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        pages = [
            IndexDocument(f"u/{n}", f"all n{n} " + "x" * 300_000) for n in range(10)
        ]
        assert not index.put_many(pages)
        sizes = [len(request.body) for request in requests_to(server, "_bulk")]
        assert len(sizes) > 3
        assert max(sizes) <= searchserverbulk.MAX_BYTES
        assert len(index.search("all", limit=20)) == 10

    def test_urls_are_read_in_several_requests(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        assert not index.put_many(documents(2_500))
        server.requests.clear()
        assert len(set(index.urls())) == len(list(index.urls())) == 2_500
        assert len(requests_to(server, "_search")) == 8

    def test_stale_passages_go_by_id(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        passages = tuple(Passage(f"p{n}", n, f"owl{n}") for n in range(5))
        index.put_many([IndexDocument("u", "words", passages=passages)])
        server.requests.clear()
        index.put_many([IndexDocument("u", "words", passages=passages[:2])])
        actions = [
            line for each in requests_to(server, "_bulk") for line in lines(each)
        ]
        deleted = [line["delete"]["_id"][-2:] for line in actions if "delete" in line]
        assert deleted == ["/2", "/3", "/4"]
        assert len(server.indexes["pages"].documents) == 3

    def test_prefix_finds_more_words_than_a_server_would_list(
        self, index: BlockingIndex
    ) -> None:
        put(index, *(f"crawl{n}" for n in range(1_500)))
        assert len(index.search("crawl*", limit=2_000)) == 1_500

    def test_more_hits_than_servers_give_are_not_asked_for(
        self, index: BlockingIndex
    ) -> None:
        put(index, "words")
        assert len(index.search("words", limit=1_000_000)) == 1


class TestRefresh:
    def test_what_was_put_is_found_when_the_server_refreshes(
        self, server: SearchServer
    ) -> None:
        with open_index(server.url()) as index:
            put(index, "words")
            assert not requests_to(server, "_refresh")
            assert found(index, "words") == []
            server.indexes["pages"].refresh()
            assert found(index, "words") == ["0"]

    def test_closing_lets_all_be_found(self, server: SearchServer) -> None:
        with open_index(server.url()) as index:
            put(index, "words")
        with open_index(server.url(), read_only=True) as index:
            assert found(index, "words") == ["0"]

    def test_list_of_urls_is_complete(self, server: SearchServer) -> None:
        with open_index(server.url()) as index:
            put(index, "words")
            assert list(index.urls()) == ["https://example.com/0"]

    def test_upsert_and_delete_see_what_no_search_finds_yet(
        self, server: SearchServer
    ) -> None:
        passages = tuple(Passage(f"p{n}", n, f"owl{n}") for n in range(3))
        with open_index(server.url()) as index:
            index.put_many([IndexDocument("u", "words", passages=passages)])
            index.put_many([IndexDocument("u", "words", passages=passages[:1])])
            assert len(server.indexes["pages"].documents) == 2
            assert index.delete(["u", "u"]) == 1
            assert not server.indexes["pages"].documents

    def test_server_that_is_gone_at_the_end_hinders_no_closing(
        self, server: SearchServer
    ) -> None:
        index = open_index(server.url())
        put(index, "words")
        server.reset("_refresh", is_applied=False, times=3)
        index.close()
        assert len(server.indexes["pages"].documents) == 1


def refusing(number: int, status: int, kind: str, reason: str = "because") -> Any:
    """A check that refuses the page with this number."""

    def check(action: str, source: dict[str, Any]) -> RefusedError | None:
        is_it = source.get("url", "").endswith(f"/{number}")
        return RefusedError(kind, reason, status) if is_it else None

    return check


BLOCK = (
    "index [pages] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage"
)
ITEM_FAULTS = [
    (429, "es_rejected_execution_exception", "full queue", "busy", True),
    (429, "circuit_breaking_exception", "too large data", "busy", True),
    (503, "unavailable_shards_exception", "no primary", "unavailable", True),
    (409, "version_conflict_engine_exception", "conflict", "conflict", True),
    (400, "document_parsing_exception", "failed to parse", "invalid", False),
    (400, "illegal_argument_exception", "immense term", "invalid", False),
    (413, "content_too_long", "too long", "too_big", False),
    (429, "cluster_block_exception", f"{BLOCK} watermark]", "disk_full", True),
    (
        403,
        "cluster_block_exception",
        "blocked by: [FORBIDDEN/12/index read-only-allow-delete / api]",
        "disk_full",
        True,
    ),
    (
        403,
        "cluster_block_exception",
        "blocked by: [FORBIDDEN/8/index write (api)]",
        "read_only",
        False,
    ),
]


class TestPartialFailure:
    @pytest.mark.parametrize(
        ("status", "kind", "text", "reason", "retryable"), ITEM_FAULTS
    )
    def test_one_document_is_rejected_and_others_are_in(
        self,
        server: SearchServer,
        index: BlockingIndex,
        status: int,
        kind: str,
        text: str,
        reason: str,
        retryable: bool,
    ) -> None:
        server.reject(refusing(3, status, kind, text))
        (rejection,) = index.put_many(documents(6))
        assert rejection == Rejection(
            "https://e.example/3", reason, f"{status} {kind} {text}", retryable
        )
        assert sorted(found(index, "words")) == ["0", "1", "2", "4", "5"]
        server.reject(None)
        assert not index.put_many(documents(6))
        assert len(index.search("words")) == 6

    def test_rejected_document_keeps_its_old_page(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        index.put_many(documents(2, "old"))
        server.reject(refusing(1, 429, "es_rejected_execution_exception"))
        index.put_many(documents(2, "new"))
        assert (found(index, "old"), found(index, "new")) == (["1"], ["0"])

    def test_document_whose_passage_is_rejected_is_told_once(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        def check(action: str, source: dict[str, Any]) -> RefusedError | None:
            is_passage = source.get("kind") == "passage"
            return RefusedError("busy", "wait", 429) if is_passage else None

        server.reject(check)
        passages = tuple(Passage(f"p{n}", n, "owl") for n in range(3))
        document = IndexDocument("u", "words", passages=passages)
        (rejection,) = index.put_many([document])
        assert (rejection.url, rejection.retryable) == ("u", True)
        server.reject(None)
        assert not index.put_many([document])
        assert len(index.search("owl", passages=True)) == 3

    def test_passages_are_never_left_behind_whatever_fails(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        passages = tuple(Passage(f"p{n}", n, f"owl{n}") for n in range(4))
        for failing in ("page", "passage", "delete"):
            index.put_many([IndexDocument("u", "words", passages=passages)])

            def check(
                action: str, source: dict[str, Any], failing: str = failing
            ) -> RefusedError | None:
                is_it = failing in (action, source.get("kind"))
                return RefusedError("busy", "wait", 429) if is_it else None

            server.reject(check)
            assert index.put_many([IndexDocument("u", "x", passages=passages[:2])])
            server.reject(None)
            assert not index.put_many([IndexDocument("u", "x", passages=passages[:1])])
            assert len(server.indexes["pages"].documents) == 2
            assert index.delete(["u"]) == 1
            assert not server.indexes["pages"].documents

    def test_delete_that_is_refused_fails_and_is_made_again(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        put(index, "words")
        server.reject(lambda action, source: RefusedError("busy", "wait", 429))
        with pytest.raises(IndexFailure, match="429 busy wait") as caught:
            index.delete(["https://example.com/0"])
        assert caught.value.retryable
        server.reject(None)
        assert index.delete(["https://example.com/0"]) == 1


class TestWholeFailure:
    @pytest.mark.parametrize(
        ("status", "reason", "retryable"),
        [
            (429, "busy", True),
            (500, "unavailable", True),
            (502, "unavailable", True),
            (503, "unavailable", True),
            (504, "unavailable", True),
            (400, "invalid", False),
            (401, "unauthorized", False),
            (403, "forbidden", False),
            (404, "index_missing", False),
        ],
    )
    @pytest.mark.parametrize("call", ["_bulk", "_mget"])
    def test_status_says_whether_the_batch_may_be_put_again(
        self,
        server: SearchServer,
        index: BlockingIndex,
        call: str,
        status: int,
        reason: str,
        retryable: bool,
    ) -> None:
        error = {"type": "some_exception", "reason": "some\nreason", "root_cause": []}
        server.fail(status, call, body={"error": error, "status": status})
        server.requests.clear()
        with pytest.raises(IndexFailure) as caught:
            index.put_many(documents(3))
        assert (caught.value.reason, caught.value.retryable) == (reason, retryable)
        assert str(caught.value) == f"{status} some_exception some reason"
        assert len(requests_to(server, call)) == 1  # who calls does it again
        assert not index.put_many(documents(3))
        assert len(index.search("words")) == 3

    def test_answer_of_a_proxy_is_understood(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        server.fail_as_proxy(502, "_bulk", "<html>Bad gateway</html>")
        with pytest.raises(IndexFailure, match="502 <html>Bad gateway") as caught:
            index.put_many(documents(1))
        assert caught.value.retryable

    def test_page_that_is_no_answer_of_a_search_server_is_a_failure(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        server.fail_as_proxy(200, "_bulk", "<html>Please log in</html>")
        with pytest.raises(IndexFailure) as caught:
            index.put_many(documents(1))
        assert caught.value.reason in ("bad_answer", "foreign")

    def test_answer_without_what_was_asked_is_a_failure(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        server.fail(200, "_search", body={"unexpected": True})
        if server.product == "elasticsearch":
            put(index, "x")  # so that the product is known
        with pytest.raises(IndexFailure) as caught:
            index.search("words")
        assert caught.value.reason == "bad_answer"

    @pytest.mark.parametrize("is_applied", [True, False])
    def test_connection_reset_inside_a_batch_is_repeated_without_harm(
        self, server: SearchServer, index: BlockingIndex, is_applied: bool
    ) -> None:
        server.reset("_bulk", is_applied=is_applied)
        with pytest.raises(IndexFailure) as caught:
            index.put_many(documents(50))
        assert (caught.value.reason, caught.value.retryable) == ("connection", True)
        assert len(server.indexes["pages"].documents) == (50 if is_applied else 0)
        assert not index.put_many(documents(50))
        assert len(list(index.urls())) == len(index.search("words", limit=99)) == 50

    def test_reset_between_the_parts_of_a_batch_is_repeated_without_harm(
        self,
        server: SearchServer,
        index: BlockingIndex,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        pages = documents(10, "x" * 300_000 + " words")
        server.hold("_bulk", _set())
        server.reset("_bulk", is_applied=True)
        with pytest.raises(IndexFailure):
            index.put_many(pages)
        assert 0 < len(server.indexes["pages"].documents) < 10
        assert not index.put_many(pages)
        assert len(index.search("words")) == 10

    def test_slow_server_is_given_up(self, server: SearchServer) -> None:
        answer = threading.Event()
        with open_index(server.url(options="timeout=0.3&refresh=true")) as index:
            server.hold("_bulk", answer)
            with pytest.raises(IndexFailure) as caught:
                index.put_many(documents(1))
            answer.set()
            assert (caught.value.reason, caught.value.retryable) == ("timeout", True)
            assert not index.put_many(documents(1))

    def test_unavailable_part_of_the_index_is_no_missing_page(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        error = {"type": "no_shard_available_action_exception", "reason": "No shard"}
        server.fail(200, "_mget", body={"docs": [{"_id": "x", "error": error}]})
        with pytest.raises(IndexFailure, match="No shard") as caught:
            index.put_many(documents(1))
        assert caught.value.retryable

    def test_search_fails_with_a_reason(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        server.fail(503, "_search", body={"error": {"type": "x", "reason": "y"}})
        with pytest.raises(IndexFailure, match="503 x y"):
            index.search("words")


def _set() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


class TestTooBig:
    def test_batch_is_halved_until_it_is_taken(self, server: SearchServer) -> None:
        server.max_content_length = 20_000
        with open_index(server.url(options="refresh=true")) as index:
            pages = documents(20, "word " * 1_000)
            assert not index.put_many(pages)
            assert len(index.search("word", limit=99)) == 20
            server.requests.clear()
            assert not index.put_many(pages)
            sizes = [len(request.body) for request in requests_to(server, "_bulk")]
            assert max(sizes) <= 20_000  # it has learned

    def test_document_that_alone_is_too_big_is_rejected(
        self, server: SearchServer
    ) -> None:
        server.max_content_length = 20_000
        with open_index(server.url(options="refresh=true")) as index:
            pages = documents(5)
            pages[2] = IndexDocument(pages[2].url, "word " * 10_000)
            (rejection,) = index.put_many(pages)
            assert (rejection.url, rejection.reason) == (pages[2].url, "too_big")
            assert not rejection.retryable
            assert sorted(found(index, "words")) == ["0", "1", "3", "4"]

    def test_too_big_for_what_stands_before_the_server(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        server.fail_as_proxy(413, "_bulk", "<html>Too large</html>")
        assert not index.put_many(documents(2))
        assert len(requests_to(server, "_bulk")) == 3


class TestConnecting:
    def test_password_is_sent_and_never_told(self) -> None:
        password = "s3cret:ü/@"
        with SearchServer("opensearch", password=password) as server:
            quoted = "s3cret%3A%C3%BC%2F%40"
            url = f"opensearch+http://me:{quoted}@{server.host}/pages"
            open_index(url).close()
            sent = b64encode(f"me:{password}".encode()).decode()
            for request in server.requests:
                assert request.headers["authorization"] == f"Basic {sent}"

    @pytest.mark.parametrize("product", PRODUCTS)
    def test_wrong_password_is_refused_in_one_line_without_it(
        self, product: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        with SearchServer(product, password="right") as server:
            url = f"{product}+http://me:wr0ng@{server.host}/pages"
            with pytest.raises(IndexUnavailable, match="missing authent") as caught:
                open_index(url)
        assert "\n" not in str(caught.value)
        assert "wr0ng" not in str(caught.value)
        assert "wr0ng" not in caplog.text

    def test_key_is_sent_and_never_told(self) -> None:
        with SearchServer("elasticsearch", api_key="a+b/c==") as server:
            open_index(server.url(options="api_key=a+b/c==")).close()
            with pytest.raises(IndexUnavailable) as caught:
                open_index(server.url(options="api_key=WRONGKEY"))
            assert "WRONGKEY" not in str(caught.value)

    @pytest.mark.parametrize("product", PRODUCTS)
    def test_absent_server_is_an_error_in_one_line(
        self, product: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        with SearchServer(product) as server:
            url = f"{product}+http://me:s3cret@{server.host}/pages"
        with pytest.raises(IndexUnavailable) as caught:
            open_index(url)
        assert "\n" not in str(caught.value)
        assert "s3cret" not in str(caught.value) + caplog.text

    def test_silent_server_is_an_error_after_a_while(
        self, server: SearchServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(searchservercalls, "QUICKLY", 0.3)
        answer = threading.Event()
        server.hold("/pages", answer)
        with pytest.raises(IndexUnavailable):
            open_index(server.url())
        answer.set()

    @pytest.mark.parametrize("product", PRODUCTS)
    def test_other_hosts_are_tried(self, product: str) -> None:
        with SearchServer(product) as gone:
            pass
        with SearchServer(product) as server:
            url = f"{product}+http://{gone.host},{server.host}/pages?refresh=true"
            for _ in range(4):  # either may be tried first
                with open_index(url) as index:
                    put(index, "words")
                    assert found(index, "words") == ["0"]

    @pytest.mark.parametrize("product", PRODUCTS)
    def test_hosts_that_are_all_absent_leave_nothing_open(self, product: str) -> None:
        with SearchServer(product) as one, SearchServer(product) as two:
            url = f"{product}+http://{one.host},{two.host}/pages?refresh=true"
            index = open_index(url)
        with pytest.raises(IndexFailure) as caught:
            put(index, "words")
        assert caught.value.retryable
        index.close()  # an open session would be a warning, which fails the test

    def test_server_that_is_not_elasticsearch_is_told_apart(self) -> None:
        with SearchServer("opensearch") as server:
            url = server.url().replace("opensearch", "elasticsearch")
            with pytest.raises(IndexUnavailable, match="not Elasticsearch"):
                open_index(url)
            assert not server.indexes
            assert not server.templates
            open_index(server.url()).close()
            with pytest.raises(IndexUnavailable, match="not Elasticsearch"):
                open_index(url)

    def test_path_before_the_index_is_that_of_a_proxy(
        self, server: SearchServer
    ) -> None:
        url = server.url("proxied/pages")
        with pytest.raises(IndexUnavailable):
            open_index(url)
        assert server.requests[0].path == "/proxied/pages"


BAD_URLS = [
    ("opensearch://h/pages", "neither"),
    ("opensearch+ftp://h/pages", "neither"),
    ("opensearch+http:///pages", "no host"),
    ("opensearch+http://u:p@/pages", "no host"),
    ("opensearch+http://a,,b/pages", "no host"),
    ("opensearch+http://h:port/pages", "Port"),
    ("opensearch+http://h:99999/pages", "Port"),
    ("opensearch+http://h", "name an index"),
    ("opensearch+http://h/", "name an index"),
    ("opensearch+http://h/Pages", "lower case"),
    ("opensearch+http://h/_all", "name an index"),
    ("opensearch+http://h/-pages", "name an index"),
    ("opensearch+http://h/.pages", "name an index"),
    ("opensearch+http://h/..", "name an index"),
    ("opensearch+http://h/a*", "name an index"),
    ("opensearch+http://h/a,b", "name an index"),
    ("opensearch+http://h/a%2Fb", "name an index"),
    ("opensearch+http://h/a%20b", "name an index"),
    ("opensearch+http://h/" + "x" * 256, "name an index"),
    ("opensearch+http://h/pages#x", "quoted"),
    ("opensearch+http://h/pages?verify=false", "no option 'verify'"),
    ("opensearch+http://h/pages?api_key=x", "no option 'api_key'"),
    ("opensearch+http://h/pages?timeout=0", "timeout is a number"),
    ("opensearch+http://h/pages?timeout=nan", "timeout is a number"),
    ("opensearch+http://h/pages?timeout=soon", "timeout is a number"),
    ("opensearch+http://h/pages?refresh=maybe", "refresh is true or false"),
    ("opensearch+https://h/pages?verify_certs=no", "verify_certs is true or false"),
    ("opensearch+https://h/pages?ca_certs=/no/such", "ca_certs is the path"),
    ("elasticsearch+http://u:p@h/pages?api_key=x", "both a user and"),
]


class TestUrls:
    @pytest.mark.parametrize(("url", "reason"), BAD_URLS)
    def test_url_that_names_no_index_is_refused(self, url: str, reason: str) -> None:
        with pytest.raises(IndexUnavailable, match=reason) as caught:
            open_index(url)
        assert "\n" not in str(caught.value)
        assert url.partition("+")[0].partition(":")[0] in caught.value.allowed


class TestBulkLines:
    def test_parts_are_no_longer_than_allowed_but_for_one_action(self) -> None:
        actions = [
            searchserverbulk.Action("u", b"x" * size) for size in (4, 4, 9, 1, 1)
        ]
        parts = list(searchserverbulk.parted(actions, 8))
        assert [[len(each.lines) for each in part] for part in parts] == [
            [4, 4],
            [9],
            [1, 1],
        ]

    def test_no_action_is_no_request(self, server: SearchServer) -> None:
        with open_index(server.url()) as index:
            server.requests.clear()
            assert not index.put_many([])
            assert index.delete([]) == 0
        assert not server.requests


def certificate(folder: Path) -> Path:
    """A file with a key for 127.0.0.1 and a certificate that it has signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(timezone.utc)
    address = x509.IPAddress(ip_address("127.0.0.1"))
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    key_bytes = key.private_bytes(
        pem,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file = folder / "server.pem"
    file.write_bytes(key_bytes + signed.public_bytes(pem))
    return file


class TestTls:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        return certificate(tmp_path)

    @pytest.fixture(params=PRODUCTS)
    def tls_server(
        self, request: pytest.FixtureRequest, file: Path
    ) -> Iterator[SearchServer]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        with SearchServer(request.param, tls=context) as server:
            yield server

    def test_unknown_certificate_is_refused(self, tls_server: SearchServer) -> None:
        with pytest.raises(IndexUnavailable, match=r"(?i)certificate"):
            open_index(tls_server.url())
        assert not tls_server.requests

    def test_certificate_is_known_by_its_file(
        self, tls_server: SearchServer, file: Path
    ) -> None:
        options = f"refresh=true&ca_certs={quote(str(file))}"
        with open_index(tls_server.url(options=options)) as index:
            put(index, "words")
            assert found(index, "words") == ["0"]

    def test_certificate_is_not_looked_at(self, tls_server: SearchServer) -> None:
        with open_index(tls_server.url(options="verify_certs=false")) as index:
            put(index, "words")
            assert list(index.urls()) == ["https://example.com/0"]

    def test_file_that_is_no_certificate_is_named(
        self, tls_server: SearchServer, tmp_path: Path
    ) -> None:
        other = tmp_path / "other.pem"
        other.write_text("no certificate")
        with pytest.raises(IndexUnavailable, match=r"other\.pem"):
            open_index(tls_server.url(options=f"ca_certs={quote(str(other))}"))
