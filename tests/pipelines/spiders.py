"""Spiders with settings for the filter of their items."""

from __future__ import annotations

from typing import Any

from tests.crawling import PageSpider


class MethodSpider(PageSpider):
    def mainpage_filter(self, item: dict[str, Any]) -> dict[str, Any] | bool:
        return False if item["url"].endswith("/short") else {"min_words": 10_000}
