"""Every hostile input ends with a result or a reason, for every output of its page."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.tree import (
    EMPTY,
    NO_MAIN_CONTENT,
    NO_TEXT,
    REASONS,
)
from scrapy_mainpage.page import Page

from .inputs import HOSTILE, SENTENCE, normal

SIZE = 20_000
WHY = {EMPTY, NO_TEXT, NO_MAIN_CONTENT, *REASONS}


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return Extractor()


MAX_RATIO, MIN_CHARS = 20, 200_000


def check(page: Page, size: int) -> None:
    """Everything can be asked for and is in proportion; nothing is silently empty."""
    assert page.text or WHY.intersection(page.warnings), page.warnings
    data = page.as_dict(blocks=True)
    assert data["text"] == page.text
    largest = max(len(str(data[name])) for name in data if name != "blocks")
    assert largest <= MAX_RATIO * size + MIN_CHARS
    for part in ("sections", "comments", "all_links", "page_type", "language"):
        getattr(page, part)
    if page.blocks:
        # Where paths would outgrow the page, elements are counted.
        assert page.blocks[-1].xpath.startswith(("/html[1]", "(//*)["))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_has_a_text_or_a_reason(name: str, extractor: Extractor) -> None:
    check(extractor.extract(HOSTILE[name](SIZE), url="http://a.example/x"), SIZE)


@pytest.mark.parametrize("name", [*list(HOSTILE)[::20], "surrogates"])
def test_a_hostile_str_has_too(name: str, extractor: Extractor) -> None:
    html = HOSTILE[name](SIZE // 5).decode("utf-8", "surrogateescape")
    check(extractor.extract(html), SIZE)


def test_of_another_page_nothing_is_said(extractor: Extractor) -> None:
    page = extractor.extract(normal(300_000))
    assert page.warnings == ()
    assert SENTENCE in page.text
