"""Every output of a hostile page is bounded by the page, in size, memory and time."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from time import process_time
from typing import Any

import pytest
from lxml import html as lxml_html

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.result import Extraction
from scrapy_mainpage.indexes.passages import PassageSplitter
from scrapy_mainpage.page import Page
from scrapy_mainpage.pipelines.index_documents import DocumentMaker
from scrapy_mainpage.report import write_report

from .amplifying import AMPLIFYING
from .inputs import HOSTILE, normal

URL = "http://a.example/x"
SIZE = 60_000

MAX_RATIO = 20
MIN_CHARS = 200_000
"""Of the part that is in any output, whatever the page."""

MAX_REPORT_CHARS = 1_000_000
MAX_MEMORY_RATIO = 40
MAX_ELEMENT_BYTES = 1_500
MIN_MEMORY = 1_000_000
"""Bytes of memory for a page: per byte of it, for each element (without the parser's),
and in any case."""

MAX_GROWTH = 3.2
"""Of time at a doubled size; a step that takes the square of the size has 4."""

MIN_SECONDS = 0.08
PARTS = (
    "text markdown html blocks all_links media sections comments metadata page_types "
    "page_links next_page previous_page search_form posts entries product recipe event "
    "job place"
).split()


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    made = Extractor()
    made.extract(normal(SIZE)).as_dict(blocks=True)
    return made


def count_chars(value: Any) -> int:
    """The characters in a value and its parts."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return count_chars([*value, *value.values()])
    if isinstance(value, list | tuple):
        return sum(map(count_chars, value))
    if is_dataclass(value):
        return sum(count_chars(getattr(value, item.name)) for item in fields(value))
    return 0


def count_elements(page: Page) -> int:
    """The elements of the page's document; none of a page that was not read."""
    content = page._extraction
    return content.document.n_elements if isinstance(content, Extraction) else 0


def make_outputs(page: Page) -> Iterator[tuple[str, int]]:
    """Name and size of each output of a page."""
    for part in PARTS:
        yield part, count_chars(getattr(page, part))
    maker = DocumentMaker(splitter=PassageSplitter(100, 50))
    document = maker.make({"url": URL}, page)
    if not isinstance(document, str):
        yield "document", len(json.dumps(document.as_dict(), ensure_ascii=False))


@pytest.mark.parametrize("name", [*AMPLIFYING, *list(HOSTILE)[::8]])
def test_no_output_outgrows_its_page(name: str, extractor: Extractor) -> None:
    make = AMPLIFYING.get(name) or HOSTILE[name]
    source = make(SIZE // 2 if name in AMPLIFYING else SIZE // 4)
    tracemalloc.start()
    try:
        page = extractor.extract(source, url=URL)
        sizes = dict(make_outputs(page))
        memory = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    largest = MAX_RATIO * len(source) + MIN_CHARS
    assert not {part: size for part, size in sizes.items() if size > largest}
    most = MIN_MEMORY + MAX_MEMORY_RATIO * len(source)
    assert memory <= most + MAX_ELEMENT_BYTES * count_elements(page)


@pytest.mark.parametrize("name", [name for name in AMPLIFYING if "around" in name])
def test_no_report_outgrows_its_page(name: str, extractor: Extractor) -> None:
    source = AMPLIFYING[name](SIZE)
    report = write_report(extractor.extract(source, url=URL))
    assert len(report) <= MAX_RATIO * len(source) + MAX_REPORT_CHARS


def steep_parts(name: str, extractor: Extractor) -> list[str]:
    """The parts whose time grows faster than the page, at two doublings."""
    seconds = [part_seconds(AMPLIFYING[name](size), extractor) for size in SIZES]
    return [
        part
        for part, longest in seconds[-1].items()
        if longest > MIN_SECONDS
        and longest > MAX_GROWTH**2 * max(seconds[0].get(part, 0.0), 1e-3)
    ]


SIZES = (30_000, 120_000)


def part_seconds(source: bytes, extractor: Extractor) -> dict[str, float]:
    page = extractor.extract(source, url=URL)
    seconds, start = {}, process_time()
    for part, _ in make_outputs(page):
        seconds[part], start = process_time() - start, process_time()
    return seconds


@pytest.mark.parametrize("name", AMPLIFYING)
def test_no_output_takes_more_than_its_share_of_time(
    name: str, extractor: Extractor
) -> None:
    # A busy machine may be slow once, not twice at the same place.
    assert not set(steep_parts(name, extractor)) & set(steep_parts(name, extractor))


@pytest.mark.parametrize("name", [name for name in AMPLIFYING if "a long base" in name])
def test_addresses_that_are_left_out_are_said(name: str, extractor: Extractor) -> None:
    few = extractor.extract(AMPLIFYING[name](100), url=URL)
    many = extractor.extract(AMPLIFYING[name](SIZE * 2), url=URL)
    assert "addresses" not in few.warnings
    assert "addresses" in many.warnings
    assert many.text


def test_of_an_ordinary_page_no_address_is_left_out(extractor: Extractor) -> None:
    page = extractor.extract(normal(200_000), url=f"http://a.example/{'a' * 500}/")
    assert page.warnings == ()
    assert len(page.all_links) == normal(200_000).count(b"<a ")


def test_an_absolute_address_is_kept_whatever_the_base(extractor: Extractor) -> None:
    source = AMPLIFYING["a long base and links"](SIZE * 2)
    page = extractor.extract(source + b"<p><a href='http://b.example/'>b</a>", url=URL)
    assert page.all_links[-1].url == "http://b.example/"


def test_a_short_path_finds_its_block(extractor: Extractor) -> None:
    source = AMPLIFYING["long names around paragraphs"](SIZE)
    tree = lxml_html.document_fromstring(source)
    blocks = extractor.extract_tree(tree, url=URL).blocks
    assert blocks[0].xpath.startswith("/html")
    for block in blocks[-5:]:
        assert block.xpath.startswith("(//*)[")
        (found,) = tree.xpath(block.xpath)
        assert " ".join(found.text_content().split()) == block.text


def test_lists_and_quotations_end_where_their_prefixes_outgrow_the_page(
    extractor: Extractor,
) -> None:
    markdown = extractor.extract(AMPLIFYING["quotations around items"](SIZE)).markdown
    prefixes = [line.partition("- a river")[0] for line in markdown.splitlines()]
    assert len(max(prefixes, key=len)) > 40
    assert prefixes[-1] == "a river runs"
