"""Codes of warnings in words."""

from __future__ import annotations

import re
from pathlib import Path

from scrapy_mainpage.report.wording import WARNINGS, explain_warning

DOCS = Path(__file__).parents[2] / "docs/reasons.rst"


def test_every_documented_warning_has_a_sentence() -> None:
    table = DOCS.read_text("utf-8").partition("Responses without a page")[0]
    rows = re.findall(r"^    \* - (.+)$", table, re.MULTILINE)
    codes = {code for row in rows for code in re.findall(r"``(\w+)``", row)}
    assert codes == set(WARNINGS)
    assert all(text.endswith(".") for text in WARNINGS.values())


def test_an_unknown_code_stays_as_it_is() -> None:
    assert explain_warning("own_code") == "own_code"
