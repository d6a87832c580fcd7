"""OpenSearch and Elasticsearch: what is written, listed and deleted."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_mainpage.indexes import (
    Index,
    IndexDocument,
    IndexFailure,
    IndexUnavailable,
    Passage,
    Section,
    open_index,
)
from scrapy_mainpage.indexes.documents import WEIGHTS

from ..servers.searchserver import FakeIndex, SearchServer
from ..servers.searchserverfixtures import (
    any_search_index,
    any_search_server,
    documents,
    lines,
    requests_to,
)
from .helpers import put

__all__ = ["any_search_index", "any_search_server"]


class TestFirstUse:
    def test_creates_the_index(self, server: SearchServer) -> None:
        open_index(server.url("my-pages")).close()
        body = server.indexes["my-pages"].body
        assert body["mappings"]["dynamic"] is False  # no fields from pages
        properties = body["mappings"]["properties"]
        for name in WEIGHTS:
            assert properties[name] == {"type": "text", "analyzer": "mainpage"}
        assert properties["date_published"]["ignore_malformed"] is True
        assert "mainpage" in body["settings"]["analysis"]["analyzer"]

    def test_second_use_changes_nothing(self, server: SearchServer) -> None:
        open_index(server.url()).close()
        server.requests.clear()
        open_index(server.url()).close()
        assert [request.method for request in server.requests] == ["GET"]

    @pytest.mark.parametrize("read_only", [True, False])
    def test_index_of_another_program_is_left_alone(
        self, server: SearchServer, read_only: bool
    ) -> None:
        theirs: dict[str, Any] = {"mappings": {"properties": {}}}
        server.indexes["pages"] = FakeIndex(theirs)
        with pytest.raises(IndexUnavailable, match="not one of scrapy-mainpage"):
            open_index(server.url(), read_only=read_only)
        assert server.indexes["pages"].body is theirs

    def test_other_schema_version_is_named(self, server: SearchServer) -> None:
        open_index(server.url()).close()
        server.indexes["pages"].body["mappings"]["_meta"]["schema_version"] = 99
        with pytest.raises(IndexUnavailable, match=r"schema version 99.* version 2"):
            open_index(server.url())

    def test_missing_index_is_not_created_for_reading(
        self, server: SearchServer
    ) -> None:
        with pytest.raises(IndexUnavailable, match="there is no such index"):
            open_index(server.url(), read_only=True)
        assert not server.indexes


class TestWriting:
    def test_values_of_a_page(self, server: SearchServer, index: Index) -> None:
        page = IndexDocument(
            "https://docs.example.com/a",
            "Web爬虫",
            title="T",
            language="en-GB",
            date_published="yesterday, or so",
            fields={"price": 9.5, "tags": ["old", "warm"]},
            sections=(Section("H", 2, "h"),),
            passages=(Passage("p", 0, "owl", "H"),),
        )
        assert not index.put_many([page])
        (stored,) = server.indexes["pages"].documents.values()
        assert stored["site"] == "docs.example.com"
        assert stored["language"] == "en-gb"
        assert (stored["title"], stored["text"]) == ("T", "Web爬虫")
        assert stored["date_published"] == "yesterday, or so"
        assert stored["fields"] == {"price": 9.5, "tags": ["old", "warm"]}
        assert stored["sections"][0]["anchor"] == "h"
        (passage,) = stored["passages"]
        assert (passage["id"], passage["text"]) == ("p", "owl")

    def test_url_host_and_language_of_any_length_are_stored(self, index: Index) -> None:
        url = f"https://{'a.' * 500}example/{'x' * 10_000}"
        assert not index.put_many([IndexDocument(url, "x", language="a-" * 500)])
        assert list(index.urls()) == [url]
        assert index.delete([url]) == 1

    def test_page_is_replaced_and_deleted_with_its_passages(
        self, server: SearchServer, index: Index
    ) -> None:
        for count in (4, 1):
            passages = tuple(Passage(f"p{n}", n, "owl") for n in range(count))
            assert not index.put_many([IndexDocument("u", "x", passages=passages)])
            (stored,) = server.indexes["pages"].documents.values()
            assert len(stored["passages"]) == count
        assert index.delete(["u", "unknown"]) == 1
        assert not server.indexes["pages"].documents
        (line,) = lines(requests_to(server, "_bulk")[0])[:1]
        assert set(line) == {"index"}

    def test_value_that_is_no_json_is_rejected_alone(self, index: Index) -> None:
        bad = IndexDocument("u/bad", "x", author=object())  # type: ignore[arg-type]
        (rejection,) = index.put_many([bad, IndexDocument("u", "x")])
        assert (rejection.url, rejection.reason) == ("u/bad", "unsupported")
        assert list(index.urls()) == ["u"]

    def test_reader_writes_nothing(self, server: SearchServer) -> None:
        open_index(server.url()).close()
        with open_index(server.url(), read_only=True) as index:
            for call in (lambda: put(index, "x"), lambda: index.delete(["u"])):
                with pytest.raises(IndexFailure, match="read only"):
                    call()


class TestReading:
    def test_urls_are_read_in_several_requests(
        self, server: SearchServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("scrapy_mainpage.indexes.searchserver.URL_BATCH", 4)
        with open_index(server.url()) as index:
            assert not index.put_many(documents(9))
            expected = [document.url for document in documents(9)]
            assert sorted(index.urls()) == sorted(expected)
        assert len(requests_to(server, "_search")) == 4

    def test_marks_are_kept(self, server: SearchServer) -> None:
        with open_index(server.url()) as index:
            assert index.mark("run") is None
            assert index.put_mark("run", "1")
        with open_index(server.url(), read_only=True) as index:
            assert index.mark("run") == "1"

    def test_searches_say_where_to_search(self, index: Index) -> None:
        with pytest.raises(IndexFailure, match="by their own API") as caught:
            index.search("words")
        assert caught.value.reason == "not_searched"
        assert "\n" not in str(caught.value)
