"""Patterns take time in proportion to untrusted texts, or see short ones alone."""

from __future__ import annotations

import re
from functools import partial
from time import process_time
from typing import Any

import pytest

from tests.growth import by_turns

from .patterns import CUT, attacks, inline_patterns, patterns

PATTERNS = patterns()
SMALL, LARGE = 500, 8_000
LITTLE = 0.03
"""Seconds of processor time. Shorter times are harmless, and too noisy to compare."""

GROWTH = 4.0
"""Ratio of time to size, against that of the small text, that counts as steep."""


def seconds(pattern: re.Pattern[Any], searches: bool, text: str) -> float:
    given = text if isinstance(pattern.pattern, str) else text.encode()
    started = process_time()
    if searches:  # so do search, sub, split and findall
        for _ in pattern.finditer(given):
            pass
    else:
        pattern.match(given), pattern.fullmatch(given)
    return process_time() - started


def steep(pattern: re.Pattern[Any], searches: bool, size: int) -> list[str]:
    """The attacks that take far longer at *size* than small ones do in proportion."""
    found = []
    for small, large in zip(
        attacks(pattern, SMALL), attacks(pattern, size), strict=True
    ):
        runs = [partial(seconds, pattern, searches, text) for text in (small, large)]
        if runs[1]() <= LITTLE:
            continue
        most = GROWTH * max(len(large) / max(len(small), 1), 1)
        if not any(
            long <= max(LITTLE, most * max(short, 1e-5))
            for short, long in by_turns(*runs)
        ):
            found.append(small[:40])
    return found


def is_short(pattern: re.Pattern[Any], searches: bool, text: str) -> bool:
    run = partial(seconds, pattern, searches, text)
    return any(least <= LITTLE for (least,) in by_turns(run))


def test_the_check_finds_what_is_steep() -> None:
    assert steep(re.compile(r"\s+x"), True, LARGE)
    assert not steep(re.compile(r"\s+x"), False, LARGE)
    assert not steep(re.compile("b"), True, LARGE)


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_linear_or_sees_short_texts(name: str) -> None:
    cut = CUT.get(name.partition(":")[0].removeprefix("scrapy_mainpage."))
    found = steep(*PATTERNS[name], cut or LARGE)
    if cut:
        found = [
            text
            for text in attacks(PATTERNS[name][0], cut)
            if not is_short(*PATTERNS[name], text)
        ]
        assert cut <= 500
    assert not found


def test_a_pattern_is_one_that_a_module_holds_or_a_literal() -> None:
    assert len(PATTERNS) > 80
    assert {name for name, pattern in inline_patterns() if pattern is None} == {
        "correct/server.py",  # the pages that it serves
        "pipelines/own_fields.py",  # a setting's pattern, on an address
        "redaction.py",  # the passwords of a setting
    }
