"""Invariants of every page, however malformed."""

from __future__ import annotations

import json
import pickle
import zlib
from collections import Counter
from functools import partial
from itertools import product
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from unicodedata import normalize

from lxml import etree

from lab.tables import Table
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.report import write_report
from tests.extraction.output.test_html import check as check_html
from tests.extraction.soundness import check_ranges
from tests.hostile.embedded import RECORDS, SHARED, STRUCTURES, WAYS, embedded
from tests.hostile.inputs import (
    AMPLIFYING,
    ATTRIBUTES,
    DATA,
    ENCODINGS,
    FLOODS,
    NESTING,
    WORDING,
)
from tests.hostile.making import (
    MAX_RATIO,
    MEGABYTE,
    MIN_CHARS,
    Make,
    make_outputs,
    measure,
)

if TYPE_CHECKING:
    from lxml.etree import _Element

    from scrapy_mainpage import Page

#: A flat page has blocks of text below its body.
MAX_FLAT_DEPTH = 8
#: Blocks of a page that are looked up in its tree.
LOOKED_FOR = 12
#: Characters that the text adds to that of the blocks: numbers of lists.
NUMBERS = set("0123456789.")
#: Those that both add: marks of superscripts (also a raised minus), notes and readings.
MARKS = NUMBERS | set("^_[]()\N{MINUS SIGN}")


class BrokenError(AssertionError):
    """An invariant that a page violates."""


def require(holds: object, what: str) -> None:
    """Raise :exc:`BrokenError` with *what* should hold, unless it does."""
    if not holds:
        raise BrokenError(what)


# --- The document


def check_flat(page: bytes) -> None:
    """Check that a flattened page is UTF-8, and not deep when parsed."""
    page.decode("utf-8")
    document = read_tree(parse_html(page))
    check_ranges(document)
    deepest = int(document.elements.depth.max(initial=0))
    require(deepest <= MAX_FLAT_DEPTH, "no element is too deep")


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
    for part, _, characters in make_outputs(page):
        bounded = characters <= MAX_RATIO * size + MIN_CHARS
        require(bounded, f"{part} is bounded by the page")
    json.dumps(page.as_dict(blocks=True))


def check_report(page: Page) -> None:
    """Make the visual report of a page, which takes longer than all other outputs."""
    write_report(page).encode("utf-8")


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


# --- A table

KINDS: dict[str, dict[str, Make]] = {}
KINDS |= {way: {s: partial(embedded, way, s) for s in STRUCTURES} for way in WAYS}
KINDS |= {"repeated outputs": AMPLIFYING, "shared data": SHARED, "records": RECORDS}
KINDS |= {"nesting": NESTING, "attributes": ATTRIBUTES, "floods": FLOODS}
KINDS |= {"wording": WORDING, "data": DATA, "encodings": ENCODINGS}

#: Seconds for an output of a page of any size, beside one for each megabyte of it.
MIN_COST = 0.5


class Cost(NamedTuple):
    """Seconds of the slowest output of a page and of all, size of the largest."""

    page: str
    size: int
    slowest: str
    seconds: float
    all: float
    largest: str
    times: float

    @classmethod
    def of(cls, page: str, source: bytes, extractor: Extractor) -> Cost:
        """Measure it, twice where that is too long: others may slow it down."""
        parts = measure(source, extractor)
        slowest = max(parts, key=lambda part: parts[part][0])
        largest = max(parts, key=lambda part: parts[part][1])
        seconds, times = parts[slowest][0], parts[largest][1] / len(source)
        total = sum(part for part, _ in parts.values())
        found = cls(page, len(source), slowest, seconds, total, largest, times)
        if found.pace > 1:
            again = measure(source, extractor)[slowest][0]
            found = found._replace(seconds=min(seconds, again))
        return found

    @property
    def pace(self) -> float:
        """Seconds beside those that its size allows to an output."""
        return self.seconds / (MIN_COST + self.size / MEGABYTE)

    @property
    def is_over(self) -> bool:
        """Whether an output takes too long, or outgrows the page."""
        return self.pace > 1 or self.times > MAX_RATIO + MIN_CHARS / self.size

    def __str__(self) -> str:
        return (
            f"{'OVER ' * self.is_over}{self.page}, {self.size / MEGABYTE:.1f} MB: "
            f"{self.slowest} {self.seconds:.2f} s, all {self.all:.2f} s, "
            f"{self.largest} {self.times:.1f} times the page"
        )


def table(sizes: list[int], step: int, *, is_recorded: bool) -> int:
    """Print what hostile pages of some *sizes* cost, and return the number of faults.

    Each structure in each way to embed it, and each *step*-th page of the tests; then
    the worst of each kind.
    """
    header = "Kind,Pages,Over,Slowest,MB,Output,Seconds,All,Largest,Output,Times"
    result = Table("Worst", header.split(","), name="evaluation-hostile")
    extractor = Extractor()
    for make in [*RECORDS.values()][::3]:
        measure(make(2_000), extractor)  # loads all that any of the outputs takes
    for kind, pages in KINDS.items():
        costs, chosen = [], [*pages.items()][:: 1 if kind in WAYS else step]
        for (name, make), size in product(chosen, sizes):
            costs.append(Cost.of(name, make(size), extractor))
            print(f"{kind}: {costs[-1]}", flush=True)
        slow, large = (max(costs, key=attrgetter(key)) for key in ("pace", "times"))
        row: list[Any] = [kind, len(costs), sum(cost.is_over for cost in costs)]
        row += [slow.page, slow.size / MEGABYTE, *slow[2:5], large.page, *large[5:]]
        result.rows.append(row)
    print(result)
    if is_recorded:
        result.write()
    return sum(row[2] for row in result.rows)
