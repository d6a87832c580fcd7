"""Fields of the project's own: filters, facets and order, with every engine."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from scrapy_mainpage.indexes import (
    Index,
    IndexDocument,
    IndexFailure,
    Passage,
    open_index,
)
from scrapy_mainpage.indexes.fields import (
    Field,
    UnknownFieldError,
    period_of,
    read_field,
)

from .helpers import found

#: Version, price, day and tags of pages /0, /1, ...
ROWS: list[tuple[Any, ...]] = [
    ("14", 5, date(2024, 12, 31), ["Wood", "old"]),
    ("15", 9.5, "2025-01-01", "Wood"),
    ("15", 100, "2025-01-31T23:59:59Z", ["C++"]),
    ("16", -1, "2025-02", []),
    (None, None, None, None),
]


def document(number: int, row: tuple[Any, ...]) -> IndexDocument:
    version, price, day, tags = row
    fields = {"version": version, "price": price, "tags": tags}
    fields["day"] = read_field(day, "date")
    fields["note"] = Field("text", (f"Warm, hide glue {number}",))
    passage = Passage(f"p{number}", 0, "glue passage")
    url = f"https://example.com/{number}"
    return IndexDocument(url, "glue", fields=fields, passages=(passage,))


@pytest.fixture
def pages(index: Index) -> Index:
    assert not index.put_many([document(n, row) for n, row in enumerate(ROWS)])
    return index


QUERIES = [
    ("glue version:15", "12"),
    ("version:15", "12"),
    ("version:14 version:16 glue", "03"),
    ("glue -version:15", "034"),
    ("price<9.5", "03"),
    ("price<=9.5 price>=0 glue", "01"),
    ("price:>5", "12"),
    ("price=100", "2"),
    ("day:2025-01", "12"),
    ("day>2025-01", "3"),
    ("day<2025", "0"),
    ("day<=2025-01-01 day>=2024", "01"),
    ("tags:wood", "01"),
    ("tags:C++", "2"),
    ("tags:woo", ""),
    ('note:"HIDE glue"', "01234"),
    ("note:glu", ""),
    ("glue version:13", ""),
]


class TestConditions:
    @pytest.mark.parametrize("passages", [False, True])
    def test_in_a_query_keep_the_documents_they_name(
        self, pages: Index, passages: bool
    ) -> None:
        for query, kept in QUERIES:
            assert sorted(found(pages, query, passages=passages)) == list(kept), query

    def test_as_filters_have_the_same_meaning(self, pages: Index) -> None:
        filters = {"version": ["14", "15"], "price": [">=5", "<100"]}
        assert sorted(found(pages, "glue", filters=filters)) == ["0", "1"]
        assert found(pages, "", filters={"price": 9.5}) == ["1"]
        assert found(pages, "", filters={"day": date(2025, 1, 1)}) == ["1"]

    def test_in_quotes_and_of_unknown_fields_are_words(self, pages: Index) -> None:
        for query in ('"version:15"', "color:red", "price<cheap", "a:b version:"):
            assert found(pages, query) == [], query

    def test_wrong_names_and_values_are_errors(self, pages: Index) -> None:
        for options, message in (
            ({"filters": {"colour": "red"}}, "no field 'colour'.*price"),
            ({"filters": {"price": "<cheap"}}, "'cheap' is no number"),
            ({"filters": {"version": "<3"}}, "version: < is for numbers"),
            ({"facets": ["note"]}, "no field 'note' of the type"),
            ({"sort": "version"}, "no field 'version' of the type number or date"),
        ):
            with pytest.raises(UnknownFieldError, match=message):
                pages.search("glue", **options)

    def test_hold_no_syntax_of_an_engine(self, pages: Index) -> None:
        for value in ("' OR 1=1 --", '" OR ""="', "*", "%", "[a TO z]", "{}"):
            assert found(pages, "glue", filters={"version": value}) == []


class TestHits:
    def test_have_the_values_as_they_were_given(self, pages: Index) -> None:
        (hit,) = pages.search("tags:old")
        assert hit.fields["price"] == 5
        assert hit.fields["day"] == "2024-12-31"
        assert hit.fields["tags"] == ("Wood", "old")  # sorted

    def test_are_ordered_by_a_field_those_without_it_last(self, pages: Index) -> None:
        assert found(pages, "glue", sort="price") == list("30124")
        assert found(pages, "glue", sort="-day") == list("32104")
        assert found(pages, "glue", sort="-price", limit=2) == list("21")

    def test_texts_are_searched_as_well(self, pages: Index) -> None:
        assert found(pages, "warm -3") == list("0124")

    def test_follow_a_document_that_changes(self, pages: Index) -> None:
        pages.put_many([document(1, ("17", None, None, None))])
        assert found(pages, "version:17") == ["1"]
        assert found(pages, "version:15") == ["2"]
        pages.delete(["https://example.com/1"])
        assert found(pages, "version:17") == []


def test_facets_count_all_matches(pages: Index) -> None:
    hits = pages.search("glue", limit=1, facets=["version", "price", "tags"])
    assert hits.facets["version"] == {"15": 2, "14": 1, "16": 1}
    assert hits.facets["price"] == {-1: 1, 5: 1, 9.5: 1, 100: 1}
    assert hits.facets["tags"] == {"Wood": 2, "C++": 1, "old": 1}
    hits = pages.search("price>0", facets=["version"], passages=True)
    assert hits.facets == {"version": {"15": 2, "14": 1}}


def test_another_type_is_refused(pages: Index) -> None:
    wrong = IndexDocument("https://e/9", "glue", fields={"price": "cheap"})
    new = IndexDocument("https://e/8", "glue", fields={"stars": 4})
    with pytest.raises(IndexFailure, match="'price' is a number in the ind") as caught:
        pages.put_many([wrong, new])
    assert (caught.value.reason, caught.value.retryable) == ("field_type", False)
    assert not pages.put_many([new])
    assert found(pages, "stars:4") == ["8"]


def test_fields_may_come_later(url: str) -> None:
    with open_index(url) as index:
        index.put_many([IndexDocument("https://e/0", "glue")])
        assert index.field_types() == {}
    with open_index(url) as index:
        index.put_many([document(1, ROWS[1])])
    with open_index(url, read_only=True) as index:
        assert index.field_types()["price"] == "number"
        assert found(index, "price>0") == ["1"]


@pytest.mark.parametrize("text", ["", "2025-13", "9999", "0000-01-01", "soon", "1e3"])
def test_what_is_no_date_is_none(text: str) -> None:
    assert period_of(text) is None
