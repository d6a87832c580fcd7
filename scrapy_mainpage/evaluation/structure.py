"""Whether tables, code, lists and headings come out whole, where the element is known.

A page with element truth names the element that holds its main content. Its text blocks
are held against the extracted text: as lines, for what stands on lines of its own, and
as words in their order.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree
from w3lib.encoding import html_to_unicode

from ..extraction.parsing.tree import parse_html
from ..text.words import CJK
from .alignment import align

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element

BLOCKS: Final = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl "
    "dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html "
    "legend li main menu nav ol option p pre search section summary table tbody td "
    "tfoot th thead tr ul".split()
)
HIDDEN: Final = frozenset(
    "head iframe noscript object script select style svg template textarea".split()
)
HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6".split())

TABLE, CODE, LIST = "table", "code", "list"
KIND_OF: Final = {"table": TABLE, "pre": CODE, "ul": LIST, "ol": LIST}

MAX_EXACT_WORDS: Final = 10
"""A block of no more words is kept only with all of them."""
MIN_KEPT_SHARE: Final = 0.9
"""The share of its words that keeps a longer block."""
MIN_TORN_SHARE: Final = 0.1
"""With a smaller share of its words a table, a code block or a list is gone."""

_WORD: Final = re.compile(rf"[{CJK}]|[^\W\d_{CJK}]+|\d+")
_FORMAT: Final = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


def split_words(text: str) -> list[str]:
    """The words of *text*, numbers apart, without regard to case and presentation.

    >>> split_words("Get_size: 20 m² [1]\u200b¶")
    ['get', 'size', '20', 'm', '2', '1']
    """
    plain = unicodedata.normalize("NFKC", _FORMAT.sub("", text)).casefold()
    return _WORD.findall(plain)


def squeeze(text: str) -> str:
    """The characters of *text* without blanks."""
    return "".join(
        unicodedata.normalize("NFKC", _FORMAT.sub("", text)).casefold().split()
    )


@dataclass(frozen=True)
class Block:
    """A text block of the content. *heading* is its level, 0 for other text."""

    text: str
    words: tuple[str, ...]
    heading: int = 0
    whole_text: str = ""
    """A heading's text with the parts that are no content."""


@dataclass
class Cell:
    """A cell of a table: its blocks from *start* to *end*, and where it begins."""

    row: int
    column: int
    start: int
    end: int = 0


@dataclass
class Part:
    """A table, code block or list: its blocks from *start* to *end*."""

    kind: str
    start: int
    end: int = 0
    cells: list[Cell] = field(default_factory=list)
    is_layout: bool = False


