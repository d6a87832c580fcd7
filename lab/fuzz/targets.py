"""Fuzz targets: functions of an input, with checks of their output."""

from __future__ import annotations

from collections.abc import Callable

import scrapy_mainpage
from scrapy_mainpage.extraction import extractor
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.parsing.encoding import to_utf8
from scrapy_mainpage.extraction.parsing.tree import Limits, parse_html
from tests.extraction.soundness import check_document, check_ranges, same_documents

from . import checks
from .seeds import real_page

Target = Callable[[bytes], None]


def document(data: bytes) -> None:
    """The document pass over the tree of any bytes."""
    root = parse_html(data.decode("utf-8", "replace"))
    document = read_tree(root)
    check_ranges(document)
    if checks.chosen(data, 16):
        again = same_documents(document, read_tree(root))
        checks.require(again, "the same document twice")


def reread(data: bytes) -> None:
    """The document of any bytes against their tree, read again."""
    check_document(parse_html(data.decode("utf-8", "replace")))


def trees(data: bytes) -> None:
    """The same of trees from the tests' strategies."""
    from tests.extraction.document.test_document_generated import test_built_trees

    test_built_trees.hypothesis.fuzz_one_input(data)


def flattening(data: bytes) -> None:
    """Pages as flat text, under usual and very low limits."""
    low = Limits(max_elements=8, max_text_node=12)
    limits = low if checks.chosen(data, 2) else Limits()
    checks.check_flat(limits.flatten(to_utf8(data)).html)


_extractor = extractor.Extractor()
_extract = _extractor.extract


def extract(data: bytes) -> None:
    """The whole extraction with every output, from bytes and from text."""
    url = "https://example.com/a/b?c=d"
    if checks.chosen(data, 3):
        page = scrapy_mainpage.extract(data, url=url)
        checks.check_page(page)
        checks.check_outputs(page, len(data))
        if checks.chosen(data, 24):
            checks.check_report(page)
        return
    html = data.decode("utf-8", "replace")
    page = _extract(html, url=url)
    checks.check_page(page)
    # At a NUL the parser alone would end a text.
    check = checks.check_paths if "\0" in html else checks.check_origin
    check(page, parse_html(html))
    if checks.chosen(data, 8):
        checks.check_again(page, _extract(html, url=url))
    if checks.chosen(data, 4):
        checks.check_outputs(page, len(data))


def pages(data: bytes) -> None:
    """Real pages, cut off, with bytes flipped, tags shuffled; the input chooses."""
    page = real_page(data)
    document(page)
    if checks.chosen(data, 4):
        extract(page)


TARGETS: dict[str, Target] = {
    item.__name__: item
    for item in (document, reread, trees, flattening, extract, pages)
}
#: Their inputs are choices and no markup.
CHOICES = ("trees", "pages")
