"""What the records of groups of links hold: words, headings, pictures, labels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ...label import Label
from ..document.schema import HEADING_SHIFT, Context, RunKind
from ..labels import CODE
from ..metadata.plaintext import clean

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Bytes, Doubles, Longs, Mask
    from .linkgroups import Groups

MAX_MENU: Final = 0.8
"""Share of a page's words in menus, beyond which one is not closed."""

MAX_BEFORE: Final = 3
"""Words before a link in its block: of more, it is a link of a sentence."""

MAX_FACET: Final = 8
"""Words of a facet's record, in the mean."""

MAX_INSIDE: Final = 12
"""Elements inside of a link that may say what it is."""

_FRAME: Final = [
    CODE[label]
    for label in (
        Label.NAVIGATION, Label.BREADCRUMB, Label.HEADER, Label.FOOTER, Label.SIDEBAR,
        Label.SHARE, Label.COMMENTS, Label.CONSENT, Label.FORM, Label.PAGINATION,
        Label.LEGAL,
    )
]  # fmt: skip
_NAVIGATION: Final = int(Context.NAVIGATION)
_COUNT: Final = re.compile(rb"[(\[]\s?[0-9][0-9.,]*\s?[)\]]\s*$|\b[0-9]+\s?items?\s*$")
_COUNT_BYTES: Final = 16
_BRACKETS: Final = re.compile(rb"\([^)]*\)")


class Words:
    """Sums of words over the blocks of a page: all, and those of some labels."""

    def __init__(self, document: Document, labels: Bytes, main: Mask) -> None:
        words = document.blocks.words.astype(np.int64)
        self.all = _sums(words)
        linked = document.blocks.linked_words.astype(np.int64)
        self.free = _sums(words - linked)
        self.frame = _sums(words * np.isin(labels, _FRAME))
        self.main = _sums(words * main)
        self.beside = _sums(words * np.isin(labels, [*_FRAME, CODE[Label.RELATED]]))
        self.comments = _sums(words * (labels == CODE[Label.COMMENTS]))


