"""Searches within a site, page type or language, with every engine."""

from __future__ import annotations

import pytest

from scrapy_mainpage.indexes import Index, IndexDocument, Passage

from .helpers import found


@pytest.fixture
def pages(index: Index) -> Index:
    """Six pages of four hosts."""
    rows = (
        ("https://example.com/0", "article", "en"),
        ("https://docs.example.com:8080/1", "documentation", "en-gb"),
        ("https://a.docs.example.com/2", "article", "EN-US"),
        ("https://notexample.com/3", "article", "de"),
        ("https://example.com.evil.org/4", "forum", "eng"),
        ("not a url/5", None, None),
    )
    index.put_many(
        [
            IndexDocument(
                url,
                "same words, same passage",
                page_type=page_type,
                language=language,
                passages=(Passage(f"p{number}", 0, "same passage"),),
            )
            for number, (url, page_type, language) in enumerate(rows)
        ]
    )
    return index


FILTERS = [
    ({}, "012345"),
    ({"site": "example.com"}, "012"),
    ({"site": "docs.example.com"}, "12"),
    ({"site": "DOCS.Example.com."}, "12"),
    ({"site": "notexample.com"}, "3"),
    ({"site": "xample.com"}, ""),
    ({"site": "com"}, "0123"),
    ({"site": "other.org"}, ""),
    ({"page_type": "article"}, "023"),
    ({"page_type": "art"}, ""),
    ({"language": "en"}, "012"),
    ({"language": "EN"}, "012"),
    ({"language": "en-gb"}, "1"),
    ({"language": "en-us"}, "2"),
    ({"language": "e"}, ""),
    ({"site": "example.com", "page_type": "article"}, "02"),
    ({"site": "example.com", "page_type": "article", "language": "en-us"}, "2"),
    ({"site": "example.com", "language": "de"}, ""),
    ({"site": "", "page_type": "", "language": ""}, "012345"),
]

#: Wildcards and syntax of any of the engines.
HOSTILE = [
    "%", "_xample.com", "*", "?", "*.com", "example%", "e.*", "en%", "e_", "en*",
    "a' OR 'a'='a", '" OR 1=1 --', "example.com OR notexample.com", "\\", "\x00",
    "\ud800", "{}", "[a TO z]", "x" * 100_000,
]  # fmt: skip


class TestFilters:
    @pytest.mark.parametrize("passages", [False, True])
    def test_keep_the_documents_they_name(self, pages: Index, passages: bool) -> None:
        word = "passage" if passages else "words"
        for options, kept in FILTERS:
            hits = found(pages, word, passages=passages, **options)
            assert sorted(hits) == list(kept), options

    def test_hold_no_wildcards_and_no_syntax(self, pages: Index) -> None:
        for name in ("site", "page_type", "language"):
            for value in HOSTILE:
                assert found(pages, "words", **{name: value}) == [], (name, value)

    def test_act_before_the_limit(self, index: Index) -> None:
        index.put_many(
            [
                *(IndexDocument(f"https://e/{n}", "owl owl owl") for n in range(30)),
                IndexDocument("https://wanted.example/30", "one owl among others"),
            ]
        )
        assert found(index, "owl", site="wanted.example", limit=1) == ["30"]

    def test_apply_to_every_term_of_the_query(self, pages: Index) -> None:
        query = 'sam* "same words" -other'
        assert found(pages, query, language="de") == ["3"]
        assert found(pages, "words -same", language="de") == []

    def test_follow_a_document_that_changes(self, pages: Index) -> None:
        page = "https://example.com/0"
        pages.put_many([IndexDocument(page, "same words", language="fr")])
        assert found(pages, "words", language="fr") == ["0"]
        assert sorted(found(pages, "words", language="en")) == ["1", "2"]

    @pytest.mark.parametrize("host", ["bücher.example", "xn--bcher-kva.example"])
    def test_host_beyond_ascii_is_found_in_both_spellings(
        self, index: Index, host: str
    ) -> None:
        index.put_many([IndexDocument(f"https://www.{host}/0", "words")])
        for site in ("Bücher.example", "xn--bcher-kva.example."):
            assert found(index, "words", site=site) == ["0"]
        assert found(index, "words", site="b.example") == []

    def test_language_with_an_underscore_is_a_tag(self, index: Index) -> None:
        index.put_many([IndexDocument("https://e/0", "words", language="pt_BR")])
        for tag in ("pt", "PT_br", "pt-BR"):
            (hit,) = index.search("words", language=tag)
            assert hit.language == "pt-br"

    def test_host_without_a_name_is_no_filter(self, pages: Index) -> None:
        assert sorted(found(pages, "words", site=".")) == list("012345")


def test_a_site_with_a_port_is_that_port_only(index: Index) -> None:
    urls = [f"http://a.example:{8000 + number % 2}/{number}" for number in range(40)]
    urls += ["https://a.example/secure", "http://sub.a.example:8001/sub"]
    index.put_many([IndexDocument(url, "tea") for url in urls])
    hits = index.search("tea", site="a.example:8001", limit=15)
    assert len(hits) == 15
    assert all(":8001/" in hit.url for hit in hits)
    assert len(index.search("tea", site="a.example:8001", limit=100)) == 21
    assert len(index.search("tea", site="a.example", limit=100)) == 42
    assert found(index, "tea", site="a.example:443") == ["secure"]
    assert found(index, "tea", site="a.example:9") == []
