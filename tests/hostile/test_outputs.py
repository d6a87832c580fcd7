"""Hostile pages: a text or a reason for each, and outputs in proportion to the page."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from lxml import html as lxml_html

import scrapy_mainpage
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.tree import (
    EMPTY,
    NO_MAIN_CONTENT,
    NO_TEXT,
    REASONS,
)
from scrapy_mainpage.page import Page
from tests.mockserver import serve

from .embedded import EMBEDDED
from .inputs import AMPLIFYING, HOSTILE
from .making import URL, make_outputs, measure, normal

SIZE = 60_000
MAX_MEMORY_RATIO = 40
MAX_ELEMENT_BYTES = 1_500
MIN_MEMORY = 1_000_000
"""Bytes of memory for a page: per byte of it, for each element (without the parser's),
and in any case."""


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    """One that has loaded all that any of the outputs takes."""
    made = Extractor()
    for make in (normal, *AMPLIFYING.values()):
        measure(make(500), made)
    return made


def count_elements(page: Page) -> int:
    """The elements of the page's documents; none of a page that was not read."""
    content: Any = page._extraction
    return sum(each.document.n_elements for each in content._all()) if content else 0


@pytest.mark.parametrize("name", [*AMPLIFYING, *list(HOSTILE)[::8], *EMBEDDED])
def test_memory_is_in_proportion(name: str, extractor: Extractor) -> None:
    source = (AMPLIFYING | HOSTILE | EMBEDDED)[name](SIZE // 4)
    tracemalloc.start()
    try:
        page = extractor.extract(source, url=URL)
        [*make_outputs(page)]
        memory = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    most = MIN_MEMORY + MAX_MEMORY_RATIO * len(source)
    assert memory <= most + MAX_ELEMENT_BYTES * count_elements(page)


@pytest.mark.parametrize("name", [name for name in AMPLIFYING if "a long base" in name])
def test_addresses_that_are_left_out_are_said(name: str, extractor: Extractor) -> None:
    few = extractor.extract(AMPLIFYING[name](100), url=URL)
    many = extractor.extract(AMPLIFYING[name](SIZE * 2), url=URL)
    assert len(few.html) > 0
    assert few.warnings == ()
    assert len(many.html) > 0
    assert many.warnings == ("outputs_cut",)
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


TABLE_SIZE = 20_000
WHY = {EMPTY, NO_TEXT, NO_MAIN_CONTENT, *REASONS}


def check(page: Page) -> None:
    """Everything can be asked for; nothing is silently empty."""
    assert page.text or WHY.intersection(page.warnings), page.warnings
    data = page.as_dict(blocks=True)
    assert data["text"] == page.text
    for part in ("sections", "comments", "all_links", "page_type", "language"):
        getattr(page, part)
    if page.blocks:
        # Where paths would outgrow the page, elements are counted.
        assert page.blocks[-1].xpath.startswith(("/html[1]", "(//*)["))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_has_a_text_or_a_reason(name: str, extractor: Extractor) -> None:
    check(extractor.extract(HOSTILE[name](TABLE_SIZE), url=URL))


LOADS = (
    "<!DOCTYPE html SYSTEM '{0}/dtd' [<!ENTITY file SYSTEM 'file://{1}'><!ENTITY url "
    "SYSTEM '{0}/entity'>]><?xml-stylesheet href='{0}/xsl'?><base href='{0}/'><link "
    "rel=stylesheet href='{0}/css'><link rel=import href='{0}/import'><script src='{0}/"
    "js'></script><style>@import '{0}/style'</style><article><h1>River</h1><p>A river "
    "runs through &file; and &url; old towns.<p><img src='{0}/i'><iframe src='{0}/"
    "frame'></iframe><object data='file://{1}'></object><embed src='{0}/embed'><video "
    "src='{0}/video'></video><svg><use href='{0}/svg#a'/></svg><xi:include href='file://"
    "{1}'/></article>"
)


def test_nothing_but_queues_and_pipes_is_unpickled() -> None:
    package = Path(scrapy_mainpage.__file__).parent
    files = (path for kind in ("*.py", "*.pyx") for path in package.rglob(kind))
    found = {path.name for path in files if "pickle.load" in path.read_text("utf-8")}
    assert found == {"queue.py", "worker.py"}


def test_nothing_that_a_page_names_is_loaded(
    tmp_path: Path, extractor: Extractor
) -> None:
    (tmp_path / "file").write_text("secret words")
    with serve({}) as site:
        html = LOADS.format(site.url, tmp_path / "file")
        for source in (html, html.encode()):
            page = extractor.extract(source, url=f"{site.url}/page")
            made = repr([*make_outputs(page), page.as_dict(blocks=True)])
            assert "old towns" in made
            assert "secret" not in made
            assert not site.requests
