from __future__ import annotations

import logging
from typing import Any

import pytest
from scrapy.exceptions import DropItem

import scrapy_mainpage.text.language
from scrapy_mainpage.page import Page
from scrapy_mainpage.pipelines.boilerplate import (
    LowConfidence,
    TooFewWords,
    UnwantedLanguage,
    UnwantedPageType,
)

from .filtering import ENGLISH, RUSSIAN, Filter, page

LIMITS = {
    "MAINPAGE_FILTER_MIN_WORDS": 10,
    "MAINPAGE_MIN_CONFIDENCE": 0.7,
    "MAINPAGE_FILTER_PAGE_TYPES": ["article", "forum"],
    "MAINPAGE_FILTER_LANGUAGES": ["en", "pt-br"],
}


@pytest.fixture(autouse=True)
def _without_identifier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrapy_mainpage.text.language, "load_identifier", lambda: None)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"words": 9}, TooFewWords),
        ({"confidence": 0.69}, LowConfidence),
        ({"page_type": "product"}, UnwantedPageType),
        ({"text": RUSSIAN, "language": "ru"}, UnwantedLanguage),
        ({"text": ENGLISH, "language": "pt-pt"}, UnwantedLanguage),
        ({"words": 0, "words_total": 9, "confidence": 0.0}, TooFewWords),
    ],
)
def test_each_limit_drops_with_its_own_reason(
    values: dict[str, Any], reason: type[DropItem]
) -> None:
    ours = Filter(**LIMITS)
    with pytest.raises(reason) as caught:
        ours.pipeline.process_item(ours.item(page(**values)))
    assert type(caught.value) is reason
    assert caught.value.log_level == "DEBUG"
    assert ours.stats == {f"dropped/{reason.reason}": 1, "judged": 1}


@pytest.mark.parametrize(
    "values",
    [
        {"words": 10, "words_total": 20, "confidence": 0.7},
        {"confidence": None, "page_type": None},
        {"page_type": "forum"},
        {"text": ENGLISH, "language": "en-gb"},
        {"text": ENGLISH, "language": "pt"},
        {"text": ENGLISH, "language": None},
        {"text": "Ой!", "language": "ru"},
    ],
)
def test_what_meets_the_limits_or_is_unknown_passes(values: dict[str, Any]) -> None:
    ours = Filter(**LIMITS)
    ours.passes(page(**values))
    assert ours.stats == {"judged": 1}


def test_by_default_pages_of_under_twenty_words_are_dropped_and_no_others() -> None:
    ours = Filter()
    ours.passes(page(words=20, words_total=10**6, confidence=0.0, page_type="product"))
    ours.passes(page(text=RUSSIAN, language="ru"))
    with pytest.raises(TooFewWords, match="19 words, of at least 20"):
        ours.pipeline.process_item(ours.item(page(words=19)))


def test_a_page_of_documentation_needs_a_quarter_of_the_words() -> None:
    ours = Filter(MAINPAGE_FILTER_MIN_WORDS=40)
    ours.passes(page(words=10, page_type="documentation"))
    for words, kind in ((9, "documentation"), (39, "article"), (39, None)):
        with pytest.raises(TooFewWords):
            ours.pipeline.process_item(ours.item(page(words=words, page_type=kind)))


def test_the_language_is_not_looked_for_when_all_are_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(
        "scrapy_mainpage.pipelines.boilerplate.identify_language", never
    )
    Filter().passes(page(text=ENGLISH))


def test_an_item_whose_page_is_unknown_or_failed_passes_and_is_counted() -> None:
    ours = Filter(**LIMITS)
    item = ours.item(Page.empty(None, "failed:ValueError"))
    for each in (item, dict(item), ours.item(None), "not an item"):
        assert ours.pipeline.process_item(each) is each
    assert ours.stats == {"unknown": 4}


@pytest.mark.parametrize("wish", [None, True, {"min_words": 1}])
def test_a_request_exempts_its_items_by_false_alone(wish: object) -> None:
    ours = Filter()
    ours.passes(page(words=0), False)
    assert ours.stats == {"exempt": 1}
    with pytest.raises(TooFewWords):
        ours.pipeline.process_item(ours.item(page(words=0), wish))


def summary(ours: Filter, caplog: pytest.LogCaptureFixture) -> list[str]:
    caplog.set_level(logging.INFO)
    caplog.clear()
    ours.pipeline.close_spider()
    return [record.getMessage() for record in caplog.records]


def test_the_end_of_a_crawl_says_in_a_line_what_was_dropped(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours = Filter(**LIMITS)
    assert summary(ours, caplog) == []
    ours.passes(page())
    assert summary(ours, caplog) == ["filter: 0 of 1 items dropped"]
    for values in ({"words": 1}, {"words": 2}, {"confidence": 0.1}):
        with pytest.raises(DropItem):
            ours.pipeline.process_item(ours.item(page(**values)))
    expected = "filter: 3 of 4 items dropped: words 2, confidence 1"
    assert summary(ours, caplog) == [expected]


def test_the_beginning_says_how_languages_are_told(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO)
    Filter().pipeline.open_spider()
    assert not caplog.records
    Filter(MAINPAGE_FILTER_LANGUAGES="en").pipeline.open_spider()
    module = "scrapy_mainpage.pipelines.boilerplate.load_identifier"
    monkeypatch.setattr(module, lambda: None)
    Filter(MAINPAGE_FILTER_LANGUAGES="en").pipeline.open_spider()
    assert "scripts" in caplog.records[-1].getMessage()
