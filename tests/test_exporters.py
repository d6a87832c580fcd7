"""Feeds of records for search tools, in a crawl."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from scrapy_mainpage.crawl.crawl_state import CrawlState, ItemOrigin, ItemPages
from scrapy_mainpage.crawl.pages import mainpage
from scrapy_mainpage.exporters import (
    DocsearchExporter,
    PassagesExporter,
    RecordsExporter,
    SpreadsheetExporter,
)

URL = "https://example.com/glue"
FILL = "These words say how hide glue is made, and what it is good for today."
BODY = (
    f"<title>Glue</title><main><h1>Glue</h1><p>{FILL}</p><h2 id=use>Use</h2>"
    f"<p>{FILL} Again.</p><pre>glue --hide</pre></main>"
)


def export(kind: type[RecordsExporter], tmp_path: Path) -> list[dict[str, Any]]:
    """The records of an item of the page, and of one without a URL."""
    crawler: Crawler = get_crawler(
        Spider, {"ADDONS": {"scrapy_mainpage.Addon": 500}, "MAINPAGE_INDEX": None}
    )
    response = HtmlResponse(URL, body=BODY.encode(), encoding="utf-8")
    item = {"url": URL}
    pages = CrawlState.of(crawler).keep(ItemPages)
    pages.remember(item, ItemOrigin(mainpage(response), {}), response)
    path = tmp_path / "records.jsonl"
    with path.open("wb") as file:
        exporter = kind.from_crawler(crawler, file, encoding="utf-8")
        exporter.start_exporting()
        exporter.export_item(item)
        exporter.export_item({"name": "no URL"})
        exporter.finish_exporting()
    return list(map(json.loads, path.read_text("utf-8").splitlines()))


def test_passages_have_the_markdown_and_path_of_their_section(tmp_path: Path) -> None:
    records = export(PassagesExporter, tmp_path)
    (record,) = records  # two small neighbours
    assert record["path"] == ["Glue"]
    assert "## Use\n\n" in record["markdown"]
    assert record["markdown"].endswith("```\nglue --hide\n```")
    assert record["words"] == 34


def test_docsearch_has_a_record_for_each_heading(tmp_path: Path) -> None:
    records = export(DocsearchExporter, tmp_path)
    names = [each["hierarchy"]["lvl2"] for each in records if each["type"] == "lvl2"]
    assert names == ["Use"]


@pytest.mark.parametrize("name", ["docsearch", "passages", "spreadsheet"])
def test_addon_names_the_formats_of_feeds(name: str) -> None:
    crawler = get_crawler(Spider, {"ADDONS": {"scrapy_mainpage.Addon": 500}})
    crawler._apply_settings()
    assert name in crawler.settings.getwithbase("FEED_EXPORTERS")


class Formula:
    def __str__(self) -> str:
        return "=1+1"


def test_no_cell_of_a_spreadsheet_begins_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    texts = ["=1+1", " @a", "\t-a", "+1", "\uff1d1", "\ufeff=1"]
    values = [*texts, b"=1+1", Formula(), "a=b", "5", "", -3]
    with path.open("wb") as file:
        exporter = SpreadsheetExporter(file)
        exporter.start_exporting()
        for value in values:
            exporter.export_item({"=A1": value, "tags": ["=1", "b"]})
        exporter.finish_exporting()
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    guarded = [f"'{text}" for text in (*texts, "=1+1", "=1+1")]
    assert [row["'=A1"] for row in rows] == [*guarded, "a=b", "5", "", "-3"]
    assert rows[0]["tags"] == "'=1,b"
