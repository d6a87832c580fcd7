"""OpenSearch and Elasticsearch: what the servers are asked.

What every engine must do is in the other files of this folder, which run with both.
"""

from __future__ import annotations

import json

import pytest

from scrapy_mainpage.indexes import (
    BlockingIndex,
    IndexDocument,
    IndexUnavailable,
    Passage,
    open_index,
)
from scrapy_mainpage.indexes.documents import WEIGHTS
from scrapy_mainpage.indexes.searchserver.bulk import MAX_BULK_BYTES, Action, split_bulk

from ..servers.searchserver import SearchServer
from ..servers.searchserverfixtures import (
    any_search_index,
    any_search_server,
    documents,
    lines,
    requests_to,
)
from ..servers.searchserverhttp import Request
from .helpers import found, put

__all__ = ["any_search_index", "any_search_server"]


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
        assert max(sizes) <= MAX_BULK_BYTES
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


class TestBulkLines:
    def test_parts_are_no_longer_than_allowed_but_for_one_action(self) -> None:
        actions = [Action("u", b"x" * size) for size in (4, 4, 9, 1, 1)]
        parts = list(split_bulk(actions, 8))
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
