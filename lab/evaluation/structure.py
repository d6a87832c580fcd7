"""Whether tables, code, lists and headings come out whole, where the element is known.

The text blocks of the main content are held against the extracted text twice: their
lines against its lines, for what stands on lines of its own, and their words against
its words, in order.
"""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml.etree import LxmlError
from markdown_it import MarkdownIt

from lab.evaluation.gold import pair
from lab.evaluation.page_measures import Output, Row, Subject, Task, measure

from .element_truth import (
    CODE,
    TABLE,
    normalize,
    read_content,
    split_lines,
    split_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt
    from markdown_it.token import Token

    from .element_truth import Content, Part, TextBlock
    from .page_measures import Refine

MAX_EXACT_WORDS: Final = 10
"""A text block of no more words is kept only with all of them."""
MIN_KEPT_SHARE: Final = 0.9
"""The share of its words that keeps a longer text block."""
MIN_TORN_SHARE: Final = 0.2
"""With no more of its words a table, a code block or a list is gone."""

MAX_FAULT_CHARACTERS: Final = 60
MAX_FAULTS: Final = 20


@dataclass(frozen=True)
class Structure:
    """Counts by name, and a line for each thing that is not as it should be.

    ``tables``, ``code`` and ``lists``, each with ``_whole``, ``_torn`` and ``_gone``;
    ``headings`` and ``headings_kept``; ``titles`` (0 or 1) and ``titles_kept``;
    ``paragraphs`` under a heading, with ``_kept`` and ``_orphaned``; ``cells`` of
    Markdown tables and ``cells_misplaced``. A name that is missing counts 0.
    """

    counts: dict[str, int]
    faults: tuple[str, ...]


def score_structure(
    content: Content, text: str, markdown: str | None = None
) -> Structure:
    """Hold an extracted *text*, and its *markdown*, against a page's element truth."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    match = _match(content.blocks, text)
    _score_parts(content, match, _squeeze(text), counts, faults)
    _score_headings(content.blocks, match, counts, faults)
    if markdown is not None:
        _score_columns(content, markdown, counts, faults)
    return Structure(dict(counts), tuple(faults))


@dataclass(frozen=True)
class _Match:
    """Per text block whether all lines are found, how many words, and if it is kept."""

    in_lines: npt.NDArray[np.bool_]
    words: npt.NDArray[np.int64]
    kept: npt.NDArray[np.bool_]


def _match(blocks: Sequence[TextBlock], text: str) -> _Match:
    own = [
        (line, i) for i, block in enumerate(blocks) for line in split_lines(block.text)
    ]
    others = list(_output_lines(text, blocks))
    found = _find_lines([line for line, _ in own], others)
    total, matched = Counter(i for _, i in own), Counter(own[k][1] for k, _ in found)
    in_lines = np.array([0 < total[i] == matched[i] for i in range(len(blocks))], bool)

    # The words of those lines are taken: each line is one symbol.
    taken = {j for k, j in found if in_lines[own[k][1]]}
    left = [(w, i) for line, i in own for w in _symbols(line, bool(in_lines[i]))]
    right = [w for j, line in enumerate(others) for w in _symbols(line, j in taken)]
    lengths = np.array([len(block.words) for block in blocks], np.int64)
    words = np.where(in_lines, lengths, _count_words(left, right, len(blocks)))
    needed = np.where(lengths <= MAX_EXACT_WORDS, lengths, MIN_KEPT_SHARE * lengths)
    return _Match(in_lines, words, words >= needed)


def _find_lines(lines: Sequence[str], others: Sequence[str]) -> list[tuple[int, int]]:
    """The places of equal lines in both, in order."""
    places, found = pair(lines, others)
    # Headings stand below a list of contents: of two equal lines take the later.
    return list(zip(slide(lines, (places, found)), found, strict=True))


def slide(a: Sequence[str], pairs: tuple[list[int], list[int]]) -> list[int]:
    """The places in *a* of *pairs*, each beside the next one where *a* allows it.

    >>> slide("xabcay", ([0, 1, 5], [0, 1, 2]))
    [0, 4, 5]
    """
    i, j = [*pairs[0]], pairs[1]
    for k in reversed(range(len(i) - 1)):
        before = i[k + 1] - 1
        if j[k] + 1 == j[k + 1] and a[i[k]] == a[before]:
            i[k] = before
    return i


def _count_words(
    owned: Sequence[tuple[str, int]], others: Sequence[str], blocks: int
) -> npt.NDArray[np.int64]:
    """Per text block the number of its words that the output has, in order."""
    words = [word for word, _ in owned]
    pairs = pair(words, others)
    count = np.zeros(blocks, np.int64)
    # Of two equal words of the page, a single one of the output may be either.
    for places in (pairs[0], slide(words, pairs)):
        owners = np.array([owned[k][1] for k in places], np.int64)
        count = np.maximum(count, np.bincount(owners, minlength=blocks))
    return count


def _symbols(line: str, is_one: bool) -> list[str]:
    return [f"{line}\n"] if is_one else line.split(" ")


def _output_lines(text: str, blocks: Sequence[TextBlock]) -> Iterator[str]:
    """The lines of an output; one with a whole heading is the lines of that heading."""
    headings = {
        " ".join(split_words(whole)): split_lines(block.text)
        for block in blocks
        if block.level
        for whole in (block.full_text, block.text)
    }
    for line in split_lines(text):
        yield from headings.get(line, [line])


def _score_parts(
    content: Content,
    match: _Match,
    characters: str,
    counts: Counter[str],
    faults: list[str],
) -> None:
    for part in content.parts:
        verdict = _verdict(part, content.blocks, match, characters)
        counts[part.kind] += 1
        counts[f"{part.kind}_{verdict}"] += 1
        if verdict != "whole":
            first = _first_words(content.blocks[part.start])
            faults.append(f"{part.kind} {verdict}: {first}")


def _verdict(
    part: Part, blocks: Sequence[TextBlock], match: _Match, characters: str
) -> str:
    inside = slice(part.start, part.end)
    whole = bool(match.kept[inside].all())
    if part.kind == CODE:
        whole = whole and _squeeze(blocks[part.start].text) in characters
    if whole:
        return "whole"
    total = sum(len(block.words) for block in blocks[inside])
    return "torn" if match.words[inside].sum() > MIN_TORN_SHARE * total else "gone"


def _squeeze(text: str) -> str:
    return normalize("".join(text.split()))


def _score_headings(
    blocks: Sequence[TextBlock],
    match: _Match,
    counts: Counter[str],
    faults: list[str],
) -> None:
    """Score headings, the first h1 as the title, and what follows each heading."""
    above: bool | None = None
    for block, in_lines, kept in zip(blocks, match.in_lines, match.kept, strict=True):
        if block.level:
            above = bool(in_lines)
            names = ["headings"]
            if block.level == 1 and not counts["titles"]:
                names.append("titles")
            for name in names:
                counts[name] += 1
                counts[f"{name}_kept"] += above
            if not above:
                faults.append(f"heading gone: {_first_words(block)}")
        elif above is not None:
            counts["paragraphs"] += 1
            counts["paragraphs_kept"] += bool(kept)
            counts["paragraphs_orphaned"] += bool(kept) and not above


def _score_columns(
    content: Content, markdown: str, counts: Counter[str], faults: list[str]
) -> None:
    """Compare the columns of the cells that the page and its Markdown have."""
    expected = list(_cells(content))
    found = list(_markdown_cells(markdown))
    pairs = pair([words for words, _ in expected], [words for words, _ in found])
    for i, j in zip(*pairs, strict=True):
        (words, columns), column = expected[i], found[j][1]
        counts["cells"] += 1
        if column not in columns:
            counts["cells_misplaced"] += 1
            first = words[:MAX_FAULT_CHARACTERS]
            faults.append(f"cell in column {column + 1}, not {columns[0] + 1}: {first}")


def _cells(content: Content) -> Iterator[tuple[str, tuple[int, int]]]:
    """The words of each cell, its column, and that among the columns with text."""
    for table in content.parts:
        cells = [cell for cell in table.cells if cell.end > cell.start]
        used = sorted({cell.column for cell in cells})
        for cell in cells if table.kind == TABLE else ():
            inside = content.blocks[cell.start : cell.end]
            words = " ".join(word for block in inside for word in block.words)
            yield words, (cell.column, used.index(cell.column))


def _markdown_cells(markdown: str) -> Iterator[tuple[str, int]]:
    """The words of each cell with text in pipe tables, and its column."""
    tokens = iter(MarkdownIt().enable("table").disable("inline").parse(markdown))
    inline = MarkdownIt()
    column = -1
    for token in tokens:
        if token.type == "tr_open":
            column = -1
        elif token.type in ("td_open", "th_open"):
            column += 1
            children = inline.parseInline(next(tokens).content)[0].children or ()
            if words := " ".join(split_words("".join(map(_plain, children)))):
                yield words, column


def _plain(token: Token) -> str:
    """The text of an inline token; an emphasis parts no words."""
    if token.type in ("text", "code_inline"):
        return token.content
    return "" if token.type.startswith(("em_", "strong_", "link_")) else " "


def _first_words(block: TextBlock) -> str:
    return " ".join(block.text.split())[:MAX_FAULT_CHARACTERS]


# --- Pages


@dataclass(frozen=True)
class StructureRow(Row):
    """A row whose ``faults`` are the first things torn, gone or misplaced."""

    faults: list[str] = field(default_factory=list)


def measure_structure(task: Task, refine: Refine | None = None) -> list[Row]:
    """The rows of a task, with the counts of structure if its main element is known.

    *refine* adds the other measures.
    """
    page = task.page
    if not page.content:
        return measure(task, refine)
    try:
        content = read_content(page.html(), page.content, page.drop)
    except (OSError, EOFError, ValueError, LxmlError, zlib.error) as error:
        return task.not_read(error)

    def with_structure(row: Row, subject: Subject, output: Output) -> Row:
        row = refine(row, subject, output) if refine else row
        markdown = output.page.markdown if output.page else None
        found = score_structure(content, output.text, markdown)
        measures = row.measures | found.counts | {"faults": len(found.faults)}
        known = asdict(row) | {"measures": measures}
        return StructureRow(**known, faults=[*found.faults[:MAX_FAULTS]])

    return measure(task, with_structure)
