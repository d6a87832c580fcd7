"""Codes of warnings in words."""

from __future__ import annotations

import re
from pathlib import Path

from scrapy_mainpage.report.wording import (
    REASONS,
    WARNINGS,
    explain_warning,
)

DOCS = Path(__file__).parents[2] / "docs/reasons.rst"
#: Responses that no report of a crawl counts, or by kind alone, and empty pages.
UNCOUNTED = {"robotstxt", "no_callback", "empty", "not_html", "binary"}


def test_every_documented_warning_has_a_sentence() -> None:
    table = DOCS.read_text("utf-8").partition("Responses without a page")[0]
    rows = re.findall(r"^    \* - (.+)$", table, re.MULTILINE)
    codes = {code for row in rows for code in re.findall(r"``(\w+)``", row)}
    assert codes == set(WARNINGS)
    assert all(text.endswith(".") for text in WARNINGS.values())


def test_every_documented_reason_has_words() -> None:
    tables = DOCS.read_text("utf-8").partition("Responses without a page")[2]
    rows = re.findall(
        r"^    \* - (.+)$", tables.partition("Rendering\n===")[0], re.MULTILINE
    )
    codes = {code for row in rows for code in re.findall(r"``(\w+)``", row)}
    assert codes == set(REASONS) | UNCOUNTED


def test_an_unknown_code_stays_as_it_is() -> None:
    assert explain_warning("own_code") == "own_code"