class Measures:
    """The groups of a page in numbers: one for each link, or means over each group."""

    def __init__(self, document: Document, groups: Groups, words: Words) -> None:
        self.document = document
        self.groups = groups
        self.sums = words
        self.sizes = np.diff(groups.bounds)
        self.total = np.maximum(self._sum(words.all), 1)
        self.free = self._sum(words.free)
        runs, elements = document.runs, document.elements
        texts = np.where(runs.kind == RunKind.TEXT, runs.words, 0)
        self._run_words = _sums(texts.astype(np.int64))
        first, end = (c[groups.links] for c in (elements.first_run, elements.end_run))
        self.words = self._run_words[end] - self._run_words[first]
        self._read_texts()

    def mean(self, values: Longs | Mask) -> Doubles:
        """The mean of the links' *values* in each group."""
        starts = self.groups.bounds[:-1]
        found: Doubles = np.add.reduceat(values.astype(np.float64), starts) / self.sizes
        return found

    def share(self, sums: Longs) -> Doubles:
        """The share of the words of the records that *sums* count."""
        found: Doubles = self._sum(sums) / self.total
        return found

    def _sum(self, sums: Longs) -> Longs:
        inside = sums[self.groups.end] - sums[self.groups.first]
        found: Longs = np.add.reduceat(inside, self.groups.bounds[:-1])
        return found

    def headings(self) -> tuple[Longs, Longs]:
        """The first heading of each record: its block, or -1, and its words."""
        flags = self.document.blocks.flags
        found = np.append(np.flatnonzero(flags >> HEADING_SHIFT), len(flags))
        place = found[np.searchsorted(found, self.groups.first)]
        place = np.where(place < self.groups.end, place, -1)
        words = np.append(self.document.blocks.words, 0)[place]
        return place, words

    def levels(self, heading: Longs) -> Longs:
        """The level of the heading around or inside of each link; 0 for none.

        *heading* are the blocks of the records' headings.
        """
        elements, links = self.document.elements, self.groups.links
        own = elements.flags[links] >> HEADING_SHIFT
        inside = heading >= elements.first_block[links]
        inside &= heading < elements.end_block[links]
        flags = self.document.blocks.flags[heading] >> HEADING_SHIFT
        found: Longs = np.where(own > 0, own, np.where(inside, flags, 0))
        return found

    def images(self) -> Mask:
        """Whether each record holds a picture."""
        elements, tops = self.document.elements, self.groups.tops
        sums = _sums(self.document.runs.kind == RunKind.IMAGE)
        found: Mask = sums[elements.end_run[tops]] > sums[elements.first_run[tops]]
        return found

    def in_menu(self) -> Mask:
        """Whether links are in a menu, on a page that is not all menu."""
        found: Mask = self.document.elements.flags[self.groups.links] & _NAVIGATION > 0
        blocks = self.document.blocks
        inside = blocks.words.sum(where=blocks.flags & _NAVIGATION > 0)
        is_whole = inside > MAX_MENU * blocks.words.sum()
        return np.zeros_like(found) if is_whole else found

    def in_prose(self) -> Mask:
        """Whether links are in the middle of a text."""
        elements, links = self.document.elements, self.groups.links
        run = np.minimum(elements.first_run[links], len(self.document.runs.block) - 1)
        block = self.document.runs.block[run]
        before = self._run_words[run]
        before = before - self._run_words[self.document.blocks.first_run[block]]
        found: Mask = (before > MAX_BEFORE) & (block >= 0)
        found &= elements.owner[links] != links
        return found

    def linked(self) -> Doubles:
        """The share of the links of each group in the words of the texts around."""
        runs, words = self.document.runs, self.document.blocks.words
        run = self.document.elements.first_run[self.groups.links]
        block = runs.block[np.minimum(run, len(runs.block) - 1)]
        is_new = np.append(True, block[1:] != block[:-1])
        is_new[self.groups.bounds[:-1]] = True
        around = np.where(is_new & (block >= 0), words[block], 0)
        found: Doubles = self.mean(self.words) / np.maximum(self.mean(around), 0.1)
        return np.where(self.is_spoken, 0, found)

    def _read_texts(self) -> None:
        """The shares of distinct texts, of distinct addresses, and of counts.

        A link that only holds a picture says its alternative text, if all of its group
        do. A facet is a short record with the number of its results at its end.
        """
        self.is_spoken = np.add.reduceat(self.words, self.groups.bounds[:-1]) == 0
        self.is_spoken &= self.sizes > 1
        texts, ends = self._texts(), self._ends()
        is_short = (self.total / self.sizes <= MAX_FACET).tolist()
        bounds, hrefs = self.groups.bounds.tolist(), self.groups.hrefs
        rows = [(1.0, 1.0, 0.0)] * len(is_short)
        for group in np.flatnonzero(self.sizes > 1).tolist():
            start, end = bounds[group : group + 2]
            size = end - start
            said = {*texts[start:end]}
            if any(b"(" in text for text in said):
                said = {_BRACKETS.sub(b"", text) for text in said}
            names = {text.strip() for text in said} - {b""}
            facets = ends[start:end] if is_short[group] else []
            counts = sum(bool(_COUNT.search(text)) for text in facets)
            rows[group] = (
                len(names) / size,
                len({*hrefs[start:end]}) / size,
                counts / size,
            )
        self.distinct, self.unique, self.counted = np.array(rows).T

    def _texts(self) -> list[bytes]:
        """What each link says; sets the words of pictures."""
        elements, runs = self.document.elements, self.document.runs
        text = self.document.text
        first = np.minimum(elements.first_run[self.groups.links], len(runs.start) - 1)
        last = np.maximum(elements.end_run[self.groups.links] - 1, 0)
        pairs = zip(runs.start[first].tolist(), runs.end[last].tolist(), strict=True)
        found = [text[start:end] for start, end in pairs]
        for group in np.flatnonzero(self.is_spoken).tolist():
            for k in self.groups.places(group):
                said = spoken_text(self.document, int(self.groups.links[k])) or ""
                found[k] = said.encode("utf-8", "replace")
                self.words[k] = len(said.split())
        return found

    def _ends(self) -> list[bytes]:
        """The last bytes of each record."""
        blocks, text = self.document.blocks, self.document.text
        places = blocks.end[np.maximum(self.groups.end - 1, 0)].tolist()
        return [text[max(end - _COUNT_BYTES, 0) : end] for end in places]


def spoken_text(document: Document, link: int) -> str | None:
    """What a link without text says: its label, or that of a picture in it."""
    end = min(int(document.elements.end[link]), link + MAX_INSIDE)
    for element in range(link, end):
        values = document.attributes_of(element)
        for name in ("aria-label", "title", "alt"):
            if text := clean(values.get(name)):
                return text
    return None


def _sums(values: Longs | Mask) -> Longs:
    return np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
