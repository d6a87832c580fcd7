"""The text blocks of a page's main content, where its element is known.

The element is read without this package's own document, so that all extractors are
measured alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lxml import etree

from lab.evaluation.gold import find_elements
from scrapy_mainpage.evaluation.datasets import parse_page
from scrapy_mainpage.text.words import CJK

if TYPE_CHECKING:
    from lxml.etree import _Element

BLOCK_TAGS: Final = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl "
    "dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html "
    "legend li main menu nav ol option p pre search section summary table tbody td "
    "tfoot th thead tr ul".split()
)
HIDDEN_TAGS: Final = frozenset(
    "head iframe noscript object script select style svg template textarea".split()
)
HEADING_TAGS: Final = frozenset("h1 h2 h3 h4 h5 h6".split())

TABLE, CODE, LIST = "tables", "code", "lists"
KIND_OF: Final = {"table": TABLE, "pre": CODE, "ul": LIST, "ol": LIST}

MAX_SPAN_COLUMNS: Final = 1000
"""The largest ``colspan`` of the HTML standard."""

_WORD: Final = re.compile(rf"[{CJK}]|[^\W\d_{CJK}]+|\d+")
_BLANKS: Final = re.compile(r"[ \t\n\r\f]+")
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


def normalize(text: str) -> str:
    """*text* without regard to case, presentation forms and invisible characters."""
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()


def split_words(text: str) -> list[str]:
    """The words of *text*: runs of letters, runs of digits, and CJK characters.

    >>> split_words("Get_size: 20 m² [1] 正文\u200b¶")
    ['get', 'size', '20', 'm', '2', '1', '正', '文']
    """
    return _WORD.findall(normalize(text))


def split_lines(text: str) -> list[str]:
    """The words of each line that has any, with one blank between them."""
    lines = (" ".join(split_words(line)) for line in text.splitlines())
    return [line for line in lines if line]


@dataclass(frozen=True)
class TextBlock:
    """Text between the boundaries of block elements; a ``pre`` or a heading is one.

    ``level`` is that of a heading, 0 for other text; ``full_text`` is a heading's with
    the parts that are not content.
    """

    text: str
    words: tuple[str, ...]
    level: int = 0
    full_text: str = ""


@dataclass
class Cell:
    """A table cell: its text blocks from *start* to *end*, its row and first column."""

    row: int
    column: int
    start: int
    end: int


@dataclass
class Part:
    """A table, code block or list: its text blocks from *start* to *end*."""

    kind: str
    start: int
    end: int = 0
    cells: list[Cell] = field(default_factory=list)
    holds_tables: bool = False

    @property
    def counts(self) -> bool:
        """Whether it has text; and if it is a table, two rows and no table inside."""
        if self.kind != TABLE:
            return self.end > self.start
        rows = {cell.row for cell in self.cells if cell.end > cell.start}
        return len(rows) > 1 and not self.holds_tables


@dataclass(frozen=True)
class Content:
    """The main content of a page."""

    blocks: tuple[TextBlock, ...]
    parts: tuple[Part, ...]


def read_content(html: bytes, content: str, drop: str = "") -> Content:
    """Read the elements of the XPath *content* without those of *drop*.

    Raises :exc:`ValueError` if *content* selects no element of the page.
    """
    elements, dropped = find_elements(parse_page(html), content, drop)
    reader = _Reader(frozenset(dropped))
    for element in elements:
        reader.read(element)
    parts = tuple(part for part in reader.parts if part.counts)
    return Content(tuple(reader.blocks), parts)


class _Reader:
    """Collects the text blocks and parts of an element, without recursion."""

    def __init__(self, dropped: frozenset[_Element]):
        self.blocks: list[TextBlock] = []
        self.parts: list[Part] = []
        self._dropped = dropped
        self._text: list[str] = []
        self._full_text: list[str] = []
        self._open: list[Part] = []
        self._grids: list[_Grid] = []
        self._unit: _Element | None = None
        """The ``pre`` or heading whose text is one block."""

    def read(self, element: _Element) -> None:
        walker = etree.iterwalk(element, events=("start", "end", "comment", "pi"))
        skipped: _Element | None = None
        for event, node in walker:
            if event == "start":
                if node.tag in HIDDEN_TAGS or node in self._dropped:
                    skipped = node
                    walker.skip_subtree()
                    self._full_text.extend(node.itertext(etree.Element, "*"))
                else:
                    self._start(node)
                continue
            if node is skipped:
                skipped = None
            elif event == "end":
                self._end(node)
            if node is not element:
                self._add(node.tail)
        self._flush()

    def _add(self, text: str | None) -> None:
        if text:
            is_code = self._unit is not None and self._unit.tag == "pre"
            text = text if is_code else _BLANKS.sub(" ", text)
            self._text.append(text)
            self._full_text.append(text)

    def _start(self, node: _Element) -> None:
        if node.tag == "br":
            self._text.append("\n")
        elif node.tag in BLOCK_TAGS:
            self._flush()
            self._open_part(node)
            if self._unit is None and (node.tag == "pre" or node.tag in HEADING_TAGS):
                self._unit = node
        self._add(node.text)

    def _end(self, node: _Element) -> None:
        if node.tag not in BLOCK_TAGS:
            return
        if node is self._unit:
            self._unit = None
            self._flush(node)
        else:
            self._flush()
        self._close_part(node)

    def _flush(self, unit: _Element | None = None) -> None:
        """End a text block; within a unit, a line. *unit* is one that ends here."""
        if self._unit is not None:
            self._text.append("\n")
            return
        text, full_text = "".join(self._text).strip(), "".join(self._full_text)
        self._text.clear()
        self._full_text.clear()
        words = tuple(split_words(text))
        if unit is not None and unit.tag in HEADING_TAGS and words:
            block = TextBlock(text, words, int(unit.tag[1]), full_text)
            self.blocks.append(block)
        elif unit is not None and _are_line_numbers(text.split()):
            pass
        elif words or (unit is not None and text):
            self.blocks.append(TextBlock(text, words))

    def _open_part(self, node: _Element) -> None:
        place = len(self.blocks)
        if node.tag in KIND_OF:
            self._open.append(Part(KIND_OF[node.tag], place))
        if node.tag == "table":
            for grid in self._grids:
                grid.table.holds_tables = True
            self._grids.append(_Grid(self._open[-1]))
        elif self._grids and node.tag == "tr":
            self._grids[-1].start_row()
        elif self._grids and node.tag in ("td", "th"):
            self._grids[-1].start_cell(node, place)

    def _close_part(self, node: _Element) -> None:
        place = len(self.blocks)
        if node.tag in KIND_OF:
            part = self._open.pop()
            part.end = place
            around = {other.kind for other in self._open}
            if part.kind == TABLE or part.kind not in around:
                self.parts.append(part)
        if node.tag == "table":
            self._grids.pop()
        elif self._grids and node.tag in ("td", "th"):
            self._grids[-1].end_cell(place)


class _Grid:
    """The columns of a table's cells, which cells with spans push to the right."""

    def __init__(self, table: Part):
        self.table = table
        self._row = -1
        self._column = 0
        self._taken: Counter[int] = Counter()
        """Rows from this one on that a cell takes, by column."""

    def start_row(self) -> None:
        self._row += 1
        self._column = 0
        self._taken = Counter({c: n - 1 for c, n in self._taken.items() if n > 1})

    def start_cell(self, node: _Element, place: int) -> None:
        while self._taken[self._column]:
            self._column += 1
        self.table.cells.append(Cell(self._row, self._column, place, place))
        for _ in range(_span(node, "colspan")):
            self._taken[self._column] = _span(node, "rowspan")
            self._column += 1

    def end_cell(self, place: int) -> None:
        if self.table.cells:
            self.table.cells[-1].end = place


def _are_line_numbers(words: list[str]) -> bool:
    """Whether *words* count the lines of code that stands beside them."""
    return len(words) > 1 and words == [str(k + 1) for k in range(len(words))]


def _span(cell: _Element, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return max(1, min(int(value), MAX_SPAN_COLUMNS)) if value.isdecimal() else 1
