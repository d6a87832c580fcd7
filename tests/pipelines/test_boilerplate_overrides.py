"""Overrides of the filter by spider and request."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from scrapy.exceptions import DropItem

from scrapy_mainpage.pipelines.boilerplate import (
    FilterRules,
    LowConfidence,
    TooFewWords,
    UnwantedLanguage,
    UnwantedPageType,
)
from scrapy_mainpage.settings import Settings
from tests.crawling import crawl
from tests.mockserver import Site, article, html, serve

from .filtering import ENGLISH, RUSSIAN, Filter, page

BAD = [
    ({"min_wrods": 5}, r"no such limit: 'min_wrods' \(did you mean 'min_words'\?\)"),
    ({5: 5}, "no such limit: 5"),
    ({"min_words": "many"}, "min_words='many': not a whole number of words"),
    ({"min_words": -1}, "min_words=-1: not a whole number of words"),
    ({"min_confidence": 2}, "min_confidence=2: not a share"),
    ({"page_types": ["novel"]}, "no page type"),
    ({"languages": ["englsh?"]}, "'englsh\\?' is not a language"),
    ({"dry_run": "perhaps"}, "not a boolean"),
    (5, "a int is not an override"),
    ("min_words", "a str is not an override"),
]


@pytest.mark.parametrize(
    ("override", "values", "reason"),
    [
        ({"min_words": 200}, {}, TooFewWords),
        ({"min_words": "200"}, {}, TooFewWords),
        ({"min_confidence": 0.5}, {"confidence": 0.4}, LowConfidence),
        ({"page_types": "forum"}, {"page_type": "listing"}, UnwantedPageType),
        ({"languages": ["EN_us"]}, {"text": RUSSIAN}, UnwantedLanguage),
    ],
)
@pytest.mark.parametrize("whose", ["request", "spider", "method"])
def test_every_limit_can_be_set_by_a_request_and_by_a_spider(
    override: dict[str, Any], values: dict[str, Any], reason: type[DropItem], whose: str
) -> None:
    spiders = {"request": None, "spider": override, "method": lambda item: override}
    ours = Filter(spiders[whose])
    item = ours.item(page(**values), override if whose == "request" else None)
    with pytest.raises(reason):
        ours.pipeline.process_item(item)


def test_a_limit_can_be_lowered_and_the_filter_switched_off() -> None:
    ours = Filter()
    ours.passes(page(words=5), {"min_words": 5})
    ours.passes(page(words=0), False)
    assert ours.stats == {"judged": 1, "exempt": 1}
    with pytest.raises(TooFewWords):
        ours.pipeline.process_item(ours.item(page(words=5)))


def test_the_request_has_the_last_word_on_what_it_names() -> None:
    ours = Filter({"min_words": 50, "min_confidence": 0.5})
    ours.passes(page(words=5), {"min_words": 5})
    item = ours.item(page(words=5, confidence=0.1), {"min_words": 5})
    with pytest.raises(LowConfidence):
        ours.pipeline.process_item(item)


def test_a_method_of_the_spider_decides_item_by_item() -> None:
    def decide(item: dict[str, Any]) -> dict[str, Any] | bool | None:
        return {"short": {"min_words": 1}, "any": False}.get(item.get("kind"))

    ours = Filter(decide).pipeline
    for kept in ({"kind": "short", "text": "One"}, {"kind": "any", "text": ""}):
        assert ours.process_item(kept) is kept
    with pytest.raises(TooFewWords, match="of at least 20"):
        ours.process_item({"kind": "other", "text": "One"})


@pytest.mark.parametrize(("override", "problem"), BAD)
@pytest.mark.parametrize("whose", ["request", "spider"])
def test_a_bad_override_is_logged_once_and_the_settings_judge(
    override: object, problem: str, whose: str, caplog: pytest.LogCaptureFixture
) -> None:
    ours = Filter(override if whose == "spider" else None)
    wish = override if whose == "request" else None
    for _ in range(3):
        ours.passes(page(words=20), wish)
        with pytest.raises(TooFewWords):
            ours.pipeline.process_item(ours.item(page(words=19), wish))
    assert ours.stats == {"judged": 6, "dropped/words": 3, "bad_override": 6}
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "\n" not in record.getMessage()
    assert f"mainpage_filter of {'a' if whose == 'request' else 'the'} {whose}" in (
        record.getMessage()
    )
    caplog.clear()
    with pytest.raises(ValueError, match=problem):
        FilterRules.of(Settings()).override(override)


def test_a_method_that_fails_or_is_asynchronous_does_not_stop_the_crawl(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(item: object) -> None:
        raise KeyError("kind\nof it")

    async def is_asynchronous(item: object) -> None: ...

    for method in (fails, is_asynchronous):
        ours = Filter(method)
        ours.passes(page())
        ours.passes(page())
        assert ours.stats == {"judged": 2, "bad_override": 2}
    first, second = (record.getMessage() for record in caplog.records)
    assert "KeyError" in first
    assert "\n" not in first
    assert "a coroutine is not an override" in second


SHORT = """<main><h1>A note</h1>
<p>Few words, but a page of its own: it says all there is to say.</p></main>"""


@pytest.fixture
def site() -> Any:
    pages = {"/long": html(article("owls")), "/short": html(SHORT)}
    with serve(pages) as running:
        yield running


@pytest.mark.parametrize(
    ("spider", "meta", "kept"),
    [
        ("page", {"mainpage_filter": {"min_words": 10000}}, set()),
        ("tests.pipelines.spiders.MethodSpider", {}, {"/short"}),
    ],
)
def test_a_crawl_obeys_the_spiders_and_the_requests_wishes(
    site: Site, spider: str, meta: dict[str, Any], kept: set[str]
) -> None:
    urls = [site.url + path for path in ("/long", "/short")]
    settings = {"MAINPAGE_FILTER_ENABLED": True}
    done = crawl(spider, settings, urls=urls, meta=meta)
    assert {item["url"] for item in done.items} == {site.url + path for path in kept}
    dropped = 2 - len(kept)
    assert done.stat("item_dropped_count") == dropped
    assert done.stat("mainpage/filter/dropped/words") == dropped
    judged = 2 - done.stat("mainpage/filter/exempt")
    if judged:
        assert f"filter: {dropped} of {judged} items dropped" in done.log
    assert "ERROR" not in done.log


def test_a_russian_page_is_told_by_its_text_not_by_what_it_declares() -> None:
    ours = Filter(MAINPAGE_FILTER_LANGUAGES=["ru"])
    ours.passes(page(text=RUSSIAN, language="ru"))
    with pytest.raises(UnwantedLanguage, match="language en, of ru"):
        ours.pipeline.process_item(ours.item(page(text=ENGLISH, language="en")))
