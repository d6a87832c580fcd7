"""Text segments with their word and link densities (Kim et al. 2013, section 2.2).

Two ways to cut a page: as the paper has it, at every tag but ``a``; or as Boilerpipe
has it (C. Kohlschütter, P. Fankhauser, W. Nejdl, "Boilerplate Detection using Shallow
Text Features", WSDM 2010), where tags inside of a line do not cut: our text blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ._lines import wrap_words
from .document import RunKind
from .tags import CODES

if TYPE_CHECKING:
    import numpy.typing as npt

    from .document import Document

    Ints = npt.NDArray[np.integer[Any]]
    Floats = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]

SEGMENTATIONS: Final = ("paper", "boilerpipe")
LINE_WIDTH: Final = 80
"""Characters; the width at which text is wrapped to count the words per line."""

PARENT_TAGS: Final = (
    "a b blockquote br dd dl dt font h1 h2 h3 h4 h5 h6 img li ol p pre q table ul"
).split()
"""The tags of the paper's Table 1; a parent tag's code is its place here plus one."""

NO_TAG: Final = 0
OTHER_TAG: Final = len(PARENT_TAGS) + 1


@dataclass(frozen=True, eq=False)
class Segments:
    """One value per segment, in document order.

    ``place`` and ``end_place`` are the lines of its first and last text when the page
    is written with one tag or one text a line.
    """

    first_run: Ints
    block: Ints
    tag: Ints
    words: Ints
    word_density: Floats
    link_density: Floats
    place: Ints
    end_place: Ints

    def __len__(self) -> int:
        return len(self.block)


def cut(document: Document, segmentation: str) -> Segments:
    """Cut *document* into segments by ``"paper"`` or ``"boilerpipe"`` segmentation."""
    runs = document.runs
    texts = np.flatnonzero((runs.kind == RunKind.TEXT) & (runs.end > runs.start))
    begins = _begins(document, texts, segmentation)
    first = np.flatnonzero(begins)
    last = np.concatenate((first[1:], [len(texts)]))[: len(first)] - 1
    group = np.cumsum(begins) - 1
    words, lines, last_words = wrap_words(
        document.text, runs.start[texts[first]], runs.end[texts[last]], LINE_WIDTH
    )
    complete = np.where(lines > 1, words - last_words, words)
    linked = document.elements.link[runs.element[texts]] >= 0
    run_words = runs.words[texts]
    total = np.bincount(group, run_words, len(first))
    in_links = np.bincount(group, run_words * linked, len(first))
    return Segments(
        first_run=texts[first].astype(np.int32),
        block=runs.block[texts[first]],
        tag=_parent_tags(document, texts, group, first),
        words=words,
        word_density=complete / np.maximum(lines - 1, 1),
        link_density=in_links / np.maximum(total, 1),
        place=runs.place[texts[first]],
        end_place=runs.place[texts[last]],
    )


def _begins(document: Document, texts: Ints, segmentation: str) -> Mask:
    """Which of the *texts* (runs) begin a segment."""
    runs, elements = document.runs, document.elements
    begins = np.ones(len(texts), bool)
    block = runs.block[texts]
    same_block = block[1:] == block[:-1]
    if segmentation == "boilerpipe":
        begins[1:] = ~same_block
        return begins
    element = runs.element[texts]
    is_link = elements.tag[element] == CODES["a"]
    base = np.where(is_link, elements.parent[element], element)
    # Between two texts there are as many tags as links are left and entered.
    tags = runs.place[texts][1:] - runs.place[texts][:-1] - 1
    changes = element[1:] != element[:-1]
    links = (is_link[1:].astype(int) + is_link[:-1]) * changes
    begins[1:] = ~(same_block & (base[1:] == base[:-1]) & (tags == links))
    return begins


def _parent_tags(document: Document, texts: Ints, group: Ints, first: Ints) -> Ints:
    """Each segment's parent tag: the nearest element around all of it."""
    elements = document.elements
    element = document.runs.element[texts]
    is_link = elements.tag[element] == CODES["a"]
    linked = np.bincount(group, is_link, len(first)) == np.bincount(group)
    start = element[first]
    around = np.where(is_link[first] & ~linked, elements.parent[start], start)
    table = np.full(len(CODES) + len(document.extra_tags), OTHER_TAG, np.int32)
    table[[CODES[tag] for tag in PARENT_TAGS]] = np.arange(1, OTHER_TAG)
    tags: Ints = table[elements.tag[around]]
    return tags
