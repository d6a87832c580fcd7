"""Putting and deleting documents, with every engine."""

from __future__ import annotations

import pickle

import pytest

from scrapy_mainpage.indexes import (
    Index,
    IndexDocument,
    IndexFailure,
    Passage,
    Section,
    open_index,
)

from .helpers import found, put, rejected_document

FIELDS = ("title", "headings", "description", "text", "comments")


class TestPut:
    def test_document_is_found_by_a_word_of_each_searched_field(
        self, index: Index
    ) -> None:
        words = {name: f"in{name}" for name in FIELDS}
        index.put_many([IndexDocument("https://a.example/", **words)])
        for word in words.values():
            assert [hit.url for hit in index.search(word)] == ["https://a.example/"]

    def test_hit_carries_what_was_indexed(self, index: Index) -> None:
        document = IndexDocument(
            "https://docs.example.com/a",
            "some words",
            title="A title",
            language="de",
            page_type="article",
            author="A. Author",
            date_published="2026-01-02",
            crawled_at="2026-01-03T00:00:00+00:00",
            sections=(Section("Glue", 2, "glue"), Section("Käse", 3)),
        )
        index.put_many([document])
        (hit,) = index.search("words")
        for name in (
            "url",
            "title",
            "language",
            "page_type",
            "author",
            "date_published",
            "crawled_at",
            "site",
        ):
            assert getattr(hit, name) == getattr(document, name)
        assert hit.site == "docs.example.com"
        assert hit.passage is None
        assert pickle.loads(pickle.dumps(hit)) == hit

    def test_same_url_replaces_the_document(self, index: Index) -> None:
        put(index, "old words", title="old title")
        put(index, "new text")
        assert found(index, "old") == []
        (hit,) = index.search("new")
        assert hit.title is None
        assert list(index.urls()) == ["https://example.com/0"]

    def test_same_url_twice_in_one_call_keeps_the_last(self, index: Index) -> None:
        passages = (Passage("1", 0, "first"),)
        index.put_many(
            [
                IndexDocument("u", "first", passages=passages),
                IndexDocument("u", "second"),
            ]
        )
        assert (found(index, "first"), found(index, "second")) == ([], ["u"])
        assert index.search("first", passages=True) == []
        assert list(index.urls()) == ["u"]

    def test_urls_that_differ_a_little_are_different(self, index: Index) -> None:
        urls = [
            "https://e/a",
            "https://e/A",
            "https://e/a/",
            "https://e/a?",
            "https://e/á",
        ]
        index.put_many([IndexDocument(url, "words") for url in urls])
        assert sorted(index.urls()) == sorted(urls)
        assert index.delete(["https://e/A"]) == 1
        assert len(index.search("words")) == 4

    def test_long_url_is_a_url(self, index: Index) -> None:
        for length in (600, 5_000, 100_000):
            first, second = (f"https://e/{'x' * length}{end}" for end in "12")
            index.put_many([IndexDocument(first, "old"), IndexDocument(second, "old")])
            index.put_many([IndexDocument(first, "new")])
            assert [hit.url for hit in index.search("new")] == [first]
            assert index.delete([second, first]) == 2

    def test_nothing_is_a_valid_batch(self, index: Index) -> None:
        assert not index.put_many([])
        assert list(index.urls()) == []

    def test_document_that_cannot_be_stored_fails_with_all_of_its_call(
        self, index: Index
    ) -> None:
        good = [IndexDocument(f"u/good{number}", "words") for number in (0, 1)]
        with pytest.raises(IndexFailure) as caught:
            index.put_many([good[0], rejected_document("u/bad"), good[1]])
        assert (caught.value.reason, caught.value.retryable) == ("unsupported", False)
        assert list(index.urls()) == []
        assert not index.put_many(good)
        assert sorted(found(index, "words")) == ["good0", "good1"]

    def test_documents_are_there_after_reopening(self, url: str) -> None:
        with open_index(url) as first:
            put(first, "kept")
        with open_index(url) as second:
            assert found(second, "kept") == ["0"]
            put(second, "replaced", "added")
        with open_index(url) as third:
            assert found(third, "kept") == []
            assert found(third, "replaced") == ["0"]
            assert found(third, "added") == ["1"]

    def test_document_of_a_megabyte_is_found_by_its_end(
        self, engine: str, index: Index
    ) -> None:
        words = " ".join(f"word{number % 5000}" for number in range(110_000))
        assert len(words) > 950_000
        put(index, f"{words} in a haystack the final needle", "other")
        for query, marked in (
            ("needle", "a haystack the final **needle**"),
            ('"final needle"', "a haystack the **final needle**"),
        ):
            (hit,) = index.search(query)
            assert marked in hit.snippet
            assert len(hit.snippet) < 1_000
        # In so long a text PostgreSQL finds a phrase by its words.
        reversed_order = found(index, '"needle final"')
        assert reversed_order == (["0"] if engine == "postgresql" else [])

    def test_megabyte_without_a_space_does_no_harm(self, index: Index) -> None:
        put(index, "x" * 1_000_000 + " needle", "天" * 50_000 + "气", "y" * 70_000)
        assert found(index, "needle") == ["0"]
        assert found(index, "天气") == ["1"]
        assert len(list(index.urls())) == 3


class TestDelete:
    def test_deleted_document_is_gone_and_others_stay(self, index: Index) -> None:
        put(index, "same words", "same words")
        gone = ["https://example.com/0", "https://example.com/unknown"]
        assert index.delete(gone) == 1
        assert index.delete(gone) == 0
        assert found(index, "words") == ["1"]
        assert list(index.urls()) == ["https://example.com/1"]


class TestClosed:
    def test_closed_index_fails_with_a_reason(self, index: Index) -> None:
        put(index, "words")
        index.close()
        index.close()
        calls = (
            lambda: index.put_many([IndexDocument("u", "late")]),
            lambda: index.delete(["u"]),
            lambda: index.search("words"),
            lambda: list(index.urls()),
        )
        for call in calls:
            with pytest.raises(IndexFailure) as caught:
                call()
            assert caught.value.reason == "closed"
            assert not caught.value.retryable
