"""The public parts of scrapy-playwright that rendering relies on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scrapy.settings import Settings

import scrapy_mainpage.rendering

pytest.importorskip("scrapy_playwright")


def test_no_private_name_of_scrapy_playwright_is_imported() -> None:
    folder = Path(scrapy_mainpage.rendering.__file__).parent
    sources = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    assert "from scrapy_playwright" in sources
    assert not re.search(r"(scrapy_)?playwright\._|playwright[.\w]* import _", sources)


def test_the_settings_are_read_as_the_renderer_reads_them() -> None:
    from scrapy_playwright.handler import Config

    config = Config.from_settings(Settings({"PLAYWRIGHT_BROWSER_TYPE": "firefox"}))
    assert config.browser_type_name == "firefox"
    assert config.launch_options == {}
    assert config.use_threaded_loop in (True, False)


def test_the_provider_starts_launches_and_closes() -> None:
    from scrapy_playwright.provider import BrowserProvider, PlaywrightBrowserProvider

    assert issubclass(PlaywrightBrowserProvider, BrowserProvider)
    for name in ("start", "launch_browser", "close"):
        assert callable(getattr(BrowserProvider, name))
