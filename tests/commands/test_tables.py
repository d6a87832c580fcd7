"""Tables of records, in plain text."""

from __future__ import annotations

from unicodedata import east_asian_width

from scrapy_mainpage.commands.tables import records_tables
from scrapy_mainpage.records import Entry, Event, Place
from tests.fakepages import ENTRIES, POSTS, PRODUCT, page_with


def test_a_product_is_a_table_of_its_fields() -> None:
    lines = records_tables(page_with(product=PRODUCT), 60).splitlines()
    assert lines[:3] == [
        "PRODUCT",
        "FIELD           VALUE",
        "name            Kettle",
    ]
    assert "specifications  Weight: 1.25 kg" in lines
    assert "price           41.00" in lines


def test_lists_have_the_columns_that_are_filled() -> None:
    shown = records_tables(page_with(entries=ENTRIES, posts=POSTS), 60)
    assert shown.splitlines()[:2] == [
        "ENTRIES",
        "#  NAME    PRICE  CURRENCY  URL",
    ]
    assert "1  jonna      2026-09-12T18:04  It stops." in shown


def test_lines_fit_into_the_terminal() -> None:
    entries = (Entry("壺" * 90, "https://a.example/" + "x" * 90), Entry("a\x1b[2J\nb"))
    shown = records_tables(page_with(entries=entries), 70)
    for line in shown.splitlines():
        assert sum(1 + (east_asian_width(c) in "WF") for c in line) <= 70
    assert "\x1b" not in shown


def test_a_record_in_a_record_is_one_value() -> None:
    event = Event(name="Fair", place=Place("Quay", "Quay 1"))
    assert "place  Quay Quay 1" in records_tables(page_with(event=event), 60)


def test_a_page_without_records_says_so() -> None:
    assert records_tables(page_with()).startswith("no records")
