"""Patterns, and their readers, take time in proportion to untrusted texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from scrapy_mainpage.extraction.extractor import Extractor

from .patterns import attacks, patterns
from .slots import SLOTS, UNITS, page
from .test_outputs import PARTS

PATTERNS = patterns()

SMALL, LARGE = 1_000, 16_000

LITTLE = 0.15
"""Seconds of processor time. Shorter times are harmless, and too noisy to compare."""

GROWTH = 4.0
"""Ratio of time to size, against that of the small text, that counts as steep."""


def seconds(call: Callable[[str], object], text: str) -> float:
    started = process_time()
    call(text)
    return process_time() - started


def is_steep(call: Callable[[str], object], small: str, large: str) -> bool:
    """Whether *large* takes far longer than *small* does in proportion."""
    long = seconds(call, large)
    if long < LITTLE:
        return False
    long = min(long, seconds(call, large))  # The first may have loaded a module.
    short = max(min(seconds(call, small) for _ in range(5)), 1e-5)
    return long / short > GROWTH * len(large) / len(small)


def test_the_check_finds_what_is_steep() -> None:
    def squared(text: str) -> None:
        for _ in range(len(text) ** 2 // 10):
            pass

    assert is_steep(squared, "a" * SMALL, "a" * LARGE)
    assert not is_steep(re.compile("b").findall, "a" * SMALL, "a" * LARGE)


def test_patterns_are_found() -> None:
    assert len(PATTERNS) > 80


BOUNDED = {
    "scrapy_mainpage.common_items.others._HOURS": 100,
    "scrapy_mainpage.extraction.metadata.persons._BY": 200,
    "scrapy_mainpage.extraction.metadata.dates._ISO": 100,
    "scrapy_mainpage.extraction.metadata.titles._PAGE": 300,
    "scrapy_mainpage.rendering.placeholders.URL_ATTRIBUTE": 100,
}
"""Maximum length of the texts that a pattern sees, in characters."""


@pytest.mark.parametrize("name", PATTERNS)
def test_a_match_from_the_start_takes_time_in_proportion(name: str) -> None:
    pattern = PATTERNS[name]

    def match(text: str) -> Any:
        given = text if isinstance(pattern.pattern, str) else text.encode()
        return pattern.match(given), pattern.fullmatch(given)

    large = BOUNDED.get(name.rpartition(":")[0], LARGE)
    pairs = zip(attacks(pattern, SMALL), attacks(pattern, large), strict=True)
    steep = [small[:40] for small, large in pairs if is_steep(match, small, large)]
    assert not steep


def read_all(extractor: Extractor, html: str) -> None:
    read = extractor.extract(html, url="http://a.example/x")
    for part in PARTS:
        getattr(read, part)


@pytest.mark.parametrize("slot", SLOTS)
def test_whatever_fills_a_place_is_read_in_proportion(slot: str) -> None:
    extractor = Extractor()

    def read(html: str) -> None:
        read_all(extractor, html)

    steep = [
        unit
        for unit in UNITS
        if is_steep(read, page(slot, unit, SMALL), page(slot, unit, LARGE))
    ]
    assert not steep
