"""A page as its users see it: in a shell, a notebook, a feed and as an item."""

from __future__ import annotations

import csv
import json
import pickle
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import attrs
import pytest
from itemadapter import ItemAdapter

from scrapy_mainpage import Page, extract
from scrapy_mainpage.page import MAX_SHOWN_TEXT, Metadata
from tests.crawling import crawl
from tests.fakepages import page_with
from tests.mockserver import article, html, serve

URL = "http://example.com/blog/chair"
HTML = """<html lang="en"><title>Loose chairs</title>
<meta name="author" content="Ines Maddow"><meta name="date" content="2026-10-30">
<link rel="canonical" href="http://example.com/chair">
<article><h1>Loose chairs</h1><p>Hide glue <a href="/glue">holds</a> &lt;b&gt;.</p>
<img src="/chair.jpg" alt="A chair"></article><nav><a href="/">Home</a></nav>"""


@pytest.fixture
def page() -> Page:
    return extract(HTML, url=URL, algorithm="semantic-markup")


def test_the_repr_is_one_short_line(page: Page) -> None:
    assert repr(page) == f"<Page 'Loose chairs' {URL} (6 of 7 words)>"
    head = "<title>" + "Loose chairs and tables " * 9 + "</title>"
    odd = extract(f"{head}<p>", url=None)
    assert len(repr(odd)) < 150
    assert "no_text" in repr(odd)


def test_the_repr_of_the_default_algorithm_has_the_confidence() -> None:
    text = "<p>Hide glue is the one the chair was probably built with.</p>" * 8
    page = extract(f"<h1>Loose chairs</h1>{text}")
    assert f"confidence {page.confidence:.2f}" in repr(page)


def test_the_string_is_the_text(page: Page) -> None:
    assert str(page) == f"{page}" == page.text


def test_a_notebook_shows_escaped_text_and_loads_nothing(page: Page) -> None:
    shown = page._repr_html_()
    assert "<strong>Loose chairs</strong>" in shown
    assert "holds &lt;b&gt;." in shown
    assert "<img" not in shown
    long = replace(page, text="glue " * MAX_SHOWN_TEXT)
    assert len(long._repr_html_()) < MAX_SHOWN_TEXT + 500


def test_the_dictionary_has_all_that_a_page_has(page: Page) -> None:
    methods = {"as_dict", "as_row", "empty", "to_item", "metadata", "markdown_of"}
    names = {name for name in dir(Page) if not name.startswith("_")} - methods
    names |= {item.name for item in (*fields(Page), *fields(Metadata))}
    names -= {"probabilities"}
    data = page.as_dict(blocks=True)
    assert set(data) | {"page_types"} == names | {
        "metadata_sources",
        "metadata_probabilities",
    }
    assert data["sections"][0]["heading"] == "Loose chairs"
    assert [link["label"] for link in data["all_links"]] == ["paragraph", "navigation"]
    json.dumps(data)


def test_the_row_has_no_nested_values(page: Page) -> None:
    for value in page.as_row().values():
        parts = value if isinstance(value, list) else [value]
        assert all(isinstance(part, str | int | float | None) for part in parts)


def test_derived_data_are_no_fields_and_stay_in_copies(page: Page) -> None:
    for seen in (asdict(page), ItemAdapter(page).asdict()):
        assert not [name for name in seen if name.startswith("_")]
    for copy in (replace(page, rendered=True), pickle.loads(pickle.dumps(page))):
        assert copy.markdown == page.markdown != ""


def test_a_spider_may_yield_the_page_itself(tmp_path: Path) -> None:
    feeds = {
        str(tmp_path / f"items.{name}"): {"format": name}
        for name in ("jsonlines", "csv", "xml")
    }
    main = '<p>A boat <a href="/trains">is no train</a>, as everybody knows.</p>'
    with serve({"/": html(article("boats", main=main))}) as site:
        url = site.url + "/"
        done = crawl("whole", {"FEEDS": feeds}, url=url)
    assert done.stat("item_scraped_count") == 1
    line = json.loads((tmp_path / "items.jsonlines").read_text())
    with (tmp_path / "items.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    tree = ElementTree.parse(tmp_path / "items.xml").getroot()
    element = {child.tag: child.text for child in tree[0]}
    for found in (line, row, element):
        assert (found["url"], found["title"]) == (url, "All about boats")
        assert "A boat is no train" in found["text"]
        assert not [name for name in found if name.startswith("_")]


def set_values(item: Any) -> dict[str, Any]:
    return attrs.asdict(item, filter=lambda field, value: field.init and value)


def test_a_page_is_an_article_of_zyte_common_items(page: Page) -> None:
    article = page.to_item()
    assert type(article).__name__ == "Article"
    found = set_values(article)
    found.pop("articleBodyHtml")
    assert found == {
        "url": URL,
        "canonicalUrl": "http://example.com/chair",
        "headline": "Loose chairs",
        "articleBody": page.text,
        "authors": [{"name": "Ines Maddow", "nameRaw": "Ines Maddow"}],
        "datePublished": "2026-10-30T00:00:00Z",
        "inLanguage": "en",
        "images": [{"url": "http://example.com/chair.jpg"}],
        "metadata": {},
    }


def test_a_product_is_one_with_the_probability_of_its_type() -> None:
    types = {"product": 0.7, "article": 0.2}
    page = page_with(type="product", types=types, html="<p>Rye.</p>")
    assert set_values(page.to_item()) == {
        "url": page.url,
        "name": "A title",
        "descriptionHtml": "<p>Rye.</p>",
        "metadata": {"probability": 0.7},
    }


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("2026-10-30", "2026-10-30T00:00:00Z"),
        ("2026-10-30T08:30:00", "2026-10-30T08:30:00Z"),
        ("2026-10-30T08:30:00+01:00", "2026-10-30T08:30:00+01:00"),
        ("2026-10", None),
    ],
)
def test_dates_of_items_have_a_time_and_a_zone(date: str, moment: str | None) -> None:
    html = f'<meta name="date" content="{date}"><p>Glue.'
    item = extract(html, url=URL, algorithm="danag").to_item()
    assert item.datePublished == moment


def test_an_item_needs_a_url() -> None:
    with pytest.raises(ValueError, match="needs the URL"):
        extract("<p>Glue.</p>").to_item()


def test_the_canonical_address_needs_no_other_metadata() -> None:
    page = extract('<link rel=canonical href="https://a.example/b"><p>Some text.')
    assert page._metadatum("canonical_url") == "https://a.example/b"
    assert "metadata" not in vars(page)
    assert page.metadata.canonical_url == "https://a.example/b"
