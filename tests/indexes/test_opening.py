"""Opening an index to write and to read, with every engine."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scrapy_mainpage.indexes import (
    Index,
    IndexDocument,
    IndexFailure,
    IndexUnavailable,
    open_index,
)
from scrapy_mainpage.indexes.base import ENGINES

from .helpers import found, put

PAGE = IndexDocument("https://example.com/", "words")


class TestOpening:
    @pytest.mark.parametrize("url", ["", "site.db", "nosuch:///x", "sqlite", "://"])
    def test_unknown_url_names_itself_and_what_is_allowed(self, url: str) -> None:
        with pytest.raises(IndexUnavailable) as caught:
            open_index(url)
        assert isinstance(caught.value, ValueError)
        assert repr(url) in str(caught.value)
        assert ENGINES["sqlite"].url in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_read_only_index_is_searched_and_not_written(self, url: str) -> None:
        with open_index(url) as index:
            put(index, "words")
        with open_index(url, read_only=True) as index:
            assert found(index, "words") == ["0"]
            with pytest.raises(IndexFailure) as caught:
                put(index, "more")
            assert caught.value.reason == "read_only"
            assert found(index, "words") == ["0"]

    def test_missing_index_opened_read_only_is_an_error_and_stays_missing(
        self, url: str
    ) -> None:
        for _ in range(2):
            with pytest.raises(IndexUnavailable, match="no such"):
                open_index(url, read_only=True)

    def test_new_index_is_empty_and_there_for_readers(self, url: str) -> None:
        open_index(url).close()
        with open_index(url, read_only=True) as index:
            assert list(index.urls()) == []
            assert index.search("words") == []
            assert index.search("words", passages=True) == []

    def test_two_may_open_a_new_index_at_once(self, url: str) -> None:
        with ThreadPoolExecutor(4) as threads:
            opened = list(threads.map(lambda _: open_index(url), range(4)))
        for number, index in enumerate(opened):
            index.put_many([IndexDocument(f"u/{number}", "words")])
        assert sorted(found(opened[0], "words")) == ["0", "1", "2", "3"]
        for index in opened:
            index.close()


def test_a_mark_is_there_when_the_index_is_opened_again(url: str) -> None:
    with open_index(url) as index:
        assert index.mark("crawl") is None
        assert index.put_mark("crawl", "one")
        assert index.put_mark("crawl", "two")
        assert index.put_mark("other", "three")
    with open_index(url, read_only=True) as index:
        assert index.mark("crawl") == "two"
        assert index.mark("other") == "three"
        assert index.mark("unknown") is None
    with open_index(url) as index:
        index.put_many([IndexDocument("https://example.com/", "words")])
        assert [hit.url for hit in index.search("words")] == ["https://example.com/"]


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda index: index.put_many(PAGE), "documents: IndexDocument"),
        (lambda index: index.put_many([{"url": "u"}]), "documents: {'url'"),
        (lambda index: index.put_many("u"), "documents: 'u' is not a list"),
        (lambda index: index.put_many([IndexDocument(5, "t")]), "url of a document: 5"),  # type: ignore[arg-type]
        (lambda index: index.put_many([IndexDocument("u", None)]), "text of u: None"),  # type: ignore[arg-type]
        (lambda index: index.delete("https://a/"), "urls: 'https://a/' is not a list"),
        (lambda index: index.delete([5]), "url: 5 is not a URL"),
        (lambda index: index.search(5), "query: 5 is not a text"),
        (lambda index: index.search("a", limit="9"), "limit: '9' is not a number"),
        (lambda index: index.search("a", highlight="b"), "highlight: 'b' is not"),
        (lambda index: index.search("a", filters=["b"]), "filters: .* is not"),
        (lambda index: index.search("a", facets="b"), "facets: 'b' is not a list"),
        (lambda index: index.search("a", synonyms="b"), "synonyms: 'b' is not as"),
        (lambda index: index.search("a", mode="b"), "mode: 'b' is none of lexical"),
        (lambda index: open_index(None), "url of an index: None is not a text"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_arguments_are_checked(
    tmp_path: Path, call: Callable[[Index], object], problem: str
) -> None:
    with (
        open_index(f"sqlite:///{(tmp_path / 'a.db').as_posix()}") as index,
        pytest.raises((TypeError, ValueError), match=problem),
    ):
        call(index)
