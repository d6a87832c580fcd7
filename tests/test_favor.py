"""Preference for precision or recall: in crawls, commands, and without Scrapy."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_args

import pytest
from scrapy.settings import Settings as ScrapySettings

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.learned.learned import BETA
from scrapy_mainpage.settings import Favor, Settings, SettingsError
from tests.crawling import ROOT

SITE = ROOT / "example_project" / "site"
PATHS = ["blog/index.html", "shop/index.html", "forum/thread-481.html"]
ASCENDING = ("precision", "balanced", "recall")


def read(**values: Any) -> Settings:
    return Settings.from_settings(ScrapySettings(values))


def problem(**values: Any) -> str:
    with pytest.raises(SettingsError) as caught:
        read(**values)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@cache
def blocks(path: str, favor: str) -> frozenset[int]:
    page = extract((SITE / path).read_bytes(), favor=favor)
    return frozenset(k for k, block in enumerate(page.blocks) if block.is_main)


def test_the_setting_allows_what_the_default_algorithm_can() -> None:
    assert set(get_args(Favor)) == set(BETA)


@pytest.mark.parametrize("path", PATHS)
def test_recall_takes_all_that_balanced_does_and_that_all_of_precision(
    path: str,
) -> None:
    precision, balanced, recall = (blocks(path, favor) for favor in ASCENDING)
    assert precision <= balanced <= recall


@pytest.mark.parametrize(
    ("favor", "options", "expected"),
    [
        ("balanced", {}, {}),
        ("recall", {"least_words": 3}, {"least_words": 3, "favor": "recall"}),
        ("balanced", {"favor": "precision"}, {"favor": "precision"}),
        ("precision", {"favor": "precision"}, {"favor": "precision"}),
    ],
)
def test_the_option_of_the_algorithm_is_set(
    favor: str, options: dict[str, Any], expected: dict[str, Any]
) -> None:
    settings = read(MAINPAGE_FAVOR=favor, MAINPAGE_ALGORITHM_OPTIONS=options)
    assert settings.options == expected


def test_balanced_goes_with_an_algorithm_without_the_option() -> None:
    assert read(MAINPAGE_ALGORITHM="danag", MAINPAGE_FAVOR="balanced").options == {}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            {"MAINPAGE_ALGORITHM": "danag", "MAINPAGE_FAVOR": "precision"},
            r"MAINPAGE_FAVOR='precision': algorithm 'danag'.*allowed: balanced.*'learn",
        ),
        (
            {"MAINPAGE_ALGORITHM": "dannag", "MAINPAGE_FAVOR": "precision"},
            "MAINPAGE_ALGORITHM='dannag': ",
        ),
        (
            {
                "MAINPAGE_ALGORITHM_OPTIONS": {"favor": "precision"},
                "MAINPAGE_FAVOR": "recall",
            },
            "MAINPAGE_FAVOR='recall': MAINPAGE_ALGORITHM_OPTIONS has 'precision'",
        ),
    ],
)
def test_settings_that_do_not_agree_are_refused(
    settings: dict[str, Any], expected: str
) -> None:
    assert re.match(expected, problem(**settings))


def test_an_algorithm_without_the_option_is_refused_without_scrapy_too() -> None:
    with pytest.raises(ValueError, match="'favor'"):
        extract("<p>Text</p>", algorithm="danag", favor="precision")
