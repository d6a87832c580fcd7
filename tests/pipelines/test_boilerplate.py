from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from scrapy.exceptions import DropItem, NotConfigured

from scrapy_mainpage import extract
from scrapy_mainpage.pipelines.boilerplate import (
    BoilerplateFilterPipeline,
    Figures,
    LowConfidence,
    TooFewWords,
    TooMuchBoilerplate,
    count_words,
)
from tests.crawling import make_crawler

LIMITS = {
    "MAINPAGE_FILTER_MIN_WORDS": 10,
    "MAINPAGE_FILTER_MIN_SHARE": 0.5,
    "MAINPAGE_MIN_CONFIDENCE": 0.7,
}


def pipeline(**settings: Any) -> BoilerplateFilterPipeline:
    return BoilerplateFilterPipeline.from_crawler(make_crawler(**settings))


def unknown(ours: BoilerplateFilterPipeline) -> int:
    return ours.crawler.stats.get_value("mainpage/filter/unknown", 0)


@pytest.mark.parametrize(
    ("figures", "reason"),
    [
        (Figures(9, 1.0, 1.0), TooFewWords),
        (Figures(10, 0.4, 1.0), TooMuchBoilerplate),
        (Figures(10, 0.5, 0.6), LowConfidence),
        (Figures(0, 0.0, 0.0), TooFewWords),
        (Figures(main_share=0.1), TooMuchBoilerplate),
    ],
)
def test_each_limit_drops_with_its_own_reason(
    figures: Figures, reason: type[DropItem]
) -> None:
    ours, item = pipeline(**LIMITS), {"a": 1}
    ours.remember(item, figures)
    with pytest.raises(reason) as caught:
        ours.process_item(item)
    assert type(caught.value) is reason
    assert caught.value.log_level == "DEBUG"


@pytest.mark.parametrize(
    "figures", [Figures(10, 0.5, 0.7), Figures(10, 1.0, None), Figures(10)]
)
def test_what_meets_the_limits_or_is_unknown_passes(figures: Figures) -> None:
    ours, item = pipeline(**LIMITS), {"a": 1}
    ours.remember(item, figures)
    assert ours.process_item(item) is item
    assert unknown(ours) == 0


def test_by_default_pages_of_under_twenty_words_are_dropped() -> None:
    ours, item = pipeline(), {}
    ours.remember(item, Figures(20, 0.0, 0.0))
    assert ours.process_item(item) is item
    ours.remember(item, Figures(19, 1.0, 1.0))
    with pytest.raises(TooFewWords):
        ours.process_item(item)


def test_an_item_of_which_nothing_is_known_passes_and_is_counted() -> None:
    ours = pipeline(**LIMITS)
    assert ours.process_item({"title": "a"}) == {"title": "a"}
    assert ours.process_item("not an item") == "not an item"
    assert ours.process_item({"text": None, "words": "many"})
    assert unknown(ours) == 3


@dataclass
class Article:
    body: str | None = None


def test_words_are_counted_in_the_text_of_an_item_that_came_without_its_page() -> None:
    with pytest.raises(TooFewWords, match="2 words"):
        pipeline(**LIMITS).process_item({"text": "Two words."})
    ours = pipeline(**LIMITS, MAINPAGE_ITEM_FIELDS={"body": "text"})
    with pytest.raises(TooFewWords, match="3 words"):
        ours.process_item(Article("Three words here."))
    assert ours.process_item(Article("word " * 10))


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ({"n": 9, "all": 9}, TooFewWords),
        ({"n": 10, "all": 21}, TooMuchBoilerplate),
        ({"n": 10, "all": 20, "sure": 0.1}, LowConfidence),
        ({"n": 10, "share": 0.1}, TooMuchBoilerplate),
    ],
)
def test_figures_are_read_from_the_fields_that_hold_them(
    item: dict[str, Any], reason: type[DropItem]
) -> None:
    attributes = {
        "n": "words",
        "all": "words_total",
        "sure": "confidence",
        "share": "main_share",
    }
    ours = pipeline(**LIMITS, MAINPAGE_ITEM_FIELDS=attributes)
    with pytest.raises(reason):
        ours.process_item(item)


def test_the_figures_of_one_item_are_used_once() -> None:
    ours, item = pipeline(**LIMITS), {"a": 1}
    ours.remember(item, Figures(10, 1.0, 1.0))
    ours.process_item(item)
    ours.process_item(item)
    assert unknown(ours) == 1


def test_only_so_many_items_are_remembered_the_latest_ones() -> None:
    ours = pipeline(**LIMITS)
    ours.REMEMBERED = 3
    items = [{"n": n} for n in range(5)]
    for item in items:
        ours.remember(item, Figures(0))
    assert ours.process_item(items[1]) is items[1]
    with pytest.raises(TooFewWords):
        ours.process_item(items[2])


def test_the_pipeline_is_off_when_the_plugin_is() -> None:
    with pytest.raises(NotConfigured):
        pipeline(MAINPAGE_ENABLED=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "One two, three -- four!",
        "It's well-known: 3.5 km/h",
        "正文提取 and text",
        "これはペンです。カタカナ",
        "한국어 문장",
        "Ünï cödé ñ й ж",
        "a" * 1000,
        "snake_case _ __ - -_-",
        "½ ² ① a·b 🎉 〆切 ｱｲｳ 𠀀𠀁",
        "नमस्ते दुनिया สวัสดี e\u0301te\u0301",
    ],
)
def test_words_are_counted_as_the_extraction_counts_them(text: str) -> None:
    assert count_words(text) == extract(f"<p>{text}</p>").words_total