@dataclass(frozen=True)
class Expected:
    """The text blocks of the main content, and its tables, code blocks and lists."""

    blocks: tuple[Block, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Structure:
    """Counts by name, and what is torn or gone, each with its first words."""

    counts: dict[str, int]
    faults: tuple[str, ...]


def measure_structure(
    html: bytes,
    content: str,
    drop: str | None,
    text: str,
    markdown: str | None = None,
) -> Structure:
    """Hold an extracted *text*, and its *markdown*, against a page's element truth.

    *content* is the XPath of the element of the main content, *drop* that of the parts
    inside it that are no content. Raises :exc:`ValueError` if *content* is not one
    element of the page.
    """
    return judge(read_expected(html, content, drop), text, markdown)


def read_expected(html: bytes, content: str, drop: str | None = None) -> Expected:
    """The structures that the element *content* of a page holds."""
    page = html_to_unicode(None, html, default_encoding="utf-8")[1]
    root = parse_html(page.encode("utf-8", "replace").decode("utf-8"))
    found = root.xpath(content)
    if not isinstance(found, list) or len(found) != 1:
        raise ValueError(f"{content} is not one element of the page")
    reader = _Reader(set(found[0].xpath(drop)) if drop else set())
    reader.read(found[0])
    parts = [part for part in reader.parts if _counts(part, reader.blocks)]
    return Expected(tuple(reader.blocks), tuple(parts))


def _counts(part: Part, blocks: Sequence[Block]) -> bool:
    if part.kind == TABLE:
        rows = {cell.row for cell in part.cells if cell.end > cell.start}
        return len(rows) > 1 and not part.is_layout
    return part.end > part.start


class _Reader:
    """Reads the text blocks of an element, without recursion."""

    def __init__(self, dropped: set[_Element]):
        self.dropped = dropped
        self.blocks: list[Block] = []
        self.parts: list[Part] = []
        self.text: list[str] = []
        self.open: list[Part] = []
        self.tables: list[_Grid] = []
        self.pre = 0
        self.heading: _Element | None = None

    def read(self, element: _Element) -> None:
        walker = etree.iterwalk(element, events=("start", "end", "comment", "pi"))
        skipped: _Element | None = None
        for event, node in walker:
            if event == "start":
                if skipped is None and (node.tag in HIDDEN or node in self.dropped):
                    skipped = node
                    walker.skip_subtree()
                elif skipped is None:
                    self._start(node)
                continue
            if event == "end":
                if skipped is None:
                    self._end(node)
                elif node is skipped:
                    skipped = None
            if skipped is None and node.tail and node is not element:
                self.text.append(node.tail)
        self._flush()

    def _start(self, node: _Element) -> None:
        tag = node.tag
        if tag == "br":
            self.text.append("\n")
        elif tag in BLOCKS:
            self._flush()
            if tag in HEADINGS and self.heading is None:
                self.heading = node
            self._open(node)
        if node.text:
            self.text.append(node.text)

    def _open(self, node: _Element) -> None:
        tag, place = node.tag, len(self.blocks)
        if tag == "pre":
            self.pre += 1
        if tag in KIND_OF:
            self.open.append(Part(KIND_OF[tag], place))
        if tag == "table":
            for grid in self.tables:
                grid.part.is_layout = True
            self.tables.append(_Grid(self.open[-1]))
        elif self.tables and tag == "tr":
            self.tables[-1].start_row()
        elif self.tables and tag in ("td", "th"):
            self.tables[-1].start_cell(node, place)

    def _end(self, node: _Element) -> None:
        tag = node.tag
        if tag not in BLOCKS:
            return
        self._flush(end=node)
        place = len(self.blocks)
        if tag == "pre":
            self.pre -= 1
        if tag in KIND_OF:
            part = self.open.pop()
            part.end = place
            kinds = {other.kind for other in self.open}
            if part.kind == TABLE or part.kind not in kinds:
                self.parts.append(part)
        if tag == "table":
            self.tables.pop()
        elif self.tables and tag in ("td", "th"):
            self.tables[-1].end_cell(place)
        if node is self.heading:
            self.heading = None

    def _flush(self, end: _Element | None = None) -> None:
        """Make a block of the text so far, if a block ends here."""
        in_pre = self.pre and not (end is not None and end.tag == "pre")
        in_heading = self.heading is not None and end is not self.heading
        if in_pre or in_heading:
            self.text.append("\n")
            return
        text = "".join(self.text)
        self.text.clear()
        words = tuple(split_words(text))
        if self.heading is not None:
            level = int(self.heading.tag[1])
            whole = "".join(self.heading.itertext(etree.Element, "*"))
            block = Block(text, words, level, whole)
        else:
            block = Block(text, words)
        if words or (end is not None and end.tag == "pre" and text.strip()):
            self.blocks.append(block)


class _Grid:
    """The columns of a table's cells, with spans as browsers place them."""

    def __init__(self, part: Part):
        self.part = part
        self.row = -1
        self.taken: Counter[int] = Counter()
        """Rows from this one on that cells above take, by column."""
        self.column = 0

    def start_row(self) -> None:
        self.row += 1
        self.taken = Counter({c: n - 1 for c, n in self.taken.items() if n > 1})
        self.column = 0

    def start_cell(self, node: _Element, place: int) -> None:
        if self.row < 0:
            self.start_row()
        while self.taken[self.column]:
            self.column += 1
        self.part.cells.append(Cell(self.row, self.column, place, place))
        for _ in range(_span(node, "colspan")):
            self.taken[self.column] = _span(node, "rowspan")
            self.column += 1

    def end_cell(self, place: int) -> None:
        if self.part.cells:
            self.part.cells[-1].end = place


def _span(node: _Element, name: str) -> int:
    value = (node.get(name) or "").strip()
    return max(1, min(int(value), 1000)) if value.isdecimal() else 1


@dataclass(frozen=True)
class _Match:
    """Per block its words that the output has, and whether all of its lines."""

    words: np.ndarray
    lines: np.ndarray
    kept: np.ndarray


def judge(expected: Expected, text: str, markdown: str | None = None) -> Structure:
    """Hold an extracted *text*, and its *markdown*, against the expected structures."""
    match = _match(expected.blocks, text)
    counts: Counter[str] = Counter()
    faults: list[str] = []
    squeezed = squeeze(text)
    for part in expected.parts:
        verdict = _verdict(part, expected.blocks, match, squeezed)
        counts[part.kind] += 1
        counts[f"{part.kind}_{verdict}"] += 1
        if verdict != "whole":
            first = " ".join(expected.blocks[part.start].text.split())[:60]
            faults.append(f"{part.kind} {verdict}: {first}")
    _judge_headings(expected.blocks, match, counts, faults)
    if markdown is not None:
        _judge_columns(expected, markdown, counts, faults)
    return Structure(dict(counts), tuple(faults))


def _match(blocks: Sequence[Block], text: str) -> _Match:
    alias = {
        " ".join(split_words(b.whole_text)): " ".join(b.words)
        for b in blocks
        if b.heading
    }
    lines = [" ".join(split_words(line)) for line in text.splitlines()]
    lines = [alias.get(line, line) for line in lines if line]
    keys: list[str] = []
    owner: list[int] = []
    for i, block in enumerate(blocks):
        for line in [block.text] if block.heading else block.text.splitlines():
            if key := " ".join(split_words(line)):
                keys.append(key)
                owner.append(i)
    found = _align(keys, lines)
    owners = np.array(owner, np.int64)
    total = np.bincount(owners, minlength=len(blocks))
    in_lines = (np.bincount(owners[found], minlength=len(blocks)) == total) & (total > 0)
    lengths = np.array([len(b.words) for b in blocks], np.int64)
    matched = _align([w for b in blocks for w in b.words], split_words(text))
    of = np.repeat(np.arange(len(blocks)), lengths)
    words = np.bincount(of[matched], minlength=len(blocks))
    words = np.where(in_lines, lengths, words)
    needed = np.where(lengths <= MAX_EXACT_WORDS, lengths, MIN_KEPT_SHARE * lengths)
    return _Match(words, in_lines, words >= needed)


def _align(expected: Sequence[str], found: Sequence[str]) -> np.ndarray:
    """Which of the *expected* words stand in the common subsequence with *found*."""
    number = {word: i for i, word in enumerate(dict.fromkeys(found))}
    a = np.array([number.get(word, -1) for word in expected], np.int64)
    return align(a, np.array([number[word] for word in found], np.int64))


def _verdict(
    part: Part, blocks: Sequence[Block], match: _Match, squeezed: str
) -> str:
    inside = slice(part.start, part.end)
    whole = bool(match.kept[inside].all())
    if part.kind == CODE:
        whole = whole and squeeze(blocks[part.start].text) in squeezed
    if whole:
        return "whole"
    total = sum(len(block.words) for block in blocks[inside])
    return "torn" if match.words[inside].sum() > MIN_TORN_SHARE * total else "gone"


def _judge_headings(
    blocks: Sequence[Block],
    match: _Match,
    counts: Counter[str],
    faults: list[str],
) -> None:
    last = -1
    directly = False
    for i, block in enumerate(blocks):
        if block.heading:
            counts["heading"] += 1
            counts["heading_kept"] += int(match.lines[i])
            if block.heading == 1 and "title" not in counts:
                counts["title"] = 1
                counts["title_kept"] = int(match.lines[i])
            if not match.lines[i]:
                faults.append("heading gone: " + " ".join(block.text.split())[:60])
            last, directly = i, True
        elif last >= 0:
            orphan = bool(match.kept[i]) and not match.lines[last]
            counts["paragraph"] += 1
            counts["paragraph_kept"] += int(match.kept[i])
            counts["paragraph_orphaned"] += int(orphan)
            if directly:
                counts["first"] += 1
                counts["first_orphaned"] += int(orphan)
            directly = False


def _judge_columns(
    expected: Expected, markdown: str, counts: Counter[str], faults: list[str]
) -> None:
    """Compare the columns of cells that both have, in their order."""
    truth = [
        (_cell_key(cell, expected.blocks), cell.column, column)
        for part in expected.parts
        if part.kind == TABLE
        for cell, column in _compact(part.cells)
    ]
    truth = [cell for cell in truth if cell[0]]
    found = list(_markdown_cells(markdown))
    pairs = _pair([cell[0] for cell in truth], [key for key, _ in found])
    for a, b in pairs:
        key, column, compact = truth[a]
        wrong = found[b][1] not in (column, compact)
        counts["cell"] += 1
        counts["cell_misplaced"] += int(wrong)
        if wrong:
            faults.append(f"cell in column {found[b][1]}, not {column}: {key[:60]}")


def _compact(cells: Sequence[Cell]) -> Iterator[tuple[Cell, int]]:
    """Each cell with its column among those that have text."""
    used = sorted({cell.column for cell in cells if cell.end > cell.start})
    for cell in cells:
        if cell.end > cell.start:
            yield cell, used.index(cell.column)


def _cell_key(cell: Cell, blocks: Sequence[Block]) -> str:
    return " ".join(w for block in blocks[cell.start : cell.end] for w in block.words)


def _pair(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Places of the common subsequence in both."""
    left, right = _align(a, b), _align(b, a)
    return zip(np.flatnonzero(left), np.flatnonzero(right), strict=True)


def _markdown_cells(markdown: str) -> Iterator[tuple[str, int]]:
    """The cells of all pipe tables: their words and their column."""
    from markdown_it import MarkdownIt

    column = -1
    in_cell = False
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.type == "tr_open":
            column = -1
        elif token.type in ("td_open", "th_open"):
            column += 1
            in_cell = True
        elif token.type in ("td_close", "th_close"):
            in_cell = False
        elif token.type == "inline" and in_cell:
            text = "".join(_plain(token.children or ()))
            if key := " ".join(split_words(text)):
                yield key, column


def _plain(tokens: Iterable) -> Iterator[str]:
    for token in tokens:
        if token.type in ("softbreak", "hardbreak", "html_inline"):
            yield " "
        elif token.type in ("text", "code_inline"):
            yield token.content


__all__ = ["Expected", "Structure", "judge", "measure_structure", "read_expected"]
