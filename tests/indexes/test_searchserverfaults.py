"""OpenSearch and Elasticsearch: failures of one document and of whole calls."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from scrapy_mainpage.indexes import (
    Index,
    IndexFailure,
    IndexUnavailable,
    Rejection,
    open_index,
)

from ..servers.searchserver import SearchServer
from ..servers.searchserverfixtures import (
    any_search_index,
    any_search_server,
    documents,
    requests_to,
)
from ..servers.searchserverhttp import RefusedError
from .helpers import put

__all__ = ["any_search_index", "any_search_server"]


def refusing(number: int, status: int, kind: str, reason: str = "because") -> Any:
    """Return a check that refuses the page with this number."""

    def check(action: str, source: dict[str, Any]) -> RefusedError | None:
        is_it = source.get("url", "").endswith(f"/{number}")
        return RefusedError(kind, reason, status) if is_it else None

    return check


ITEM_FAULTS = [
    (429, "es_rejected_execution_exception", "full queue", "http_429", True),
    (429, "circuit_breaking_exception", "too large data", "http_429", True),
    (503, "unavailable_shards_exception", "no primary", "unavailable", True),
    (409, "version_conflict_engine_exception", "conflict", "http_409", True),
    (400, "document_parsing_exception", "failed to parse", "http_400", False),
    (413, "content_too_long", "too long", "http_413", False),
    (429, "cluster_block_exception", "disk usage exceeded", "blocked", True),
    (403, "cluster_block_exception", "index write (api)", "blocked", True),
]


class TestPartialFailure:
    @pytest.mark.parametrize(
        ("status", "kind", "text", "reason", "retryable"), ITEM_FAULTS
    )
    def test_one_document_is_rejected_and_others_are_in(
        self,
        server: SearchServer,
        index: Index,
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
        kept = [page.url for page in documents(6)]
        assert sorted(index.urls()) == [*kept[:3], *kept[4:]]
        server.reject(None)
        assert not index.put_many(documents(6))
        assert sorted(index.urls()) == kept

    def test_delete_that_is_refused_fails_and_is_made_again(
        self, server: SearchServer, index: Index
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
            (429, "http_429", True),
            (500, "unavailable", True),
            (400, "http_400", False),
            (404, "http_404", False),
        ],
    )
    def test_status_says_whether_the_batch_may_be_put_again(
        self,
        server: SearchServer,
        index: Index,
        status: int,
        reason: str,
        retryable: bool,
    ) -> None:
        error = {"type": "some_exception", "reason": "some\nreason", "root_cause": []}
        call = "_bulk"
        server.fail(status, call, body={"error": error, "status": status})
        server.requests.clear()
        with pytest.raises(IndexFailure) as caught:
            index.put_many(documents(3))
        assert (caught.value.reason, caught.value.retryable) == (reason, retryable)
        assert str(caught.value) == f"{status} some_exception some reason"
        assert len(requests_to(server, call)) == 1  # the caller retries
        assert not index.put_many(documents(3))
        assert len(list(index.urls())) == 3

    def test_page_that_is_no_answer_of_a_search_server_is_a_failure(
        self, server: SearchServer, index: Index
    ) -> None:
        server.fail_as_proxy(200, "_bulk", "<html>Please log in</html>")
        with pytest.raises(IndexFailure) as caught:
            index.put_many(documents(1))
        assert caught.value.reason in ("bad_answer", "foreign")

    @pytest.mark.parametrize(
        "body",
        [
            {"unexpected": True},
            *({"hits": x} for x in (7, {"hits": 7}, {"hits": [{}]}, [None])),
        ],
    )
    def test_answer_of_another_form_is_a_failure(
        self, server: SearchServer, index: Index, body: object
    ) -> None:
        put(index, "x")
        server.fail(200, "_search", body=body)
        with pytest.raises(IndexFailure) as caught:
            list(index.urls())
        assert caught.value.reason in ("corrupt", "bad_answer")
        assert "\n" not in str(caught.value)
        server.fail(200, "/pages", body={"pages": {"mappings": {"_meta": 7}}}, times=2)
        with pytest.raises(IndexFailure):
            index.mark("run")
        with pytest.raises(IndexUnavailable):
            open_index(server.url())

    @pytest.mark.parametrize("is_applied", [True, False])
    def test_connection_reset_inside_a_batch_is_repeated_without_harm(
        self, server: SearchServer, index: Index, is_applied: bool
    ) -> None:
        server.reset("_bulk", is_applied=is_applied)
        with pytest.raises(IndexFailure) as caught:
            index.put_many(documents(50))
        assert (caught.value.reason, caught.value.retryable) == ("connection", True)
        assert len(server.indexes["pages"].documents) == (50 if is_applied else 0)
        assert not index.put_many(documents(50))
        assert len(list(index.urls())) == 50

    def test_slow_server_is_given_up(
        self, server: SearchServer, index: Index, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("scrapy_mainpage.indexes.searchserver.TIMEOUT", 0.3)
        answer = threading.Event()
        server.hold("_bulk", answer)
        with pytest.raises(IndexFailure) as caught:
            index.put_many(documents(1))
        answer.set()
        assert (caught.value.reason, caught.value.retryable) == ("connection", True)
        assert not index.put_many(documents(1))


def test_too_big_batch_fails_as_a_whole_to_be_halved(
    server: SearchServer, index: Index
) -> None:
    server.max_content_length = 20_000
    with pytest.raises(IndexFailure) as caught:
        index.put_many(documents(20, "word " * 1_000))
    assert (caught.value.reason, caught.value.retryable) == ("http_413", False)
    server.fail_as_proxy(413, "_bulk", "<html>Too large</html>")
    with pytest.raises(IndexFailure, match="413"):
        index.put_many(documents(1))
