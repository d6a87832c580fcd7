"""OpenSearch and Elasticsearch: requests, queries and the reading of answers.

The shared tests of this folder run with real servers only: a fake cannot prove ranking.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from scrapy_mainpage.indexes import (
    BlockingIndex,
    IndexDocument,
    IndexUnavailable,
    Passage,
    Section,
    open_index,
)
from scrapy_mainpage.indexes.documents import WEIGHTS
from scrapy_mainpage.indexes.fields import Condition, conditions_of
from scrapy_mainpage.indexes.query import Query, parse_query
from scrapy_mainpage.indexes.searchserver.bulk import MAX_BULK_BYTES
from scrapy_mainpage.indexes.searchserver.query import (
    counts_of,
    facets_body,
    search_body,
)

from ..servers.searchserver import FakeIndex, SearchServer
from ..servers.searchserverfixtures import (
    any_search_index,
    any_search_server,
    documents,
    lines,
    requests_to,
)
from .helpers import found, put

__all__ = ["any_search_index", "any_search_server"]


class TestFirstUse:
    def test_creates_a_template_and_the_index(self, server: SearchServer) -> None:
        open_index(server.url("my-pages")).close()
        template = server.templates["mainpage-my-pages"]
        assert template["index_patterns"] == ["my-pages"]
        assert template["_meta"]["application"] == "scrapy-mainpage"
        assert template["_meta"]["schema_version"] == template["version"] == 1
        assert template["_meta"]["weights"] == WEIGHTS
        assert server.indexes["my-pages"].body == template["template"]

    def test_mapping_takes_no_fields_from_pages(self, server: SearchServer) -> None:
        open_index(server.url()).close()
        body = server.indexes["pages"].body
        assert body["mappings"]["dynamic"] is False
        properties = body["mappings"]["properties"]
        for name in WEIGHTS:
            assert properties[name]["type"] == "text"
            assert properties[name]["analyzer"] == "mainpage"
        assert properties["date_published"]["ignore_malformed"] is True
        assert properties["hit"]["enabled"] is False
        assert "mainpage" in body["settings"]["index"]["analysis"]["analyzer"]

    def test_second_use_changes_nothing(self, server: SearchServer) -> None:
        open_index(server.url()).close()
        server.requests.clear()
        open_index(server.url()).close()
        assert [request.method for request in server.requests] == ["GET"]

    def test_index_deleted_during_a_crawl_is_restored_by_the_template(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        put(index, "one")
        del server.indexes["pages"]
        assert index.delete(["https://example.com/0"]) == 0
        put(index, "two")
        template = server.templates["mainpage-pages"]["template"]
        assert server.indexes["pages"].body == template
        assert index.delete(["https://example.com/0"]) == 1

    @pytest.mark.parametrize("read_only", [True, False])
    def test_index_of_another_program_is_left_alone(
        self, server: SearchServer, read_only: bool
    ) -> None:
        theirs: dict[str, Any] = {"mappings": {"properties": {}}}
        server.indexes["pages"] = FakeIndex(theirs)
        with pytest.raises(IndexUnavailable, match="not one of scrapy-mainpage"):
            open_index(server.url(), read_only=read_only)
        assert server.indexes["pages"].body is theirs
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

    def test_template_of_an_older_version_is_replaced(
        self, server: SearchServer
    ) -> None:
        open_index(server.url()).close()
        del server.indexes["pages"]
        server.templates["mainpage-pages"]["_meta"]["schema_version"] = 0
        open_index(server.url()).close()
        assert server.templates["mainpage-pages"]["_meta"]["schema_version"] == 1

    def test_missing_index_is_not_created_for_reading(
        self, server: SearchServer
    ) -> None:
        with pytest.raises(IndexUnavailable, match="there is no such index"):
            open_index(server.url(), read_only=True)
        assert not server.indexes


class TestWriting:
    def test_values_of_a_page(self, server: SearchServer, index: BlockingIndex) -> None:
        page = IndexDocument(
            "https://docs.example.com/a",
            "Web爬虫",
            title="T",
            language="en-GB",
            date_published="yesterday, or so",
            sections=(Section("H", 2, "h"),),
            passages=(Passage("p", 0, "owl", "H"),),
        )
        assert not index.put_many([page])
        one, passage = server.indexes["pages"].documents.values()
        assert one["site"] == ["docs.example.com", "example.com", "com"]
        assert one["language"] == ["en-gb", "en"]
        assert one["text"] == "\u2060Web\u200b爬\u200b虫\u2060"
        assert (one["kind"], one["passages"]) == ("page", 1)
        assert one["date_published"] == "yesterday, or so"
        assert (passage["kind"], passage["position"]) == ("passage", 0)
        assert (passage["headings"], passage["page"]) == ("H", one["page"])
        (hit,) = index.search("web")
        assert (hit.url, hit.title, hit.language) == (page.url, "T", "en-gb")
        assert hit.sections == ()  # none of them fits

    def test_url_host_and_language_of_any_length_are_stored(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        host, language = ".".join(["a"] * 3_000), "-".join(["en"] * 3_000)
        url = f"https://{host}/{'x' * 40_000}"
        assert not index.put_many([IndexDocument(url, "words", language=language)])
        (source,) = server.indexes["pages"].documents.values()
        assert len(source["site"]) == len(source["language"]) == 33
        assert list(index.urls()) == [url]
        assert index.delete([url]) == 1

    def test_long_batch_is_several_requests(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        assert not index.put_many(documents(10, "x" * 300_000))
        sizes = [len(request.body) for request in requests_to(server, "_bulk")]
        assert len(sizes) > 3
        assert max(sizes) <= MAX_BULK_BYTES

    def test_old_passages_are_deleted_by_id(
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


class TestRefresh:
    def test_documents_are_found_when_the_server_refreshes(
        self, server: SearchServer
    ) -> None:
        with open_index(server.url()) as index:
            put(index, "words")
            assert not requests_to(server, "_refresh")
            assert found(index, "words") == []
            server.indexes["pages"].refresh()
            assert found(index, "words") == ["0"]

    def test_upsert_and_delete_see_writes_before_searches_do(
        self, server: SearchServer
    ) -> None:
        passages = tuple(Passage(f"p{n}", n, f"owl{n}") for n in range(3))
        with open_index(server.url()) as index:
            index.put_many([IndexDocument("u", "words", passages=passages)])
            index.put_many([IndexDocument("u", "words", passages=passages[:1])])
            assert len(server.indexes["pages"].documents) == 2
            assert index.delete(["u", "u"]) == 1
            assert not server.indexes["pages"].documents

    def test_unreachable_server_does_not_prevent_closing(
        self, server: SearchServer
    ) -> None:
        index = open_index(server.url())
        put(index, "words")
        server.reset("_refresh", is_applied=False, times=3)
        index.close()
        assert len(server.indexes["pages"].documents) == 1


def clauses(query: str, **options: Any) -> dict[str, Any]:
    """The part of the request body that matches and filters."""
    body = search_body(Query(tuple(parse_query(query)), **options))
    matched = body["query"]["bool"]
    assert isinstance(matched, dict)
    return matched


class TestFields:
    def test_add_properties_once(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        fields = {"version": ["15", "Main"], "price": 9.5, "day": date(2025, 1, 1)}
        for number in range(2):
            assert not index.put_many([IndexDocument(f"u{number}", "w", fields=fields)])
        assert len(requests_to(server, "_mapping")) == 1
        properties = server.indexes["pages"].body["mappings"]["properties"]
        types = {x: each["type"] for x, each in properties["key"]["properties"].items()}
        assert types == {"version": "keyword", "price": "double", "day": "double"}
        assert index.field_types()["day"] == "date"
        (source, *_) = server.indexes["pages"].documents.values()
        assert source["key"]["version"] == ["15", "main"]
        assert source["shown"]["version"] == ["15", "Main"]
        assert source["key"]["day"] == [1735689600.0]
        assert source["shown"]["day"] == ["2025-01-01"]

    def test_of_another_type_are_refused(self, index: BlockingIndex) -> None:
        index.put_many([IndexDocument("u", "w", fields={"price": 1})])
        wrong = IndexDocument("v", "w", fields={"price": "cheap"})
        (rejection, *rest) = index.put_many([wrong, IndexDocument("x", "w")])
        assert (rejection.url, rejection.reason, rest) == ("v", "field_type", [])

    def test_conditions_are_filters(self) -> None:
        types = {"version": "keyword", "price": "number", "note": "text"}
        filters = {"version": ["15", "Main"], "price": [">=5", "<9"], "note": "A b"}
        made = clauses("owl", conditions=conditions_of(filters, types))
        each = [part["bool"]["should"] for part in made["filter"][1:]]
        assert each == [
            [{"term": {"key.version": "15"}}, {"term": {"key.version": "main"}}],
            [{"range": {"key.price": {"gte": 5.0}}}],
            [{"range": {"key.price": {"lt": 9.0}}}],
            [{"match_phrase": {"key.note": " a b "}}],
        ]
        no = Condition("price", "number", ((("=", 5.0),),), excluded=True)
        (clause,) = clauses("owl", conditions=(no,))["must_not"]
        assert clause["bool"]["should"] == [{"term": {"key.price": 5.0}}]

    def test_order_hits(self) -> None:
        body = search_body(Query(tuple(parse_query("owl")), sort="-price"))
        assert body["sort"][0] == {"key.price": {"order": "desc", "missing": "_last"}}

    def test_facets_count_pages(self) -> None:
        query = Query(tuple(parse_query("owl")), passages=True)
        body = facets_body(query, {"price": "number", "tag": "keyword"}, ["tag"])
        assert body["query"] == search_body(query)["query"]
        assert body["aggs"]["tag"]["terms"]["field"] == "shown.tag"
        buckets = [
            {"key": key, "doc_count": 9, "pages": {"value": pages}}
            for key, pages in (("Wood", 1), ("glue", 2), ("wood", 3))
        ]
        assert counts_of(buckets) == {"Wood": 4, "glue": 2}


class TestQueries:
    @pytest.mark.parametrize(
        ("query", "clause"),
        [
            ("crawl", {"query": "crawl", "type": "phrase"}),
            ('"main content"', {"query": "main content", "type": "phrase"}),
            ("crawl*", {"query": "crawl", "type": "bool_prefix"}),
            (
                '"main con"*',
                {"query": "main con", "type": "phrase_prefix", "max_expansions": 1000},
            ),
            ("爬虫*", {"query": "爬\u200b虫", "type": "phrase_prefix"}),
            ('{"match_all":{}}', {"query": "match_all", "type": "phrase"}),
            ("a AND (b", {"query": "AND", "type": "phrase"}),
            ("title:x~2", {"query": "title:x~2", "type": "phrase"}),
        ],
    )
    def test_term_is_a_phrase_in_all_fields_and_never_syntax(
        self, query: str, clause: dict[str, Any]
    ) -> None:
        found = [each["multi_match"] for each in clauses(query)["must"]]
        assert any(clause.items() <= each.items() for each in found)
        weights = [f"{name}^{weight:g}" for name, weight in WEIGHTS.items()]
        assert all(each["fields"] == weights for each in found)

    def test_excluded_terms_and_filters(self) -> None:
        made = clauses("owl -ads", site="e.com", language="en", page_type="article")
        assert [each["multi_match"]["query"] for each in made["must_not"]] == ["ads"]
        filters = [each["term"] for each in made["filter"]]
        assert filters == [
            {"kind": "page"},
            {"site": "e.com"},
            {"page_type": "article"},
            {"language": "en"},
        ]

    def test_passages_are_documents_of_their_own_kind(self) -> None:
        made = clauses("owl", passages=True)
        assert made["filter"] == [{"term": {"kind": "passage"}}]
        assert made["must"][0]["multi_match"]["fields"] == ["headings^4", "text^1"]

    def test_no_more_hits_are_requested_than_servers_allow(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        put(index, "words")
        assert len(index.search("words", limit=1_000_000)) == 1
        sizes = [request.json["size"] for request in requests_to(server, "_search")]
        assert max(sizes) == 10_000

    def test_urls_are_read_in_several_requests(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        assert not index.put_many(documents(2_500))
        server.requests.clear()
        assert len(set(index.urls())) == 2_500
        assert len(requests_to(server, "_search")) == 4


def answer(text: str | None, **values: Any) -> dict[str, Any]:
    """An answer with one hit with this highlighted text."""
    hit: dict[str, Any] = {"_score": 1.5, "_source": {"hit": {"url": "u", **values}}}
    if text is not None:
        hit["highlight"] = {"text": [text]}
    return {"hits": {"hits": [hit]}}


def counts(*words: str) -> dict[str, Any]:
    """An answer that counts a document of each word."""
    buckets = {key: {"doc_count": 1} for key in words}
    return {"aggregations": {"words": {"buckets": buckets}}}


class TestAnswers:
    @pytest.mark.parametrize(
        ("text", "snippet"),
        [
            ("\u2060the \x02owl\x03\u2060", "the [owl]"),
            ("of the \x02owl\x03 in", "…of the [owl] in…"),
            ("\u2060\x02爬\x03\u200b\x02虫\x03 x\u2060", "[爬虫] x"),
            ("\u2060two\n lines\u2060", "two · lines"),
            (None, ""),
        ],
    )
    def test_highlighted_text_is_the_snippet(
        self,
        server: SearchServer,
        index: BlockingIndex,
        text: str | None,
        snippet: str,
    ) -> None:
        put(index, "x")  # the client of Elasticsearch checks the product once
        # First the known words are counted, then pages named so are asked for.
        server.fail(200, "_search", body=counts("owl"))
        server.fail(200, "_search", body={"hits": {"hits": []}})
        server.fail(200, "_search", body=answer(text))
        server.fail(200, "_search", body={"hits": {"hits": []}})
        (hit,) = index.search("owl", highlight=("[", "]"))
        assert (hit.snippet, hit.title) == (snippet, None)

    def test_passage_is_part_of_the_hit(
        self, server: SearchServer, index: BlockingIndex
    ) -> None:
        passage = Passage("p", 3, "owl", "H", "h")
        put(index, "x")
        body = answer("owl", passage=passage._asdict(), site="e.com")
        server.fail(200, "_search", body=counts("owl"))
        server.fail(200, "_search", body=body)
        (hit,) = index.search("owl", passages=True)
        assert (hit.passage, hit.site) == (passage, "e.com")
