"""The public parts of scrapy-playwright that rendering relies on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import scrapy_mainpage.rendering

pytest.importorskip("scrapy_playwright")


def test_no_private_name_of_scrapy_playwright_is_imported() -> None:
    folder = Path(scrapy_mainpage.rendering.__file__).parent
    sources = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    assert "from scrapy_playwright" in sources
    assert not re.search(r"(scrapy_)?playwright\._|playwright[.\w]* import _", sources)
