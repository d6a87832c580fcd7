"""The filter on items without pages, by their fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import attrs
import pytest
import scrapy
from pydantic import BaseModel
from scrapy.exceptions import DropItem

from scrapy_mainpage import extract
from scrapy_mainpage.items import ItemReader, PageStats, read_stats
from scrapy_mainpage.pipelines.boilerplate import (
    LowConfidence,
    TooFewWords,
    UnwantedLanguage,
    UnwantedPageType,
)
from scrapy_mainpage.text.words import count_words

from .filtering import RUSSIAN, Filter
from .test_boilerplate import LIMITS


class PlainItem(scrapy.Item):
    body = scrapy.Field()


@dataclass
class DataItem:
    body: str | None = None


@attrs.define
class AttrsItem:
    body: str | None = None


class ModelItem(BaseModel):
    body: str | None = None


KINDS = [dict, PlainItem, DataItem, AttrsItem, ModelItem]


@pytest.mark.parametrize("kind", KINDS)
def test_words_are_counted_in_the_text_of_every_kind_of_item(kind: type) -> None:
    ours = Filter(
        MAINPAGE_FILTER_MIN_WORDS=10, MAINPAGE_ITEM_FIELDS={"body": "text"}
    ).pipeline
    with pytest.raises(TooFewWords, match="3 words"):
        ours.process_item(kind(body="Three words here."))
    item = kind(body="word " * 10)
    assert ours.process_item(item) is item


def test_an_item_of_which_nothing_is_known_passes_and_is_counted() -> None:
    ours = Filter(**LIMITS)
    assert ours.pipeline.process_item({"title": "a"}) == {"title": "a"}
    assert ours.pipeline.process_item("not an item") == "not an item"
    odd = {"text": None, "words": "many", "confidence": True, "language": ["en", "de"]}
    assert ours.pipeline.process_item(odd) is odd
    assert ours.stats == {"unknown": 3, "judged": 3}


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ({"n": 9}, TooFewWords),
        ({"n": 10, "sure": 0.1}, LowConfidence),
        ({"kind": "listing"}, UnwantedPageType),
        ({"text": RUSSIAN, "lang": "ru"}, UnwantedLanguage),
    ],
)
def test_figures_are_read_from_the_fields_that_hold_them(
    item: dict[str, Any], reason: type[DropItem]
) -> None:
    attributes = {
        "n": "words",
        "sure": "confidence",
        "kind": "page_type",
        "lang": "metadata.language",
    }
    ours = Filter(**LIMITS, MAINPAGE_ITEM_FIELDS=attributes)
    with pytest.raises(reason):
        ours.pipeline.process_item(item)


def test_fields_are_read_by_the_attributes_names_where_none_is_given() -> None:
    page = extract(f"<html lang=ru><p>{RUSSIAN}</p>")
    assert read_stats(ItemReader(), page.as_dict()) == PageStats(
        page.words,
        page.confidence,
        page.page_type,
        page.text,
        "ru",
    )


def test_a_field_that_holds_something_else_is_not_taken_for_a_figure() -> None:
    reader = ItemReader({"n": "words"})
    assert read_stats(reader, {"words": 3, "n": 50}).words == 50
    assert read_stats(reader, {"words": 3}) == PageStats()


def test_lists_that_item_loaders_make_are_read() -> None:
    reader = ItemReader()
    texts = read_stats(reader, {"text": ["Three words here.", "Two more."]})
    assert (texts.words, texts.text) == (5, "Three words here.\n\nTwo more.")
    item = {"words": [50], "confidence": (0.5,), "page_type": ["forum"], "text": []}
    assert read_stats(reader, item) == PageStats(50, 0.5, "forum")


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
