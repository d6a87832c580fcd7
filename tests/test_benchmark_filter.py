"""What the benchmarks of the filter and of languages count."""

from __future__ import annotations

import pytest

from benchmarks.filtering import Judged, percent, table
from benchmarks.filteringplot import plot
from benchmarks.languages import Known, groups, language_of, outcome, outcomes
from scrapy_mainpage.evaluation.datasets import LabelledPage


def judged(kind: str = "article", **values: float) -> Judged:
    given = {
        "gold_words": 100,
        "f1": 0.9,
        "words": 100,
        "share": 0.5,
        "confidence": 0.9,
    }
    return Judged(kind, **{**given, **values})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "good", "bad"),
    [
        ({}, True, False),
        ({"f1": 0.5}, True, False),
        ({"f1": 0.49}, False, False),
        ({"f1": 0.29}, False, True),
        ({"gold_words": 19}, False, True),
    ],
)
def test_a_page_is_good_or_bad_by_its_text_and_what_was_extracted(
    values: dict[str, float], good: bool, bad: bool
) -> None:
    page = judged(**values)
    assert (page.good, page.bad) == (good, bad)


def test_a_limit_drops_what_is_under_it() -> None:
    pages = [judged(words=n) for n in (9, 10, 11, 12)]
    assert percent(pages, "words", 10) == 25
    assert percent([], "words", 10) == 0


def test_the_table_names_the_type_that_loses_most() -> None:
    pages = [judged(words=100), judged("forum", words=15), judged("forum", f1=0.1)]
    shown = table("words", pages)
    rows = {row[0]: row[1:] for row in shown.rows}
    assert rows[10] == [0, "-", 0, 0, 0]
    assert rows[20] == [50, "forum", 100, 0, 0]
    assert shown.title == "words: 2 good pages, 1 bad, 0 empty"


def test_the_picture_has_a_line_for_each_type() -> None:
    picture = plot([judged(), judged("forum"), judged("forum", f1=0.0)])
    assert picture.startswith("<?xml")
    for text in ("article", "forum", "all pages", "fewer words than"):
        assert f">{text}<" in picture


def labelled(name: str, kind: str = "") -> LabelledPage:
    return LabelledPage(name, "http://example.com/", None, type=kind)  # type: ignore[arg-type]


def test_the_language_of_a_page_is_known_by_its_set_country_or_by_reading() -> None:
    assert language_of("wcxb-dev", labelled("0001")) == "en"
    assert language_of("wcxb-dev", labelled("0608")) == "fr"
    assert language_of("multilingual-news", labelled("a", "Greek")) == "el"
    assert language_of("world-news", labelled("a", "at")) == "de"
    assert language_of("world-news", labelled("a", "ch")) == ""
    assert language_of("multilingual-segments", labelled("a")) == ""


def test_a_language_is_told_rightly_wrongly_or_not_at_all() -> None:
    assert outcome("en", "en-gb") == "right"
    assert outcome("en", "de") == "wrong"
    assert outcome("en", None) == "unknown"
    greek = Known("el", "Το κείμενο είναι στα ελληνικά.", None)
    counts = outcomes([greek, Known("ru", greek.text, None), Known("en", "", "en")])
    assert counts == {"right": 1, "wrong": 1, "unknown": 1}


def test_texts_are_counted_by_language_and_in_several_ways() -> None:
    texts = [Known("en", "a" * 200, "en")] * 20 + [Known("fr", "b" * 200, None)]
    found = dict(groups(texts))
    assert [len(group) for group in found.values()] == [20, 1, 21, 21, 21, 21, 21]
    assert {len(known.text) for known in found["first 60 characters"]} == {60}
    assert {known.declared for known in found["wrongly declared"]} == {"de", "en"}
