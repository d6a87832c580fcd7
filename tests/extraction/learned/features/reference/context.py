"""What lies around each block, by the probabilities of the first model: plain loops."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from scrapy_mainpage.extraction.document.document import HEADING_SHIFT, Context
from scrapy_mainpage.extraction.document.tags import CODES
from tests.extraction.learned.features.reference.basics import ancestors
from tests.extraction.learned.features.reference.blocks import weights
from tests.extraction.learned.features.reference.containers import block_ancestors

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    Values = list[float]

EMPTY: Final = 0.1
"""Words of a block without any, in means."""

CONTEXTS: Final = (
    "pre quote caption code list table navigation header footer aside main article form"
).split()
LISTS: Final = (CODES["ul"], CODES["ol"], CODES["dl"])
MISSING: Final = -1.0
ALONE, CODE, TABLE, LIST = range(4)


class Page:
    """A document as lists, with the probability of each block."""

    def __init__(
        self, document: Document, odds: Values, copies: npt.NDArray[np.uint8]
    ) -> None:
        blocks, elements = document.blocks, document.elements
        self.document, self.odds, self.n = document, odds, document.n_blocks
        self.words = weights(document).tolist()
        self.p = [1 / (1 + math.exp(-x)) for x in odds]
        self.copy = copies.tolist()
        self.heading = (blocks.flags >> HEADING_SHIFT).tolist()
        self.flags, self.element = blocks.flags.tolist(), blocks.element.tolist()
        self.tag, self.parent = elements.tag.tolist(), elements.parent.tolist()
        self.item, self.cell = blocks.item.tolist(), blocks.cell.tolist()
        self.first, self.end = (
            elements.first_block.tolist(),
            elements.end_block.tolist(),
        )
        self.all = range(self.n)

    def inside(self, element: int) -> range:
        """The blocks of an element."""
        return range(self.first[element], self.end[element])

    def count(self, blocks: Iterable[int]) -> float:
        """The words of *blocks*."""
        return math.fsum(self.words[i] for i in blocks)

    def expect(self, blocks: Iterable[int]) -> float:
        """The main words expected of *blocks*."""
        return math.fsum(self.words[i] * self.p[i] for i in blocks)

    def purity(self, blocks: Iterable[int], but: int = -1) -> float:
        """The share of main words in *blocks*, one of them left out."""
        others = [i for i in blocks if i != but]
        words = self.count(others)
        return self.expect(others) / words if words > 0.01 else MISSING

    def up(self, i: int, tags: tuple[int, ...]) -> list[int]:
        """The elements around block *i* with one of the *tags*, from the inside."""
        path = [self.element[i], *ancestors(self.parent, self.element[i])]
        return [element for element in path if self.tag[element] in tags]

    def children(self, element: int) -> list[int]:
        """The children of an element."""
        return [i for i, parent in enumerate(self.parent) if parent == element]

    def smallest(self, share: float) -> int:
        """The deepest element with so large a *share* of the expected main words."""
        at, wanted = 0, share * self.expect(self.all)
        while wanted > 0:
            fit = [
                i for i in self.children(at) if self.expect(self.inside(i)) >= wanted
            ]
            if not fit:
                break
            at = fit[0]
        return at


def unit_of(page: Page, i: int) -> tuple[int, int]:
    """The element that block *i* is a part of, with its kind."""
    if code := page.up(i, (CODES["pre"],)):
        return code[-1], CODE
    if (table := page.up(i, (CODES["table"],))) and is_grid(page, table[0]):
        return table[0], TABLE
    if (lists := page.up(i, LISTS)) and is_plain(page, lists[-1]):
        return lists[-1], LIST
    return -1, ALONE


def is_grid(page: Page, table: int) -> bool:
    """Whether a table holds data."""
    inside = page.inside(table)
    if len(inside) < 2:
        return False
    if any(page.up(i, (CODES["table"],))[:1] != [table] for i in inside):
        return False
    places, cells = runs_of(page, inside), runs([page.cell[i] for i in inside])
    path = [(page.up(i, (CODES["tr"], CODES["table"])) or [-1])[0] for i in inside]
    row = [-1 if page.tag[own] == CODES["table"] else own for own in path]
    if any(page.heading[i] and is_shared(row, k) for k, i in enumerate(inside)):
        return False
    rows = runs(row)
    most = max(
        page.count(i for i, k in zip(inside, places, strict=True) if k == c)
        for c in set(places)
    )
    words = page.count(inside)
    return (
        len(inside) <= 3 * cells
        and (rows > 1 or cells > 1)
        and (words <= 60 or most <= 0.6 * words)
    )


def is_shared(values: list[int], k: int) -> bool:
    """Whether a neighbour of the value at *k* equals it; -1 comes before the first."""
    return values[k] in ([-1, *values][k], *values[k + 1 : k + 2])


def runs(values: list[int]) -> int:
    """How often another number than before comes, -1 before the first."""
    before = [-1, *values[:-1]]
    return sum(a != b for a, b in zip(before, values, strict=True))


def runs_of(page: Page, inside: range) -> list[int]:
    """The number of the cell of each block."""
    cells = [page.cell[i] for i in inside]
    return [runs(cells[: k + 1]) for k in range(len(cells))]


def is_plain(page: Page, element: int) -> bool:
    """Whether the items of a list are of a block each, or nearly."""
    inside = page.inside(element)
    items = runs([page.item[i] for i in inside])
    return not any(page.heading[i] for i in inside) and len(inside) <= 1.6 * items


def reference_context(
    document: Document, odds: Values, copies: npt.NDArray[np.uint8]
) -> dict[str, Values]:
    """The values of all blocks by the names of the features."""
    page, columns = Page(document, odds, copies), {}
    for part in (_own, _levels, _containers, _units, _windows, _sections):
        columns.update(part(page))
    return columns


def _own(page: Page) -> dict[str, Values]:
    blocks = page.document.blocks
    columns = {
        "odds": page.odds,
        "words": page.words,
        "link_density": (blocks.linked_words / np.maximum(blocks.words, 1)).tolist(),
        "heading": page.heading,
        "copy": page.copy,
    }
    for name in CONTEXTS:
        bit = int(Context[name.upper()])
        columns[f"in_{name}"] = [bool(flags & bit) for flags in page.flags]
    return columns


def _levels(page: Page) -> dict[str, Values]:
    columns, total = {}, max(page.expect(page.all), 1e-9)
    for level, row in enumerate(block_ancestors(page.document).tolist()):
        others = [[k for k in page.inside(row[i]) if k != i] for i in page.all]
        columns[f"up{level}_purity"] = [page.purity(own) for own in others]
        columns[f"up{level}_words"] = [page.count(own) for own in others]
        columns[f"up{level}_share"] = [page.expect(own) / total for own in others]
    return columns


def _containers(page: Page) -> dict[str, Values]:
    columns, total = {}, max(page.count(page.all), 1)
    for share in (95, 90, 80, 65, 51):
        inside = page.inside(page.smallest(share / 100))
        words, main, name = page.count(inside), page.expect(inside), f"container{share}"
        columns[f"{name}_inside"] = [i in inside for i in page.all]
        columns[f"{name}_purity"] = [main / max(words, 1)] * page.n
        columns[f"{name}_page_share"] = [words / total] * page.n
    node = page.smallest(0.9)
    return columns | _branches(page, node) | _composition(page, page.inside(node))


def _branches(page: Page, node: int) -> dict[str, Values]:
    purity, words, share = ([MISSING] * page.n for _ in range(3))
    whole = max(page.count(page.inside(node)), 1)
    total = max(page.expect(page.all), 1e-9)
    for child in page.children(node):
        inside = page.inside(child)
        for i in inside:
            others = [k for k in inside if k != i]
            if page.count(others) > 0:
                purity[i] = page.expect(others) / page.count(others)
            words[i] = page.count(inside) / whole
            share[i] = page.expect(others) / total
    return {"branch_purity": purity, "branch_words": words, "branch_share": share}


def _composition(page: Page, inside: range) -> dict[str, Values]:
    blocks, own = page.document.blocks, {i: page.words[i] + EMPTY for i in inside}
    words, count = max(math.fsum(own.values()), 0.1), max(len(inside), 1)

    def share(chosen: Iterable[int]) -> float:
        return math.fsum(own[i] for i in chosen) / words

    def within(name: str) -> float:
        return share(i for i in inside if page.flags[i] & int(Context[name]))

    linked = sum(blocks.linked_words[i] for i in inside)
    values = {
        f"below{cut}": share(i for i in inside if page.p[i] < cut / 100)
        for cut in (10, 30, 50, 80)
    } | {
        "low_blocks": sum(page.p[i] < 0.3 for i in inside) / count,
        "link_density": linked / max(sum(blocks.words[i] for i in inside), 1),
        "pre": within("PRE"),
        "table": within("TABLE"),
        "list": within("LIST"),
        "blocks": count,
        "headings": sum(page.heading[i] > 0 for i in inside) / count,
        "sentences": sum(blocks.sentences[i] for i in inside) / words,
    }
    return {f"container_{name}": [value] * page.n for name, value in values.items()}


def _units(page: Page) -> dict[str, Values]:
    units = [unit_of(page, i) for i in page.all]
    rows = []
    for i, (element, kind) in enumerate(units):
        own = [k for k in page.all if units[k][0] == element]
        if element < 0:
            rows.append((page.p[i], page.odds[i], 1, page.words[i], kind))
            continue
        words = math.fsum(page.words[k] + EMPTY for k in own)
        main = math.fsum((page.words[k] + EMPTY) * page.p[k] for k in own) / words
        odds = math.fsum((page.words[k] + EMPTY) * page.odds[k] for k in own) / words
        rows.append((main, odds, len(own), words, kind))
    names = ("purity", "odds", "blocks", "words", "kind")
    values = zip(*rows, strict=True) if rows else [()] * len(names)
    return {f"unit_{k}": list(v) for k, v in zip(names, values, strict=True)}


def _windows(page: Page) -> dict[str, Values]:
    columns: dict[str, Values] = {}
    for width in (1, 2, 4, 8):
        columns[f"before{width}"] = [
            page.purity(range(max(i - width, 0), i)) for i in page.all
        ]
        columns[f"after{width}"] = [
            page.purity(range(i + 1, min(i + width + 1, page.n))) for i in page.all
        ]
    columns["previous"] = [0.0, *page.p][: page.n]
    columns["next"] = [*page.p, 0.0][1:]
    columns["copies_around"] = [_copied(page, i) for i in page.all]
    return columns


def _copied(page: Page, at: int) -> float:
    """The share of copied words in the four blocks before and after."""
    near = [i for i in range(max(at - 4, 0), min(at + 5, page.n)) if i != at]
    words = page.count(near)
    copied = page.count(i for i in near if page.copy[i])
    return copied / words if words > 0.01 else MISSING


def _sections(page: Page) -> dict[str, Values]:
    marks = [i for i in page.all if page.heading[i]]
    purity, words, over = [], [], []
    for i in page.all:
        above = max((k for k in marks if k <= i), default=-1)
        end = min((k for k in marks if k > i), default=page.n)
        text = range(above + 1, end)
        purity.append(page.purity(text, but=i))
        words.append(page.count(text))
        over.append(page.p[above] if above >= 0 else MISSING)
    main, total = page.expect(page.all), max(page.count(page.all), 1)
    return {
        "section_purity": purity,
        "section_words": words,
        "above": over,
        "page_words": [main] * page.n,
        "page_share": [main / total] * page.n,
    }
