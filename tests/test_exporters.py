"""Feeds of records for search tools, in a crawl."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.exporters import (
    CsvItemExporter,
    JsonItemExporter,
    JsonLinesItemExporter,
    MarshalItemExporter,
    PickleItemExporter,
    XmlItemExporter,
)
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from scrapy_mainpage.crawl.crawl_state import CrawlState, ItemOrigin, ItemPages
from scrapy_mainpage.crawl.pages import mainpage, record_of
from scrapy_mainpage.exporters import (
    DocsearchExporter,
    PassagesExporter,
    RecordsExporter,
    SpreadsheetExporter,
)
from scrapy_mainpage.setting_readers import page_attributes
from scrapy_mainpage.spidermiddlewares import MainPageSpiderMiddleware
from tests.crawling import make_crawler
from tests.fakepages import ENTRIES, POSTS, PRODUCT, page_with

URL = "https://example.com/glue"
FILL = "These words say how hide glue is made, and what it is good for today."
BODY = (
    f"<title>Glue</title><main><h1>Glue</h1><p>{FILL}</p><h2 id=use>Use</h2>"
    f"<p>{FILL} Again.</p><pre>glue --hide</pre></main>"
)


def export(
    kind: type[RecordsExporter], tmp_path: Path, body: str = BODY, **settings: Any
) -> list[dict[str, Any]]:
    """The records of an item of the page, and of one without a URL."""
    crawler: Crawler = get_crawler(
        Spider, {"ADDONS": {"scrapy_mainpage.Addon": 500}, **settings}
    )
    response = HtmlResponse(URL, body=body.encode(), encoding="utf-8")
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


def test_parts_of_code_stay_in_their_fence(tmp_path: Path) -> None:
    """The text beside them is plain, as that of any part of a section."""
    code = "\n".join(f"    call({number})  # Once. Twice." for number in range(60))
    pre = (
        f'<dl><dt id=a>a(x)<dt id=b>b(x)<dd>{FILL}<pre class="language-python">if x:\n'
    )
    body = BODY.replace("</main>", f"{pre}{code}</pre><p>{FILL}</dl></main>")
    settings = {"MAINPAGE_INDEX_PASSAGE_WORDS": "80 tokens"}
    records = export(PassagesExporter, tmp_path, body, **settings)
    parts = [each for each in records if "call(" in each["text"]]
    assert len(parts) > 4
    for each in parts:
        lines = each["markdown"].split("\n")
        assert lines.count("```python") == lines.count("```") == 1
        assert "call(" in each["markdown"].split("```python\n")[1].split("\n```")[0]


def test_docsearch_has_a_record_for_each_heading(tmp_path: Path) -> None:
    records = export(DocsearchExporter, tmp_path)
    names = [each["hierarchy"]["lvl2"] for each in records if each["type"] == "lvl2"]
    assert names == ["Use"]


EXPORTERS = [
    *(JsonItemExporter, JsonLinesItemExporter, CsvItemExporter, XmlItemExporter),
    *(MarshalItemExporter, PickleItemExporter, SpreadsheetExporter),
]


@pytest.mark.parametrize("kind", EXPORTERS)
def test_every_feed_takes_every_field_of_a_page(kind: Any, tmp_path: Path) -> None:
    fields = {name.replace(".", "_"): name for name in page_attributes()}
    crawler = make_crawler(MAINPAGE_ITEM_FIELDS=fields)
    ours = MainPageSpiderMiddleware.from_crawler(crawler)
    response = HtmlResponse(URL, body=BODY.encode(), encoding="utf-8")
    records = page_with(product=PRODUCT, posts=POSTS, entries=ENTRIES)
    items = [ours.get_processed_item({}, response)]
    record_of(response).page = replace(records, url=URL)
    items += [ours.get_processed_item(item, response) for item in ({}, records)]
    items += [mainpage(response).as_dict(blocks=True)]
    assert items[0]["blocks"]
    assert items[1]["posts"]
    with (tmp_path / "feed").open("wb") as file:
        exporter = kind(file)
        exporter.start_exporting()
        for item in items:
            exporter.export_item(item)
        exporter.finish_exporting()


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
