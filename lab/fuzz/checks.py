"""Invariants of every page, however malformed."""

from __future__ import annotations

import json
import pickle
import zlib
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, cast
from unicodedata import normalize

import numpy as np
from lxml import etree

from scrapy_mainpage.extraction.document.document import Document, read_tree
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.report import write_report
from tests.extraction.output.test_html import check as check_html
from tests.hostile.test_outputs import (
    MAX_RATIO,
    MIN_CHARS,
    make_outputs,
    part_seconds,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lxml.etree import _Element

    from scrapy_mainpage import Page
    from scrapy_mainpage.extraction.extractor import Extractor

#: Bytes of the two floods that are compared.
FLOOD_SIZES = (16_000, 64_000)
#: Of an output's time in a step, against that of the page's size.
MAX_GROWTH = 2.2
#: Shorter times are too noisy to compare. A busy machine may be slow a few times.
MIN_SECONDS = 0.1
TIMES = 3
#: A flat page has blocks of text below its body.
MAX_FLAT_DEPTH = 8
#: Blocks of a page that are looked up in its tree.
LOOKED_FOR = 12
#: Characters that the text adds to that of the blocks: numbers of lists.
NUMBERS = set("0123456789.")
#: Those that both add to the page: marks of superscripts and footnotes, too.
MARKS = NUMBERS | set("^_[]")


class BrokenError(AssertionError):
    """An invariant that a page violates."""


def require(holds: object, what: str) -> None:
    """Raise :exc:`BrokenError` with *what* should hold, unless it does."""
    if not holds:
        raise BrokenError(what)


# --- The document


def check_document(document: Document) -> None:
    """Check that all ranges are ordered and within their arrays."""
    elements, blocks, runs = document.elements, document.blocks, document.runs
    n_elements, n_blocks, n_runs = len(elements.tag), len(blocks.start), len(runs.kind)
    place = np.arange(n_elements)
    require((elements.parent < place).all(), "a parent is before its child")
    require((elements.end > place).all(), "an element holds itself")
    _check_in(elements.end, n_elements, "the end of an element")
    for first, end, most, what in (
        (elements.first_block, elements.end_block, n_blocks, "an element's blocks"),
        (elements.first_run, elements.end_run, n_runs, "an element's runs"),
        (blocks.first_run, blocks.end_run, n_runs, "a block's runs"),
        (blocks.start, blocks.end, len(document.text), "a block's text"),
    ):
        _check_in(first, most, what)
        _check_in(end, most, what)
        require((first <= end).all(), f"{what} end after they begin")
        require((np.diff(first) >= 0).all(), f"{what} are in order")
    require((blocks.end[:-1] <= blocks.start[1:]).all(), "blocks do not overlap")
    _check_in(blocks.element, n_elements - 1, "a block's element")
    for name in ("words", "chars", "linked_words", "sentences", "commas", "digits"):
        require((getattr(blocks, name) >= 0).all(), f"{name} are counted")
    require((blocks.linked_words <= blocks.words).all(), "linked words are words")
    document.text.decode("utf-8")
    document.values.decode("utf-8")


def check_flat(page: bytes) -> None:
    """Check that a flattened page is UTF-8, and not deep when parsed."""
    page.decode("utf-8")
    document = read_tree(parse_html(page))
    check_document(document)
    deepest = int(document.elements.depth.max(initial=0))
    require(deepest <= MAX_FLAT_DEPTH, "no element is too deep")


def _check_in(column: np.ndarray, most: int, what: str) -> None:
    require(((column >= 0) & (column <= most)).all(), f"{what} is inside the document")


def check_read_only(root: _Element) -> Document:
    """Read the tree twice: it stays as it was, and the documents are equal."""
    before = etree.tostring(root)
    document = read_tree(root)
    require(etree.tostring(root) == before, "the tree stays as it was")
    require(same_documents(document, read_tree(root)), "the same document twice")
    return document


def same_documents(one: Document, other: Document) -> bool:
    """Whether they are equal in all that they hold."""
    return (
        one.text == other.text
        and one.values == other.values
        and one.extra_tags == other.extra_tags
        and all(map(np.array_equal, _columns(one), _columns(other)))
    )


def _columns(document: Document) -> Iterable[np.ndarray]:
    return chain(
        document.elements, document.blocks, document.runs,
        document.attributes, document.tokens, document.lines,
    )  # fmt: skip


# --- The page


def check_page(page: Page) -> None:
    """Read every output of a page, and check them against each other."""
    require(page.text.strip() or page.warnings, "an empty result has a warning")
    require(0 <= page.words <= page.words_total, "words are counted")
    check_html(page.html)
    page.markdown.encode("utf-8")
    page.metadata.as_dict()
    blocks = page.blocks
    require([b.index for b in blocks] == list(range(len(blocks))), "blocks in order")
    for block in blocks:
        require(block.words >= 0, "a block's words are counted")
        require(0 <= block.link_density <= 1, "a link density is a share")
        require(0 <= block.score <= 1, "a score is from 0 to 1")
    for section in page.sections:
        in_order = 0 <= section.first_block <= section.end_block <= len(blocks)
        require(in_order, "a section is a range of blocks")
    for part in (page.all_links, page.media):
        require(isinstance(part, tuple), "links and media are read")
    if not page.warnings:
        check_text(page)


def check_outputs(page: Page, size: int) -> None:
    """Make every output and an index document of a page of *size* bytes."""
    for part, characters in make_outputs(page):
        bounded = characters <= MAX_RATIO * size + MIN_CHARS
        require(bounded, f"{part} is bounded by the page")
    json.dumps(page.as_dict(blocks=True))


def check_report(page: Page) -> None:
    """Make the visual report of a page, which takes longer than all other outputs."""
    write_report(page).encode("utf-8")


def check_growth(make: Callable[[int], bytes], extractor: Extractor) -> None:
    """Check that no output's time outgrows the page, given a page of any size."""
    limit = MAX_GROWTH * FLOOD_SIZES[1] / FLOOD_SIZES[0]
    steep: set[str] | None = None
    for _ in range(TIMES):
        small, large = (part_seconds(make(k), extractor) for k in FLOOD_SIZES)
        found = {
            part
            for part, seconds in large.items()
            if seconds > MIN_SECONDS and seconds > limit * small.get(part, 0.0)
        }
        steep = found if steep is None else steep & found
        if not steep:
            return
    require(not steep, f"{steep} grow no faster than the page")


def check_text(page: Page) -> None:
    """Check that the text is that of the main blocks, blanks and numbers left aside."""
    own = _letters("".join(block.text for block in page.blocks if block.is_main))
    text = _letters(page.text)
    rest = iter(text)
    require(all(letter in rest for letter in own), "main blocks are the text, in order")
    added = Counter(text) - Counter(own)
    require(added.keys() <= NUMBERS, "the text is that of main blocks")


def _letters(text: str) -> str:
    return "".join(text.split())


def check_origin(page: Page, root: _Element) -> None:
    """Check that every character is the page's, and that blocks are found in it."""
    check_paths(page, root)
    has_formula = next(root.iter("math"), None) is not None  # it is written in LaTeX
    own = set(page.sources) <= {"document", "noscript"} and not has_formula
    if own and not page.warnings:
        raised = set(normalize("NFKD", _letters(page.text))) - MARKS
        require(raised <= _letters_of(root), "its own characters")


def check_paths(page: Page, root: _Element) -> None:
    """Check that the XPath of a block finds its element."""
    if page.warnings:  # some of the page was left out, or read in another way
        return
    tree = etree.ElementTree(root)
    for block in page.blocks[:: max(1, len(page.blocks) // LOOKED_FOR)]:
        found = cast("list[_Element]", tree.xpath(block.xpath))
        require(len(found) == 1, f"{block.xpath} finds one element")
        own = block.source in ("document", "noscript")
        same = not own or etree.QName(found[0]).localname.lower() == block.tag.lower()
        require(same, f"{block.xpath} finds a {block.tag}")


def _letters_of(root: _Element) -> set[str]:
    """The characters of a tree; an unknown entity stands for itself."""
    known = set("&;").union(*map(str, root.itertext()))
    known.update(*(node.text or "" for node in root.iter(etree.Entity)))
    return known | set(normalize("NFKD", "".join(known)))


def check_again(page: Page, again: Page) -> None:
    """Check that another extraction, and a pickle, give the same."""
    for other, what in (
        (again, "the same page twice"),
        (pickle.loads(pickle.dumps(page)), "the same page from a pickle"),
    ):
        require(page == other, what)
        for name in ("text", "markdown", "html", "blocks", "links", "metadata"):
            same = getattr(page, name) == getattr(other, name)
            require(same, f"{what}: {name}")


def chosen(data: bytes, of: int) -> bool:
    """Whether to run a slow check on this input."""
    return zlib.crc32(data) % of == 0
